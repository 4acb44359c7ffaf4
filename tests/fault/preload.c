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
 *     FAULT_TWICE=k         the program ends with 77 where HDF5 asks for the same once more, as it
 *                           does with success then; but each k-th goes on
 *     FAULT_STACKS=file     of every allocation its number and a hash of the calls that led to it
 *     FAULT_COUNT=file      how many of both there were, and what is left, a line of each process
 *                           at its end: blocks of memory that the program itself asked for,
 *                           those of libraries other than HDF5 and of C, open files, and numbers
 *                           of these blocks
 *     FAULT_SERVE=kind      ALLOCATION or WRITE: for each line n on the standard input a copy of
 *                           the program, which has been loaded, runs with that fault, what it
 *                           says in the files `out` and `err`; n and its process, then its end,
 *                           are lines of the output
 *     FAULT_LIVE=1          the copy is made at the n-th call, n rising, of a run that goes on
 *                           without it; files named made* are copied into the folder ../case
 *     FAULT_EVERY=1         n + 1 is the next where a copy ended with 77 (FAULT_TWICE), unasked
 *     FAULT_ALONE=1         where the program lets a child do all the work, it is that child
 *
 * Programs that this one starts are left alone.
 */
/* NOLINTBEGIN: names are those of the C library */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
extern void __libc_free(void *block);

static long allocations, writes, allocation, writing;
static int error = ENOSPC;
static bool lasts, is_ready, interrupts;
static long twice;         /* a part of the runs that go on */
static const long *served; /* which of both */
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

/* ---- what is left ---- */

enum { SEEN_MAX = 1 << 15, MODULES_MAX = 128, FILES_MAX = 64, NOT_COUNTED = 0, OWN, LENT, OF_HDF5 };

/* Blocks that the program, or a library that may lose one, asked for: open addressing. */
static struct {
    void *block;
    long number; /* of the allocation */
    int whose;
} seen[SEEN_MAX];

/* Code that was loaded. */
static struct {
    unsigned long from, to;
    int whose;
} module[MODULES_MAX];

static int modules;
static long left[LENT + 1];

static int add_module(struct dl_phdr_info *info, size_t size, void *data)
{
    const char *name = info->dlpi_name;
    const bool is_counted = strstr(name, "/libc.") == NULL && strstr(name, "/ld-") == NULL &&
                            strstr(name, "fault") == NULL;
    const int library = strstr(name, "hdf5") != NULL ? OF_HDF5 : LENT;
    (void)size;
    (void)data;
    for (int i = 0; i < info->dlpi_phnum && modules < MODULES_MAX && is_counted; i++) {
        const unsigned long from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X) != 0) {
            module[modules].from = from;
            module[modules].to = from + info->dlpi_phdr[i].p_memsz;
            module[modules++].whose = name[0] == '\0' ? OWN : library;
        }
    }
    return 0;
}

static size_t place_of(const void *block)
{
    return ((unsigned long)block >> 4) * 11400714819323198485UL >> (64 - 15);
}

static int find_whose(const void *caller)
{
    const unsigned long from = (unsigned long)caller;
    int whose = NOT_COUNTED;
    for (int i = 0; i < modules && whose == NOT_COUNTED; i++) {
        whose = from >= module[i].from && from < module[i].to ? module[i].whose : NOT_COUNTED;
    }
    return whose;
}

static void *keep(void *block, const void *caller)
{
    const int whose = block != NULL ? find_whose(caller) : NOT_COUNTED;
    if (whose == NOT_COUNTED || whose == OF_HDF5 || left[OWN] + left[LENT] > SEEN_MAX / 2) {
        return block;
    }
    size_t at = place_of(block);
    while (seen[at].block != NULL) {
        at = (at + 1) % SEEN_MAX;
    }
    seen[at].block = block;
    seen[at].number = allocations;
    seen[at].whose = whose;
    left[whose]++;
    return block;
}

