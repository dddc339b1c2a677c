// What the C library declares only under _GNU_SOURCE, which Swift's Glibc module does not set, and
// what is variadic, which Swift does not import: prototypes as in the man pages syncfs(2),
// renameat2(2), getrandom(2), values as in the kernel's headers. No header of the C library that
// defines types is included: `struct stat` and its like must belong to the Glibc module alone.
#include <stddef.h>

extern int syncfs(int fd);
extern int renameat2(
    int old_dir, const char *old_path, int new_dir, const char *new_path, unsigned int flags);
extern long getrandom(void *buffer, size_t length, unsigned int flags);
extern int fcntl(int fd, int command, ...);
extern int openat(int dir, const char *path, int flags, ...);

enum {
  LINUX_RENAME_NOREPLACE = 1,  // linux/fs.h
  LINUX_F_OFD_GETLK = 36,      // fcntl_locking(2), asm-generic/fcntl.h
  LINUX_F_OFD_SETLK = 37,
  LINUX_F_OFD_SETLKW = 38,
};

// fcntl with a `struct flock`.
static inline int linux_fcntl_lock(int fd, int command, void *lock) {
  return fcntl(fd, command, lock);
}

// openat with a mode.
static inline int linux_openat(int dir, const char *path, int flags, unsigned int mode) {
  return openat(dir, path, flags, mode);
}

// The number of processors this process may run on (so that taskset counts), or -1. The mask is
// large enough for 8,192 processors; the kernel answers EINVAL for one that is too small.
static inline int linux_processor_count(void) {
  extern int sched_getaffinity(int pid, size_t size, void *mask);
  unsigned long mask[8192 / (8 * sizeof(unsigned long))] = {0};
  if (sched_getaffinity(0, sizeof mask, mask) != 0) return -1;
  int count = 0;
  for (size_t index = 0; index < sizeof mask / sizeof mask[0]; index++)
    count += __builtin_popcountl(mask[index]);
  return count;
}

// The variables of this process: the C library's own name for them is a global variable.
static inline char **linux_environment(void) {
  extern char **environ;
  return environ;
}
