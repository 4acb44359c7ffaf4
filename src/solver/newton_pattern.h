/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrix of newton_system.h in the global form: order of the unknowns, pattern, constant part.
 */
#ifndef HAWSER_SOLVER_NEWTON_PATTERN_H
#define HAWSER_SOLVER_NEWTON_PATTERN_H

#include "solver/task.h"

/* Where an entry in the rows of a contact comes from, unless it is a column of B. */
enum { HAW_FROM_VELOCITY = -1 };

typedef struct haw_newton_pattern {
    haw_csr matrix; /* rows of the contacts zero, all others final */
    int *place;     /* [nv + n d + p] place in the matrix of the unknowns v, s, l */

    /* The d rows of contact c have the same columns, described once: a row i of them has the value
     * sum_j a_ij velocity_j + (source is not HAW_FROM_VELOCITY) b_i,source. */
    int *first;       /* [n + 1] of the entries of contact c */
    int *source;      /* [first[n]] */
    double *velocity; /* [first[n]][d] a column of the d rows of H^T */
} haw_newton_pattern;

/** @param w  [n] w_c; @param mean  of w */
HAW_NODISCARD haw_status haw_newton_pattern_create(haw_task *task, const double *w, double mean,
                                                   haw_newton_pattern *pattern);

#endif
