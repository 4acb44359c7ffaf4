/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a scene may say: one row per key, from which default, range, unit, help, schema and the
 * scenario reader follow. A dot in a key is a nested mapping (damping: {mass: 300}). A preset
 * outside its own range means that there is no default.
 */
#include "base/status.h"

#include <hawser/model.h>

#include <float.h>
#include <math.h>

/* Rows: any number, a positive one, one that is not negative. */
#define ANY      (-DBL_MAX), DBL_MAX
#define POSITIVE DBL_MIN, DBL_MAX
#define NOT_NEG  0.0, DBL_MAX
#define NO_RANGE 0.0, 0.0

static const char *const auto_word[] = {"auto", NULL};
static const char *const arm_words[] = {"radius", "distance", NULL};
static const char *const refine_words[] = {"off", "minima", NULL};
static const char *const start_words[] = {"auto", "given", "static", NULL};

#define AT(field) offsetof(haw_body_spec, field)
const haw_option haw_body_options[] = {
    {"name", HAW_OPTION_STRING, AT(name), 0.0, NO_RANGE, "", "unique name of the body", NULL},
    {"mass", HAW_OPTION_REAL, AT(mass), NAN, POSITIVE, "kg",
     "mass; required unless the motion is prescribed", NULL},
    {"inertia", HAW_OPTION_REAL, AT(inertia), NAN, POSITIVE, "kg m^2",
     "moment of inertia about the centre; auto: that of a solid body of the shape", auto_word},
    {"position", HAW_OPTION_VECTOR, AT(position), 0.0, ANY, "m", "centre at the start", NULL},
    {"angle_deg", HAW_OPTION_REAL, AT(angle_deg), 0.0, ANY, "deg",
     "angle at the start, counter-clockwise", NULL},
    {"velocity", HAW_OPTION_VECTOR, AT(velocity), 0.0, ANY, "m/s",
     "velocity of the centre at the start", NULL},
    {"spin", HAW_OPTION_REAL, AT(spin), 0.0, ANY, "rad/s",
     "angular velocity at the start, counter-clockwise", NULL},
    {0}};
#undef AT

#define AT(field) offsetof(haw_cable_spec, field)
const haw_option haw_cable_options[] = {
    {"name", HAW_OPTION_STRING, AT(name), 0.0, NO_RANGE, "", "unique name of the cable", NULL},
    {"element", HAW_OPTION_STRING, AT(element), 0.0, NO_RANGE, "", "kind of element", NULL},
    {"elements", HAW_OPTION_INT, AT(elements), 0.0, 1.0, 1000000.0, "", "number of elements", NULL},
    {"from", HAW_OPTION_VECTOR, AT(from), NAN, ANY, "m", "position of the start", NULL},
    {"to", HAW_OPTION_VECTOR, AT(to), NAN, ANY, "m", "position of the end of a straight cable",
     NULL},
    {"tension", HAW_OPTION_REAL, AT(tension), NAN, NOT_NEG, "N",
     "tension at `from`; either this or length", NULL},
    {"length", HAW_OPTION_REAL, AT(length), NAN, POSITIVE, "m",
     "unstrained length; either this or tension", NULL},
    {"stiffness", HAW_OPTION_REAL, AT(stiffness), NAN, POSITIVE, "N", "axial stiffness EA", NULL},
    {"density", HAW_OPTION_REAL, AT(density), NAN, POSITIVE, "kg/m", "mass per unstrained length",
     NULL},
    {"damping.mass", HAW_OPTION_REAL, AT(damping_mass), 0.0, NOT_NEG, "1/s",
     "rate of mass-proportional damping", NULL},
    {"gauss_points", HAW_OPTION_INT, AT(gauss_points), 3.0, 3.0, 5.0, "",
     "Gauss points per element; 3 is recommended", NULL},
    {"slack", HAW_OPTION_BOOL, AT(slack), 0.0, NO_RANGE, "", "no compression: N = max(0, EA eps)",
     NULL},
    {0}};
#undef AT

#define AT(field) offsetof(haw_contact_spec, field)
const haw_option haw_contact_options[] = {
    {"law", HAW_OPTION_STRING, AT(law), 0.0, NO_RANGE, "", "contact law", NULL},
    {"friction", HAW_OPTION_REAL, AT(friction), 0.0, NOT_NEG, "", "Coulomb coefficient mu", NULL},
    {"restitution", HAW_OPTION_REAL, AT(restitution), 0.0, 0.0, 1.0, "",
     "Newton coefficient of the normal direction", NULL},
    {"restitution_tangential", HAW_OPTION_REAL, AT(restitution_tangential), 0.0, 0.0, 1.0, "",
     "Newton coefficient of the tangential direction", NULL},
    {"points_per_element", HAW_OPTION_INT, AT(points_per_element), 0.0, 0.0, 10000.0, "",
     "contact points per element; 0: by the spacing, or an eighth of the radius", NULL},
    {"spacing", HAW_OPTION_REAL, AT(spacing), NAN, POSITIVE, "m",
     "largest distance of contact points; auto: by points_per_element", auto_word},
    {"arm", HAW_OPTION_CHOICE, AT(arm), HAW_ARM_RADIUS, NO_RANGE, "",
     "lever arm of friction: to the foot on the surface (the radius of a circle) or to the point "
     "itself",
     arm_words},
    {"refine", HAW_OPTION_CHOICE, AT(refine), HAW_REFINE_OFF, NO_RANGE, "",
     "minima: keep only local minima of the gap among neighbouring closed points", refine_words},
    {0}};
#undef AT

#define AT(field) offsetof(haw_scene, field)
const haw_option haw_scene_options[] = {
    {"title", HAW_OPTION_STRING, AT(title), 0.0, NO_RANGE, "", "one line for plots and results",
     NULL},
    {"gravity", HAW_OPTION_VECTOR, AT(gravity), 0.0, ANY, "m/s^2", "acceleration of gravity", NULL},
    {"start", HAW_OPTION_CHOICE, AT(start), HAW_START_AUTO, NO_RANGE, "",
     "given: start as described; static: from equilibrium; auto: static where the description "
     "is no equilibrium",
     start_words},
    {0}};
#undef AT

haw_body_spec haw_body_spec_default(void)
{
    haw_body_spec spec = {.motion = HAW_MOTION_FREE};
    haw_options_init(haw_body_options, &spec);
    return spec;
}

haw_cable_spec haw_cable_spec_default(void)
{
    haw_cable_spec spec = {.ends = {{.kind = HAW_END_PINNED}, {.kind = HAW_END_PINNED}}};
    haw_options_init(haw_cable_options, &spec);
    spec.element = "bezier";
    return spec;
}

haw_contact_spec haw_contact_spec_default(void)
{
    haw_contact_spec spec = {.law = NULL};
    haw_options_init(haw_contact_options, &spec);
    spec.law = "hard";
    return spec;
}
