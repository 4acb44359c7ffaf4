/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kinematics, forces and energies of spatial models. The functions of dynamics.h and system.h lead
 * here where model->dimension is 3; steppers call those.
 */
#ifndef HAWSER_MODEL_SPACE_H
#define HAWSER_MODEL_SPACE_H

#include "model/dynamics.h"
#include "model/system.h"

/* ---- motion (space_motion.c) ---- */

/** q_plus [coordinates] = q moved by the increments d [dofs]; may be in place. Quaternions are
 * normalised. */
void haw_space_move(const haw_model *model, const double *q, const double *d, double *q_plus);

/** d [dofs] that moves q to q_plus. */
void haw_space_difference(const haw_model *model, const double *q, const double *q_plus, double *d);

/** Prescribed velocities at time t into u [dofs]. */
void haw_space_prescribe(const haw_model *model, double t, double *u);

/**
 * Prescribed coordinates at time t into q [coordinates], from the exact integrals of the drives:
 * bodies of prescribed motion, guided and clamped ends and those that ride on such bodies.
 */
void haw_space_place(const haw_model *model, double t, double *q);

/** True if degree of freedom i of u is prescribed; [dofs]. */
void haw_space_held(const haw_model *model, bool *held);

/* ---- forces and energies (space_dynamics.c) ---- */

/** As haw_model_forces: elastic and gravity; strain damping and mass-proportional damping; loads,
 * torques, end tensions. Gyroscopic forces of beams and bodies count as `gyroscopic` [dofs]. */
void haw_space_forces(const haw_model *model, double t, double part, const double *q,
                      const double *u, const haw_forces *forces);

haw_energy haw_space_energy(const haw_model *model, const double *q);
double haw_space_kinetic(const haw_model *model, const double *u);

/** y [dofs] = M x; prescribed rows included. M is constant. */
void haw_space_mass(const haw_model *model, const double *x, double *y);

/**
 * Matrix += mass M + rate C + K at (q, u), gyroscopic and follower forces included (at the time and
 * load part of the system).
 */
void haw_space_add_model(haw_system *system, const double *q, const double *u, double mass,
                         double rate);

/** Refuse configurations in which an element turns by more than 0.9 pi. @return ERR_GUARD */
HAW_NODISCARD haw_status haw_space_guard(const haw_model *model, const double *q);

/** Where a point of a body is, given in its frame: x [3] inertial. */
void haw_space_body_point(const double pose[7], const double local[3], double x[3]);

#endif
