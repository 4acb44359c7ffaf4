/* SPDX-License-Identifier: BSD-3-Clause */
/* Elastic catenary between two supports, which also is where slack cables begin (cable/course.c).
 */
#ifndef HAWSER_THEORY_CATENARY_H
#define HAWSER_THEORY_CATENARY_H

/* Forces in units of the whole weight, lengths in units of the unstrained length. */
typedef struct haw_catenary {
    double h, v;   /* out: reactions at the first support, horizontal and up */
    double kappa;  /* in: weight / EA */
    double end[2]; /* in: position of the second support from the first, x > 0, y down */
    double scale;  /* size of y, for misfits */
} haw_catenary;

#define HAW_CATENARY_MISS 1e-11

/** Reactions h and v. @return miss of the second support, relative: a solution has less than
 * HAW_CATENARY_MISS */
double haw_catenary_solve(haw_catenary *c);

/** Position x, y (down) of material point s, 0 to 1. */
void haw_catenary_place(const haw_catenary *c, double s, double x[2]);

/** Tension there. */
double haw_catenary_tension(const haw_catenary *c, double s);

#endif
