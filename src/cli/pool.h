/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes that work on numbered cases. Each case is run by a child, so that one that crashes
 * takes nothing else with it; it is given out again. Under mpirun the first process hands out the
 * cases and works itself, the others ask it.
 */
#ifndef HAWSER_CLI_POOL_H
#define HAWSER_CLI_POOL_H

#include "cli/cli.h"

/* Exit codes of a child that ran nothing: the case has its file; another study is at it. */
enum { HAW_POOL_HERE = 98, HAW_POOL_ELSEWHERE = 99 };

typedef enum haw_pool_state {
    HAW_POOL_OPEN,
    HAW_POOL_ELSE, /* another study is at it */
    HAW_POOL_GIVEN,
    HAW_POOL_OVER, /* it has its file, or cannot have one */
    HAW_POOL_LOST  /* whoever ran it died, too often */
} haw_pool_state;

typedef struct haw_pool {
    haw_cli *cli;
    int processes; /* of each member of the team */
    int cases;
    char *state; /* [cases] haw_pool_state */
    /** Run a case, in a child. @param wait  for the other study that is at it */
    haw_exit (*work)(void *user, int index, bool wait);
    void *user;
    char *said;    /* [cases] of this member: whether the child has told what became of it */
    unsigned seen; /* of this member: a bit for each exit code that a case has had */
    /* what came of it, in the first member of the team */
    bool is_first;  /* member of the team: all that follows is its to do */
    int workers;    /* processes of all */
    int ran;        /* cases that were run */
    double busy;    /* sum of the times of all children [s] */
    double wall;    /* [s] */
    haw_exit worst; /* of the codes of all cases */
} haw_pool;

/** Run all cases that are open. @return worst, or 130 after an interruption */
haw_exit haw_pool_run(haw_pool *pool);

#endif
