// What the C library declares only under _GNU_SOURCE, which Swift's Glibc module does not set, and
// what is variadic, which Swift does not import: prototypes as in the man pages syncfs(2),
// renameat2(2), getrandom(2), mallopt(3), values as in the kernel's headers. No header of the C library that
// defines types is included: `struct stat` and its like must belong to the Glibc module alone.
#include <stddef.h>

extern int syncfs(int fd);
extern int renameat2(
    int old_dir, const char *old_path, int new_dir, const char *new_path, unsigned int flags);
extern long getrandom(void *buffer, size_t length, unsigned int flags);
extern int mallopt(int parameter, int value);
extern void *__libc_malloc(size_t size);  // malloc(3) itself, where the linker has put another in its place
extern int fcntl(int fd, int command, ...);
extern int openat(int dir, const char *path, int flags, ...);
extern int pipe2(int ends[2], int flags);
extern int posix_spawn_file_actions_addchdir_np(void *actions, const char *path);

enum {
  LINUX_RENAME_NOREPLACE = 1,  // linux/fs.h
  LINUX_F_OFD_GETLK = 36,      // fcntl_locking(2), asm-generic/fcntl.h
  LINUX_F_OFD_SETLK = 37,
  LINUX_F_OFD_SETLKW = 38,
  LINUX_M_TRIM_THRESHOLD = -1,  // mallopt(3), malloc.h
  LINUX_M_TOP_PAD = -2,
  LINUX_M_MMAP_THRESHOLD = -3,
};

// fcntl with a `struct flock`.
static inline int linux_fcntl_lock(int fd, int command, void *lock) {
  return fcntl(fd, command, lock);
}

// A spawned process begins in another directory (POSIX 2024 without the ending).
static inline int linux_spawn_in(void *actions, const char *path) {
  return posix_spawn_file_actions_addchdir_np(actions, path);
}

// openat with a mode.
static inline int linux_openat(int dir, const char *path, int flags, unsigned int mode) {
  return openat(dir, path, flags, mode);
}

// Both ends of a new pipe: what is written to the second is read from the first.
static inline int linux_pipe(int *ends, int flags) { return pipe2(ends, flags); }

// Lets reads and writes of a descriptor answer EAGAIN where they would wait, or wait again.
static inline int linux_set_flags(int fd, int flags) { return fcntl(fd, 4 /* F_SETFL */, flags); }
static inline int linux_get_flags(int fd) { return fcntl(fd, 3 /* F_GETFL */); }

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

// The number of a directory in its file system, and when it was made, in nanoseconds since 1970, or 0 where the file
// system does not tell (statx(2)). The places in the answer are those of `struct statx` in linux/stat.h.
static inline int linux_origin(int dir, unsigned long long *inode, long long *birth) {
  extern int linux_statx(int dir, const char *path, int flags, unsigned mask, void *answer) __asm__("statx");
  unsigned long long answer[32] = {0};
  if (linux_statx(dir, "", 0x1000 /* AT_EMPTY_PATH */, 0x900 /* STATX_BTIME | STATX_INO */, answer) != 0)
    return -1;
  *inode = answer[4];
  *birth = (unsigned)answer[0] & 0x800 ? (long long)answer[10] * 1000000000 + (unsigned)answer[11] : 0;
  return 0;
}
