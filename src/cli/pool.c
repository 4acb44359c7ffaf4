/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/pool.h"

#include "study/team.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    ATTEMPTS = 3,
    AHEAD = 4 /* cases that a member has before a process of its is free */
};

/* First words of messages that are no case: a process is free; this member has finished. */
enum { ASK = -1, LEAVE = -2 };

typedef struct worker {
    pid_t process; /* 0: none */
    int index;
    unsigned seen; /* of the pool, as it began */
    double began;  /* [s] */
} worker;

typedef struct crew {
    haw_pool *pool;
    haw_team team;
    worker *worker;           /* [pool->processes] */
    int running;              /* of them */
    bool is_ending;           /* nothing new is begun */
    int asked;                /* questions to the first member that it has not answered */
    int ahead[AHEAD], aheads; /* cases that it has given before a process is free */
    /* of the first member */
    char *attempts;     /* [cases] */
    int next;           /* no case before it is open */
    int given;          /* cases at work anywhere */
    int left;           /* members that have finished */
    int *waiting, asks; /* ranks that have asked, and how many */
    int *at;            /* [ranks] cases that each of them has */
} crew;

/* ---- the first member: what is open, what is over ---- */

static bool find_state(crew *c, haw_pool_state state, int *index)
{
    for (int i = state == HAW_POOL_OPEN ? c->next : 0; i < c->pool->cases; i++) {
        if (c->pool->state[i] == (char)state) {
            *index = i;
            return true;
        }
    }
    return false;
}

/* The next open case, then those that other studies are at. */
static bool give(crew *c, int *index, bool *wait)
{
    if (c->is_ending) {
        return false;
    }
    *wait = !find_state(c, HAW_POOL_OPEN, index);
    if (*wait && !find_state(c, HAW_POOL_ELSE, index)) {
        return false;
    }
    c->next = *wait ? c->pool->cases : *index + 1;
    c->pool->state[*index] = (char)HAW_POOL_GIVEN;
    c->given++;
    return true;
}

static void open_again(crew *c, int index, haw_pool_state state)
{
    c->pool->state[index] = (char)state;
    c->next = index < c->next ? index : c->next;
}

/* @param code  exit code of the child, or minus the signal that killed it */
static void take_back(crew *c, int index, int code, double seconds)
{
    haw_pool *pool = c->pool;

    c->given--;
    pool->busy += seconds;
    if (code == HAW_POOL_HERE) {
        pool->state[index] = (char)HAW_POOL_OVER;
    } else if (code == HAW_POOL_ELSEWHERE) {
        open_again(c, index, HAW_POOL_ELSE);
    } else if (code < 0 && !c->is_ending && ++c->attempts[index] >= ATTEMPTS) {
        pool->worst = HAW_EXIT_ENDED > pool->worst ? HAW_EXIT_ENDED : pool->worst;
        pool->state[index] = (char)HAW_POOL_LOST;
        haw_cli_fail(pool->cli, HAW_EXIT_ENDED,
                     "case %d: its process was killed by signal %d, %d times", index, -code,
                     ATTEMPTS);
    } else if (code < 0 || code == HAW_EXIT_INTERRUPTED) {
        open_again(c, index, HAW_POOL_OPEN);
    } else {
        pool->ran++;
        pool->worst = (haw_exit)code > pool->worst ? (haw_exit)code : pool->worst;
        pool->state[index] = (char)HAW_POOL_OVER;
        /* Files that cannot be written will not be written for the next case. */
        c->is_ending = c->is_ending || code == HAW_EXIT_IO;
    }
}

/* So many open cases that nobody will wait for one that is given too early. */
static bool is_plenty(const crew *c)
{
    const int many = (1 + AHEAD) * c->pool->workers;
    int open = 0;

    for (int i = c->next; i < c->pool->cases && open <= many; i++) {
        open += c->pool->state[i] == (char)HAW_POOL_OPEN;
    }
    return open > many;
}

/* Give to those who asked, also to members whose processes are all at work while there is plenty;
 * without a case, once none can come back. */
static void answer(crew *c)
{
    int index, left = 0;
    bool wait;

    for (int i = 0; i < c->asks; i++) {
        const int rank = c->waiting[i];

        if ((c->at[rank] < c->pool->processes || is_plenty(c)) && give(c, &index, &wait)) {
            c->at[rank]++;
            haw_team_send(&c->team, rank, index, wait, 0.0);
        } else {
            c->waiting[left++] = rank;
        }
    }
    c->asks = left;
    while (c->asks > 0 && (c->given == 0 || c->is_ending)) {
        haw_team_send(&c->team, c->waiting[--c->asks], -1.0, 0.0, 0.0);
    }
}

