/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The keys of a scene: one row per key, from which default, range, unit, help, schema and the
 * scenario reader follow. A dot in a key is a nested mapping (damping: {mass: 300}). A preset
 * outside its own range means that there is no default.
 */
#include "base/status.h"
#include "element/ale.h"
#include "model/model.h"
#include "shape/surface.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Any number, a positive one, one that is not negative. */
#define ANY      (-DBL_MAX), DBL_MAX
#define POSITIVE DBL_MIN, DBL_MAX
#define NOT_NEG  0.0, DBL_MAX
#define ROUGH    0.0, 1e9 /* beyond it 1 + mu^2 has no digit of the 1, and solvers go on for ever */
#define NO_RANGE 0.0, 0.0

static const char *const auto_word[] = {"auto", NULL};
static const char *const none_word[] = {"none", NULL};
static const char *const joint_words[] = {"none", "revolute", "translation", "vertical", NULL};
static const char *const scheme_words[] = {"a", "b", "c", NULL};
static const char *const reference_words[] = {"straight", "drawn", NULL};
static const char *const start_words[] = {"auto", "given", "static", NULL};
static const char *const arm_words[] = {"radius", "distance", "tilt", NULL};
static const char *const refine_words[] = {"off", "minima", "liftoff", "contact", NULL};
static const char *const proxy_words[] = {"points", "capsules", "mortar", "minima", NULL};
static const char *const per_words[] = {"point", "length", "area", NULL};
static const char *const kinematics_words[] = {"curve", "chord", NULL};
static const char *const normals_words[] = {"segment", "point", NULL};
static const char *const length_words[] = {"reference", "deformed", NULL};
static const char *const switching_words[] = {"return-map", "post-newton", NULL};

#define AT(field) offsetof(haw_body_spec, field)
const haw_option haw_body_options[] = {
    {"name", HAW_OPTION_STRING, AT(name), 0.0, NO_RANGE, "", "unique name of the body", NULL,
     HAW_KEY_REQUIRED},
    {"mass", HAW_OPTION_REAL, AT(mass), NAN, POSITIVE, "kg",
     "mass; required where the centre can move", NULL, HAW_KEY_OPEN},
    {"inertia", HAW_OPTION_REAL, AT(inertia), NAN, POSITIVE, "kg m^2",
     "moment of inertia about the centre (in space about every axis); auto: that of a solid body "
     "of the shape",
     auto_word},
    {"inertias", HAW_OPTION_VECTOR, AT(inertias), NAN, POSITIVE, "kg m^2",
     "principal moments of inertia about the body's axes; auto: `inertia`", auto_word,
     HAW_KEY_SPACE},
    {"position", HAW_OPTION_VECTOR, AT(position), 0.0, ANY, "m", "centre at the start", NULL},
    {"angle_deg", HAW_OPTION_REAL, AT(angle_deg), 0.0, ANY, "deg",
     "angle at the start, counter-clockwise", NULL, HAW_KEY_PLANE},
    {"velocity", HAW_OPTION_VECTOR, AT(velocity), 0.0, ANY, "m/s",
     "velocity of the centre at the start", NULL},
    {"spin", HAW_OPTION_REAL, AT(spin), 0.0, ANY, "rad/s",
     "angular velocity at the start, counter-clockwise; in space about the body's z axis", NULL},
    {"spins", HAW_OPTION_VECTOR, AT(spins), 0.0, ANY, "rad/s",
     "angular velocity at the start about the body's axes, beside `spin`", NULL, HAW_KEY_SPACE},
    {"joint", HAW_OPTION_CHOICE, AT(joint), HAW_JOINT_NONE, NO_RANGE, "",
     "joint to the ground: revolute holds the centre (in space it leaves only the rotation about "
     "the body's z axis), translation holds the angle, vertical holds x, in space x and y, and the "
     "angle of a body without shape and inertia",
     joint_words},
    {"rotational_damping", HAW_OPTION_REAL, AT(rotational_damping), 0.0, NOT_NEG, "N m s/rad",
     "rotational damper to the ground", NULL},
    {0}};
#undef AT

