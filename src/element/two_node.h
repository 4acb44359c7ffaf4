/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What beams of two poses (x, R) with one strain d / L - e1, d = (u, w), have in common. With v the
 * velocities of the nodes A and B, W their body-frame angular velocities and w = log(R_A^T R_B),
 *
 *     du/dt = J_X (v_B - v_A) + J_B W_B + J_A W_A,    dw/dt = C W_B - C^T W_A,    C = T(w)^-1,
 *
 * so that the stress (n, m) pulls with J_X^T n at x_B, J_B^T n + C^T m at theta_B and J_A^T n - C m
 * at theta_A. A kind is what u is.
 */
#ifndef HAWSER_ELEMENT_TWO_NODE_H
#define HAWSER_ELEMENT_TWO_NODE_H

#include "base/lie.h"
#include "element/space.h"

enum { TWO_NODE_COORDINATES = 7, TWO_NODE_DOFS = 6 };

enum { TWO_NODE_X, TWO_NODE_B, TWO_NODE_A };

/* Configuration of an element. */
typedef struct two_node {
    se3_log log;     /* d; r the frame of u; a = C */
    double j[3][9];  /* J_X, J_B, J_A */
    double chord[3]; /* x_B - x_A */
} two_node;

/* What a force changes with du, dw and besides them with dtheta_A, dtheta_B. */
typedef struct two_node_row {
    double u[9], w[9], a[9], b[9];
} two_node_row;

/* What d(du/dt) is of du, dw, dtheta_A, dtheta_B; `spin` is what d(dw/dt) is of dw. */
typedef struct two_node_rates {
    double u[9], w[9], a[9], b[9], spin[9];
} two_node_rates;

typedef struct two_node_tangent two_node_tangent;

typedef struct two_node_kind {
    /** @param node  coordinates of A, then of B */
    void (*measure)(const double *node, two_node *pair);
    /** Add to the rows the change of the forces of n at held n. */
    void (*geometric)(two_node_tangent *t);
    /** Fill all but `spin`, which is given. @param u  velocities [12] */
    void (*rates)(const two_node_tangent *t, const double *u, two_node_rates *rates);
} two_node_kind;

struct two_node_tangent {
    const haw_beam *beam;
    double rate;
    two_node pair;
    double stress[HAW_STRAINS]; /* (n, m) */
    double axial;               /* N; on chords n_1 = 0 */
    two_node_row row[3];
};

/**
 * m += S(n) = c ((w x n)~ + w~ n~) - e (w x (w x n)) w^T, of the part of C that is odd in w:
 * d(C^T n)/dw = n~/2 - S(n), d(C n)/dw = -(n~/2 + S(n)).
 */
static inline void two_node_odd(const se3_log *log, const double n[3], double m[9])
{
    const double *w = log->d + 3;
    double wn[3], wwn[3];
    vec3_cross(w, n, wn);
    vec3_cross(w, wn, wwn);
    mat3_add_skew(log->f.c, wn, m);
    mat3_add_double(log->f.c, w, n, m);
    mat3_add_outer(-log->f.e, wwn, w, m);
}

/** The block of columns from `column` on: factor m. */
static inline void two_node_put(double (*j)[HAW_SPACE_DOFS], int column, double factor,
                                const double m[9])
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            j[r][column + c] = factor * m[3 * r + c];
        }
    }
}

/** jw of a point with rotation R_A exp(h), h = s w. @param rv  R_A s V(h) */
void haw_two_node_turn_rates(const double rv[9], const double r[9], const double c[9],
                             double (*jw)[HAW_SPACE_DOFS]);

/** The pair of element e. */
void haw_two_node_measure(const haw_beam *beam, int e, const double *q, two_node *pair);

/** K [12 x 12] += factor times the change of the forces of a stress t->stress that is held, by its
 * geometric part. @param t  beam and pair are set */
void haw_two_node_add_held(two_node_tangent *t, double factor, double *k);

/* Answers of haw_space_ops; the row's `kind` is its two_node_kind. */
void haw_two_node_interpolate(const haw_beam *beam, haw_space_curve curve, const void *user,
                              double *q);
void haw_two_node_natural(const haw_beam *beam, int e, const double *q, double strain[HAW_STRAINS]);
void haw_two_node_energy(const haw_beam *beam, const double *q, double energy[2]);
void haw_two_node_force(const haw_beam *beam, const double *q, const double *u, double *f,
                        double *d);
void haw_two_node_gyroscopic(const haw_beam *beam, const double *u, double *f);
void haw_two_node_tangent(const haw_beam *beam, int e, const double *q, const double *u,
                          double rate, double k[HAW_SPACE_DOFS * HAW_SPACE_DOFS]);
void haw_two_node_mass(const haw_beam *beam, double m[HAW_SPACE_DOFS * HAW_SPACE_DOFS]);
double haw_two_node_kinetic(const haw_beam *beam, const double *u);
double haw_two_node_stiffest(const haw_beam *beam, bool is_free);
void haw_two_node_strain(const haw_beam *beam, int e, double s, const double *q, const double *u,
                         haw_space_strain *strain);
double haw_two_node_turn(const double *a, const double *b);
/** Of points on the helix of the poses. */
void haw_two_node_point_tangent(const haw_beam *beam, int e, double s, const double *q,
                                const double f[3], const double m[3], double *k);
void haw_two_node_twist(const haw_beam *beam, int e, double s, const double *q,
                        double j[3][HAW_SPACE_DOFS]);

/* In a row of haw_space_elements; its own are the name, the kind and `point`. */
#define TWO_NODE_ANSWERS                                                                           \
    .node_coordinates = TWO_NODE_COORDINATES, .node_dofs = TWO_NODE_DOFS, .dofs = HAW_SPACE_DOFS,  \
    .has_rotations = true, .order = 2, .interpolate = haw_two_node_interpolate,                    \
    .natural = haw_two_node_natural, .energy = haw_two_node_energy, .force = haw_two_node_force,   \
    .gyroscopic = haw_two_node_gyroscopic, .tangent = haw_two_node_tangent,                        \
    .mass = haw_two_node_mass, .kinetic = haw_two_node_kinetic, .stiffest = haw_two_node_stiffest, \
    .mass_copies = 1, .mass_width = TWO_NODE_DOFS, .strain = haw_two_node_strain,                  \
    .turn = haw_two_node_turn, .twist = haw_two_node_twist

#endif
