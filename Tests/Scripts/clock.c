/* A clock of the day that is wrong by CLOCK_OFFSET seconds, for the programs that this library is loaded into before theirs.
   The times of files stay right, as they are where a store lies on another machine. */

#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = (int)syscall(SYS_clock_gettime, clock, time);
  const char *offset = getenv("CLOCK_OFFSET");
  if (result == 0 && offset != NULL && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    time->tv_sec += atoll(offset);
  return result;
}
