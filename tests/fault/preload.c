/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * To be preloaded into a program: its n-th allocation, or its n-th call that writes, fails, also
 * inside of libraries.
 *
 *     FAULT_ALLOCATION=n    malloc, calloc, realloc, aligned memory: NULL
 *     FAULT_WRITE=n         write, pwrite, fsync, rename, fallocate, ftruncate, fclose: FAULT_ERRNO
 *     FAULT_LASTING=1       and all that follow as well
 *     FAULT_EINTR=1         every second call that writes or waits: EINTR
 *     FAULT_KILL=seconds    SIGKILL after so much time of the processor
 *     FAULT_STACKS=file     of every allocation its number and a hash of the calls that led to it
 *     FAULT_COUNT=file      how many of both there were: a line of each process, at its end
 *
 * Programs that this one starts are left alone.
 */
/* NOLINTBEGIN: names are those of the C library */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);

static long allocations, writes, allocation, writing;
static int error = ENOSPC;
static bool lasts, is_ready, interrupts;
static const char *report;
static int stacks = -1;

static long number(const char *name)
{
    const char *text = getenv(name);
    return text != NULL ? strtol(text, NULL, 10) : 0;
}

/* FNV-1a over the return addresses. */
static unsigned long hash_calls(void)
{
    enum { CALLS = 10 }; /* those of here are among them */

    void *call[CALLS];
    unsigned long hash = 14695981039346656037UL;
    const int count = backtrace(call, CALLS);
    for (int i = 0; i < count; i++) {
        hash = (hash ^ (unsigned long)call[i]) * 1099511628211UL;
    }
    return hash;
}

static void kill_after(const char *seconds)
{
    const double all = seconds != NULL ? strtod(seconds, NULL) : 0;
    const time_t whole = (time_t)all;
    const struct itimerspec when = {
        .it_value = {.tv_sec = whole, .tv_nsec = (long)(1e9 * (all - (double)whole))}};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
    timer_t timer;
    if (all > 0 && timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) == 0) {
        (void)timer_settime(timer, 0, &when, NULL);
    }
}

__attribute__((constructor)) static void begin(void)
{
    kill_after(getenv("FAULT_KILL"));
    const int given = (int)number("FAULT_ERRNO");
    error = given > 0 ? given : ENOSPC;
    allocation = number("FAULT_ALLOCATION");
    writing = number("FAULT_WRITE");
    lasts = number("FAULT_LASTING") > 0;
    interrupts = number("FAULT_EINTR") > 0;
    report = getenv("FAULT_COUNT");
    if (getenv("FAULT_STACKS") != NULL) {
        stacks = (int)syscall(SYS_open, getenv("FAULT_STACKS"),
                              O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        hash_calls(); /* it allocates when it is called first */
    }
    unsetenv("LD_PRELOAD");
    allocations = writes = 0;
    is_ready = true;
}

__attribute__((destructor)) static void end(void)
{
    char text[64];
    if (report != NULL) {
        const int file = (int)syscall(SYS_open, report, O_WRONLY | O_CREAT | O_APPEND, 0666);
        const int length = snprintf(text, sizeof text, "%ld %ld\n", allocations, writes);
        (void)syscall(SYS_write, file, text, (size_t)length);
        (void)syscall(SYS_close, file);
    }
}

/* Also of a child that leaves without further ado. */
void _exit(int code)
{
    end();
    (void)syscall(SYS_exit_group, code);
    __builtin_unreachable();
}

static bool fails(long *count, long which)
{
    const long now = is_ready ? ++*count : 0;
    return which > 0 && (now == which || (lasts && now > which));
}

static bool refuses(void)
{
    static __thread bool is_inside;
    if (stacks >= 0 && is_ready && !is_inside) {
        is_inside = true;
        const unsigned long record[2] = {(unsigned long)allocations + 1, hash_calls()};
        (void)syscall(SYS_write, stacks, record, sizeof record);
        is_inside = false;
    }
    if (!fails(&allocations, allocation)) {
        return false;
    }
    errno = ENOMEM;
    return true;
}

void *malloc(size_t bytes)
{
    return refuses() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t size)
{
    return refuses() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t bytes)
{
    return refuses() ? NULL : __libc_realloc(old, bytes);
}

void *memalign(size_t alignment, size_t bytes)
{
    return refuses() ? NULL : __libc_memalign(alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return refuses() ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    if (refuses()) {
        return ENOMEM;
    }
    *memory = __libc_memalign(alignment, bytes);
    return *memory != NULL ? 0 : ENOMEM;
}

static bool is_interrupted(void)
{
    static bool was;
    if (!interrupts || !is_ready) {
        return false;
    }
    was = !was;
    errno = was ? EINTR : errno;
    return was;
}

/* To the terminal, or what stands for it, is no file. */
static bool fails_to_write(int file)
{
    if (file == STDOUT_FILENO || file == STDERR_FILENO || !fails(&writes, writing)) {
        return false;
    }
    errno = error;
    return true;
}

static bool breaks(int file)
{
    return (file > STDERR_FILENO && is_interrupted()) || fails_to_write(file);
}

ssize_t write(int file, const void *data, size_t bytes)
{
    return breaks(file) ? -1 : (ssize_t)syscall(SYS_write, file, data, bytes);
}

ssize_t pwrite64(int file, const void *data, size_t bytes, off64_t at)
{
    return breaks(file) ? -1 : (ssize_t)syscall(SYS_pwrite64, file, data, bytes, at);
}

ssize_t pwrite(int file, const void *data, size_t bytes, off_t at)
{
    return pwrite64(file, data, bytes, at);
}

int fsync(int file)
{
    return breaks(file) ? -1 : (int)syscall(SYS_fsync, file);
}

int rename(const char *from, const char *to)
{
    return fails_to_write(-1) ? -1 : (int)syscall(SYS_rename, from, to);
}

int ftruncate64(int file, off64_t length)
{
    /* HDF5 does not repeat this one, nor is it interrupted on a local disk */
    return fails_to_write(file) ? -1 : (int)syscall(SYS_ftruncate, file, length);
}

int ftruncate(int file, off_t length)
{
    return ftruncate64(file, length);
}

int posix_fallocate64(int file, off64_t from, off64_t bytes)
{
    if (breaks(file)) {
        return errno;
    }
    return syscall(SYS_fallocate, file, 0, from, bytes) == 0 ? 0 : errno;
}

int posix_fallocate(int file, off_t from, off_t bytes)
{
    return posix_fallocate64(file, from, bytes);
}

ssize_t pread64(int file, void *data, size_t bytes, off64_t at)
{
    return is_interrupted() ? -1 : (ssize_t)syscall(SYS_pread64, file, data, bytes, at);
}

ssize_t pread(int file, void *data, size_t bytes, off_t at)
{
    return pread64(file, data, bytes, at);
}

ssize_t read(int file, void *data, size_t bytes)
{
    return is_interrupted() ? -1 : (ssize_t)syscall(SYS_read, file, data, bytes);
}

pid_t waitpid(pid_t process, int *status, int options)
{
    return is_interrupted() ? -1 : (pid_t)syscall(SYS_wait4, process, status, options, NULL);
}

/* What is left in the buffer of a stream is written here. */
int fclose(FILE *stream)
{
    int (*real)(FILE *) = NULL;
    const int file = fileno(stream);
    *(void **)&real = dlsym(RTLD_NEXT, "fclose");
    const int result = real(stream);
    return fails_to_write(file) ? EOF : result;
}

/* NOLINTEND */
