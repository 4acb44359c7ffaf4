/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/random_scene.h"

#include "cable/cable.h"
#include "law/law.h"
#include "model/joint.h"
#include "support/random.h"

#include <hawser/hawser.h>

#include <float.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- draws ---- */

static double uniform(random_scene *s, double low, double high)
{
    return low + (high - low) * 0.5 * (random_signed(&s->seed) + 1);
}

static double log_uniform(random_scene *s, double low, double high)
{
    return exp(uniform(s, log(low), log(high)));
}

static int choose(random_scene *s, int count)
{
    return (int)uniform(s, 0, count * (1 - 1e-12));
}

static bool chance(random_scene *s, double part)
{
    return uniform(s, 0, 1) < part;
}

static const haw_row *choose_row(random_scene *s, const haw_row *const *table)
{
    return table[choose(s, haw_row_count(table))];
}

/* True for what would be refused, where that is not asked for. */
static bool is_tame(random_scene *s)
{
    return !s->is_wild || chance(s, 0.5);
}

/* ---- text ---- */

static void say(random_scene *s, const char *format, ...) HAW_PRINTF(2, 3);

static void say(random_scene *s, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int room = SCENE_TEXT - s->length;
    const int length = vsnprintf(s->text + s->length, (size_t)room, format, list);
    va_end(list);
    if (length < 0 || length >= room) {
        abort();
    }
    s->length += length;
}

static void set(random_scene *s, const char *format, ...) HAW_PRINTF(2, 3);

static void set(random_scene *s, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (s->settings < SCENE_SETTINGS) {
        (void)vsnprintf(s->setting[s->settings++], SCENE_SETTING, format, list);
    }
    va_end(list);
}

/* "[x, y]" or "[x, y, z]" */
static void say_point(random_scene *s, const double x[3])
{
    say(s, "[%.17g, %.17g", x[0], x[1]);
    say(s, s->dimension == 3 ? ", %.17g]" : "]", x[2]);
}

/* ---- options of any row ---- */

static bool is_among(const char *const *names, const char *name)
{
    while (*names != NULL && strcmp(*names, name) != 0) {
        names++;
    }
    return *names != NULL;
}

/* A plausible size of what has no preset, or 0 for one. */
static double draw_size(random_scene *s, const char *unit)
{
    static const struct {
        const char *unit;
        double low, high;
    } sizes[] = {{"m", 1e-3, 0.1},  {"N m^2", 1e-5, 1},      {"N m^2 s", 1e-6, 1e-2},
                 {"N s", 1e-3, 1},  {"N", 10, 1e5},          {"1/s", 0.1, 100},
                 {"N/m", 1e2, 1e7}, {"N s/m", 1e-2, 1e2},    {"m/s", 1e-4, 0.1},
                 {"", 1e-3, 1},     {"N m s/rad", 1e-3, 10}, {NULL, 1e-2, 1e2}};

    int i = 0;
    while (sizes[i].unit != NULL && strcmp(sizes[i].unit, unit) != 0) {
        i++;
    }
    return log_uniform(s, sizes[i].low, sizes[i].high);
}

static double draw_number(random_scene *s, const haw_option *row)
{
    const bool has_preset = fabs(row->preset) > 0; /* false: NAN, too */
    double value = has_preset ? row->preset * log_uniform(s, 0.3, 3) : draw_size(s, row->unit);
    if (row->type == HAW_OPTION_INT) {
        value = has_preset ? ceil(value) : choose(s, 5);
    }
    return fmin(fmax(value, row->min), row->max);
}

static void draw_option(random_scene *s, const char *path, const haw_option *row)
{
    int choices = 0;
    switch (row->type) {
    case HAW_OPTION_REAL:
    case HAW_OPTION_INT:
        set(s, "%s.%s=%.9g", path, row->key, draw_number(s, row));
        break;
    case HAW_OPTION_BOOL:
        set(s, "%s.%s=%s", path, row->key, chance(s, 0.5) ? "true" : "false");
        break;
    case HAW_OPTION_CHOICE:
        while (row->choices[choices] != NULL) {
            choices++;
        }
        set(s, "%s.%s=%s", path, row->key, row->choices[choose(s, choices)]);
        break;
    case HAW_OPTION_VECTOR:
    case HAW_OPTION_STRING:
        break;
    }
}

