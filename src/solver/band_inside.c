/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Through the inside of the cones (interior.h), for contacts that outnumber what they act on, where
 * semismooth steps change between sets of them. The products t of force and slack fall along a
 * path, by Mehrotra's predictor and corrector. Coulomb's law is not monotone: the path may have
 * folds, where t rises for a while (W. C. Rheinboldt, Numerical Analysis of Parametrized Nonlinear
 * Equations, 1986). Where steps become short it is followed by its length instead of by t, from the
 * last place that is near it: what the steps have reached beyond a fold may be far from any.
 */
#include "linalg/vector.h"
#include "solver/band_pass.h"
#include "solver/cone.h"
#include "solver/interior.h"

#include <math.h>
#include <string.h>

enum {
    STEPS = 300,
    BRIEF = 150, /* where steps that fail cost more than what follows them */
    CRAWL = 3,   /* short steps in a row: a fold */
    KEPT = 4,    /* iterates after long steps, from which the path is sought in turn */
    CENTER = 10, /* steps to it from one of them */
    STRAY = 4,   /* steps beside the path in a row: back to it, and on by shorter ones */
    BACKS = 2,   /* times that this helps */
    STUCK = 5,   /* steps in a row that lead nowhere: along an edge, far from the path */
    RUN = 3      /* long steps down in a row: no fold is near */
};

static const double ALPHA = 1e-8;  /* proximal term */
static const double WIDTH = 0.03;  /* of the first forces and slack, over the reference velocity */
static const double EDGE = 0.99;   /* part of the way to the edge of a cone */
static const double FALL = 1e-3;   /* of t in a step, at most */
static const double LEAST = 1e-21; /* t over the square of the reference velocity: a point with
                                      neither force nor slack keeps sqrt(t) of both */
static const double SHORT = 0.1, LONG = 0.5; /* parts of a step */
static const double NOWHERE = 1e-3;          /* no part of one */
static const double LENGTH = 0.6;            /* of a step along the path: relative, of a contact, */
static const double SHORTEST = 0.01;         /* where it bends sharply */
static const double SHORTER = 0.5, LONGER = 1.5; /* after one that has left the path, or hardly */
static const double CLIMB = 1e3;   /* most t over that at the first fold: on the way back */
static const double RISE = 0.9;    /* most relative change of t in it */
static const double NEAR = 0.36;   /* most square of what a contact has left to the path near it, */
static const double CLOSE = 0.036; /* and where steps may be longer */

/* Of w r and slack, [n (d + 1)] each, and of v. */
typedef struct direction {
    double *s, *z, *v;
} direction;

typedef struct course {
    haw_band_pass *x;
    double *z;                       /* [n (d + 1)] slack */
    direction kept[KEPT];            /* iterates after the last long steps, with r for s */
    direction base;                  /* last place near the path, with r for s */
    direction step, center, tangent; /* to take; to the path; along it, by log t */
    direction last;                  /* tangent before */
    double t, base_t;                /* product aimed at, at that place */
    double sign;                     /* of the change of t along the path */
    double length;                   /* of the next step along it */
    int most;                        /* steps in all */
    int keeps, run, stuck, strays, backs;
    bool has_last, is_near; /* the last step set out near the path */
} course;

static void create_direction(const haw_band_pass *x, direction *made)
{
    const size_t n = (size_t)x->n * (size_t)(x->d + 1);
    made->s = haw_arena_allocate(x->arena, n, sizeof(double));
    made->z = haw_arena_allocate(x->arena, n, sizeof(double));
    made->v = haw_arena_allocate(x->arena, (size_t)x->equations, sizeof(double));
}

static bool create(haw_band_pass *x, course *c)
{
    c->x = x;
    c->z = haw_arena_allocate(x->arena, (size_t)x->n * (size_t)(x->d + 1), sizeof(double));
    for (int i = 0; i < KEPT; i++) {
        create_direction(x, &c->kept[i]);
    }
    create_direction(x, &c->base);
    create_direction(x, &c->step);
    create_direction(x, &c->center);
    create_direction(x, &c->tangent);
    create_direction(x, &c->last);
    return haw_arena_status(x->arena) == HAW_OK;
}

