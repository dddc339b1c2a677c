/* The floor of verification: crypto_sign_verify_detached over prepared messages, on all processors.
 *
 *   cc -O2 raw-verify.c -lsodium -lpthread -o raw-verify
 *   raw-verify <messages> [threads]
 *
 * A record of the file is key (32), signature (64), length (4, little-endian), message. The file is read before the clock
 * starts: nothing but verification is counted. Prints the seconds of wall time and of processor time, and the count.
 */
#include <pthread.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { KEY = 32, SIGNATURE = 64, LENGTH = 4, HEAD = KEY + SIGNATURE + LENGTH, STEP = 256 };

static const unsigned char **records;
static size_t count;
static atomic_size_t next, bad;

static uint32_t length_of(const unsigned char *record) {
  const unsigned char *p = record + KEY + SIGNATURE;
  return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

static void *work(void *unused) {
  (void)unused;
  for (;;) {
    size_t start = atomic_fetch_add(&next, STEP), end = start + STEP < count ? start + STEP : count;
    if (start >= count) return NULL;
    for (size_t i = start; i < end; i++) {
      const unsigned char *r = records[i];
      if (crypto_sign_verify_detached(r + KEY, r + HEAD, length_of(r), r) != 0) atomic_fetch_add(&bad, 1);
    }
  }
}

static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  if (argc < 2) return 129;
  FILE *file = fopen(argv[1], "rb");
  if (!file || sodium_init() < 0) return 128;
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(size);
  if (!bytes || fread(bytes, 1, size, file) != size) return 128;
  records = malloc((size / HEAD + 1) * sizeof *records);
  if (!records) return 128;
  for (size_t place = 0; place < size; place += HEAD + length_of(bytes + place)) records[count++] = bytes + place;

  int threads = argc > 2 ? atoi(argv[2]) : (int)sysconf(_SC_NPROCESSORS_ONLN);
  pthread_t ids[256];
  if (threads < 1 || threads > 256) return 129;
  double wall = seconds(CLOCK_MONOTONIC), processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < threads; i++)
    if (pthread_create(&ids[i], NULL, work, NULL) != 0) return 128;
  for (int i = 0; i < threads; i++) pthread_join(ids[i], NULL);
  wall = seconds(CLOCK_MONOTONIC) - wall;
  processor = seconds(CLOCK_PROCESS_CPUTIME_ID) - processor;
  printf("%.6f %.6f %zu\n", wall, processor, count);
  return bad != 0;
}