/* Each option of a table with this probability; `drawn` has what the scene itself says. */
static void draw_options(random_scene *s, const char *path, const haw_option *table, double part,
                         const char *const *drawn)
{
    const unsigned long other = s->dimension == 3 ? HAW_KEY_PLANE : HAW_KEY_SPACE;
    for (const haw_option *row = table; row != NULL && row->key != NULL; row++) {
        if (!is_among(drawn, row->key) && (row->flags & other) == 0 && chance(s, part)) {
            draw_option(s, path, row);
        }
    }
}

/* ---- the ground: what stands, or moves as prescribed ---- */

typedef struct ground {
    const char *shape;
    double radius; /* INFINITY: plane */
    int up;        /* coordinate along which things lie on it */
    int axes;      /* of a closed form, 0: none */
    double slope;  /* cosine of that of a cone */
    bool moves, is_hollow;
} ground;

static void say_shape(random_scene *s, ground *g)
{
    static const char *const shapes[2][6] = {
        {"circle", "plane", "circle", "circle", "plane", "circle"},
        {"sphere", "cylinder", "plane", "cone", "groove", "revolution"}};
    const double r = g->radius = log_uniform(s, 0.05, 0.5);
    g->shape = shapes[s->dimension - 2][choose(s, 6)];
    g->up = s->dimension - 1;
    g->axes = s->dimension;
    g->slope = 1;
    g->is_hollow = strcmp(g->shape, "groove") == 0;
    say(s, "shape: {type: %s", g->shape);
    if (strcmp(g->shape, "plane") == 0) {
        g->radius = (double)INFINITY;
        g->axes = 1;
        say(s, s->dimension == 2 && chance(s, 0.5) ? ", normal: [0, 1]" : "");
    } else if (strcmp(g->shape, "circle") == 0 || strcmp(g->shape, "sphere") == 0) {
        say(s, ", radius: %.17g", r);
    } else if (strcmp(g->shape, "cylinder") == 0) {
        say(s, ", radius: %.17g", r);
        g->up = 0;
        g->axes = 2;
    } else if (strcmp(g->shape, "cone") == 0) {
        say(s, ", half_angle_deg: 20, apex: %.17g", -r / tan(M_PI / 9));
        g->slope = cos(M_PI / 9);
        g->up = g->axes = 0;
    } else if (strcmp(g->shape, "groove") == 0) {
        static const char *const profiles[] = {"v", "v-flat", "u"};
        say(s,
            ", profile: %s, radius: %.17g, rope_radius: 5.0e-3, angle_deg: 40, groove_radius: "
            "5.3e-3, bottom: %.17g, rim: %.17g",
            profiles[choose(s, 3)], r, r - 5e-3, r + 5e-3);
        g->up = g->axes = 0;
    } else {
        say(s, ", meridian: {from: [-1, %.17g], path: [{line: [1, %.17g]}]}", r, r);
        g->up = 0;
        g->axes = 2;
    }
    say(s, "}");
}

static void say_motion(random_scene *s, ground *g)
{
    const double speed = uniform(s, -5, 5);
    g->moves = chance(s, 0.4);
    if (!g->moves) {
        say(s, ", motion: {fixed: true}");
    } else if (isfinite(g->radius) && chance(s, 0.6)) {
        const double end = SCENE_STEPS * s->step;
        if (chance(s, 0.5)) {
            say(s, ", motion: {spin: %.17g}", speed);
        } else {
            say(s, ", motion: {spin: {table: [[0, 0], [%.17g, %.17g]], ramp: smoothstep}}", end,
                speed);
        }
    } else {
        const double v[3] = {0.1 * speed, 0.05 * speed, 0};
        say(s, ", motion: {velocity: ");
        say_point(s, v);
        say(s, "}");
    }
}

/* ---- contacts ---- */