/* Contact i at the iterate, s [d] out. */
static haw_interior look(const course *c, int i, double t, bool corrects, double *s)
{
    const haw_band_pass *x = c->x;
    const ptrdiff_t at = (ptrdiff_t)(x->d + 1) * i;
    haw_band_scale(x, i, x->r, s);
    return (haw_interior){.d = x->d,
                          .mu = x->problem->mu[i],
                          .alpha = ALPHA,
                          .t = t,
                          .s = s,
                          .u = x->u + (ptrdiff_t)x->d * i,
                          .z = c->z + at,
                          .ds = corrects ? c->step.s + at : NULL,
                          .dz = corrects ? c->step.z + at : NULL};
}

/* ---- steps ---- */

/* From forces that would make WIDTH of the reference velocity, and slack of that size. */
static void begin(course *c)
{
    haw_band_pass *x = c->x;
    const int d = x->d;
    const double width = WIDTH * x->result->reference;
    memset(x->r, 0, (size_t)(d * x->n) * sizeof(double));
    for (ptrdiff_t i = 0; i < x->n; i++) {
        x->r[d * i] = width / x->problem->weight[i];
    }
    haw_band_begin(x);
    for (int i = 0; i < x->n; i++) {
        const double *u = x->u + (ptrdiff_t)d * i;
        double *z = c->z + (ptrdiff_t)(d + 1) * i;
        memcpy(z, u, (size_t)d * sizeof *z);
        z[0] = fmax(u[0], width);
        z[d] = haw_tangent_norm(d, u) + width;
        x->state[i] = HAW_CONTACT_STICK; /* none is open */
    }
    x->course.alpha = ALPHA;
}

/* g, a and b of all contacts. */
static void aim(course *c, double t, bool corrects)
{
    haw_band_pass *x = c->x;
    const ptrdiff_t d = x->d;
    for (int i = 0; i < x->n; i++) {
        double s[3];
        const haw_interior contact = look(c, i, t, corrects, s);
        haw_interior_equations(&contact, x->g + d * i, x->a + d * d * i, x->b + d * d * i);
    }
}

/* The step that was solved for. The one before may correct it until it is known. */
static void follow(course *c, double t, bool corrects, direction *step)
{
    const haw_band_pass *x = c->x;
    const ptrdiff_t d = x->d;
    memcpy(step->v, x->dv, (size_t)x->equations * sizeof(double));
    for (int i = 0; i < x->n; i++) {
        double s[3], ds[3], dz[4];
        const haw_interior contact = look(c, i, t, corrects, s);
        haw_band_scale(x, i, x->dr, ds);
        haw_interior_slack(&contact, ds, x->du + d * i, dz);
        memcpy(step->s + (d + 1) * i, ds, (size_t)d * sizeof *ds);
        memcpy(step->z + (d + 1) * i, dz, (size_t)(d + 1) * sizeof *dz);
    }
}

/* Part of the step, up to near the edge of a cone. */
static double find_part(const course *c, double edge)
{
    const ptrdiff_t at = c->x->d + 1;
    double room = HUGE_VAL, s[3];
    for (int i = 0; i < c->x->n; i++) {
        const haw_interior contact = look(c, i, 0, false, s);
        room = fmin(room, haw_interior_room(&contact, c->step.s + at * i, c->step.z + at * i));
    }
    return fmin(edge * room, 1);
}

static void take(course *c, double part)
{
    haw_band_pass *x = c->x;
    const int d = x->d;
    for (int i = 0; i < (d + 1) * x->n; i++) {
        c->z[i] += part * c->step.z[i];
    }
    for (int i = 0; i < d * x->n; i++) {
        x->dr[i] = c->step.s[(d + 1) * (i / d) + i % d] / x->problem->weight[i / d];
    }
    memcpy(x->dv, c->step.v, (size_t)x->equations * sizeof(double));
    haw_band_move(x, part);
}

/* Mean product of forces and slack after a part of the step. */
static double measure(const course *c, double part)
{
    double sum = 0, s[3];
    for (int i = 0; i < c->x->n; i++) {
        const haw_interior contact = look(c, i, 0, true, s);
        sum += haw_interior_gap(&contact, part, contact.ds, contact.dz);
    }
    return sum / (3 * c->x->n);
}

/* ---- down ---- */

