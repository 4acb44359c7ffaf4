/* SPDX-License-Identifier: BSD-3-Clause */
/* Building a cable from its description: what it is built into, and what kinds of cables share. */
#ifndef HAWSER_CABLE_SITE_H
#define HAWSER_CABLE_SITE_H

#include "base/arena.h"
#include "cable/body.h"
#include "cable/cable.h"
#include "theory/catenary.h"

typedef struct haw_path_point haw_path_point; /* theory/revolution_path.h */

struct haw_site {
    haw_context *context;
    haw_arena *arena;
    int dimension;
    const double *gravity; /* [3] */
    int bodies;
    const haw_body *body;
    bool is_given;      /* the start is what is drawn: tense cables are straight */
    bool starts_static; /* out: a cable is not in equilibrium as drawn */
    haw_course *course; /* of the cables so far, on which others are laid */
    int courses;
};

/** Row of haw_cables that takes a description; ERR_INPUT with the reason if none does. */
HAW_NODISCARD haw_status haw_cable_find(const haw_site *site, const haw_cable_spec *spec,
                                        const haw_cable_ops **ops);

/** Index of a body of the site, -1 if none has that name. */
int haw_site_find_body(const haw_site *site, const char *name);

/** ERR_INPUT "cable 'NAME': ..." at a key of the cable. */
haw_status haw_cable_refuse(const haw_site *site, const haw_cable_spec *spec, const char *key,
                            const char *format, ...) HAW_PRINTF(4, 5);

/** ERR_INPUT with its place unless a number of a cable is finite and > 0. */
HAW_NODISCARD haw_status haw_cable_check_positive(const haw_site *site, const haw_cable_spec *spec,
                                                  const char *key, double value);

/** Copy a function and its table into an arena. */
HAW_NODISCARD haw_status haw_function_copy(haw_arena *arena, const haw_function *from,
                                           haw_function *to);

/** line.dofs and, unless they are set, as many coordinates; room for `held`. */
HAW_NODISCARD haw_status haw_cable_number(const haw_site *site, haw_cable *cable);

/** Largest magnitude at any time. */
double haw_function_largest(const haw_function *function);

/** Largest change within a time h along the straight lines between the rows; 0 of a constant. */
double haw_function_change(const haw_function *function, double h);

/** True if a function is anything but 0. */
static inline bool haw_function_acts(const haw_function *function)
{
    return !(haw_function_largest(function) <= 0);
}

/** The end of a line whose start is known: what holds it, carries it and pulls it. */
HAW_NODISCARD haw_status haw_cable_build_end(const haw_site *site, const haw_cable_spec *spec,
                                             int end, haw_cable *cable);

/* What the rows of lines, whose nodes are fixed to the material, answer alike. */
#define HAW_LINE_ROW(named, summarized, from)                                                      \
    .row.name = (named), .row.summary = (summarized), .row.source = (from), .takes_hard = true,    \
    .start = haw_cable_start, .dofs = haw_cable_dofs, .dofs_of_two = haw_cable_dofs_of_two,        \
    .node_q = haw_cable_node_q, .node_dof = haw_cable_node_dof, .pull = haw_cable_pull,            \
    .pull_tangent = haw_cable_pull_tangent, .locate = haw_cable_locate, .reach = haw_cable_reach,  \
    .bends = haw_cable_bends

/* ---- initial curves, parametrised by the unstrained arc length ---- */

/* Drawn straight or along a path, laid on a surface of revolution, or wound about another cable. */
struct haw_course {
    const haw_cable_spec *spec;
    int dimension;
    double length;  /* unstrained [m] */
    double path;    /* length of the drawn path [m] */
    double rest;    /* stretch of the stress-free cable; 1 without a reference strain */
    double tension; /* at `from` [N] */
    double stretch; /* the same as a stretch */
    double slope;   /* dN/dxi = -rho g . direction, straight courses along gravity [N/m] */
    bool hangs;     /* begins as this catenary, in the plane of two directions */
    haw_catenary catenary;
    double across[3], down[3];
    bool is_static;        /* not in equilibrium as drawn: needs a static start */
    bool has_corner;       /* the drawn curve has a kink */
    const haw_body *body;  /* that it is laid on, or NULL */
    double offset;         /* of its centreline from that surface [m] */
    haw_path_point *point; /* [elements + 1] nodes of a laid cable, on the parallel surface */
    struct haw_trace
        *trace; /* trace.h, [segments] curves of the path, one of a wound cable; or NULL */
    struct haw_transport *frames; /* that do not twist, of a path with curves in space; or NULL */
    double closing; /* twist by which those of a closed path meet, between -pi and pi [rad] */
};

/**
 * Lay out a cable: unstrained length, tension law, and whether the drawn curve is already in
 * equilibrium (straight along gravity, or any path without gravity).
 * @param gravity  [3] that the tension law follows; 0: the stretch is uniform
 */
HAW_NODISCARD haw_status haw_course_init(const haw_site *site, const haw_cable_spec *spec,
                                         const double gravity[3], haw_course *course);

/** Keep a course for what is built later. */
void haw_course_keep(haw_site *site, const haw_course *course, haw_cable *cable);

/** Wind a course about that of the cable that it is laid on: its trace. */
HAW_NODISCARD haw_status haw_course_wind(const haw_site *site, haw_course *course);

/** haw_curve of element.h; user is a haw_course. */
void haw_course_point(const void *user, double xi, double x[2], double t[2], double *stretch);

/** haw_space_curve of space.h; user is a haw_course. */
void haw_course_section(const void *user, double xi, haw_section *place);

#endif