static void say_needs(random_scene *s, const char *const *needs)
{
    while (needs != NULL && *needs != NULL) {
        const haw_option *row = haw_options_find(haw_contact_options, *needs++);
        double value = draw_size(s, row->unit);
        value = strcmp(row->unit, "N/m") == 0 ? log_uniform(s, 1e4, 1e7) : value;
        say(s, ", %s: %.9g", row->key, fmin(fmax(value, row->min), row->max));
    }
}

static void say_compliant(random_scene *s)
{
    const haw_normal_ops *normal = (const haw_normal_ops *)choose_row(s, haw_normal_laws);
    const haw_friction_ops *friction = (const haw_friction_ops *)choose_row(s, haw_friction_laws);
    say(s, ", normal: %s, tangential: %s", normal->row.name, friction->row.name);
    say_needs(s, normal->needs);
    say_needs(s, friction->needs);
}

static void say_points(random_scene *s, double radius)
{
    const double most = isfinite(radius) ? radius : 0.3;
    if (is_tame(s)) {
        say(s, ", spacing: %.6g", most * uniform(s, 0.1, 0.9));
    } else if (chance(s, 0.5)) {
        say(s, ", points_per_element: %d", 1 + choose(s, 8));
    }
}

/* @param radius  of the surface; m  NULL: nothing to judge */
static void say_contact(random_scene *s, const char *mover, const char *body, bool is_cable,
                        double radius, const meeting *m)
{
    static const char *const own[] = {"law",        "friction",           "restitution", "normal",
                                      "tangential", "points_per_element", "spacing",     NULL};
    static const char *const compliant[] = {"friction_kinetic",
                                            "refine",
                                            "normal_stiffness",
                                            "tangential_stiffness",
                                            "stribeck_velocity",
                                            "regularization_velocity",
                                            "depth_limit",
                                            "speed_limit",
                                            "per",
                                            "width",
                                            "proxy",
                                            "switching",
                                            "kinematics",
                                            "normals",
                                            "chord_length",
                                            "offset",
                                            "law",
                                            "friction",
                                            "restitution",
                                            "normal",
                                            "tangential",
                                            "spacing",
                                            "points_per_element",
                                            NULL};
    char path[2 * SCENE_NAME + 16];
    const haw_row *law = choose_row(s, haw_laws);
    const bool is_hard = strcmp(law->name, "hard") == 0, any = !is_tame(s) || chance(s, 0.3);
    const int settings = s->settings;
    say(s, "  - {between: [%s, %s], law: %s, friction: %.3g", mover, body, law->name,
        chance(s, 0.3) ? 0 : uniform(s, 0, 1));
    if (!is_hard) {
        say_compliant(s);
    } else if (chance(s, 0.5)) {
        say(s, ", restitution: %.3g", uniform(s, 0, 1));
    }
    if (is_cable) {
        say_points(s, radius);
    }
    say(s, "}\n");
    (void)snprintf(path, sizeof path, "contact.%s-%s", mover, body);
    draw_options(s, path, haw_contact_options, 0.06, any ? own : compliant);
    bool moved = false; /* the line of contact, or the guards */
    for (int i = settings; i < s->settings; i++) {
        moved = moved || strstr(s->setting[i], ".offset=") || strstr(s->setting[i], "_limit=") ||
                strstr(s->setting[i], ".proxy=");
    }
    if (m != NULL && is_hard && !moved && s->meetings < SCENE_MEETINGS) {
        s->meeting[s->meetings++] = *m;
    }
}

static meeting meet(const char *mover, const char *body, bool is_cable, double thickness,
                    const ground *g)
{
    meeting m = {
        .is_cable = is_cable, .thickness = thickness, .radius = g->radius, .axes = g->axes};
    (void)snprintf(m.mover, SCENE_NAME, "%.15s", mover);
    (void)snprintf(m.body, SCENE_NAME, "%.15s", body);
    return m;
}

/* ---- balls ---- */

