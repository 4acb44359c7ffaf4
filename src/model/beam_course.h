/* SPDX-License-Identifier: BSD-3-Clause */
/* Initial curves of spatial cables. */
#ifndef HAWSER_MODEL_BEAM_COURSE_H
#define HAWSER_MODEL_BEAM_COURSE_H

#include "model/build.h"
#include "theory/revolution_path.h"

/* Drawn straight, along lines and arcs at one height, or laid on a surface of revolution; stretched
 * uniformly. */
typedef struct haw_beam_course {
    const haw_cable_spec *spec;
    double length;         /* unstrained [m] */
    double path;           /* of the drawn curve [m] */
    double stretch;        /* path / length */
    bool has_corner;       /* the drawn curve has a kink */
    const haw_body *body;  /* that it is laid on, or NULL */
    double offset;         /* of its centreline from that surface [m] */
    haw_path_point *point; /* [elements + 1] nodes of a laid cable, on the parallel surface */
} haw_beam_course;

/**
 * Check the drawing of a cable and choose its unstrained length.
 * @param natural  axial strain of the stress-free cable (1 + natural is its stretch)
 */
HAW_NODISCARD haw_status haw_beam_course_init(haw_model *model, const haw_cable_spec *spec,
                                              double natural, haw_beam_course *course);

/** haw_space_curve of space.h; user is a haw_beam_course. */
void haw_beam_course_place(const void *user, double xi, haw_section *place);

#endif
