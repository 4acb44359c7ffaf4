/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of haw_model_build, one file each. */
#ifndef HAWSER_MODEL_BUILD_H
#define HAWSER_MODEL_BUILD_H

#include "cable/site.h"
#include "model/model.h"

HAW_NODISCARD haw_status haw_build_bodies(haw_model *model, const haw_scene *scene);
HAW_NODISCARD haw_status haw_build_cables(haw_model *model, const haw_scene *scene);
HAW_NODISCARD haw_status haw_build_pairs(haw_model *model, const haw_scene *scene);

/** Refuse elements that start on another side of a body or line than their path; forgets the
 * courses. */
HAW_NODISCARD haw_status haw_build_check_drawn(haw_model *model, const haw_scene *scene);

/** That of a line that touches a line (drawn_lines.c), of all their parts.
 * @param q  [coordinates] as the elements start */
HAW_NODISCARD haw_status haw_build_check_lines(haw_model *model, const haw_contact_spec *spec,
                                               const haw_pair *pair, const double *q);

/** From a place of the path of a cable that has a course to the place at s of element e. */
void haw_drawn_way(const haw_cable *cable, int e, double s, const double *q, double from[3],
                   double along[3]);

HAW_NODISCARD haw_status haw_build_loads(haw_model *model, const haw_scene *scene);
void haw_warn_of_motion(const haw_model *model, const haw_body *body, const char *load);
HAW_NODISCARD haw_status haw_build_springs(haw_model *model, const haw_scene *scene);
HAW_NODISCARD haw_status haw_build_joints(haw_model *model, const haw_scene *scene);
HAW_NODISCARD haw_status haw_build_meetings(haw_model *model); /* joints are built */
HAW_NODISCARD haw_status haw_build_start(haw_model *model, const haw_scene *scene);
HAW_NODISCARD haw_status haw_build_kept(haw_model *model); /* the last: asks joints and locks */

/**
 * A point of the body or cable `on`, NULL: of the ground.
 *
 * @param what  acts on it, for messages: "force"
 * @param at    [3] coordinates, of a cable the fraction of its unstrained length
 */
HAW_NODISCARD haw_status haw_build_spot(haw_model *model, const char *what, const char *on,
                                        const double at[3], haw_spot *spot);

/* ---- contact pairs ---- */

/** ERR_INPUT "contact between ...", at a key of the pair. */
haw_status haw_pair_refuse(haw_model *model, const haw_contact_spec *spec, const char *key,
                           const char *format, ...) HAW_PRINTF(4, 5);

/** Set the number of points of a pair, unless they are too many. */
HAW_NODISCARD haw_status haw_pair_count(haw_model *model, double points, haw_pair *pair);

/** Knots of a pair of a rope and one of its sheaves; cable, body and law are known. */
HAW_NODISCARD haw_status haw_reeving_pair(haw_model *model, const haw_contact_spec *spec,
                                          haw_pair *pair);

/** A pair of two cables, or of a cable with itself: which of them has the grid. */
HAW_NODISCARD haw_status haw_line_pair(haw_model *model, const haw_contact_spec *spec,
                                       const int cable[2], haw_pair *pair);

/** Index of the cable that a pair names, or of the bundle of all whose names begin with what stands
 * before a last '*'; -1: there is none. */
HAW_NODISCARD haw_status haw_pair_find_line(haw_model *model, const haw_contact_spec *spec,
                                            const char *name, int *line);

/** Points of `line` that look back at `cable`, behind those that look ahead. */
HAW_NODISCARD haw_status haw_line_pair_behind(haw_model *model, haw_pair *pair);

/** Softness of the bed on the sheave of a pair, for its rope: after haw_build_law. */
void haw_reeving_bed(haw_model *model, const haw_pair *pair);

/** Log the sheaves that no contact pair joins with their rope. */
void haw_reeving_warn(const haw_model *model);

/** Law of a pair with the parameters of one point; the owners are known. */
HAW_NODISCARD haw_status haw_build_law(haw_model *model, const haw_contact_spec *spec,
                                       haw_pair *pair);

#endif
