/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a scene may say: one row per key, from which default, range, unit, help, schema and the
 * scenario reader follow. A dot in a key is a nested mapping (damping: {mass: 300}). A preset
 * outside its own range means that there is no default.
 */
#include "element/ale.h"
#include "model/rows.h"

const char *const haw_auto_word[] = {"auto", NULL};
const char *const haw_none_word[] = {"none", NULL};

static const char *const joint_words[] = {"none", "revolute", "translation", "vertical", NULL};
static const char *const scheme_words[] = {"a", "b", "c", NULL};
static const char *const reference_words[] = {"straight", "drawn", NULL};
static const char *const start_words[] = {"auto", "given", "static", NULL};

#define AT(field) offsetof(haw_body_spec, field)
const haw_option haw_body_options[] = {
    {"name", HAW_OPTION_STRING, AT(name), 0.0, NO_RANGE, "", "unique name of the body", NULL,
     HAW_KEY_REQUIRED},
    {"mass", HAW_OPTION_REAL, AT(mass), NAN, POSITIVE, "kg",
     "mass; required where the centre can move", NULL, HAW_KEY_OPEN},
    {"inertia", HAW_OPTION_REAL, AT(inertia), NAN, POSITIVE, "kg m^2",
     "moment of inertia about the centre (in space about every axis); auto: that of a solid body "
     "of the shape",
     haw_auto_word},
    {"inertias", HAW_OPTION_VECTOR, AT(inertias), NAN, POSITIVE, "kg m^2",
     "space: principal moments of inertia about the body's axes; auto: `inertia`", haw_auto_word,
     HAW_KEY_SPACE},
    {"position", HAW_OPTION_VECTOR, AT(position), 0.0, ANY, "m", "centre at the start", NULL},
    {"angle_deg", HAW_OPTION_REAL, AT(angle_deg), 0.0, ANY, "deg",
     "angle at the start, counter-clockwise", NULL, HAW_KEY_PLANE},
    {"velocity", HAW_OPTION_VECTOR, AT(velocity), 0.0, ANY, "m/s",
     "velocity of the centre at the start", NULL},
    {"spin", HAW_OPTION_REAL, AT(spin), 0.0, ANY, "rad/s",
     "angular velocity at the start, counter-clockwise; in space about the body's z axis", NULL},
    {"joint", HAW_OPTION_CHOICE, AT(joint), HAW_JOINT_NONE, NO_RANGE, "",
     "joint to the ground: revolute holds the centre (in space it leaves only the rotation about "
     "the body's z axis), translation holds the angle, vertical (plane) holds x, and the angle of "
     "a body without inertia",
     joint_words},
    {"rotational_damping", HAW_OPTION_REAL, AT(rotational_damping), 0.0, NOT_NEG, "N m s/rad",
     "rotational damper to the ground", NULL},
    {0}};
#undef AT

