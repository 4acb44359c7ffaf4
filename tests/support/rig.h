/* SPDX-License-Identifier: BSD-3-Clause */
/* A scene that runs step by step, with its insides visible to the test. */
#ifndef HAWSER_TESTS_RIG_H
#define HAWSER_TESTS_RIG_H

#include "model/dynamics.h"
#include "stepper/simulation.h"
#include "support/scene.h"

#include <string.h>

typedef struct rig {
    haw_context *context;
    haw_run_settings settings;
    haw_model *model;
    haw_simulation *simulation;
    const haw_state *state;
} rig;

/** A context and the default settings; pgs at 1e-12. */
static inline void rig_open(rig *r)
{
    memset(r, 0, sizeof *r);
    assert_int_equal(haw_context_create(NULL, &r->context), HAW_OK);
    assert_int_equal(haw_run_settings_init(r->context, &r->settings), HAW_OK);
    r->settings.every = 1;
    assert_int_equal(haw_options_set_real(r->context, r->settings.solver.ops->options,
                                          r->settings.solver.options, "tolerance", 1e-12),
                     HAW_OK);
}

static inline void rig_set(rig *r, const char *key, double value)
{
    assert_int_equal(haw_stepper_set(r->context, &r->settings.stepper, key, value), HAW_OK);
}

static inline void rig_solver_set(rig *r, const char *key, double value)
{
    assert_int_equal(haw_options_set_real(r->context, r->settings.solver.ops->options,
                                          r->settings.solver.options, key, value),
                     HAW_OK);
}

/** Step and end of the explicit midpoint, or of the implicit variant. */
static inline void rig_time(rig *r, double step, double end, double theta)
{
    rig_set(r, "step", step);
    rig_set(r, "end", end);
    rig_set(r, "theta", theta);
}

static inline haw_status rig_try(rig *r, const haw_scene *scene)
{
    haw_status status = haw_model_build(r->context, scene, &r->model);
    if (status == HAW_OK) {
        status = haw_simulation_create(r->context, r->model, &r->settings, &r->simulation);
    }
    r->state = status == HAW_OK ? r->simulation->state : NULL;
    return status;
}

/** Build and create; a failure fails the test with its message. */
static inline void rig_build(rig *r, const haw_scene *scene)
{
    if (rig_try(r, scene) != HAW_OK) {
        fail_msg("%s", haw_context_message(r->context));
    }
}

/** Settings of a disk case, without running it. */
static inline void rig_disk_settings(rig *r, const disk_case *c)
{
    rig_open(r);
    disk_case_settings(r->context, c, &r->settings);
    r->settings.every = 1;
}

static inline void rig_disk(rig *r, disk_case *c)
{
    rig_disk_settings(r, c);
    rig_build(r, disk_case_scene(c));
}

static inline void rig_step(rig *r)
{
    if (haw_simulation_step(r->simulation) != HAW_OK) {
        fail_msg("%s", haw_context_message(r->context));
    }
}

static inline void rig_steps(rig *r, long count)
{
    for (long i = 0; i < count; i++) {
        rig_step(r);
    }
}

static inline void rig_drop(rig *r)
{
    haw_simulation_free(r->simulation);
    haw_model_free(r->model);
    r->simulation = NULL;
    r->model = NULL;
    r->state = NULL;
}

static inline void rig_close(rig *r)
{
    rig_drop(r);
    haw_context_free(r->context);
}

/** A refusal: this status, and every one of the words (ends with NULL) in the message. */
static inline void rig_refuses(rig *r, const haw_scene *scene, const char *const *words)
{
    assert_int_equal(rig_try(r, scene), HAW_ERR_INPUT);
    for (; *words != NULL; words++) {
        if (strstr(haw_context_message(r->context), *words) == NULL) {
            fail_msg("no '%s' in: %s", *words, haw_context_message(r->context));
        }
    }
    rig_drop(r);
}

#define RIG_REFUSES(r, scene, ...) rig_refuses(r, scene, (const char *const[]){__VA_ARGS__, NULL})

/** Linear momentum of bodies and cables, p = sum over the unit translations e of e' M u [N s]. */
static inline void rig_momentum(const rig *r, double p[2])
{
    const haw_simulation *s = r->simulation;
    const haw_model *model = &s->model;
    p[0] = p[1] = 0;
    for (int i = 0; i < 3 * model->bodies; i++) {
        if (i % 3 < 2) {
            p[i % 3] += model->body[i / 3].mass[i % 3] * s->state->u[i];
        }
    }
    for (int k = 0; k < model->cables; k++) {
        const haw_line *line = &model->cable[k].line;
        haw_quadrature rule;
        haw_quadrature_init(4, &rule);
        for (int i = 0; i < line->elements * rule.points; i++) {
            double x[2], j[2 * HAW_ELEMENT_DOFS_MAX];
            const int e = i / rule.points, first = model->cable[k].first + line->ops->stride * e;
            line->ops->position(line, e, rule.s[i % rule.points],
                                s->state->q + model->cable[k].first, x, j);
            for (int a = 0; a < 2 * line->ops->dofs; a++) {
                p[a / line->ops->dofs] += line->density * line->le *
                                          rule.weight[i % rule.points] * j[a] *
                                          s->state->u[first + a % line->ops->dofs];
            }
        }
    }
}

#endif
