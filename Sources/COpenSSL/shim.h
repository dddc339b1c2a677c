// The low-level SHA256_ functions are marked deprecated since OpenSSL 3.0. They are used on
// purpose: fetching a digest through EVP costs about half a millisecond at each process start.
#define OPENSSL_SUPPRESS_DEPRECATED 1
#include <openssl/sha.h>
