/* SPDX-License-Identifier: BSD-3-Clause */
/* Option rows of contacts, forces and springs; spec.c says how rows are meant. */
#include "model/rows.h"

static const char *const arm_words[] = {"radius", "distance", NULL};
static const char *const refine_words[] = {"off", "minima", "liftoff", NULL};
static const char *const proxy_words[] = {"points", "capsules", "mortar", NULL};
static const char *const per_words[] = {"point", "length", "area", NULL};
static const char *const kinematics_words[] = {"curve", "chord", NULL};
static const char *const normals_words[] = {"segment", "point", NULL};
static const char *const length_words[] = {"reference", "deformed", NULL};
static const char *const switching_words[] = {"return-map", "post-newton", NULL};

#define AT(field) offsetof(haw_contact_spec, field)
const haw_option haw_contact_options[] = {
    {"law", HAW_OPTION_STRING, AT(law), 0.0, NO_RANGE, "", "contact law", NULL},
    {"friction", HAW_OPTION_REAL, AT(friction), 0.0, NOT_NEG, "", "Coulomb coefficient mu", NULL},
    {"friction_kinetic", HAW_OPTION_REAL, AT(friction_kinetic), NAN, NOT_NEG, "",
     "Coulomb coefficient in fast slip, if `friction` is that at rest; auto: the same",
     haw_auto_word},
    {"restitution", HAW_OPTION_REAL, AT(restitution), 0.0, 0.0, 1.0, "",
     "Newton coefficient of the normal direction; also of lankarani-nikravesh", NULL},
    {"restitution_tangential", HAW_OPTION_REAL, AT(restitution_tangential), 0.0, 0.0, 1.0, "",
     "Newton coefficient of the tangential direction", NULL},
    {"points_per_element", HAW_OPTION_INT, AT(points_per_element), 0.0, 0.0, 10000.0, "",
     "contact points, or chords, per element; 0: by the spacing, or an eighth of the radius", NULL},
    {"spacing", HAW_OPTION_REAL, AT(spacing), NAN, POSITIVE, "m",
     "largest distance of contact points; auto: by points_per_element", haw_auto_word},
    {"arm", HAW_OPTION_CHOICE, AT(arm), HAW_ARM_RADIUS, NO_RANGE, "",
     "lever arm of friction: radius: to the foot on the surface (the radius of a circle), or "
     "distance: to the point itself (in space friction then acts on the centreline and does not "
     "roll the section)",
     arm_words},
    {"refine", HAW_OPTION_CHOICE, AT(refine), HAW_REFINE_OFF, NO_RANGE, "",
     "minima (plane): keep only local minima of the gap among neighbouring closed points; liftoff "
     "(space): four times as many points in elements next to the end of a contact",
     refine_words},
    {"normal", HAW_OPTION_STRING, AT(normal), 0.0, NO_RANGE, "", "normal law of law: penalty",
     NULL},
    {"tangential", HAW_OPTION_STRING, AT(tangential), 0.0, NO_RANGE, "",
     "friction law; default: that of the law, or for penalty bristle or regularized, whichever has "
     "its parameter given",
     NULL},
    {"normal_stiffness", HAW_OPTION_REAL, AT(normal_stiffness), NAN, POSITIVE, "N/m",
     "penalty stiffness by `per`: N/m of a point, N/m^2 per length, N/m^3 per area (N/m^n of a "
     "point with an exponent n)",
     haw_none_word},
    {"normal_damping", HAW_OPTION_REAL, AT(normal_damping), 0.0, NOT_NEG, "N s/m",
     "penalty damping by `per`", NULL},
    {"normal_exponent", HAW_OPTION_REAL, AT(normal_exponent), 1.5, 1.0, 10.0, "",
     "exponent of penetration of lankarani-nikravesh and hunt-crossley", NULL},
    {"tangential_stiffness", HAW_OPTION_REAL, AT(tangential_stiffness), NAN, POSITIVE, "N/m",
     "stiffness of bristles by `per`", haw_none_word},
    {"tangential_damping", HAW_OPTION_REAL, AT(tangential_damping), NAN, NOT_NEG, "N s/m",
     "damping of bristles by `per`; auto: sqrt(2 k m) of a point with the mass m of the cable",
     haw_auto_word},
    {"viscous_friction", HAW_OPTION_REAL, AT(viscous_friction), 0.0, NOT_NEG, "N s/m",
     "viscous friction coefficient by `per`", NULL},
    {"stribeck_velocity", HAW_OPTION_REAL, AT(stribeck_velocity), NAN, POSITIVE, "m/s",
     "slip speed v_s of mu(v) = mu_k + (mu - mu_k) exp(-(v / v_s)^2)", haw_none_word},
    {"regularization_velocity", HAW_OPTION_REAL, AT(regularization), NAN, POSITIVE, "m/s",
     "slip speed of full friction", haw_none_word},
    {"per", HAW_OPTION_CHOICE, AT(per), HAW_PER_POINT, NO_RANGE, "",
     "what stiffnesses and dampings refer to: a contact point, cable length, or contact area "
     "(the cable needs a width)",
     per_words},
    {"kinematics", HAW_OPTION_CHOICE, AT(kinematics), HAW_KINEMATICS_CURVE, NO_RANGE, "",
     "contact points on the curve, or chords between them (law: hard takes the points of either)",
     kinematics_words, HAW_KEY_PLANE},
    {"normals", HAW_OPTION_CHOICE, AT(normals), HAW_NORMALS_SEGMENT, NO_RANGE, "",
     "normals of a chord: at its closest point or at its two ends", normals_words, HAW_KEY_PLANE},
    {"chord_length", HAW_OPTION_CHOICE, AT(chord_length), HAW_CHORD_REFERENCE, NO_RANGE, "",
     "length of a chord with which a bristle measures the travel of the contact point along it: "
     "reference, as published, or deformed, whose error falls with the square of the length",
     length_words, HAW_KEY_PLANE},
    {"switching", HAW_OPTION_CHOICE, AT(switching), HAW_SWITCHING_RETURN_MAP, NO_RANGE, "",
     "switching of bristles between stick and slip: within the solve, or after it as published",
     switching_words, HAW_KEY_PLANE},
    {"offset", HAW_OPTION_REAL, AT(offset), 0.0, ANY, "m",
     "offset of the contact line to the left of the centreline", NULL, HAW_KEY_PLANE},
    {"proxy", HAW_OPTION_CHOICE, AT(proxy), HAW_PROXY_POINTS, NO_RANGE, "",
     "what touches in space: the points of the grid, the pieces between them at their closest "
     "points (capsules), or the nodes, their gaps weighted over the points (mortar)",
     proxy_words, HAW_KEY_SPACE},
    {"speed_limit", HAW_OPTION_REAL, AT(speed_limit), 0.25, POSITIVE, "",
     "a run ends if, within one step, a point approaches a surface by more than this fraction of "
     "its radius and reaches it; for a ball the smaller of the two radii counts",
     NULL},
    {"depth_limit", HAW_OPTION_REAL, AT(depth_limit), NAN, POSITIVE, "",
     "a run ends if a contact point is deeper than this fraction of the smallest radius of the "
     "surface or the section; between two points, five times this fraction of the surface's "
     "radius; auto: 0.01 for law: hard, 0.25 for law: penalty",
     haw_auto_word},
    {0}};
#undef AT

#define AT(field) offsetof(haw_force_spec, field)
const haw_option haw_force_options[] = {
    {"target", HAW_OPTION_STRING, AT(on), 0.0, NO_RANGE, "", "body or cable on which it acts", NULL,
     HAW_KEY_REQUIRED},
    {"point", HAW_OPTION_REAL, AT(point), NAN, 0.0, 1.0, "",
     "on a cable: fraction of its unstrained length; none: the centre of a body", haw_none_word},
    {"follows", HAW_OPTION_BOOL, AT(follows), 0.0, NO_RANGE, "",
     "space: components in the frame of the section or body, which they follow", NULL,
     HAW_KEY_SPACE},
    {0}};
#undef AT

#define AT(field) offsetof(haw_spring_spec, field)
const haw_option haw_spring_options[] = {
    {"stiffness", HAW_OPTION_REAL, AT(stiffness), NAN, NOT_NEG, "N/m", "stiffness", NULL},
    {"damping", HAW_OPTION_REAL, AT(damping), 0.0, NOT_NEG, "N s/m", "damping along the spring",
     NULL},
    {"length", HAW_OPTION_REAL, AT(length), 0.0, NOT_NEG, "m", "unstrained length", NULL},
    {0}};
#undef AT

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