/* Those behind it move up, so that none is lost behind a hole. */
static void drop(const void *block)
{
    size_t at = place_of(block);
    while (seen[at].block != block && seen[at].block != NULL) {
        at = (at + 1) % SEEN_MAX;
    }
    if (block == NULL || seen[at].block == NULL) {
        return;
    }
    left[seen[at].whose]--;
    for (size_t next = (at + 1) % SEEN_MAX; seen[next].block != NULL;
         next = (next + 1) % SEEN_MAX) {
        const size_t home = place_of(seen[next].block);
        if ((next - home) % SEEN_MAX >= (next - at) % SEEN_MAX) {
            seen[at] = seen[next];
            at = next;
        }
    }
    seen[at].block = NULL;
}

/* It is left in the middle of something: what is held there is not lost. */
static void forget(void)
{
    left[OWN] = left[LENT] = 0;
    modules = 0;
    memset(seen, 0, sizeof seen);
}

static int count_files(void)
{
    int count = 0;
    for (int i = STDERR_FILENO + 1; i < FILES_MAX && modules > 0; i++) {
        count += fcntl(i, F_GETFD) >= 0;
    }
    return count;
}

/* ---- begin and end ---- */

/* ---- copies of the process, each with one fault ---- */

/* Where the next fault is asked for, and copies are told of: not those of the program. */
static const int ASKED = 100, TOLD = 101;

enum { TWICE = 77 };

static bool serves;     /* the copy is made at the fault, of a run that has come so far */
static bool stays_one;  /* the first child that the program makes is the program itself */
static bool is_own;     /* it was made, and is its own parent */
static long wanted;     /* number of the next fault */
static bool is_working; /* here: nothing is counted */
static bool tells_all;  /* copies that end with TWICE are not gone past */

static pid_t make_process(void)
{
    pid_t (*real)(void) = NULL;
    *(void **)&real = dlsym(RTLD_NEXT, "fork");
    return real();
}

/* @return 0: nothing more is asked for */
static long ask(void)
{
    char line[32] = "";
    for (size_t size = 0; size + 1 < sizeof line; size++) {
        if (syscall(SYS_read, ASKED, line + size, 1) != 1) {
            (void)syscall(SYS_exit_group, 0);
        }
        if (line[size] == '\n') {
            break;
        }
    }
    return strtol(line, NULL, 10);
}

static void redirect(const char *name, int flags, int to)
{
    const int file = (int)syscall(SYS_open, name, flags, 0666);
    (void)dup2(file, to);
    (void)syscall(SYS_close, file);
}

