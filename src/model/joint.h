/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joints: bilateral constraints g(q) = 0 between points and directions of bodies, cables and the
 * ground. With G = (dg/du)' and the multipliers lambda the force of a joint is G lambda: lambda
 * acts on its second foot and -lambda on the first.
 *
 * Multipliers are unknowns like velocities and have the last places in u, without mass; q holds
 * their integrals. In an equilibrium, where u is zero, q itself holds the forces.
 *
 * A row compares the points, x_1 - x_0 along the inertial axes or, where the joint slides, along
 * directions of the first foot across the axis, or two directions, a . b = 0 with
 * a fixed to the first foot and b to the second: d(a . b) = (w_0 - w_1) . (a x b), which holds the
 * angle about a x b.
 */
#ifndef HAWSER_MODEL_JOINT_H
#define HAWSER_MODEL_JOINT_H

#include "model/system.h"

enum { HAW_JOINT_ROWS = 6 };

/* Gap over the coordinates of the points where a joint counts as closed. What is left of it over
 * the square of the step is an error of the force. */
static const double HAW_JOINT_TOLERANCE = 1e-14;

struct haw_joint_kind {
    haw_row row;
    bool exists[4];     /* by dimension */
    unsigned angles[4]; /* by dimension: pairs of directions that are compared, bits of
                           haw_joint_angle */
    bool has_axis;      /* and needs to be given, where directions are compared */
    bool slides;        /* along it */
    bool holds_turns;   /* all of them: those of a cable without sections that turn are two */
};

typedef enum haw_joint_angle {
    HAW_ANGLE_01 = 1, /* first direction of one foot, second of the other */
    HAW_ANGLE_02 = 2,
    HAW_ANGLE_12 = 4,
    HAW_ANGLE_10 = 8, /* second direction of one foot, first of the other */
    HAW_ANGLE_20 = 16
} haw_joint_angle;

/* A joint at one configuration. */
typedef struct haw_hold {
    double gap[HAW_JOINT_ROWS]; /* [m], [rad] while small */
    double reach;               /* largest coordinate or arm of the points, or element: what the
                                   gap is rounded by [m] */
    haw_dofs dofs[2];           /* of the feet */
    double row[2][HAW_JOINT_ROWS][HAW_CABLE_DOFS]; /* G' over them */
} haw_hold;

/** Angles that a joint compares. */
enum { HAW_JOINT_ANGLES = 5 };

/** Rotation of a foot to inertial axes, row-major. */
void haw_joint_rotation(const haw_model *model, const haw_spot *foot, const double *q,
                        double rotation[9]);

/** Force of a joint on its second foot at q [N]. @param lambda  its own multipliers */
void haw_joint_force(const haw_model *model, const haw_link *joint, const double *q,
                     const double *lambda, double force[3]);

/** Entries of G that are no larger than this are zero but for rounding: such have no place in
 * matrices, wherever the joint is. */
double haw_hold_noise(const haw_hold *hold, int row);

/** All joints at q into hold [joints]. */
void haw_joints_find(const haw_model *model, const double *q, haw_hold *hold);

/**
 * A configuration in general position, some 1 m and 1 rad from q: entries of G that are zero there
 * are zero everywhere.
 *
 * @param way    [dofs] workspace
 * @param apart  [coordinates] out
 */
void haw_joints_move_apart(const haw_model *model, const double *q, double *way, double *apart);

/** f [dofs] += factor G lambda; not tied. @param lambda  [multipliers] */
void haw_joints_push(const haw_model *model, const haw_hold *hold, double factor,
                     const double *lambda, double *f);

/** row [multipliers] = factor g. */
void haw_joints_gaps(const haw_model *model, const haw_hold *hold, double factor, double *row);

/** x [multipliers] = G' u. */
void haw_joints_rates(const haw_model *model, const haw_hold *hold, const double *u, double *x);

/** Whether points and directions of all joints begin with no rate and, unless a static start closes
 * them, no gap. @param hold  out: [joints] at the state, of the arena; @return ERR_INPUT */
HAW_NODISCARD haw_status haw_joints_check(haw_arena *arena, const haw_model *model,
                                          const haw_state *state, bool is_static, haw_hold **hold);

/** Velocities of ends of cables that ride on bodies, from those of the bodies at q [coordinates],
 * into u [dofs]. */
void haw_joints_ride(const haw_model *model, const double *q, double *u);

/** Multipliers of joints between what is held, which have nothing to act on, are held, too.
 * @param held  [dofs] */
void haw_joints_rest(const haw_model *model, const double *q, bool *held);

/** Largest gap over what it may be: `relative` times the reach of the joint, or rounding. */
double haw_joints_miss(const haw_model *model, const haw_hold *hold, double relative);

/** Largest row of the gaps: distance of points along one axis [m], turn of directions [rad]. */
double haw_joints_drift(const haw_model *model, const haw_hold *hold);

/** Columns of the multipliers += -factor G. */
void haw_joints_add_columns(haw_system *system, const haw_hold *hold, double factor);

/** Rows of the multipliers += -G'. */
void haw_joints_add_rows(haw_system *system, const haw_hold *hold);

/** Matrix += -factor d(G lambda)/dq. The change of angular Jacobians between the nodes of an
 * element is left out, as in haw_loads_tangent. */
void haw_joints_add_stiffness(haw_system *system, const double *q, double factor,
                              const double *lambda);

/** First of the multipliers in q. */
static inline int haw_joints_coordinate(const haw_model *model)
{
    return model->coordinates - model->multipliers;
}

/** And in u. */
static inline int haw_joints_dof(const haw_model *model)
{
    return model->dofs - model->multipliers;
}

/** First multiplier of a joint among all. */
static inline int haw_joint_first(const haw_model *model, int joint)
{
    return model->joint[joint].first - haw_joints_dof(model);
}

#endif
