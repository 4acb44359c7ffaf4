/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of haw_model_build, one file each. */
#ifndef HAWSER_MODEL_BUILD_H
#define HAWSER_MODEL_BUILD_H

#include "model/model.h"

HAW_NODISCARD haw_status haw_build_bodies(haw_model *model, const haw_scene *scene);
HAW_NODISCARD haw_status haw_build_cables(haw_model *model, const haw_scene *scene);
HAW_NODISCARD haw_status haw_build_pairs(haw_model *model, const haw_scene *scene);

HAW_NODISCARD haw_status haw_build_loads(haw_model *model, const haw_scene *scene);
HAW_NODISCARD haw_status haw_build_springs(haw_model *model, const haw_scene *scene);
HAW_NODISCARD haw_status haw_build_start(haw_model *model, const haw_scene *scene);

/** "body: key must be > 0", with its place. */
HAW_NODISCARD haw_status haw_body_refuse(haw_model *model, const haw_body_spec *spec,
                                         const char *key, double value);

/** Add the degrees of freedom of a cable, line.dofs, and its coordinates, the same number unless
 * they are set, to those of the model; room for `held`. */
HAW_NODISCARD haw_status haw_cable_count(haw_model *model, haw_cable *cable);

/** The status, at the key of a cable. */
haw_status haw_cable_place(haw_model *model, const haw_cable_spec *spec, const char *key,
                           haw_status status);

/** ERR_INPUT with its place unless a number of a cable is finite and > 0. */
HAW_NODISCARD haw_status haw_cable_check_positive(haw_context *context, const char *name,
                                                  const char *key, double value);

/**
 * Points per element of the contact grid of a cable.
 * @param length  of its longest element [m]
 * @param radius  smallest one of the surface [m]
 */
HAW_NODISCARD haw_status haw_pair_choose_points(haw_model *model, const haw_contact_spec *spec,
                                                double length, double radius, haw_pair *pair);

/** Set the number of points of a pair, unless they are too many. */
HAW_NODISCARD haw_status haw_pair_count(haw_model *model, double points, haw_pair *pair);

/* What a body, a cable and a pair in space have of their own (surface_body.c, beam.c, beam_end.c,
 * surface_pair.c). */
HAW_NODISCARD haw_status haw_build_flat_body(haw_model *model, const haw_body_spec *spec,
                                             haw_body *body);
HAW_NODISCARD haw_status haw_build_surface_body(haw_model *model, const haw_body_spec *spec,
                                                haw_body *body);
HAW_NODISCARD haw_status haw_build_beam(haw_model *model, const haw_cable_spec *spec,
                                        haw_cable *cable);
HAW_NODISCARD haw_status haw_build_beam_end(haw_model *model, const haw_cable_spec *spec,
                                            haw_cable *cable, int end);
HAW_NODISCARD haw_status haw_build_surface_pair(haw_model *model, const haw_contact_spec *spec,
                                                haw_pair *pair);

/** Law of a pair with the parameters of one point; the owners are known. */
HAW_NODISCARD haw_status haw_build_law(haw_model *model, const haw_contact_spec *spec,
                                       haw_pair *pair);

/** A body of prescribed motion as the cables see it that ride on it. */
haw_carrier haw_body_carrier(const haw_body *body);

/* Ropes over sheaves (reeving_*.c). */

/** Check a rope's own keys and build cable->rope; cable->line gets its counts and material. */
HAW_NODISCARD haw_status haw_build_rope(haw_model *model, const haw_cable_spec *spec,
                                        haw_cable *cable);

/** Knots of a pair of a rope and one of its sheaves; cable, body and law are known. */
HAW_NODISCARD haw_status haw_reeving_pair(haw_model *model, const haw_contact_spec *spec,
                                          haw_pair *pair);

/** What the sheave of a pair becomes for the rope by the law: after haw_build_law. */
void haw_reeving_bed(haw_model *model, const haw_pair *pair);

/** Log the sheaves that no contact pair joins with their rope. */
void haw_reeving_warn(const haw_model *model);

/** Copy a function and its table into the model. */
HAW_NODISCARD haw_status haw_build_function(haw_model *model, const haw_function *from,
                                            haw_function *to);

/** Make `length` the unstrained length of a cable: element length and constant mass follow. */
HAW_NODISCARD haw_status haw_cable_set_length(haw_arena *arena, haw_cable *cable, double length);

/* Initial curve of a cable, parametrised by the unstrained arc length. */
typedef struct haw_course {
    const haw_cable_spec *spec;
    double length;  /* unstrained [m] */
    double path;    /* length of the drawn path [m] */
    double rest;    /* stretch of the stress-free cable; 1 without a reference strain */
    double tension; /* at `from` [N] */
    double slope;   /* dN/dxi = -rho g . direction, straight courses along gravity [N/m] */
    double sag[2];  /* mid-span offset of a slack start [m] */
    bool is_static; /* not in equilibrium as drawn: needs a static start */
} haw_course;

/** Point and unit tangent at distance d along a planar segment that starts at `from`. */
void haw_segment_point(const haw_path_segment *segment, const double from[2], double d, double x[2],
                       double t[2]);

/**
 * Lay out a cable: unstrained length, tension law, and whether the drawn curve is already in
 * equilibrium (straight along gravity, or any path without gravity).
 */
HAW_NODISCARD haw_status haw_course_init(haw_context *context, const haw_cable_spec *spec,
                                         const double gravity[2], haw_course *course);

/** haw_curve of element.h; user is a haw_course. */
void haw_course_point(const void *user, double xi, double x[2], double t[2], double *stretch);

#endif
