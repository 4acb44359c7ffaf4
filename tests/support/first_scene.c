/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What somebody writes on the first day: a rope, a weight, a pulley, a disk, a belt, in the plane
 * or in space, with the keys that must be given and the defaults for all else. Sizes are drawn:
 * lengths and masses per length over four decades, loads over three times the rope's weight,
 * strains under load from 1e-5 to 1e-2. The end of the run is left at its preset, unless that is
 * more than the steps of a test.
 */
#include "support/random.h"
#include "support/random_scene.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double STEPS = 2e4; /* of an explicit run, roughly */
static const double G = 9.81;

typedef struct sizes {
    double length, density, load; /* [m], [kg/m], [kg] */
    double stiffness, radius;     /* [N], of what touches [m] */
    double friction;
    int elements;
} sizes;

static double uniform(random_scene *s, double low, double high)
{
    return low + (high - low) * 0.5 * (random_signed(&s->seed) + 1);
}

/* Three digits, as people write them. */
static double draw(random_scene *s, double low, double high)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%.3g", exp(uniform(s, log(low), log(high))));
    return strtod(text, NULL);
}

static int choose(random_scene *s, int count)
{
    return (int)uniform(s, 0, count * (1 - 1e-12));
}

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

/* A point of the vertical plane. */
static void say_point(random_scene *s, double x, double z)
{
    say(s, s->dimension == 3 ? "[%.9g, 0, %.9g]" : "[%.9g, %.9g]", x, z);
}

static void say_vector(random_scene *s, const char *key, double x, double z)
{
    say(s, ", %s: ", key);
    say_point(s, x, z);
}

static sizes draw_sizes(random_scene *s)
{
    sizes z = {.length = draw(s, 0.05, 500), .density = draw(s, 1e-3, 10)};
    z.load = draw(s, 0.3, 300) * z.density * z.length;
    z.stiffness = z.load * G / draw(s, 1e-5, 1e-2);
    z.radius = z.length * draw(s, 0.03, 0.2);
    z.friction = 0.1 * choose(s, 7);
    z.elements = 10 + 10 * choose(s, 4);
    s->size = z.stiffness * z.length;
    return z;
}

/* Only some write a start. @param rests  there is an equilibrium, as of unequal weights over a
 * wheel there is none: tests/regress/test_first_hour.c asks for that */
static void say_start(random_scene *s, bool rests)
{
    static const char *const starts[] = {"", "", "start: given\n", "start: static\n"};
    const int start = choose(s, 4);
    say(s, "%s", starts[start == 3 && !rests ? 0 : start]);
}

static void begin(random_scene *s)
{
    say(s, "hawser: 1\ntitle: First scene\n%s", s->dimension == 3 ? "dimension: 3\n" : "");
    say(s, "gravity: ");
    say_point(s, 0, -G);
    say(s, "\n");
}

/* Name and material of a cable that is not closed by its brace. */
static void say_cable(random_scene *s, const char *name, const sizes *z)
{
    say(s, "  - {name: %s, elements: %d, stiffness: %.4g, density: %.4g", name, z->elements,
        z->stiffness, z->density);
    if (s->dimension == 3) {
        say(s, ", radius: %.3g", 0.05 * z->radius);
    }
}

static void say_shape(random_scene *s, double radius)
{
    say(s, ", shape: {type: %s, radius: %.9g}", s->dimension == 3 ? "sphere" : "circle", radius);
}

/* The preset unless it is too long for a test. */
static void say_end(random_scene *s, const sizes *z, const char *stepper)
{
    const double c = sqrt(z->stiffness / z->density);
    const double step = 0.1 * z->length / z->elements / c;
    const bool is_explicit = stepper[0] == '\0';
    if (is_explicit && STEPS * step < 1) {
        say(s, "stepper: {end: %.2g}\n", STEPS * step);
    } else if (!is_explicit) {
        say(s, "stepper: {%s, end: %.2g}\n", stepper, 200 * sqrt(z->length / G) / 100);
    }
}

/* ---- scenes ---- */

/* A rope that hangs from its start, with a force at its end. */
static void rope_with_force(random_scene *s, sizes z)
{
    const bool is_sideways = choose(s, 3) == 0;
    say_start(s, true);
    say(s, "cables:\n");
    say_cable(s, "rope", &z);
    say_vector(s, "from", 0, z.length);
    say_vector(s, "to", 0, 0);
    say(s, ", ends: {end: free}}\nforces:\n  - {target: rope, point: 1");
    say_vector(s, "force", is_sideways ? 0.3 * z.load * G : 0, -z.load * G);
    say(s, "}\n");
    say_end(s, &z, "");
}