static double say_ball(random_scene *s, const char *name, double size, const double x[3],
                       const double v[3])
{
    static const char *const joints[] = {"revolute", "translation", "vertical"};
    const int joint = chance(s, 0.2) ? choose(s, is_tame(s) && s->dimension == 3 ? 2 : 3) : 3;
    const bool rests = s->has_joints && is_tame(s); /* joints hold at the start, too */
    const bool moves = (joint != 0 && !rests) || !is_tame(s);
    const bool turns = (joint != 1 && !rests) || !is_tame(s);
    const double radius = log_uniform(s, 0.1, 1) * size;
    say(s, "  - {name: %s, shape: {type: %s, radius: %.17g}, mass: %.3g, position: ", name,
        s->dimension == 2 ? "circle" : "sphere", radius, log_uniform(s, 0.05, 5));
    const double up[3] = {x[0] + (x[0] > 0) * radius, x[1] + (x[1] > 0) * radius,
                          x[2] + (x[2] > 0) * radius};
    say_point(s, up);
    if (moves) {
        say(s, ", velocity: ");
        say_point(s, v);
    }
    if (turns && chance(s, 0.5)) {
        say(s, ", spin: %.3g", uniform(s, -40, 40));
    }
    if (joint < 3) {
        say(s, ", joint: %s", joints[joint]);
    }
    say(s, "}\n");
    return radius;
}

/* ---- cables ---- */

typedef struct line {
    char name[SCENE_NAME];
    double thickness, length, gap; /* [m] */
    double from[3], to[3];
    const haw_row *element;
    bool bends, is_closed, is_reeved;
} line;

static void choose_element(random_scene *s, bool is_reeved, line *c)
{
    const haw_cable_ops *ops;
    int count = 0;
    while (haw_cable_element(count, &ops) != NULL) {
        count++;
    }
    do {
        c->element = haw_cable_element(choose(s, count), &ops);
    } while (ops->is_reeved != is_reeved || (ops->dimension ? ops->dimension : 2) != s->dimension);
    c->bends = s->dimension == 3 ? !((const haw_space_ops *)c->element)->stretches_only
                                 : is_reeved || ((const haw_element_ops *)c->element)->force_rates;
    c->is_reeved = is_reeved;
}

static void say_material(random_scene *s, const line *c, int elements)
{
    static const char *const own[] = {"name",     "element",   "elements",          "from",
                                      "to",       "closed",    "tension",           "length",
                                      "density",  "stiffness", "bending_stiffness", "radius",
                                      "lay.body", "lay.z",     "lay.phi_deg",       "lay.angle_deg",
                                      "lay.slip", NULL};
    static const haw_option of_all[] = {
        {"damping.mass", HAW_OPTION_REAL, 0, 0, 0, DBL_MAX, "1/s", "", NULL, 0}, {0}};
    static const haw_option of_strings[] = {{"slack", HAW_OPTION_BOOL, 0, 0, 0, 0, "", "", NULL, 0},
                                            {0}};
    char path[SCENE_NAME + 8];
    const double stiffness = log_uniform(s, 1e2, 1e6);
    const haw_option *table = !is_tame(s) ? haw_cable_options : c->bends ? of_all : of_strings;
    say(s, ", element: %s, elements: %d, stiffness: %.9g, density: %.9g", c->element->name,
        elements, stiffness, log_uniform(s, 0.01, 1));
    if ((c->bends || !is_tame(s)) && chance(s, 0.6)) {
        say(s, ", bending_stiffness: %.9g", log_uniform(s, 1e-5, 1e-1));
        table = !c->is_reeved ? haw_cable_options : table;
    }
    if (s->dimension == 3) {
        say(s, ", radius: %.17g", c->thickness);
    }
    s->size += stiffness * fmax(c->length, 1e-2);
    (void)snprintf(path, sizeof path, "cables.%s", c->name);
    draw_options(s, path, c->is_reeved && is_tame(s) ? NULL : table, 0.08, own);
}