static void copy_file(const char *from, const char *to)
{
    char piece[1 << 16];
    const int in = (int)syscall(SYS_open, from, O_RDONLY);
    const int out = (int)syscall(SYS_open, to, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    for (long got; (got = syscall(SYS_read, in, piece, sizeof piece)) > 0;) {
        (void)syscall(SYS_write, out, piece, (size_t)got);
    }
    (void)syscall(SYS_close, in);
    (void)syscall(SYS_close, out);
}

/* Entries that begin with a word, with all inside: copied, or removed where `to` is NULL. */
static void work_folder(const char *from, const char *to, const char *word)
{
    DIR *folder = opendir(from);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char source[PATH_MAX], target[PATH_MAX];
        const bool is_folder = entry->d_type == DT_DIR;
        if (strncmp(entry->d_name, word, strlen(word)) != 0 || strcmp(entry->d_name, ".") == 0 ||
            strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        (void)snprintf(source, sizeof source, "%s/%s", from, entry->d_name);
        (void)snprintf(target, sizeof target, "%s/%s", to != NULL ? to : "", entry->d_name);
        if (to != NULL && is_folder) {
            (void)mkdir(target, 0777);
        } else if (to != NULL) {
            copy_file(source, target);
        }
        if (is_folder) {
            work_folder(source, to != NULL ? target : NULL, "");
        }
        if (to == NULL) {
            (void)(is_folder ? rmdir(source) : unlink(source));
        }
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
}

/* What is made goes on in the folder `case` beside this one, where nothing of the run that is
 * copied is touched; other files are only read. */
static void move_files(void)
{
    char here[PATH_MAX], name[PATH_MAX], place[64];
    (void)getcwd(here, sizeof here);
    work_folder("../case", NULL, "made");
    work_folder(here, "../case", "made");
    (void)chdir("../case");
    for (int i = STDERR_FILENO + 1; i < FILES_MAX; i++) {
        struct stat found;
        (void)snprintf(place, sizeof place, "/proc/self/fd/%d", i);
        const ssize_t length = readlink(place, name, sizeof name - 1);
        if (length < 0 || fstat(i, &found) != 0 || !S_ISREG(found.st_mode)) {
            continue;
        }
        name[length] = '\0';
        const bool is_here = strncmp(name, here, strlen(here)) == 0;
        const char *inside = name + strlen(here) + 1;
        const int flags = fcntl(i, F_GETFL), kept = fcntl(i, F_GETFD);
        const off_t at = lseek(i, 0, SEEK_CUR);
        const int file = (int)syscall(
            SYS_open, is_here && strncmp(inside, "made", 4) == 0 ? inside : place, flags, 0);
        (void)lseek(file, at, SEEK_SET);
        (void)dup3(file, i, (kept & FD_CLOEXEC) != 0 ? O_CLOEXEC : 0);
        (void)syscall(SYS_close, file);
    }
}

/* Number and process of a copy, then its end, are told. @return true in the copy, which is to meet
 * the fault; outside of it the next number is known */
static bool make_copy(bool moves)
{
    char line[64];
    int status = 0;
    is_working = true;
    const pid_t copy = make_process();
    if (copy == 0) {
        (void)setpgid(0, 0);
        redirect("out", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
        redirect("out", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
        redirect("err", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
        if (moves) {
            move_files();
        }
        (void)syscall(SYS_close, ASKED);
        (void)syscall(SYS_close, TOLD);
        serves = is_working = false;
        return true;
    }
    (void)syscall(SYS_write, TOLD, line,
                  (size_t)snprintf(line, sizeof line, "%ld %d\n", wanted, (int)copy));
    (void)syscall(SYS_wait4, copy, &status, 0, NULL);
    (void)syscall(SYS_write, TOLD, line, (size_t)snprintf(line, sizeof line, "%d\n", status));
    is_working = false;
    wanted = tells_all || status != TWICE << 8 ? ask() : wanted + 1;
    return false;
}

/* Returns in copies, or in a run that makes them on its way. */
static void serve(long *which)
{
    (void)dup3(STDIN_FILENO, ASKED, O_CLOEXEC);
    (void)dup3(STDOUT_FILENO, TOLD, O_CLOEXEC);
    redirect("/dev/null", O_RDONLY, STDIN_FILENO);
    redirect("/dev/null", O_WRONLY, STDOUT_FILENO);
    stays_one = number("FAULT_ALONE") > 0;
    tells_all = number("FAULT_EVERY") == 0;
    wanted = ask();
    serves = number("FAULT_LIVE") > 0;
    while (!serves && !make_copy(false)) {
    }
    *which = serves ? 0 : wanted;
}

pid_t fork(void)
{
    if (serves && stays_one) {
        stays_one = false;
        is_own = true;
        return 0;
    }
    const pid_t made = make_process();
    serves = serves && made != 0;
    is_own = is_own && made != 0;
    return made;
}

/* A child that has lost its parent ends itself. */
pid_t getppid(void)
{
    return is_own ? getpid() : (pid_t)syscall(SYS_getppid);
}

/* What is shared with a child that is not made is not shared with copies. */
void *mmap(void *at, size_t bytes, int access, int flags, int file, off_t from)
{
    if (serves && (flags & MAP_SHARED) != 0) {
        flags = (flags & ~MAP_SHARED) | MAP_PRIVATE;
    }
    return (void *)syscall(SYS_mmap, at, bytes, access, flags, file, from);
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
    twice = number("FAULT_TWICE");
    interrupts = number("FAULT_EINTR") > 0;
    report = getenv("FAULT_COUNT");
    if (getenv("FAULT_STACKS") != NULL) {
        stacks = (int)syscall(SYS_open, getenv("FAULT_STACKS"),
                              O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        hash_calls(); /* it allocates when it is called first */
    }
    unsetenv("LD_PRELOAD");
    (void)dl_iterate_phdr(add_module, NULL);
    const char *kind = getenv("FAULT_SERVE");
    if (kind != NULL) {
        served = kind[0] == 'A' ? &allocations : &writes;
        serve(kind[0] == 'A' ? &allocation : &writing);
    }
    allocations = writes = 0;
    is_ready = true;
}

__attribute__((destructor)) static void end(void)
{
    char text[256];
    if (report != NULL) {
        const int files = count_files();
        const int file = (int)syscall(SYS_open, report, O_WRONLY | O_CREAT | O_APPEND, 0666);
        int length = snprintf(text, sizeof text, "%ld %ld %ld %ld %d", allocations, writes,
                              left[OWN], left[LENT], files);
        for (int i = 0; i < SEEN_MAX && length < (int)sizeof text - 30; i++) {
            length +=
                seen[i].block != NULL ? snprintf(text + length, 20, " %ld", seen[i].number) : 0;
        }
        text[length++] = '\n';
        (void)syscall(SYS_write, file, text, (size_t)length);
        (void)syscall(SYS_close, file);
    }
}

/* Also of a child that leaves without further ado; a handler of signals leaves everything. */
void _exit(int code)
{
    stack_t stack;
    if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_ONSTACK) != 0) {
        forget();
    }
    end();
    (void)syscall(SYS_exit_group, code);
    __builtin_unreachable();
}

void exit(int code)
{
    void (*real)(int) = NULL;
    *(void **)&real = dlsym(RTLD_NEXT, "exit");
    forget();
    real(code);
    __builtin_unreachable();
}

static bool fails(long *count, long *which)
{
    const long now = is_ready && !is_working ? ++*count : 0;
    if (serves && now == wanted && count == served) {
        *which = make_copy(true) ? now : 0;
    }
    return *which > 0 && (now == *which || (lasts && now > *which));
}

/* What was not granted. */
static struct {
    size_t bytes;
    const void *caller;
    bool is_last; /* nothing was asked for since */
} refused;

enum { NEAR = 256 }; /* bytes of code between the two */

static bool refuses(size_t bytes, const void *caller)
{
    static __thread bool is_inside;
    if (stacks >= 0 && is_ready && !is_working && !is_inside) {
        is_inside = true;
        const unsigned long record[2] = {(unsigned long)allocations + 1, hash_calls()};
        (void)syscall(SYS_write, stacks, record, sizeof record);
        is_inside = false;
    }
    if (!fails(&allocations, &allocation)) {
        if (refused.is_last && refused.bytes == bytes &&
            labs((const char *)caller - (const char *)refused.caller) < NEAR &&
            (allocations - 1) % twice != 0) {
            (void)syscall(SYS_exit_group, TWICE);
        }
        refused.is_last = false;
        return false;
    }
    refused.bytes = bytes;
    refused.caller = caller;
    refused.is_last = twice > 0 && !lasts && find_whose(caller) == OF_HDF5;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t bytes)
{
    const void *caller = __builtin_return_address(0);
    return refuses(bytes, caller) ? NULL : keep(__libc_malloc(bytes), caller);
}

void *calloc(size_t count, size_t size)
{
    const void *caller = __builtin_return_address(0);
    return refuses(count * size, caller) ? NULL : keep(__libc_calloc(count, size), caller);
}

void *realloc(void *old, size_t bytes)
{
    const void *caller = __builtin_return_address(0);
    if (refuses(bytes, caller)) {
        return NULL;
    }
    drop(old); /* none is ever made larger in vain */
    return keep(__libc_realloc(old, bytes), caller);
}

void free(void *block)
{
    drop(block);
    __libc_free(block);
}

void *memalign(size_t alignment, size_t bytes)
{
    const void *caller = __builtin_return_address(0);
    return refuses(bytes, caller) ? NULL : keep(__libc_memalign(alignment, bytes), caller);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    const void *caller = __builtin_return_address(0);
    return refuses(bytes, caller) ? NULL : keep(__libc_memalign(alignment, bytes), caller);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    const void *caller = __builtin_return_address(0);
    if (refuses(bytes, caller)) {
        return ENOMEM;
    }
    *memory = keep(__libc_memalign(alignment, bytes), caller);
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
    if (file == STDOUT_FILENO || file == STDERR_FILENO || !fails(&writes, &writing)) {
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
