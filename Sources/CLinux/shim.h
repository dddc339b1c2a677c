// What the C library declares only under _GNU_SOURCE, which Swift's Glibc module does not set:
// prototypes as in the man pages syncfs(2) and renameat2(2), values as in the kernel's headers.
#include <fcntl.h>

extern int syncfs(int fd);
extern int renameat2(
    int old_dir, const char *old_path, int new_dir, const char *new_path, unsigned int flags);

enum {
  LINUX_RENAME_NOREPLACE = 1,  // linux/fs.h
  LINUX_F_OFD_GETLK = 36,      // fcntl_locking(2), asm-generic/fcntl.h
  LINUX_F_OFD_SETLK = 37,
  LINUX_F_OFD_SETLKW = 38,
};

// fcntl is variadic, which Swift imports without its lock form.
static inline int linux_fcntl_lock(int fd, int command, struct flock *lock) {
  return fcntl(fd, command, lock);
}