static void say_end(random_scene *s, const line *c, const char *carrier)
{
    static const char *const words[] = {"pinned", "free", "clamped"};
    const double way[3] = {c->to[0] - c->from[0], c->to[1] - c->from[1], c->to[2] - c->from[2]};
    const int kind = choose(s, 7);
    if (kind == 0) {
        const double v[3] = {uniform(s, -1, 1), uniform(s, -1, 1), uniform(s, -1, 1)};
        say(s, "{motion: {velocity: ");
        say_point(s, v);
        say(s, "}}");
    } else if (kind == 1) {
        say(s, "{tension: %.9g", log_uniform(s, 1, 100));
        if (chance(s, 0.7)) {
            say(s, ", towards: ");
            say_point(s, way);
        }
        say(s, "}");
    } else if (kind == 2 && carrier != NULL) {
        say(s, "{body: %s%s}", carrier, chance(s, 0.5) ? ", clamped: true" : "");
    } else {
        say(s, "%s", words[choose(s, 3)]);
    }
}

/* A straight cable that lies a gap above the ground, across its axis; or a ring, half above it. */
static void place_line(random_scene *s, const ground *g, int index, line *c)
{
    const int along = g->up == 0 ? 1 : 0;
    const double half = uniform(s, 0.3, 1.5);
    (void)snprintf(c->name, SCENE_NAME, "c%d", index);
    c->thickness = s->dimension == 3 ? log_uniform(s, 1e-3, g->is_hollow ? 5e-3 : 3e-2) : 0;
    c->gap = log_uniform(s, 1e-7, 0.3);
    const double high =
        (isfinite(g->radius) ? g->radius : 0) + (c->thickness + c->gap) / g->slope + 0.4 * index;
    c->length = 2 * half;
    c->from[along] = -half;
    c->to[along] = half;
    c->from[g->up] = c->to[g->up] = high;
    if (chance(s, 0.2)) { /* askew */
        c->to[g->up] += 0.3 * half;
    }
    c->is_closed = chance(s, 0.2);
}

static void say_course(random_scene *s, const line *c)
{
    say(s, ", from: ");
    say_point(s, c->from);
    if (!c->is_closed) {
        say(s, ", to: ");
        say_point(s, c->to);
    } else { /* a ring about the middle, in the plane z = const */
        const double way[2] = {c->to[0] - c->from[0], c->to[1] - c->from[1]};
        const double middle[3] = {0.5 * (c->from[0] + c->to[0]), 0.5 * (c->from[1] + c->to[1]),
                                  c->from[2]};
        say(s, ", closed: true, path: [");
        for (int i = 0; i < 2; i++) {
            say(s, "%s{arc: {center: ", i > 0 ? ", " : "");
            say_point(s, middle);
            say(s, ", radius: %.17g, angle_deg: -180}}", 0.5 * hypot(way[0], way[1]));
        }
        say(s, "]");
    }
    switch (choose(s, 4)) {
    case 0:
        say(s, ", length: %.17g", c->length * (c->is_closed ? M_PI_2 : 1) * uniform(s, 0.9, 1.2));
        break;
    case 1:
        break;
    default:
        say(s, ", tension: %.9g", log_uniform(s, 0.1, 1000));
        break;
    }
}

static void say_line(random_scene *s, const ground *g, int index, const char *carrier, line *c)
{
    place_line(s, g, index, c);
    if (g->up == 2 && c->is_closed) { /* a ring lies flat */
        c->to[2] = c->from[2];
    } else if (c->is_closed) {
        c->is_closed = s->dimension == 2; /* rings in other planes cannot be drawn */
    }
    choose_element(s, false, c);
    say(s, "  - {name: %s", c->name);
    say_course(s, c);
    if (!c->is_closed) {
        say(s, ", ends: {start: ");
        say_end(s, c, carrier);
        say(s, ", end: ");
        say_end(s, c, NULL);
        say(s, "}");
    }
    say_material(s, c, 2 + choose(s, 14));
    say(s, "}\n");
}

/* ---- what ties them together ---- */