/* ---- children ---- */

static unsigned flag(int code)
{
    return code >= 0 && code < 8 ? 1U << code : 0;
}

/* That it cannot write; and the first case that is refused or ends early, at once, not only where
 * all are over: who sees it may want to stop. */
static bool is_said(unsigned seen, int code)
{
    const unsigned wanted = flag(HAW_EXIT_ENDED) | flag(HAW_EXIT_REFUSED);

    return code == HAW_EXIT_IO || (flag(code) & wanted & ~seen) != 0;
}

/* Little of a child is seen: the table tells why a case ended. */
static void run_child(const crew *c, pid_t parent, int index, bool wait)
{
    const haw_pool *pool = c->pool;
    const int stderr_of_all = dup(STDERR_FILENO);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(HAW_EXIT_INTERRUPTED);
    }
    const int most = c->team.near * pool->processes; /* at a time on this machine */
    haw_context_share(pool->cli->context, most < pool->cases ? most : pool->cases);
    if (pool->cli->term.verbose == 0) {
        dup2(nowhere, STDERR_FILENO);
    }
    dup2(nowhere, STDOUT_FILENO); /* the parent answers, also where this one crashes */
    const haw_exit code = pool->work(pool->user, index, wait);

    if (is_said(pool->seen, (int)code) && pool->cli->term.verbose == 0) {
        dup2(stderr_of_all, STDERR_FILENO);
        haw_term_message(&pool->cli->term, code == HAW_EXIT_IO ? HAW_LOG_ERROR : HAW_LOG_WARNING,
                         pool->cli->message);
    }
    _exit((int)code);
}

/* @return whether there is a process for it */
static bool start(crew *c, int index, bool wait)
{
    worker *w = c->worker;

    while (w->process != 0) {
        w++;
    }
    const pid_t parent = getpid();

    fflush(stdout);
    *w = (worker){
        .process = fork(), .index = index, .seen = c->pool->seen, .began = haw_term_clock()};
    if (w->process == 0) {
        run_child(c, parent, index, wait);
    }
    c->running += w->process > 0;
    w->process = w->process > 0 ? w->process : 0;
    return w->process != 0;
}

static void finish(crew *c, int index, int code, double seconds)
{
    c->pool->seen |= flag(code);
    if (c->team.rank == 0) {
        take_back(c, index, code, seconds);
    } else {
        haw_team_send(&c->team, 0, index, code, seconds);
    }
}

static void reap(crew *c)
{
    for (worker *w = c->worker; w < c->worker + c->pool->processes; w++) {
        int status = 0;

        if (w->process == 0 || waitpid(w->process, &status, WNOHANG) != w->process) {
            continue;
        }
        const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);

        w->process = 0;
        c->running--;
        c->pool->said[w->index] = is_said(w->seen, code) ? 1 : 0;
        finish(c, w->index, code, haw_term_clock() - w->began);
    }
}

static void begin(crew *c, int index, bool wait)
{
    if (start(c, index, wait)) {
        return;
    }
    if (c->running == 0) {
        c->pool->worst =
            haw_cli_fail(c->pool->cli, HAW_EXIT_IO, "cannot start a process: %s", strerror(errno));
        c->is_ending = true;
    }
    finish(c, index, HAW_EXIT_INTERRUPTED, 0.0);
}

/* ---- all together ---- */

static void listen_first(crew *c, const haw_team_message *message)
{
    const int index = (int)message->word[0];

    if (index == ASK) {
        c->waiting[c->asks++] = message->rank;
    } else if (index == LEAVE) {
        c->left++;
    } else {
        c->at[message->rank]--;
        take_back(c, index, (int)message->word[1], message->word[2]);
    }
}

static void listen_other(crew *c, const haw_team_message *message)
{
    c->asked--;
    if (message->word[0] < 0.0) {
        c->is_ending = true;
    } else if (c->is_ending) {
        finish(c, (int)message->word[0], HAW_EXIT_INTERRUPTED, 0.0);
    } else if (c->running < c->pool->processes) {
        begin(c, (int)message->word[0], message->word[1] > 0.0);
    } else {
        c->ahead[c->aheads++] = (int)message->word[0];
    }
}