#define AT(field) offsetof(haw_cable_spec, field)
const haw_option haw_cable_options[] = {
    {"name", HAW_OPTION_STRING, AT(name), 0.0, NO_RANGE, "", "unique name of the cable", NULL,
     HAW_KEY_REQUIRED},
    {"element", HAW_OPTION_STRING, AT(element), 0.0, NO_RANGE, "",
     "kind of element; without it bezier, in space se3 where a key speaks of its sections", NULL},
    {"elements", HAW_OPTION_INT, AT(elements), 0.0, 1.0, 1000000.0, "", "number of elements", NULL},
    {"from", HAW_OPTION_VECTOR, AT(from), NAN, ANY, "m", "position of the start", NULL,
     HAW_KEY_OPEN},
    {"to", HAW_OPTION_VECTOR, AT(to), NAN, ANY, "m", "position of the end of a straight cable",
     NULL, HAW_KEY_OPEN},
    {"closed", HAW_OPTION_BOOL, AT(closed), 0.0, NO_RANGE, "",
     "the path ends where it starts, and so does the cable", NULL},
    {"tension", HAW_OPTION_REAL, AT(tension), NAN, NOT_NEG, "N",
     "tension at `from`; give this or length, or neither: unstrained as drawn", NULL, HAW_KEY_OPEN},
    {"length", HAW_OPTION_REAL, AT(length), NAN, POSITIVE, "m",
     "unstrained length; give this or tension, or neither: the length as drawn", NULL,
     HAW_KEY_OPEN},
    {"stiffness", HAW_OPTION_REAL, AT(stiffness), NAN, POSITIVE, "N", "axial stiffness EA", NULL},
    {"density", HAW_OPTION_REAL, AT(density), NAN, POSITIVE, "kg/m", "mass per unstrained length",
     NULL},
    {"shear_stiffness", HAW_OPTION_REAL, AT(shear_stiffness), NAN, POSITIVE, "N",
     "shear stiffness GA; auto: EA / 2", auto_word, HAW_KEY_SPACE},
    {"torsional_stiffness", HAW_OPTION_REAL, AT(torsional_stiffness), NAN, NOT_NEG, "N m^2",
     "torsional stiffness GJ; auto: the bending stiffness", auto_word, HAW_KEY_SPACE},
    {"radius", HAW_OPTION_REAL, AT(radius), 0.0, NOT_NEG, "m",
     "radius of the round section, the distance from the centreline at which it touches", NULL},
    {"velocity", HAW_OPTION_VECTOR, AT(velocity), 0.0, ANY, "m/s",
     "velocity of all its free points at the start", NULL},
    {"rotary_inertia", HAW_OPTION_VECTOR, AT(rotary_inertia), NAN, NOT_NEG, "kg m",
     "rotary inertia per unstrained length about the tangent and two diameters; auto: that "
     "of the round section",
     auto_word, HAW_KEY_SPACE},
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
     "width of the contact area, for stiffnesses per area", none_word},
    {"damping.mass", HAW_OPTION_REAL, AT(damping_mass), 0.0, NOT_NEG, "1/s",
     "rate of mass-proportional damping", NULL},
    {"damping.strain", HAW_OPTION_REAL, AT(damping_strain), 0.0, NOT_NEG, "N s",
     "tension per strain rate", NULL},
    {"damping.curvature", HAW_OPTION_REAL, AT(damping_curvature), 0.0, NOT_NEG, "N m^2 s",
     "bending moment per rate of curvature", NULL},
    {"damping.shear", HAW_OPTION_REAL, AT(damping_shear), 0.0, NOT_NEG, "N s",
     "shear force per shear rate", NULL, HAW_KEY_SPACE},
    {"damping.torsion", HAW_OPTION_REAL, AT(damping_torsion), 0.0, NOT_NEG, "N m^2 s",
     "torque per rate of twist", NULL, HAW_KEY_SPACE},
    {"twist_deg", HAW_OPTION_REAL, AT(twist_deg), 0.0, ANY, "deg",
     "twist of the end against the start beyond the stress-free shape, evenly over the length, for "
     "elements with rotations; of a closed cable as it was before its ends were joined",
     NULL, HAW_KEY_SPACE},
    {"lay.body", HAW_OPTION_STRING, AT(lay.on), 0.0, NO_RANGE, "",
     "body whose surface of revolution the cable lies on at the start", NULL, HAW_KEY_SPACE},
    {"lay.cable", HAW_OPTION_STRING, AT(lay.cable), 0.0, NO_RANGE, "",
     "core, a cable before this one, about which it is wound as a helix from end to end", NULL,
     HAW_KEY_SPACE},
    {"lay.radius", HAW_OPTION_REAL, AT(lay.radius), 0.0, NOT_NEG, "m",
     "on a cable: radius of the helix; 0: the radii of both sections, which touch", NULL,
     HAW_KEY_SPACE},
    {"lay.pitch", HAW_OPTION_REAL, AT(lay.pitch), 0.0, ANY, "m",
     "on a cable: length of the core under one turn, < 0: left-handed; 0: by angle_deg", NULL,
     HAW_KEY_SPACE},
    {"lay.ramp", HAW_OPTION_REAL, AT(lay.ramp), 0.0, 0.0, 0.5, "",
     "on a cable: part of its length at either end in which the turns set in, so that it starts "
     "and "
     "ends along the core",
     NULL, HAW_KEY_SPACE},
    {"lay.z", HAW_OPTION_REAL, AT(lay.z), 0.0, ANY, "m", "where it starts, along the body's axis",
     NULL, HAW_KEY_SPACE},
    {"lay.phi_deg", HAW_OPTION_REAL, AT(lay.phi_deg), 0.0, ANY, "deg",
     "where it starts, angle about that axis, or about the core", NULL, HAW_KEY_SPACE},
    {"lay.angle_deg", HAW_OPTION_REAL, AT(lay.angle_deg), 90.0, ANY, "deg",
     "from the meridian, or the core, to the cable at the start, towards growing phi; 90: along "
     "the "
     "hoop",
     NULL, HAW_KEY_SPACE},
    {"lay.slip", HAW_OPTION_REAL, AT(lay.slip), 0.0, ANY, "",
     "geodesic over normal curvature k_g / k_n of the path; 0: a geodesic", NULL, HAW_KEY_SPACE},
    {"gauss_points", HAW_OPTION_INT, AT(gauss_points), 3.0, 3.0, 5.0, "",
     "Gauss points per element; 3 is recommended", NULL},
    {"slack", HAW_OPTION_BOOL, AT(slack), 0.0, NO_RANGE, "", "no compression: N = max(0, EA eps)",
     NULL},
    {"overflow", HAW_OPTION_REAL, AT(overflow), NAN, NOT_NEG, "m",
     "ale: straight length with contact elements beyond each tangent point; auto: 5 sqrt(EI / T), "
     "at least two elements",
     auto_word, HAW_KEY_PLANE},
    {"modes.axial", HAW_OPTION_INT, AT(modes[0]), 3.0, 0.0, HAW_ALE_MODES, "",
     "ale: axial modes of a free span", NULL, HAW_KEY_PLANE},
    {"modes.transverse", HAW_OPTION_INT, AT(modes[1]), 3.0, 0.0, HAW_ALE_MODES, "",
     "ale: transverse modes of a free span", NULL, HAW_KEY_PLANE},
    {0}};