/* A point of a spring or joint; joints name what a point is of. */
static void say_tie_end(random_scene *s, int cables, int balls, bool is_joint, int kind)
{
    if (kind == 0 && cables > 0) {
        const double at = chance(s, 0.3) ? choose(s, 2) : uniform(s, 0, 1);
        const int c = choose(s, cables);
        if (is_joint) {
            say(s, "{cable: c%d, at: %.6g}", c, at);
        } else {
            say(s, "{c%d: %.6g}", c, at);
        }
    } else if (kind == 1 && balls > 0) {
        const int b = choose(s, balls);
        const double at[3] = {0};
        if (is_joint) {
            say(s, "{body: ball%d, at: ", b);
            say_point(s, at);
            say(s, "}");
        } else {
            say(s, "ball%d", b);
        }
    } else {
        const double x[3] = {uniform(s, -1, 1), uniform(s, -1, 1), uniform(s, -1, 1)};
        say(s, is_joint ? "{ground: " : "");
        say_point(s, x);
        say(s, is_joint ? "}" : "");
    }
}

static void say_springs(random_scene *s, int cables, int balls)
{
    const int count = cables + balls > 0 && chance(s, 0.25) ? 1 + choose(s, 3) : 0;
    for (int i = 0; i < count; i++) {
        const int from = balls == 0 || (cables > 0 && chance(s, 0.5)) ? 0 : 1;
        const int to = is_tame(s) ? (from == 0 ? 1 : 2) : choose(s, 3);
        say(s, "%s  - {between: [", i == 0 ? "springs:\n" : "");
        say_tie_end(s, cables, balls, false, from);
        say(s, ", ");
        say_tie_end(s, cables, balls, false, to);
        say(s, "], stiffness: %.6g, damping: %.6g, length: %.6g}\n", log_uniform(s, 1, 1e4),
            chance(s, 0.5) ? log_uniform(s, 1e-2, 10) : 0, chance(s, 0.5) ? uniform(s, 0, 1) : 0);
    }
}

static void say_joint(random_scene *s, int cables, const line *c, int balls, const double x[3])
{
    const double middle[3] = {0.5 * (c->from[0] + c->to[0]), 0.5 * (c->from[1] + c->to[1]),
                              0.5 * (c->from[2] + c->to[2])};
    const double arm[3] = {uniform(s, -1, 1), 0, 0}, pivot[3] = {x[0] + arm[0], x[1], x[2]};
    if (balls > 0 && chance(s, 0.5)) { /* a ball hangs on the ground */
        say(s, "{ground: ");
        say_point(s, pivot);
        say(s, "}, {body: ball0, at: ");
        say_point(s, arm);
        say(s, "}");
    } else if (cables > 0 && !c->is_closed) { /* a cable does */
        say(s, "{ground: ");
        say_point(s, middle);
        say(s, "}, {cable: %s, at: 0.5}", c->name);
    } else {
        say_tie_end(s, cables, balls, true, choose(s, 3));
        say(s, ", ");
        say_tie_end(s, cables, balls, true, choose(s, 3));
    }
}

static void say_joints(random_scene *s, int cables, const line *c, int balls, const double x[3])
{
    const int count = s->has_joints ? 1 + choose(s, is_tame(s) ? 1 : 2) : 0;
    for (int i = 0; i < count; i++) {
        const char *kind = choose_row(s, haw_joints)->name;
        say(s, "%s  - {name: j%d, type: %s", i == 0 ? "joints:\n" : "", i,
            chance(s, 0.5) ? "pinned" : kind);
        say(s, s->dimension == 3 && chance(s, 0.5) ? ", axis: [0, 0, 1]" : "");
        say(s, ", between: [");
        if (is_tame(s)) {
            say_joint(s, cables, c, balls, x);
        } else {
            say_tie_end(s, cables, balls, true, choose(s, 3));
            say(s, ", ");
            say_tie_end(s, cables, balls, true, choose(s, 3));
        }
        say(s, "]}\n");
    }
}

static void say_forces(random_scene *s, int cables, int balls)
{
    const double f[3] = {uniform(s, -10, 10), uniform(s, -10, 10), uniform(s, -10, 10)};
    if (!chance(s, 0.25) || cables + balls == 0) {
        return;
    }
    const int which = choose(s, cables + balls);
    say(s, "forces:\n  - {target: %s%d, ", which < cables ? "c" : "ball",
        which < cables ? which : which - cables);
    if (which < cables) {
        say(s, "point: %.6g, ", uniform(s, 0, 1));
    }
    say(s, "force: ");
    say_point(s, f);
    say(s, s->dimension == 3 && chance(s, 0.3) ? ", follows: true}\n" : "}\n");
}