/* A member whose processes are all at work asks for cases that it begins at once later. */
static void fill_other(crew *c)
{
    while (c->aheads > 0 && (c->is_ending || c->running < c->pool->processes)) {
        const int index = c->ahead[--c->aheads];

        if (c->is_ending) {
            finish(c, index, HAW_EXIT_INTERRUPTED, 0.0);
        } else {
            begin(c, index, false);
        }
    }
    const int wanted = c->pool->processes + AHEAD - c->aheads;

    for (; !c->is_ending && c->running + c->asked < wanted; c->asked++) {
        haw_team_send(&c->team, 0, ASK, 0.0, 0.0);
    }
}

static void fill(crew *c)
{
    int index;
    bool wait;

    if (c->team.rank > 0) {
        fill_other(c);
        return;
    }
    while (c->running < c->pool->processes && give(c, &index, &wait)) {
        begin(c, index, wait);
    }
}

/* [ns] The end of a child wakes it at once, a message of another member after this: looking takes
 * time from the processes, and is urgent only where one of them is free. */
static long nap(const crew *c)
{
    return c->team.size == 1 ? 100000000 : c->running < c->pool->processes ? 200000 : 3000000;
}

static void wait_a_little(const crew *c)
{
    const struct timespec time = {.tv_nsec = nap(c)};
    sigset_t child;

    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigtimedwait(&child, NULL, &time);
}

static void show(const crew *c, double began)
{
    haw_term *term = &c->pool->cli->term;
    char line[96];
    int over = 0;

    if (c->team.rank > 0 || !haw_term_is_due(term)) {
        return;
    }
    for (int i = 0; i < c->pool->cases; i++) {
        over += c->pool->state[i] >= (char)HAW_POOL_OVER;
    }
    const double left = c->pool->ran > 0 ? (haw_term_clock() - began) * (c->pool->cases - over) /
                                               (double)c->pool->ran
                                         : 0.0;

    snprintf(line, sizeof line, "%d of %d cases  %d at work  %d:%02d left", over, c->pool->cases,
             c->given, (int)left / 60, (int)left % 60);
    haw_term_line(term, line);
}

/* An interruption is passed on once: a case that it cut off has no file. */
static void pass_on(crew *c)
{
    static const int number = SIGTERM;

    if (!haw_context_cancelled(c->pool->cli->context) || c->is_ending) {
        return;
    }
    c->is_ending = true;
    for (int i = 0; i < c->pool->processes; i++) {
        if (c->worker[i].process > 0) {
            kill(c->worker[i].process, number);
        }
    }
}

static bool is_over(const crew *c)
{
    int index;

    if (c->running > 0 || c->asked > 0 || c->aheads > 0) {
        return false;
    }
    if (c->team.rank > 0) {
        return c->is_ending;
    }
    return c->left == c->team.size - 1 && c->given == 0 &&
           (c->is_ending || (!find_state((crew *)c, HAW_POOL_OPEN, &index) &&
                             !find_state((crew *)c, HAW_POOL_ELSE, &index)));
}

static void work(crew *c)
{
    const double began = haw_term_clock();
    haw_team_message message;

    haw_term_begin(&c->pool->cli->term);
    while (!is_over(c)) {
        pass_on(c);
        reap(c);
        while (haw_team_receive(&c->team, &message)) {
            (c->team.rank == 0 ? listen_first : listen_other)(c, &message);
        }
        fill(c);
        answer(c);
        show(c, began);
        if (!is_over(c)) {
            wait_a_little(c);
        }
    }
    haw_term_clear(&c->pool->cli->term);
    c->pool->wall = haw_term_clock() - began;
}

haw_exit haw_pool_run(haw_pool *pool)
{
    crew c = {.pool = pool};
    sigset_t child, before;

    haw_cli_catch_interrupts(pool->cli);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &before);
    haw_team_join(&c.team);
    pool->is_first = c.team.rank == 0;
    pool->workers = pool->processes * c.team.size;
    c.worker = haw_cli_allocate(pool->cli, (size_t)pool->processes, sizeof *c.worker);
    c.attempts = haw_cli_allocate(pool->cli, (size_t)pool->cases, 1);
    const size_t most = (size_t)pool->workers + AHEAD * (size_t)c.team.size;
    c.waiting = haw_cli_allocate(pool->cli, most, sizeof *c.waiting);
    c.at = haw_cli_allocate(pool->cli, (size_t)c.team.size, sizeof *c.at);
    work(&c);
    if (!pool->is_first) {
        haw_team_send(&c.team, 0, LEAVE, 0.0, 0.0);
    }
    haw_team_leave(&c.team);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return haw_context_cancelled(pool->cli->context) ? HAW_EXIT_INTERRUPTED : pool->worst;
}