#define AT(field) offsetof(haw_cable_spec, field)
const haw_option haw_cable_options[] = {
    {"name", HAW_OPTION_STRING, AT(name), 0.0, NO_RANGE, "", "unique name of the cable", NULL,
     HAW_KEY_REQUIRED},
    {"element", HAW_OPTION_STRING, AT(element), 0.0, NO_RANGE, "", "kind of element", NULL},
    {"elements", HAW_OPTION_INT, AT(elements), 0.0, 1.0, 1000000.0, "", "number of elements", NULL},
    {"from", HAW_OPTION_VECTOR, AT(from), NAN, ANY, "m", "position of the start", NULL,
     HAW_KEY_OPEN},
    {"to", HAW_OPTION_VECTOR, AT(to), NAN, ANY, "m", "position of the end of a straight cable",
     NULL, HAW_KEY_OPEN},
    {"closed", HAW_OPTION_BOOL, AT(closed), 0.0, NO_RANGE, "",
     "the path ends where it starts, and so does the cable", NULL, HAW_KEY_PLANE},
    {"tension", HAW_OPTION_REAL, AT(tension), NAN, NOT_NEG, "N",
     "tension at `from`; give this or length, or neither: unstrained as drawn", NULL, HAW_KEY_OPEN},
    {"length", HAW_OPTION_REAL, AT(length), NAN, POSITIVE, "m",
     "unstrained length; give this or tension, or neither: the length as drawn", NULL,
     HAW_KEY_OPEN},
    {"stiffness", HAW_OPTION_REAL, AT(stiffness), NAN, POSITIVE, "N", "axial stiffness EA", NULL},
    {"density", HAW_OPTION_REAL, AT(density), NAN, POSITIVE, "kg/m", "mass per unstrained length",
     NULL},
    {"shear_stiffness", HAW_OPTION_REAL, AT(shear_stiffness), NAN, POSITIVE, "N",
     "space: shear stiffness GA; auto: EA / 2", haw_auto_word, HAW_KEY_SPACE},
    {"torsional_stiffness", HAW_OPTION_REAL, AT(torsional_stiffness), NAN, NOT_NEG, "N m^2",
     "space: torsional stiffness GJ; auto: the bending stiffness", haw_auto_word, HAW_KEY_SPACE},
    {"radius", HAW_OPTION_REAL, AT(radius), 0.0, NOT_NEG, "m",
     "space: radius of the round section, the distance from the centreline at which it touches",
     NULL, HAW_KEY_SPACE},
    {"rotary_inertia", HAW_OPTION_VECTOR, AT(rotary_inertia), NAN, NOT_NEG, "kg m",
     "space: rotary inertia per unstrained length about the tangent and two diameters; auto: that "
     "of the round section",
     haw_auto_word, HAW_KEY_SPACE},
    {"bending_stiffness", HAW_OPTION_REAL, AT(bending_stiffness), 0.0, NOT_NEG, "N m^2",
     "bending stiffness EI", NULL},
    {"bending_factor", HAW_OPTION_REAL, AT(bending_factor), 1.0, NOT_NEG, "",
     "scales the bending stiffness", NULL},
    {"reference_strain", HAW_OPTION_REAL, AT(reference_strain), 0.0, -1 + DBL_EPSILON / 2, DBL_MAX,
     "", "strain of the stress-free cable; negative: pretension", NULL},
    {"reference_curvature", HAW_OPTION_REAL, AT(reference_curvature), 0.0, ANY, "1/m",
     "curvature of the stress-free cable", NULL},
    {"reference", HAW_OPTION_CHOICE, AT(reference), HAW_REFERENCE_STRAIGHT, NO_RANGE, "",
     "stress-free shape, to which reference strain and curvature are added: straight, or as drawn",
     reference_words},
    {"quadrature", HAW_OPTION_CHOICE, AT(quadrature), HAW_SCHEME_C, NO_RANGE, "",
     "points of axial and bending strains of ancf: a: Gauss 5 and 3, b: Gauss 4 and 2, "
     "c: Lobatto 3 and Gauss 2",
     scheme_words, HAW_KEY_PLANE},
    {"width", HAW_OPTION_REAL, AT(width), NAN, POSITIVE, "m",
     "width of the contact area, for stiffnesses per area", haw_none_word, HAW_KEY_PLANE},
    {"damping.mass", HAW_OPTION_REAL, AT(damping_mass), 0.0, NOT_NEG, "1/s",
     "rate of mass-proportional damping", NULL},
    {"damping.strain", HAW_OPTION_REAL, AT(damping_strain), 0.0, NOT_NEG, "N s",
     "tension per strain rate", NULL},
    {"damping.curvature", HAW_OPTION_REAL, AT(damping_curvature), 0.0, NOT_NEG, "N m^2 s",
     "bending moment per rate of curvature", NULL},
    {"damping.shear", HAW_OPTION_REAL, AT(damping_shear), 0.0, NOT_NEG, "N s",
     "space: shear force per shear rate", NULL, HAW_KEY_SPACE},
    {"damping.torsion", HAW_OPTION_REAL, AT(damping_torsion), 0.0, NOT_NEG, "N m^2 s",
     "space: torque per rate of twist", NULL, HAW_KEY_SPACE},
    {"lay.body", HAW_OPTION_STRING, AT(lay.on), 0.0, NO_RANGE, "",
     "space: body whose surface of revolution the cable lies on at the start", NULL,
     HAW_KEY_SPACE | HAW_KEY_REQUIRED},
    {"lay.z", HAW_OPTION_REAL, AT(lay.z), 0.0, ANY, "m", "where it starts, along the body's axis",
     NULL, HAW_KEY_SPACE},
    {"lay.phi_deg", HAW_OPTION_REAL, AT(lay.phi_deg), 0.0, ANY, "deg",
     "where it starts, angle about that axis", NULL, HAW_KEY_SPACE},
    {"lay.angle_deg", HAW_OPTION_REAL, AT(lay.angle_deg), 90.0, ANY, "deg",
     "from the meridian to the cable at the start, towards growing phi; 90: along the hoop", NULL,
     HAW_KEY_SPACE},
    {"lay.slip", HAW_OPTION_REAL, AT(lay.slip), 0.0, ANY, "",
     "geodesic over normal curvature k_g / k_n of the path; 0: a geodesic", NULL, HAW_KEY_SPACE},
    {"gauss_points", HAW_OPTION_INT, AT(gauss_points), 3.0, 3.0, 5.0, "",
     "Gauss points per element; 3 is recommended", NULL, HAW_KEY_PLANE},
    {"slack", HAW_OPTION_BOOL, AT(slack), 0.0, NO_RANGE, "", "no compression: N = max(0, EA eps)",
     NULL, HAW_KEY_PLANE},
    {"overflow", HAW_OPTION_REAL, AT(overflow), NAN, NOT_NEG, "m",
     "ale: straight length with contact elements beyond each tangent point; auto: 5 sqrt(EI / T), "
     "at least two elements",
     haw_auto_word, HAW_KEY_PLANE},
    {"modes.axial", HAW_OPTION_INT, AT(modes[0]), 3.0, 0.0, HAW_ALE_MODES, "",
     "ale: axial modes of a free span", NULL, HAW_KEY_PLANE},
    {"modes.transverse", HAW_OPTION_INT, AT(modes[1]), 3.0, 0.0, HAW_ALE_MODES, "",
     "ale: transverse modes of a free span", NULL, HAW_KEY_PLANE},
    {0}};