#undef AT

#define AT(field) offsetof(haw_joint_end, field)
const haw_option haw_joint_end_options[] = {{"body", HAW_OPTION_STRING, AT(body), 0.0, NO_RANGE, "",
                                             "body that the point belongs to", NULL},
                                            {"cable", HAW_OPTION_STRING, AT(cable), 0.0, NO_RANGE,
                                             "", "cable that the point belongs to", NULL},
                                            {0}};
#undef AT

#define AT(field) offsetof(haw_joint_spec, field)
const haw_option haw_joint_options[] = {
    {"name", HAW_OPTION_STRING, AT(name), 0.0, NO_RANGE, "", "unique name of the joint", NULL,
     HAW_KEY_REQUIRED},
    {"type", HAW_OPTION_STRING, AT(type), 0.0, NO_RANGE, "", "what the joint holds", NULL,
     HAW_KEY_REQUIRED},
    {"axis", HAW_OPTION_VECTOR, AT(axis), NAN, ANY, "",
     "direction in which the joint slides, in space also about which it turns, as drawn", NULL,
     HAW_KEY_OPEN},
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
     "is not an equilibrium; in space cables that bend begin as drawn",
     start_words},
    {0}};
#undef AT

/* A scene of zeros has these presets: no friction while a static start is sought, one step. */
#define AT(field) offsetof(haw_scene, field)
const haw_option haw_start_options[] = {
    {"type", HAW_OPTION_CHOICE, AT(start), HAW_START_AUTO, NO_RANGE, "",
     "given, static or auto: short form", start_words, HAW_KEY_REQUIRED},
    {"friction", HAW_OPTION_REAL, AT(start_friction), 0.0, ROUGH, "",
     "friction coefficient of all contacts while a static start is sought", NULL},
    {"load_steps", HAW_OPTION_INT, AT(load_steps), 1.0, 1.0, 1000.0, "",
     "steps in which the loads rise geometrically to their values", NULL},
    {"tolerance", HAW_OPTION_REAL, AT(start_tolerance), HAW_START_TOLERANCE, 1e-14, 1e-2, "",
     "unbalanced force over the largest force, where rounding allows it", NULL},
    {0}};
