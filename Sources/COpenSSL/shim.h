// The low-level SHA256_ functions are marked deprecated since OpenSSL 3.0. They are used on
// purpose: fetching a digest through EVP costs about half a millisecond at each process start.
#define OPENSSL_SUPPRESS_DEPRECATED 1
#include <openssl/sha.h>
// Signatures of RSA keys, which only the transports that need them pay for.
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