/* Predictor, corrector. @return the part that was taken; 0: none */
static double step_down(course *c)
{
    haw_band_pass *x = c->x;
    const double reference = x->result->reference;
    aim(c, 0, false);
    if (!haw_band_step(x)) {
        return 0;
    }
    follow(c, 0, false, &c->step);
    const double gap = measure(c, 0), ratio = measure(c, find_part(c, 1)) / gap;
    c->t = fmax(fmax(ratio * ratio * ratio, FALL) * gap, LEAST * reference * reference);
    aim(c, c->t, true);
    haw_band_solve(x);
    follow(c, c->t, true, &c->step);
    const double part = find_part(c, EDGE);
    take(c, part);
    return isfinite(gap) && isfinite(c->t) ? part : 0;
}

static void keep(const course *c, direction *kept)
{
    const haw_band_pass *x = c->x;
    const size_t n = (size_t)x->n, d = (size_t)x->d;
    memcpy(kept->s, x->r, n * d * sizeof(double));
    memcpy(kept->z, c->z, n * (d + 1) * sizeof(double));
    memcpy(kept->v, x->v, (size_t)x->equations * sizeof(double));
}

/* To the iterate that was kept. */
static void go_back(course *c, const direction *kept)
{
    haw_band_pass *x = c->x;
    const size_t n = (size_t)x->n, d = (size_t)x->d;
    memcpy(x->r, kept->s, n * d * sizeof(double));
    memcpy(c->z, kept->z, n * (d + 1) * sizeof(double));
    memcpy(x->v, kept->v, (size_t)x->equations * sizeof(double));
    haw_band_move(x, 0);
}

/* ---- along ---- */

static double multiply(const course *c, const direction *a, const direction *b, double *largest)
{
    const ptrdiff_t at = c->x->d + 1;
    double sum = 0, s[3];
    *largest = 0;
    for (int i = 0; i < c->x->n; i++) {
        const haw_interior contact = look(c, i, 0, false, s);
        const double own = haw_interior_product(&contact, a->s + at * i, a->z + at * i,
                                                b->s + at * i, b->z + at * i);
        sum += own;
        *largest = fmax(*largest, own);
    }
    return sum;
}

/* y += a x of two directions. */
static void add(const course *c, double a, const direction *x, direction *y)
{
    const int n = (c->x->d + 1) * c->x->n;
    haw_axpy(n, a, x->s, y->s);
    haw_axpy(n, a, x->z, y->z);
    haw_axpy(c->x->equations, a, x->v, y->v);
}

static void copy(const course *c, const direction *x, direction *y)
{
    const size_t n = (size_t)(c->x->d + 1) * (size_t)c->x->n;
    memcpy(y->s, x->s, n * sizeof(double));
    memcpy(y->z, x->z, n * sizeof(double));
    memcpy(y->v, x->v, (size_t)c->x->equations * sizeof(double));
}

/* Orientation, and how far to go from a place by the path: it has turned where t has. */
static double find_ahead(course *c, double largest)
{
    double unused;
    if (c->has_last && 1 + multiply(c, &c->tangent, &c->last, &unused) < 0) {
        c->sign = -c->sign;
    }
    copy(c, &c->tangent, &c->last);
    c->has_last = true;
    return c->sign * fmin(c->length / sqrt(largest), RISE);
}

/* The length of the next step, by how far the last one has led beside the path, whose square is
 * `off`. @return whether to go back to it */
static bool adapt(course *c, double off)
{
    const bool is_near = off <= NEAR;
    if (c->has_last && !is_near && c->is_near) {
        c->length = fmax(SHORTER * c->length, SHORTEST);
    } else if (c->has_last && off <= CLOSE) {
        c->length = fmin(LONGER * c->length, LENGTH);
    }
    c->is_near = is_near;
    c->strays = is_near ? 0 : c->strays + 1;
    if (is_near) {
        keep(c, &c->base);
        c->base_t = c->t;
    }
    return c->has_last && c->strays > STRAY;
}

static bool turn_back(course *c)
{
    go_back(c, &c->base);
    c->t = c->base_t;
    c->length *= SHORTER;
    c->strays = 0;
    return ++c->backs <= BACKS;
}