/* ---- how it runs ---- */

static void say_run(random_scene *s, int cables)
{
    static const char *const drawn[] = {"step", "end", "tolerance", "max_iterations", NULL};
    static const char *const unconverged[] = {"stop", "warn", "halve"};
    static const char *const starts[] = {"given", "given", "static", "auto"};
    const haw_row *stepper = s->stepper, *solver = choose_row(s, haw_solvers);
    const bool is_auto = cables > 0 && strcmp(stepper->name, "moreau") == 0 && chance(s, 0.7);
    const int how = choose(s, 5);
    say(s, "start: %s\nstepper: {type: %s, step: ", starts[choose(s, 4)], stepper->name);
    if (is_auto) {
        say(s, "auto, end: %.17g}\n", 1e-4);
    } else {
        say(s, "%.17g, end: %.17g}\n", s->step, SCENE_STEPS * s->step);
    }
    say(s, "solver: {type: %s, tolerance: 1.0e-8, on_unconverged: %s}\noutput: {every: %.17g}\n",
        chance(s, 0.5) ? "auto" : solver->name, unconverged[how < 3 ? 0 : how - 2],
        is_auto ? 2e-5 : s->step);
    draw_options(s, "stepper", stepper->options, 0.1, drawn);
    draw_options(s, "solver", solver->options, 0.05, drawn);
}

/* ---- scenes ---- */

/* Balls above the ground and beside it, thrown at it. */
static int say_balls(random_scene *s, const ground *g, double radius[2], double x[3])
{
    const int count = !g->is_hollow && chance(s, 0.6) ? 1 + choose(s, 2) : 0;
    for (int i = 0; i < count; i++) {
        char name[SCENE_NAME];
        const double size = isfinite(g->radius) ? g->radius : 0.3,
                     speed = log_uniform(s, 0.01, s->is_wild ? 100 : 10);
        double v[3] = {uniform(s, -1, 1), uniform(s, -1, 1), uniform(s, -1, 1)};
        memset(x, 0, 3 * sizeof *x);
        x[g->up] = (isfinite(g->radius) ? g->radius : 0) + log_uniform(s, 1e-7, 2) + 1.5 * i;
        v[g->up] = -speed;
        (void)snprintf(name, SCENE_NAME, "ball%d", i);
        radius[i] = say_ball(s, name, size, x, v);
        x[g->up] += radius[i];
    }
    return count;
}

static void write_meetings(random_scene *s)
{
    ground g;
    line c[2];
    char names[2][SCENE_NAME] = {"ball0", "ball1"};
    double radius[2] = {0, 0}, x[3] = {0};
    memset(c, 0, sizeof c);
    say(s, "bodies:\n  - {name: ground, ");
    say_shape(s, &g);
    say_motion(s, &g);
    say(s, "}\n");
    const int balls = say_balls(s, &g, radius, x);
    const int cables = balls == 0 ? 1 + chance(s, 0.3) : choose(s, 3);
    for (int i = 0; i < cables; i++) {
        say(s, i == 0 ? "cables:\n" : "");
        say_line(s, &g, i, chance(s, 0.5) ? "ground" : NULL, &c[i]);
    }
    say(s, "contact:\n");
    for (int i = 0; i < cables; i++) {
        const meeting m = meet(c[i].name, "ground", true, c[i].thickness, &g);
        say_contact(s, c[i].name, "ground", true, g.radius, g.axes > 0 && !g.moves ? &m : NULL);
        for (int k = 0; k < balls; k++) {
            if (chance(s, 0.6)) {
                say_contact(s, c[i].name, names[k], true, radius[k], NULL);
            }
        }
    }
    for (int k = 0; k < balls; k++) {
        const meeting m = meet(names[k], "ground", false, radius[k], &g);
        say_contact(s, names[k], "ground", false, g.radius, g.axes > 0 && !g.moves ? &m : NULL);
    }
    say_springs(s, cables, balls);
    say_forces(s, cables, balls);
    say_joints(s, cables, &c[0], balls, x);
    say_run(s, cables);
}