/* A weight on a rope, below it or drawn aside. */
static void rope_with_weight(random_scene *s, sizes z)
{
    const double angle = choose(s, 2) * uniform(s, 0, 1.5);
    const double x = z.length * sin(angle), y = -z.length * cos(angle);
    say_start(s, true);
    say(s, "bodies:\n  - {name: weight, mass: %.4g%s", z.load,
        s->dimension == 3 ? ", inertia: 1" : ", joint: translation");
    say_vector(s, "position", x, y);
    say(s, "}\ncables:\n");
    say_cable(s, "rope", &z);
    say_vector(s, "from", 0, 0);
    say_vector(s, "to", x, y);
    say(s, ", ends: {end: {body: weight}}}\n");
    say_end(s, &z, "");
}

/* Between two pins, longer than its span. */
static void hanging_rope(random_scene *s, sizes z)
{
    say_start(s, true);
    say(s, "cables:\n");
    say_cable(s, "rope", &z);
    say_vector(s, "from", 0, 0);
    say_vector(s, "to", z.length, 0);
    say(s, ", length: %.4g%s}\n", z.length * draw(s, 1.01, 1.5),
        choose(s, 2) == 0 ? ", slack: true" : "");
    say_end(s, &z, "");
}

/* A disk flies into a stretched cable. */
static void disk_impact(random_scene *s, sizes z)
{
    const double speed = draw(s, 0.02, 0.5) * sqrt(G * z.length);
    say_start(s, true);
    say(s, "bodies:\n  - {name: disk, mass: %.4g", z.load);
    say_shape(s, z.radius);
    say_vector(s, "position", -1.5 * z.radius, 0.5 * z.length);
    say_vector(s, "velocity", speed, 0);
    say(s, ", spin: %.3g}\ncables:\n", choose(s, 2) * speed / z.radius);
    say_cable(s, "cable", &z);
    say_vector(s, "from", 0, 0);
    say_vector(s, "to", 0, z.length);
    say(s, ", tension: %.4g}\ncontact:\n  - {between: [cable, disk], friction: %.2g}\n", z.load * G,
        z.friction);
    say_end(s, &z, "");
}

/* A disk falls on one or two ropes that hang through. */
static void disk_on_ropes(random_scene *s, sizes z)
{
    const int ropes = 1 + choose(s, 2);
    const double length = z.length * draw(s, 1.02, 1.3);
    say_start(s, true);
    say(s, "bodies:\n  - {name: disk, mass: %.4g", z.load);
    say_shape(s, z.radius);
    say_vector(s, "position", 0.1 * z.length, 1.5 * z.radius);
    say(s, "}\ncables:\n");
    for (int i = 0; i < ropes; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "rope%d", i + 1);
        say_cable(s, name, &z);
        say_vector(s, "from", -0.5 * z.length, -0.1 * i * z.length);
        say_vector(s, "to", 0.5 * z.length, -0.1 * i * z.length);
        say(s, ", length: %.4g, slack: true}\n", length);
    }
    say(s, "contact:\n");
    for (int i = 0; i < ropes; i++) {
        say(s, "  - {between: [rope%d, disk], friction: %.2g}\n", i + 1, z.friction);
    }
    say_end(s, &z, "");
}

/* Two weights on a rope over a wheel, in the plane. */
static void pulley(random_scene *s, sizes z)
{
    static const char *const wheels[] = {"motion: {fixed: true}", "mass: 1, joint: revolute"};
    const double r = z.radius, other = z.load * draw(s, 0.5, 1);
    s->dimension = 2;
    begin(s);
    say_start(s, false);
    say(s, "bodies:\n  - {name: wheel, shape: {type: circle, radius: %.9g}, %s}\n", r,
        wheels[choose(s, 2)]);
    say(s, "  - {name: heavy, mass: %.4g, position: [%.9g, %.9g], joint: translation}\n", z.load,
        -r, -z.length);
    say(s, "  - {name: light, mass: %.4g, position: [%.9g, %.9g], joint: translation}\n", other, r,
        -z.length);
    z.elements *= 2;
    say(s, "cables:\n");
    say_cable(s, "rope", &z);
    say(s, ", from: [%.9g, %.9g], ", -r, -z.length);
    say(s, "path: [{line: [%.9g, 0]}, {arc: {center: [0, 0], radius: %.9g, angle_deg: -180}}, ", -r,
        r);
    say(s, "{line: [%.9g, %.9g]}], ends: {start: {body: heavy}, end: {body: light}}}\n", r,
        -z.length);
    say(s, "contact:\n  - {between: [rope, wheel], friction: %.2g}\n", z.friction);
    say_end(s, &z, choose(s, 2) == 0 ? "" : "type: moreau-jean, step: 1.0e-3");
}