#undef AT

#define AT(field) offsetof(haw_scene, field)
const haw_option haw_scene_options[] = {
    {"title", HAW_OPTION_STRING, AT(title), 0.0, NO_RANGE, "",
     "one-line title for plots and results", NULL},
    {"dimension", HAW_OPTION_INT, AT(dimension), 2.0, 2.0, 3.0, "", "2: in the plane, 3: in space",
     NULL},
    {"gravity", HAW_OPTION_VECTOR, AT(gravity), 0.0, ANY, "m/s^2", "acceleration of gravity", NULL},
    {"start", HAW_OPTION_CHOICE, AT(start), HAW_START_AUTO, NO_RANGE, "",
     "given: start as described; static: from equilibrium; auto: static where the description "
     "is no equilibrium (in space: given)",
     start_words},
    {0}};
#undef AT

/* A scene of zeros has these presets: no friction while a static start is sought, one step. */
#define AT(field) offsetof(haw_scene, field)
const haw_option haw_start_options[] = {
    {"type", HAW_OPTION_CHOICE, AT(start), HAW_START_AUTO, NO_RANGE, "",
     "given, static or auto: short form", start_words, HAW_KEY_REQUIRED},
    {"friction", HAW_OPTION_REAL, AT(start_friction), 0.0, NOT_NEG, "",
     "friction coefficient of all contacts while a static start is sought", NULL},
    {"load_steps", HAW_OPTION_INT, AT(load_steps), 1.0, 1.0, 1000.0, "",
     "steps in which the loads rise geometrically to their values", NULL},
    {0}};
#undef AT

haw_body_spec haw_body_spec_default(void)
{
    haw_body_spec spec = {.size = sizeof spec, .motion = HAW_MOTION_FREE};
    haw_options_init(haw_body_options, &spec);
    spec.orientation[0] = 1;
    return spec;
}

haw_cable_spec haw_cable_spec_default(void)
{
    haw_cable_spec spec = {.size = sizeof spec,
                           .ends = {{.kind = HAW_END_PINNED}, {.kind = HAW_END_PINNED}}};
    haw_options_init(haw_cable_options, &spec);
    spec.element = "bezier";
    return spec;
}

haw_scene haw_scene_default(void)
{
    haw_scene scene = {.size = sizeof scene, .load_steps = 1};
    haw_options_init(haw_scene_options, &scene);
    return scene;
}