/* To the path, across it once there is a tangent, which a fold needs, and from near it, along it as
 * far as contacts change by LENGTH: from afar tangents point anywhere. @return false: no step */
static bool step_along(course *c)
{
    haw_band_pass *x = c->x;
    double largest, unused, off, change = 0;
    aim(c, c->t, false);
    if (!haw_band_step(x)) {
        return false;
    }
    follow(c, c->t, false, &c->center);
    (void)multiply(c, &c->center, &c->center, &off);
    aim(c, 2 * c->t, false);
    haw_band_solve(x);
    follow(c, 2 * c->t, false, &c->tangent);
    add(c, -1, &c->center, &c->tangent);
    const double square = 1 + multiply(c, &c->tangent, &c->tangent, &largest);
    const double across = multiply(c, &c->center, &c->tangent, &unused) / square;
    if (adapt(c, off)) {
        return turn_back(c);
    }
    const double ahead = c->is_near ? find_ahead(c, largest) : 0;
    if (c->has_last) {
        change = fmax(ahead - fmax(fmin(across, RISE), -9), -RISE);
    }
    copy(c, &c->center, &c->step);
    add(c, change, &c->tangent, &c->step);
    const double part = find_part(c, EDGE);
    take(c, part);
    c->t *= 1 + part * change;
    c->run = c->sign < 0 && change < -0.3 && part > LONG ? c->run + 1 : 0;
    c->stuck = part < NOWHERE ? c->stuck + 1 : 0;
    return isfinite(square) && isfinite(c->t);
}

/* To the path at the product of the iterate. @return false: beyond a fold there is none */
static bool center(course *c)
{
    double off = HUGE_VAL;
    c->t = measure(c, 0);
    for (int k = 0; k < CENTER && !(off <= NEAR); k++) {
        aim(c, c->t, false);
        if (!haw_band_step(c->x)) {
            return false;
        }
        follow(c, c->t, false, &c->step);
        (void)multiply(c, &c->step, &c->step, &off);
        take(c, find_part(c, EDGE));
    }
    return off <= NEAR;
}

/* From the last iterates that were kept, the latest first. */
static bool find_path(course *c)
{
    bool found = false;
    for (int i = 0; i < KEPT && c->keeps > 0 && !found; i++) {
        go_back(c, &c->kept[(c->keeps - 1) % KEPT]);
        found = center(c);
        c->keeps -= found ? 0 : 1;
    }
    return found;
}

/* Past folds. @return whether the path goes down from here */
static bool pass_folds(course *c, int *steps)
{
    if (!find_path(c)) {
        return false;
    }
    c->sign = -1;
    c->length = LENGTH;
    c->has_last = c->is_near = false;
    c->run = c->stuck = c->strays = 0;
    const double most = CLIMB * c->t;
    while (*steps < c->most && c->run < RUN && !haw_band_met(c->x)) {
        if (!step_along(c) || c->stuck == STUCK || c->t > most) {
            return false;
        }
        ++*steps;
    }
    return true;
}

/* Inside of the cones every point presses a little: those that are open do not. */
static void release(haw_band_pass *x)
{
    const ptrdiff_t d = x->d;
    double s[3];
    for (int i = 0; i < x->n; i++) {
        haw_band_scale(x, i, x->r, s);
        if (s[0] < x->u[d * i]) {
            memset(x->r + d * i, 0, (size_t)d * sizeof(double));
        }
    }
}

bool haw_band_walk(haw_band_pass *x, bool passes_folds)
{
    course c = {.most = x->problem->is_brief ? BRIEF : STEPS};
    int crawl = 0;
    if (!create(x, &c)) {
        return false;
    }
    begin(&c);
    keep(&c, &c.kept[c.keeps++]);
    for (int steps = 0; steps < c.most && !haw_band_met(x); steps++) {
        const double part = step_down(&c);
        crawl = part < SHORT ? crawl + 1 : 0;
        if (part == 0 || (crawl == CRAWL && (!passes_folds || !pass_folds(&c, &steps)))) {
            return false;
        }
        if (part > LONG) {
            keep(&c, &c.kept[c.keeps++ % KEPT]);
        }
        crawl = crawl == CRAWL ? 0 : crawl;
    }
    if (!haw_band_met(x)) {
        return false;
    }
    release(x);
    return haw_band_met(x);
}