/* A rope over one or two sheaves, of which the first turns freely or as told. */
static void say_sheaves(random_scene *s, int sheaves, double radius)
{
    for (int i = 0; i < sheaves; i++) {
        say(s,
            "  - {name: sheave%d, shape: {type: circle, radius: %.17g}, mass: 2, position: "
            "[%.17g, %.17g], joint: %s",
            i, radius, 4 * radius * i, i == 0 ? 1.0 : -1.0 * choose(s, 2),
            i == 1 && chance(s, 0.5) ? "vertical" : "revolute");
        if (chance(s, 0.3)) {
            say(s, ", motion: {spin: %.6g}", uniform(s, -5, 5));
        }
        say(s, "}\n");
    }
}

static void say_rope_end(random_scene *s, bool has_body, const char *body)
{
    line c = {.to = {0, -1, 0}};
    if (has_body) {
        say(s, "{body: %s}", body);
    } else {
        say_end(s, &c, NULL);
    }
}

static void write_rope(random_scene *s)
{
    const int sheaves = 1 + chance(s, 0.3);
    const bool hangs[2] = {chance(s, 0.5), chance(s, 0.5)};
    const double radius = log_uniform(s, 0.05, 0.4), last = (4 * (sheaves - 1) + 1) * radius;
    line c = {.name = "c0", .length = 4};
    say(s, "bodies:\n");
    say_sheaves(s, sheaves, radius);
    for (int i = 0; i < 2; i++) {
        if (hangs[i]) {
            say(s, "  - {name: ball%d, mass: %.3g, inertia: 1, position: [%.17g, %d], joint: %s}\n",
                i, log_uniform(s, 0.1, 100), i == 0 ? -radius : last, -2 - choose(s, 2),
                chance(s, 0.5) ? "vertical" : "translation");
        }
    }
    choose_element(s, true, &c);
    say(s, "cables:\n  - {name: c0, reeving: [{sheave: sheave0, side: right}");
    say(s, sheaves > 1 ? ", {sheave: sheave1, side: left}]" : "]");
    if (!hangs[0]) {
        say(s, ", from: [%.17g, -2]", -radius);
    }
    if (!hangs[1]) {
        say(s, ", to: [%.17g, -3]", last);
    }
    say(s, ", ends: {start: ");
    say_rope_end(s, hangs[0], "ball0");
    say(s, ", end: ");
    say_rope_end(s, hangs[1], "ball1");
    say(s, "}");
    if (chance(s, 0.7)) {
        say(s, ", tension: %.6g", log_uniform(s, 1, 1000));
    }
    say_material(s, &c, 2 + choose(s, 14));
    say(s, "}\ncontact:\n");
    for (int i = 0; i < sheaves; i++) {
        char name[SCENE_NAME];
        (void)snprintf(name, SCENE_NAME, "sheave%u", (unsigned)i % 10);
        say_contact(s, "c0", name, true, radius, NULL);
    }
    say_springs(s, 1, 0);
    say_forces(s, 1, 0);
    say_run(s, 1);
}

void random_scene_write(uint64_t seed, random_scene *scene)
{
    *scene = (random_scene){.seed = seed};
    for (int i = 0; i < 8; i++) { /* seeds that are alike lead apart */
        (void)random_signed(&scene->seed);
    }
    scene->dimension = 2 + choose(scene, 2);
    scene->stepper = choose_row(scene, haw_steppers);
    scene->has_joints = chance(scene, 0.25);
    scene->is_wild = chance(scene, 0.2);
    scene->step = log_uniform(scene, 1e-6, scene->is_wild ? 1 : 1e-2);
    const double pull = chance(scene, 0.3) ? 0 : log_uniform(scene, 1, 100);
    const double gravity[3] = {0, scene->dimension == 2 ? -pull : 0, -pull};
    say(scene, "hawser: 1\ndimension: %d\ngravity: ", scene->dimension);
    say_point(scene, gravity);
    say(scene, "\n");
    if (scene->dimension == 2 && chance(scene, 0.25)) {
        write_rope(scene);
    } else {
        write_meetings(scene);
    }
}
