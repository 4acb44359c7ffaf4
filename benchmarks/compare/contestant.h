/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A contestant: one solver with one set of options. Preparing a run (copies of the matrices,
 * options) is charged to nobody; `solve` is what the clock sees.
 */
#ifndef HAWSER_COMPARE_CONTESTANT_H
#define HAWSER_COMPARE_CONTESTANT_H

#include <hawser/solver.h>

enum { CONTEST_NAME_SIZE = 64 };

/* A problem in the forms that contestants take. */
typedef struct contest {
    char name[CONTEST_NAME_SIZE];
    const haw_problem *problem; /* as it is: the referee and hawser take this one */
    const haw_problem *local;   /* its local form, NULL if too large to be formed */
} contest;

/* What a solver says of its own run. */
typedef struct answer {
    int code; /* 0: it claims to have converged */
    int iterations;
    double error; /* in its own measure */
} answer;

/* How a run is to stop. */
typedef struct aim {
    double tolerance; /* in the solver's own measure */
    bool keeps_limit; /* the solver's own limit of iterations stays; else the clock ends the run */
} aim;

typedef enum role {
    ROLE_HAWSER,
    ROLE_NAMED, /* a configuration of a peer that the targets name */
    ROLE_OTHER  /* any other configuration of a peer */
} role;

typedef struct contestant contestant;

struct contestant {
    const char *name, *summary;
    role role;
    int dimension;    /* 2 or 3; 0: both */
    bool takes_local; /* the local form, else the problem as it is */
    int id;           /* of the solver in its library */
    void (*tune)(void *options);
    /** A run, ready to start. NULL: no memory. */
    void *(*prepare)(const contestant *self, const contest *problem, const aim *to);
    /** r [n d]: zero on entry, the impulses on return */
    void (*solve)(void *run, double *r);
    /** Read the answer and free the run. */
    void (*finish)(void *run, answer *said);
};

extern const contestant hawser_contestants[]; /* ends with a NULL name */
extern const contestant siconos_contestants[];

/** The contestant has a form of the problem to work on. */
static inline bool contestant_takes(const contestant *c, const contest *p)
{
    const haw_global *global = p->problem->global;
    const bool is_global = global != NULL && global->gt.rows == 0;
    const bool is_form = c->role == ROLE_HAWSER || (c->takes_local ? p->local != NULL : is_global);

    return is_form && (c->dimension == 0 || c->dimension == p->problem->dimension);
}

#endif
