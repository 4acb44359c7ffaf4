/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every combination of open, sticking and slipping contacts is a system of equations,
 *
 *     open: r = 0;   stick: u = 0;   slip: u_N = 0, r = p (cos phi, -sin phi e), u_T x e = 0,
 *
 * with tan phi = mu and the direction of slip e. In the plane e = +-1 is one more state and the
 * system linear; in space e = (cos theta, sin theta) and Newton's method starts from some theta.
 */
#ifndef HAWSER_SOLVER_ENUM_SYSTEM_H
#define HAWSER_SOLVER_ENUM_SYSTEM_H

#include "solver/task.h"

enum { HAW_ENUM_CONTACTS = 3, HAW_ENUM_ROWS = 3 * HAW_ENUM_CONTACTS };

enum { HAW_ENUM_OPEN, HAW_ENUM_STICK, HAW_ENUM_SLIP, HAW_ENUM_SLIP_BACK };

/* The problem, scaled: impulses by w_c = trace(W_cc)/d, velocities by v_ref. */
typedef struct haw_enumeration {
    haw_task *task;
    int d, n;
    double w[HAW_ENUM_ROWS][HAW_ENUM_ROWS], q[HAW_ENUM_ROWS]; /* W / w_c of the column, q / v_ref */
    double mu[HAW_ENUM_CONTACTS], cosine[HAW_ENUM_CONTACTS], sine[HAW_ENUM_CONTACTS]; /* phi */
    double best, best_r[HAW_ENUM_ROWS];
} haw_enumeration;

/* One combination. The unknowns of contact c begin at d c: r if it sticks, (p, theta) if it slips;
 * the equations likewise. What a state leaves over stays as it is. */
typedef struct haw_combination {
    int state[HAW_ENUM_CONTACTS];
    bool held; /* theta is not moved */
    double p[HAW_ENUM_CONTACTS], theta[HAW_ENUM_CONTACTS],
        e[HAW_ENUM_CONTACTS][2]; /* e: cosine and sine of theta */
    double r[HAW_ENUM_ROWS], u[HAW_ENUM_ROWS];
} haw_combination;

/** Whether theta_c is an unknown. */
bool haw_combination_turns(const haw_enumeration *s, const haw_combination *k, int c);

/** u = W r + q */
void haw_enum_velocity(const haw_enumeration *s, const double *r, double *u);

/**
 * From the directions of slip theta to a solution r, u of the combination, admissible or not.
 *
 * @param turns  how often theta is first set to the direction of the velocity that it leaves
 */
void haw_combination_solve(const haw_enumeration *s, haw_combination *k, int turns);

#endif
