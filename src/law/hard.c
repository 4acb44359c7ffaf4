/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signorini, Coulomb and Newton on velocity level, for closed points:
 *
 *     gamma_N+ + e_N gamma_N-  in  N_{R0-}(-Lambda_N),
 *     gamma_T+ + e_T gamma_T-  in  N_{mu Lambda_N B}(-Lambda_T).
 *
 * With u = gamma+ + e gamma- both are the plain frictional contact problem in (r, u).
 */
#include "law/law.h"

static void hard_shift(const haw_law_options *options, int dimension, const double *gamma_minus,
                       double *shift)
{
    shift[0] = options->restitution * gamma_minus[0];
    for (int i = 1; i < dimension; i++) {
        shift[i] = options->restitution_tangential * gamma_minus[i];
    }
}

const haw_law_ops haw_law_hard = {
    .row.name = "hard",
    .row.summary = "unilateral contact with Coulomb friction and Newton restitution",
    .row.source =
        "J. J. Moreau, Unilateral contact and dry friction in finite freedom dynamics, 1988",
    .set_valued = true,
    .shift = hard_shift,
};
