/* What commands cost: runs them in turn, again and again, and prints for each a line with the median wall time, the mean user
 * and system time in microseconds, and the peak of resident memory in KiB.
 *
 *   cc -O2 measure.c -o measure
 *   measure <rounds> <command> <argument>... [-- <command> <argument>...]...
 *
 * Every run reads the standard input from its beginning; what it prints is thrown away. Taking turns spreads a busy moment of
 * the machine over all commands. A program of a few kilobytes starts them, because a child's peak counts its parent's pages.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { COMMANDS = 8, ROUNDS = 100000 };

struct cost {
  double *walls, user, system;
  long memory;
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double microseconds(struct timeval t) { return (double)t.tv_sec * 1e6 + (double)t.tv_usec; }

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int run(char **command, struct cost *cost, int round) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  pid_t pid;
  int status;
  struct rusage usage;
  lseek(0, 0, SEEK_SET);
  double start = now();
  if (posix_spawnp(&pid, command[0], &actions, NULL, command, environ) != 0) return 128;
  if (wait4(pid, &status, 0, &usage) != pid) return 128;
  double wall = now() - start;
  posix_spawn_file_actions_destroy(&actions);
  if (status != 0) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (round < 0) return 0;
  cost->walls[round] = wall;
  cost->user += microseconds(usage.ru_utime);
  cost->system += microseconds(usage.ru_stime);
  if (usage.ru_maxrss > cost->memory) cost->memory = usage.ru_maxrss;
  return 0;
}

int main(int argc, char **argv) {
  int rounds = argc > 2 ? atoi(argv[1]) : 0, commands = 1;
  char **first[COMMANDS] = {argv + 2};
  if (rounds < 1 || rounds > ROUNDS) return 129;
  for (int i = 2; i < argc; i++)
    if (strcmp(argv[i], "--") == 0 && commands < COMMANDS) {
      argv[i] = NULL;
      first[commands++] = argv + i + 1;
    }
  struct cost costs[COMMANDS] = {{0}};
  for (int c = 0; c < commands; c++)
    if (!(costs[c].walls = malloc((size_t)rounds * sizeof *costs[c].walls))) return 128;
  for (int round = rounds < 10 ? 0 : -3; round < rounds; round++) /* many short runs warm up first */
    for (int c = 0; c < commands; c++) {
      int status = run(first[c], &costs[c], round);
      if (status != 0) {
        fprintf(stderr, "measure: '%s' ended with %d\n", first[c][0], status);
        return status;
      }
    }
  for (int c = 0; c < commands; c++) {
    qsort(costs[c].walls, (size_t)rounds, sizeof *costs[c].walls, ascending);
    printf("%.1f %.1f %.1f %ld\n", costs[c].walls[rounds / 2], costs[c].user / rounds, costs[c].system / rounds,
           costs[c].memory);
  }
  return 0;
}
