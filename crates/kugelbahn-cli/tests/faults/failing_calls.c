/* Lets calls of the C library fail, as a full disk or a broken one does: of those that change files the one numbered FAIL_AT (from 1), or
   with FAIL_ON it and all after it; with FAIL_FULL those alone that take room. FAIL_KILL: the process gets this signal there instead, and
   if it lives the call is made 0.1 s later. FAIL_COUNT: a file that says how many there were. FAIL_LIST: no folder can be listed.
   FAIL_SYNC: no folder can be synced, with this error. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long calls;

static int fails(int code) {
    const char *at = getenv("FAIL_AT");
    long call = atomic_fetch_add(&calls, 1) + 1;
    if (!at || !(call == atol(at) || (getenv("FAIL_ON") && call > atol(at)))) return 0;
    if (code != ENOSPC && getenv("FAIL_FULL")) return 0;
    if (getenv("FAIL_KILL")) {
        kill(getpid(), atoi(getenv("FAIL_KILL")));
        usleep(100000);
        return 0;
    }
    errno = code;
    return 1;
}

static int is_file(int fd) {
    struct stat found;
    return fstat(fd, &found) == 0 && S_ISREG(found.st_mode);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t count) {
    if (is_file(fd) && fails(ENOSPC)) {
        if (count < 2 || !getenv("FAIL_SHORT")) return -1;
        return REAL(write)(fd, bytes, count / 2); /* a short write is no error: the next one tells */
    }
    return REAL(write)(fd, bytes, count);
}

int fsync(int fd) {
    if (getenv("FAIL_SYNC") && !is_file(fd)) {
        errno = atoi(getenv("FAIL_SYNC"));
        return -1;
    }
    return fails(EIO) ? -1 : REAL(fsync)(fd);
}
int rename(const char *from, const char *to) { return fails(EIO) ? -1 : REAL(rename)(from, to); }
int unlink(const char *path) { return fails(EIO) ? -1 : REAL(unlink)(path); }
struct dirent64 *readdir64(DIR *folder) {
    if (!getenv("FAIL_LIST")) return REAL(readdir64)(folder);
    errno = EIO;
    return NULL;
}
int mkdir(const char *path, mode_t mode) { return fails(ENOSPC) ? -1 : REAL(mkdir)(path, mode); }

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    return (flags & O_CREAT) && fails(ENOSPC) ? -1 : REAL(open64)(path, flags, mode);
}

__attribute__((destructor)) static void count(void) {
    const char *path = getenv("FAIL_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld", atomic_load(&calls));
        fclose(file);
    }
}