#undef AT

#define AT(field) offsetof(haw_contact_spec, field)
const haw_option haw_contact_options[] = {
    {"law", HAW_OPTION_STRING, AT(law), 0.0, NO_RANGE, "", "contact law; without it hard", NULL},
    {"friction", HAW_OPTION_REAL, AT(friction), 0.0, ROUGH, "", "Coulomb coefficient mu", NULL},
    {"friction_kinetic", HAW_OPTION_REAL, AT(friction_kinetic), NAN, ROUGH, "",
     "Coulomb coefficient in fast slip, if `friction` is that at rest; auto: the same", auto_word},
    {"restitution", HAW_OPTION_REAL, AT(restitution), 0.0, 0.0, 1.0, "",
     "Newton coefficient of the normal direction; also of lankarani-nikravesh", NULL},
    {"restitution_tangential", HAW_OPTION_REAL, AT(restitution_tangential), 0.0, 0.0, 1.0, "",
     "Newton coefficient of the tangential direction", NULL},
    {"points_per_element", HAW_OPTION_INT, AT(points_per_element), 0.0, 0.0, 10000.0, "",
     "contact points, or chords, per element; 0: by the spacing, or an eighth of the radius; of "
     "cables on cables with law: hard half of the radius, and at least three",
     NULL},
    {"spacing", HAW_OPTION_REAL, AT(spacing), NAN, POSITIVE, "m",
     "largest distance of contact points; auto: by points_per_element", auto_word},
    {"arm", HAW_OPTION_CHOICE, AT(arm), HAW_ARM_RADIUS, NO_RANGE, "",
     "lever arm of friction: radius: to the foot on the surface (the radius of a circle), or "
     "distance: to the point itself (in space friction then acts on the centreline and does not "
     "roll the section); tilt: radius, where sections of elements without rotations turn with the "
     "tangent, so that friction at their surface bends them, and do not spin",
     arm_words},
    {"refine", HAW_OPTION_CHOICE, AT(refine), HAW_REFINE_OFF, NO_RANGE, "",
     "minima (plane): keep only local minima of the gap among neighbouring closed points; liftoff: "
     "refine_factor times as many points in elements next to the end of a contact; contact: so "
     "many "
     "wherever the cable may touch, with the answer of a grid that is so dense everywhere",
     refine_words},
    {"refine_factor", HAW_OPTION_INT, AT(refine_factor), 4.0, 1.0, 4096.0, "",
     "points of a refined grid for each point of points_per_element", NULL},
    {"normal", HAW_OPTION_STRING, AT(normal), 0.0, NO_RANGE, "",
     "normal law of law: penalty; without it linear", NULL},
    {"tangential", HAW_OPTION_STRING, AT(tangential), 0.0, NO_RANGE, "",
     "friction law; default: that of the law, or for penalty bristle or regularized, whichever has "
     "its parameter given",
     NULL},
    {"normal_stiffness", HAW_OPTION_REAL, AT(normal_stiffness), NAN, POSITIVE, "N/m",
     "penalty stiffness by `per`: N/m of a point, N/m^2 per length, N/m^3 per area (N/m^n of a "
     "point with an exponent n)",
     none_word},
    {"normal_damping", HAW_OPTION_REAL, AT(normal_damping), 0.0, NOT_NEG, "N s/m",
     "penalty damping by `per`", NULL},
    {"normal_exponent", HAW_OPTION_REAL, AT(normal_exponent), 1.5, 1.0, 10.0, "",
     "exponent of penetration of lankarani-nikravesh and hunt-crossley", NULL},
    {"tangential_stiffness", HAW_OPTION_REAL, AT(tangential_stiffness), NAN, POSITIVE, "N/m",
     "stiffness of bristles by `per`", none_word},
    {"tangential_damping", HAW_OPTION_REAL, AT(tangential_damping), NAN, NOT_NEG, "N s/m",
     "damping of bristles by `per`; auto: sqrt(2 k m) of a point with the mass m of the cable",
     auto_word},
    {"viscous_friction", HAW_OPTION_REAL, AT(viscous_friction), 0.0, NOT_NEG, "N s/m",
     "viscous friction coefficient by `per`", NULL},
    {"stribeck_velocity", HAW_OPTION_REAL, AT(stribeck_velocity), NAN, POSITIVE, "m/s",
     "slip speed v_s of mu(v) = mu_k + (mu - mu_k) exp(-(v / v_s)^2)", none_word},
    {"regularization_velocity", HAW_OPTION_REAL, AT(regularization), NAN, POSITIVE, "m/s",
     "slip speed of full friction; in explicit steps at least h mu N / m, or what sticks chatters",
     none_word},
    {"per", HAW_OPTION_CHOICE, AT(per), HAW_PER_POINT, NO_RANGE, "",
     "what stiffnesses and dampings refer to: a contact point, cable length, or contact area "
     "(the cable needs a width)",
     per_words},
    {"kinematics", HAW_OPTION_CHOICE, AT(kinematics), HAW_KINEMATICS_CURVE, NO_RANGE, "",
     "contact points on the curve, or chords between them (law: hard takes the points of either)",
     kinematics_words},
    {"normals", HAW_OPTION_CHOICE, AT(normals), HAW_NORMALS_SEGMENT, NO_RANGE, "",
     "normals of a chord: at its closest point or at its two ends", normals_words, HAW_KEY_PLANE},
    {"chord_length", HAW_OPTION_CHOICE, AT(chord_length), HAW_CHORD_REFERENCE, NO_RANGE, "",
     "length of a chord with which a bristle measures the travel of the contact point along it: "
     "reference, as published, or deformed, whose error falls with the square of the length",
     length_words},
    {"switching", HAW_OPTION_CHOICE, AT(switching), HAW_SWITCHING_RETURN_MAP, NO_RANGE, "",
     "switching of bristles between stick and slip: within the solve, or after it as published",
     switching_words, HAW_KEY_PLANE},
    {"offset", HAW_OPTION_REAL, AT(offset), 0.0, ANY, "m",
     "offset of the contact line to the left of the centreline", NULL, HAW_KEY_PLANE},
    {"proxy", HAW_OPTION_CHOICE, AT(proxy), HAW_PROXY_POINTS, NO_RANGE, "",
     "what touches in space: the points of the grid, the pieces between them at their closest "
     "points (capsules), or the nodes, their gaps weighted over the points (mortar); of cables "
     "that touch cables also points whose gap is the least of the pieces beside them (minima)",
     proxy_words, HAW_KEY_SPACE},
    {"speed_limit", HAW_OPTION_REAL, AT(speed_limit), 0.25, POSITIVE, "",
     "a run ends if, within one step, a point approaches a surface by more than this fraction of "
     "its radius and reaches it; for a ball the smaller of the two radii counts",
     NULL},
    {"depth_limit", HAW_OPTION_REAL, AT(depth_limit), NAN, POSITIVE, "",
     "a run ends if a contact point is deeper than this fraction of the smallest radius of the "
     "surface or the section; between two points, five times this fraction of the surface's "
     "radius; auto: 0.01 for law: hard, 0.25 for law: penalty",
     auto_word},
    {"neighbours", HAW_OPTION_REAL, AT(neighbours), NAN, POSITIVE, "m",
     "of a cable with itself, and of cables beside a joint between them: length of the arc, "
     "through the joint, within which places are no partners; auto: pi times the radius, half a "
     "turn as tight as the section allows, or until legs that leave a joint are apart as drawn",
     auto_word},
    {0}};