/* The same as a rope over a sheave. */
static void sheave(random_scene *s, sizes z)
{
    const double r = z.radius, other = z.load * draw(s, 0.5, 1);
    s->dimension = 2;
    begin(s);
    say_start(s, false);
    say(s,
        "bodies:\n  - {name: sheave, shape: {type: circle, radius: %.9g}, mass: %.3g, "
        "joint: revolute}\n",
        r, 0.1 * z.load);
    say(s, "  - {name: heavy, mass: %.4g, position: [%.9g, %.9g], joint: vertical}\n", z.load, -r,
        -z.length);
    say(s, "  - {name: light, mass: %.4g, position: [%.9g, %.9g], joint: vertical}\n", other, r,
        -z.length);
    say(s, "cables:\n");
    say_cable(s, "rope", &z);
    say(s, ", element: ale, reeving: [{sheave: sheave, side: right}], "
           "ends: {start: {body: heavy}, end: {body: light}}}\n");
    say(s, "contact:\n  - {between: [rope, sheave], friction: %.2g}\n", z.friction);
    say_end(s, &z, "type: moreau-jean, step: 1.0e-3");
}

/* A closed cable around two pulleys, one of them driven. */
static void belt(random_scene *s, sizes z)
{
    const double r = z.radius, d = z.length;
    s->dimension = 2;
    begin(s);
    say_start(s, true);
    z.elements = 60;
    say(s,
        "bodies:\n  - {name: driver, shape: {type: circle, radius: %.9g}, mass: %.4g, "
        "joint: revolute, motion: {spin: {table: [[0, 0], [0.5, %.3g]]}}}\n",
        r, z.load, draw(s, 0.1, 3) * sqrt(G / r));
    say(s,
        "  - {name: driven, shape: {type: circle, radius: %.9g}, mass: %.4g, "
        "position: [%.9g, 0], joint: revolute}\n",
        r, z.load, d);
    say(s, "cables:\n");
    say_cable(s, "belt", &z);
    say(s, ", closed: true, from: [0, %.9g], path: [{line: [%.9g, %.9g]}, ", r, d, r);
    say(s, "{arc: {center: [%.9g, 0], radius: %.9g, angle_deg: -180}}, {line: [0, %.9g]}, ", d, r,
        -r);
    say(s, "{arc: {center: [0, 0], radius: %.9g, angle_deg: -180}}], reference_strain: -%.3g}\n", r,
        z.load * G / z.stiffness);
    say(s, "contact:\n  - {between: [belt, driver], friction: 0.4}\n");
    say(s, "  - {between: [belt, driven], friction: 0.4}\n");
    say_end(s, &z, choose(s, 2) == 0 ? "" : "type: moreau-jean, step: 1.0e-3");
}

/* A turning drum lifts a weight. */
static void hoist(random_scene *s, sizes z)
{
    const double r = z.radius;
    s->dimension = 2;
    begin(s);
    say_start(s, true);
    z.elements = 60;
    say(s,
        "bodies:\n  - {name: drum, shape: {type: circle, radius: %.9g}, joint: revolute, "
        "motion: {spin: {table: [[0, 0], [0.5, %.3g]]}}}\n",
        r, draw(s, 0.05, 1) * sqrt(G / r));
    say(s, "  - {name: load, mass: %.4g, position: [%.9g, %.9g], joint: translation}\n", z.load, r,
        -z.length);
    say(s, "cables:\n");
    say_cable(s, "rope", &z);
    say(s, ", from: [%.9g, 0], path: [{arc: {center: [0, 0], radius: %.9g, angle_deg: -180}}, ", -r,
        r);
    say(s, "{line: [%.9g, %.9g]}], ends: {start: {body: drum}, end: {body: load}}}\n", r,
        -z.length);
    say(s, "contact:\n  - {between: [rope, drum], friction: %.2g}\n", z.friction);
    say_end(s, &z, choose(s, 2) == 0 ? "" : "type: moreau-jean, step: 1.0e-3");
}

void first_scene_write(uint64_t seed, random_scene *scene)
{
    static void (*const in_any[])(random_scene *, sizes) = {
        rope_with_force, rope_with_weight, hanging_rope, disk_impact, disk_on_ropes};
    static void (*const in_plane[])(random_scene *, sizes) = {pulley, sheave, belt, hoist};
    *scene = (random_scene){.seed = seed * 0x9E3779B97F4A7C15u + 1, .dimension = 2};
    for (int i = 0; i < 4; i++) {
        (void)random_signed(&scene->seed);
    }
    const sizes z = draw_sizes(scene);
    const int kind = choose(scene, 14);
    if (kind >= 10) {
        in_plane[kind - 10](scene, z);
        return;
    }
    scene->dimension = kind >= 5 ? 3 : 2;
    begin(scene);
    in_any[kind % 5](scene, z);
}
