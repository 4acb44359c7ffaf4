/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contact problem of an explicit step over the degrees of freedom around its contacts: with
 * x = u+ - u_free, and the rest of every cable eliminated from the effective mass M_w of a region,
 *
 *     M_w x = H r,   u = H^T x + q,
 *
 * a narrow band with the bodies for a border. Where contacts outnumber the degrees of freedom that
 * they touch, W is a square of their number, of a rank far below: sweeps do not end, and a dense
 * factorization costs the cube. In the band a Newton step is linear in the length of the window.
 */
#ifndef HAWSER_CONTACT_REGION_H
#define HAWSER_CONTACT_REGION_H

#include "contact/contact.h"

#include <hawser/solver.h>

typedef struct haw_region haw_region;

HAW_NODISCARD haw_status haw_region_create(haw_context *context, const haw_model *model,
                                           haw_region **region);
void haw_region_free(haw_region *region);

/**
 * Solve the problem that haw_contacts_pose left, from the impulses of the contacts: cables against
 * bodies, many, or of more rows than degrees of freedom. Anything else is left to W.
 *
 * @param tolerance  on haw_referee_stop
 * @param u          [d count] out: W r + q by the factors of the inertia, which the report judges
 * @param report     out, as by haw_solve; not converged: no problem of this kind, or the tolerance
 *                   was missed, and the impulses are anything
 * @return           ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_region_solve(haw_region *region, haw_contacts *contacts,
                                          const haw_inertia *inertia, double tolerance, double *u,
                                          haw_report *report);

#endif