#undef AT

#define AT(field) offsetof(haw_force_spec, field)
const haw_option haw_force_options[] = {
    {"target", HAW_OPTION_STRING, AT(on), 0.0, NO_RANGE, "", "body or cable on which it acts", NULL,
     HAW_KEY_REQUIRED},
    {"point", HAW_OPTION_REAL, AT(point), NAN, 0.0, 1.0, "",
     "on a cable: fraction of its unstrained length; none: the centre of a body", none_word},
    {"follows", HAW_OPTION_BOOL, AT(follows), 0.0, NO_RANGE, "",
     "components in the frame of the section or body, which they follow", NULL},
    {0}};
#undef AT

#define AT(field) offsetof(haw_spring_spec, field)
const haw_option haw_spring_options[] = {
    {"stiffness", HAW_OPTION_REAL, AT(stiffness), NAN, NOT_NEG, "N/m", "stiffness", NULL},
    {"damping", HAW_OPTION_REAL, AT(damping), 0.0, NOT_NEG, "N s/m",
     "damping along the spring; of one with the length 0 across it, too: stretched, it also brakes "
     "what turns as a whole (a length above 0 keeps the angular momentum)",
     NULL},
    {"length", HAW_OPTION_REAL, AT(length), 0.0, NOT_NEG, "m", "unstrained length", NULL},
    {0}};
