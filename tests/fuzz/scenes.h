/* SPDX-License-Identifier: BSD-3-Clause */
/* Small scenes for the targets whose input is not a scenario, each of which can be run, and a
 * context whose memory can end. */
#ifndef HAWSER_TESTS_SCENES_H
#define HAWSER_TESTS_SCENES_H

#include "fuzz/input.h"

#include <hawser/hawser.h>

static const char *const fuzz_scene[2] = {
    "hawser: 1\n"
    "title: plane\n"
    "bodies:\n"
    "  - {name: d, shape: {type: circle, radius: 0.1}, mass: 2, position: [-0.105, 1], "
    "velocity: [3, 0], spin: 40}\n"
    "  - {name: w, mass: 1, inertia: 1, position: [1, 0], torque: {table: [[0, 0], [1, 2]]}}\n"
    "cables:\n"
    "  - {name: c, element: bezier, elements: 4, from: [0, 0], to: [0, 2], stiffness: 4.0e+4, "
    "density: 0.1, tension: 400, ends: {start: pinned, end: pinned}}\n"
    "contact:\n"
    "  - {between: [c, d], points_per_element: 6, friction: 0.3, restitution: 0}\n"
    "forces: [{\"on\": w, force: [0, 1]}]\n"
    "springs: [{between: [w, [1, 1]], stiffness: 2, length: 1}]\n"
    "joints: [{name: j, type: pinned, between: [{ground: [1, 0]}, {body: w, at: [0, 0]}]}]\n"
    "stepper: {type: moreau, step: 1.0e-4, end: 0.012}\n"
    "output: {every: 6.0e-3, probes: [d.position, c.tension_mean, \"c.tension[0.5:0.5]\", "
    "contact.normal_sum, {name: m, of: d.spin, mean_over: 0.002}]}\n",
    "hawser: 1\n"
    "dimension: 3\n"
    "title: space\n"
    "bodies:\n"
    "  - {name: d, shape: {type: cylinder, radius: 0.1, length: 1}, mass: 1, velocity: [1, 0, 0]}\n"
    "cables:\n"
    "  - {name: c, element: bezier, elements: 4, from: [0.1015, 0.3, 0], to: [0.1015, -0.3, 0], "
    "tension: 5, stiffness: 1.0e+3, density: 0.01, radius: 1.0e-3, "
    "ends: {start: pinned, end: pinned}}\n"
    "contact:\n"
    "  - {between: [c, d], points_per_element: 2, friction: 0.4}\n"
    "stepper: {type: nsga, step: 1.0e-4, end: 0.011}\n"
    "output: {every: 5.5e-3, probes: [c.tension_mean, d.position, contact.force]}\n"};

/* And the beginnings of shipped ones: other steppers, laws, elements, shapes and kinds of output.
 */
static const struct {
    const char *name;
    const char *set[5];
} fuzz_shipped[] = {
    {"belt-drive", {"stepper.end=5.5e-3", "output.every=2.5e-3", "output.compress=6"}},
    {"elevator", {"stepper.end=0.11", "output.every=0.05", "output.precision=float32"}},
    {"slip-to-roll-penalty",
     {"stepper.end=0.11", "output.every=0.05", "output.checkpoint.frames=1",
      "output.checkpoint.keep=2"}},
    {"v-groove-bristle", {"stepper.end=0.011", "output.every=5.0e-3"}},
    {"rope-on-sheave", {"output.every=0.5"}},
    {"lugre-stick-slip", {"stepper.end=0.11", "output.every=0.05"}},
    {"winding-bezier", {"stepper.end=4.0e-3", "output.every=2.0e-3"}},
    {"drum-hoist", {"stepper.end=0.021", "output.every=0.01"}},
    {"cable-pile", {"stepper.end=0.02", "output.every=0.01"}},
    {"capstan-history", {"output.every=2"}},
    {"swinging-rod", {"stepper.end=0.13", "output.every=0.06"}},
    {"block-on-incline", {"stepper.end=0.55", "output.every=0.25"}},
    {"two-disks", {"stepper.end=1.1e-3", "output.every=5.0e-4"}},
    {"two-strings-collide", {"stepper.end=1.1e-3", "output.every=5.0e-4"}}};

enum { FUZZ_SCENES = 2 + sizeof fuzz_shipped / sizeof *fuzz_shipped };

/* ---- contexts ---- */

#define FUZZ_BYTES ((size_t)512 << 20)

/* The number of the next allocation that fails, from 0; < 0: none. */
static inline long *fuzz_memory(void)
{
    static long left = -1;
    return &left;
}

/* What is asked for at once is bounded as well: a system that lends more than it has would give it.
 */
static inline void *fuzz_allocate(void *user, size_t bytes)
{
    (void)user;
    if (bytes > FUZZ_BYTES) {
        (void)fprintf(stderr, "%zu bytes are asked for at once\n", bytes);
        abort();
    }
    return (*fuzz_memory())-- == 0 ? NULL : malloc(bytes);
}

static inline void fuzz_release(void *user, void *pointer)
{
    (void)user;
    free(pointer);
}

/* An input that ends in the byte 255 says by the one before it which allocation fails. */
static inline long fuzz_take_memory(const uint8_t *data, size_t *size)
{
    if (*size < 3 || data[*size - 1] != 255) {
        return -1;
    }
    *size -= 2;
    return data[*size];
}

/* Was there an allocation that failed? The rest of the input gets its memory. */
static inline bool fuzz_end_memory(long number)
{
    const bool has_failed = number >= 0 && *fuzz_memory() < 0;
    *fuzz_memory() = -1;
    return has_failed;
}

static inline void fuzz_say_nothing(void *user, haw_log_level level, const char *text)
{
    (void)user;
    (void)level;
    (void)text;
}

/* A context that reports nothing; ends the program where there is no memory for it. */
static inline haw_context *fuzz_context(void)
{
    static const haw_allocator memory = {fuzz_allocate, fuzz_release, NULL};
    haw_context *context = NULL;
    if (haw_context_create(&memory, &context) != HAW_OK) {
        abort();
    }
    haw_context_set_log(context, fuzz_say_nothing, NULL);
    return context;
}

/* The scene; it must be good. */
static inline haw_scenario *fuzz_scenario(haw_context *context, int which)
{
    haw_scenario *scenario = NULL;
    haw_status status;
    if (which < 2) {
        status = haw_scenario_parse(context, "fuzz", fuzz_scene[which], 0, NULL, &scenario);
    } else {
        const char *const *set = fuzz_shipped[which - 2].set;
        char path[96];
        int sets = 0;
        while (sets < 5 && set[sets] != NULL) {
            sets++;
        }
        (void)snprintf(path, sizeof path, "data/scenarios/%s.yaml", fuzz_shipped[which - 2].name);
        status = haw_scenario_read(context, path, sets, set, &scenario);
    }
    if (status != HAW_OK) {
        (void)fprintf(stderr, "%s\n", haw_context_message(context));
        abort();
    }
    return scenario;
}

/* The lines of a text, cut in place. @return their number, `most` at most */
static inline int fuzz_lines(char *text, int most, const char *line[])
{
    int count = 0;
    for (char *end = text; text != NULL && count < most; text = end) {
        line[count++] = text;
        end = strchr(text, '\n');
        if (end != NULL) {
            *end++ = '\0';
        }
    }
    return count;
}

#endif