#undef AT

/* ---- presets ---- */

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

haw_joint_end haw_joint_end_default(void)
{
    haw_joint_end end = {.body = NULL};
    haw_options_init(haw_joint_end_options, &end);
    return end;
}

haw_joint_spec haw_joint_spec_default(void)
{
    haw_joint_spec spec = {.size = sizeof spec, .name = NULL};
    haw_options_init(haw_joint_options, &spec);
    return spec;
}

haw_contact_spec haw_contact_spec_default(void)
{
    haw_contact_spec spec = {.size = sizeof spec, .law = NULL};
    haw_options_init(haw_contact_options, &spec);
    spec.law = "hard";
    spec.normal = "linear";
    return spec;
}

haw_force_spec haw_force_spec_default(void)
{
    haw_force_spec spec = {.size = sizeof spec, .on = NULL};
    haw_options_init(haw_force_options, &spec);
    return spec;
}

haw_spring_spec haw_spring_spec_default(void)
{
    haw_spring_spec spec = {.size = sizeof spec, .between = {{.on = NULL}, {.on = NULL}}};
    haw_options_init(haw_spring_options, &spec);
    return spec;
}

haw_scene haw_scene_default(void)
{
    haw_scene scene = {
        .size = sizeof scene, .load_steps = 1, .start_tolerance = HAW_START_TOLERANCE};
    haw_options_init(haw_scene_options, &scene);
    return scene;
}

/* ---- settings by key for those who describe a scene in C ---- */

haw_status haw_body_set(haw_context *context, haw_body_spec *body, const char *key, double value)
{
    return haw_options_set_real(context, haw_body_options, body, key, value);
}

haw_status haw_body_set_text(haw_context *context, haw_body_spec *body, const char *key,
                             const char *text)
{
    return haw_options_parse(context, haw_body_options, body, key, text);
}

haw_status haw_cable_set(haw_context *context, haw_cable_spec *cable, const char *key, double value)
{
    return haw_options_set_real(context, haw_cable_options, cable, key, value);
}

haw_status haw_cable_set_text(haw_context *context, haw_cable_spec *cable, const char *key,
                              const char *text)
{
    return haw_options_parse(context, haw_cable_options, cable, key, text);
}

haw_status haw_contact_set(haw_context *context, haw_contact_spec *contact, const char *key,
                           double value)
{
    return haw_options_set_real(context, haw_contact_options, contact, key, value);
}

haw_status haw_contact_set_text(haw_context *context, haw_contact_spec *contact, const char *key,
                                const char *text)
{
    return haw_options_parse(context, haw_contact_options, contact, key, text);
}

/* A name may stand in both tables (plane): the row that has the key. @return NULL: no such shape */
static const haw_row *choose_shape(haw_context *context, haw_body_spec *body, const char *shape,
                                   const char *key)
{
    const haw_row *flat = haw_row_find(haw_shapes, shape);
    const haw_row *round = haw_row_find(haw_surfaces, shape);
    const bool has_key =
        flat != NULL && (key == NULL || haw_options_find(flat->options, key) != NULL);
    const haw_row *row = round == NULL || has_key ? flat : round;
    if (row == NULL) {
        const bool is_flat = haw_row_nearest(haw_shapes, shape) != NULL;
        (void)haw_row_unknown(context, is_flat ? haw_shapes : haw_surfaces, shape, "unknown shape");
        return NULL;
    }
    if (body->shape == NULL || strcmp(body->shape, shape) != 0) {
        haw_options_init(row->options, body->shape_options);
    }
    body->shape = row->name;
    return row;
}

haw_status haw_body_set_shape(haw_context *context, haw_body_spec *body, const char *shape,
                              const char *key, double value)
{
    const haw_row *row = choose_shape(context, body, shape, key);
    if (row == NULL || key == NULL) {
        return row == NULL ? HAW_ERR_INPUT : HAW_OK;
    }
    return haw_options_set_real(context, row->options, body->shape_options, key, value);
}

haw_status haw_body_set_shape_text(haw_context *context, haw_body_spec *body, const char *shape,
                                   const char *key, const char *text)
{
    const haw_row *row = choose_shape(context, body, shape, key);
    if (row == NULL || key == NULL) {
        return row == NULL ? HAW_ERR_INPUT : HAW_OK;
    }
    return haw_options_parse(context, row->options, body->shape_options, key, text);
}
