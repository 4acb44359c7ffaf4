/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/rig.h"

#include "model/dynamics.h"
#include "stepper/simulation.h"

void rig_open(rig *r)
{
    memset(r, 0, sizeof *r);
    assert_int_equal(haw_context_create(NULL, &r->context), HAW_OK);
    assert_int_equal(haw_run_settings_init(r->context, &r->settings), HAW_OK);
    r->settings.every = 1;
    assert_int_equal(haw_options_set_real(r->context, r->settings.solver.ops->row.options,
                                          r->settings.solver.options, "tolerance", 1e-12),
                     HAW_OK);
}

void rig_set(rig *r, const char *key, double value)
{
    assert_int_equal(haw_stepper_set(r->context, &r->settings.stepper, key, value), HAW_OK);
}

void rig_solver_set(rig *r, const char *key, double value)
{
    assert_int_equal(haw_options_set_real(r->context, r->settings.solver.ops->row.options,
                                          r->settings.solver.options, key, value),
                     HAW_OK);
}

void rig_time(rig *r, double step, double end, double theta)
{
    rig_set(r, "step", step);
    rig_set(r, "end", end);
    rig_set(r, "theta", theta);
}

static haw_status rig_try(rig *r, const haw_scene *scene)
{
    haw_status status = haw_model_build(r->context, scene, &r->model);
    if (status == HAW_OK) {
        status = haw_simulation_create(r->context, r->model, &r->settings, &r->simulation);
    }
    r->state = status == HAW_OK ? r->simulation->state : NULL;
    return status;
}

void rig_build(rig *r, const haw_scene *scene)
{
    if (rig_try(r, scene) != HAW_OK) {
        fail_msg("%s", haw_context_message(r->context));
        abort(); /* not reached: the line above jumps out of the test */
    }
}

void rig_disk_settings(rig *r, const disk_case *c)
{
    rig_open(r);
    disk_case_settings(r->context, c, &r->settings);
    r->settings.every = 1;
}

void rig_disk(rig *r, disk_case *c)
{
    rig_disk_settings(r, c);
    rig_build(r, disk_case_scene(c));
}

void rig_flying(rig *r, double speed)
{
    disk_case c;
    disk_case_init(&c);
    c.step = 2e-5;
    c.points = 16;
    c.body.motion = HAW_MOTION_FIXED;
    c.body.shape_options[0] = 0.01;
    c.body.position[0] = 0.6;
    c.cable.tension = 0;
    c.cable.ends[0].kind = c.cable.ends[1].kind = HAW_END_FREE;
    rig_disk_settings(r, &c);
    haw_scene scene = *disk_case_scene(&c);
    scene.gravity[1] = 0;
    rig_build(r, &scene);
    for (int i = 0; i <= c.elements; i++) {
        r->simulation->state->u[3 + 4 * i] = speed;
    }
    rig_restart(r);
}

void rig_step(rig *r)
{
    if (haw_simulation_step(r->simulation) != HAW_OK) {
        fail_msg("%s", haw_context_message(r->context));
    }
}

void rig_steps(rig *r, long count)
{
    for (long i = 0; i < count; i++) {
        rig_step(r);
    }
}

void rig_drop(rig *r)
{
    haw_simulation_free(r->simulation);
    haw_model_free(r->model);
    r->simulation = NULL;
    r->model = NULL;
    r->state = NULL;
}

void rig_close(rig *r)
{
    rig_drop(r);
    haw_context_free(r->context);
}

void rig_refuses(rig *r, const haw_scene *scene, const char *const *words)
{
    assert_int_equal(rig_try(r, scene), HAW_ERR_INPUT);
    for (; *words != NULL; words++) {
        if (strstr(haw_context_message(r->context), *words) == NULL) {
            fail_msg("no '%s' in: %s", *words, haw_context_message(r->context));
        }
    }
    rig_drop(r);
}

void rig_restart(rig *r)
{
    haw_simulation *s = r->simulation;
    s->energy = haw_model_energy(&s->model, s->state->q);
    s->kinetic = haw_model_kinetic(&s->model, s->state->q, s->state->u);
    s->ledger = (haw_ledger){.kinetic = s->kinetic,
                             .elastic = s->energy.elastic,
                             .gravity = s->energy.gravity,
                             .initial = s->kinetic + s->energy.elastic + s->energy.gravity};
}

void rig_stir(rig *r, double size)
{
    const haw_cable *cable = &r->simulation->model.cable[0];
    for (int i = 0; i < cable->line.dofs; i++) {
        r->simulation->state->u[i] = size * (1 + i % 7) * sin(3.7 * i + 1);
    }
    haw_model_prescribe(&r->simulation->model, 0, r->simulation->state->u);
    assert_int_equal(haw_simulation_restore(r->simulation, r->simulation->state), HAW_OK);
}

double rig_growth(rig *r, double factor, double size, int steps)
{
    r->simulation->step = r->simulation->h = factor * haw_model_critical_step(r->model);
    r->simulation->end = HUGE_VAL;
    rig_stir(r, size);
    const double first = r->simulation->kinetic;
    double most = 0;
    for (int i = 0; i < steps && most < 1e6 * first; i++) {
        const haw_status status = haw_simulation_step(r->simulation);
        most = status == HAW_OK ? fmax(most, r->simulation->kinetic) : (double)INFINITY;
    }
    rig_close(r);
    return most / first;
}

/* A prestressed line along y with a large smooth deflection; its ends stay where they are. */
typedef struct rig_curve {
    double length, stretch, across, along;
} rig_curve;

static void rig_curve_point(const void *user, double xi, double x[2], double t[2], double *stretch)
{
    const rig_curve *c = user;
    const double k = 3.14159265358979323846 / c->length;
    const double slope[2] = {c->across * k * cos(k * xi),
                             c->stretch + 2 * c->along * k * cos(2 * k * xi)};
    x[0] = c->across * sin(k * xi);
    x[1] = c->stretch * xi + c->along * sin(2 * k * xi);
    *stretch = hypot(slope[0], slope[1]);
    t[0] = slope[0] / *stretch;
    t[1] = slope[1] / *stretch;
}

void rig_deflect(rig *r, double across, double along)
{
    haw_simulation *s = r->simulation;
    const haw_cable *cable = &s->model.cable[0];
    const haw_line *line = &cable->line;
    double *q = s->state->q + cable->first;
    const rig_curve c = {line->le * line->elements,
                         q[line->ops->stride * line->elements + 1] / (line->le * line->elements),
                         across, along};
    line->ops->interpolate(line, rig_curve_point, &c, q);
    rig_restart(r);
}

/* Sample k of a cable: the Gauss rule of 4 points per element is exact for cubics, the nodes of a
 * lumped two-node element carry half its mass each. @return the mass it stands for [kg] */
static double rig_sample(const haw_line *line, int k, int *e, double *s)
{
    haw_quadrature rule;
    const bool lumped = line->ops->hull == 2;
    const int points = lumped ? 2 : 4;
    haw_quadrature_init(points, &rule);
    *e = k / points;
    *s = lumped ? k % 2 : rule.s[k % points];
    return line->density * line->le * (lumped ? 0.5 : rule.weight[k % points]);
}

static void rig_add_cable(const rig *r, const haw_cable *cable, double p[3])
{
    const haw_line *line = &cable->line;
    const double *q = r->state->q + cable->first;
    const int samples = line->elements * (line->ops->hull == 2 ? 2 : 4), n = line->ops->dofs;
    for (int k = 0; k < samples; k++) {
        int e;
        double s, x[2], j[2 * HAW_ELEMENT_DOFS_MAX], v[2] = {0, 0};
        const double mass = rig_sample(line, k, &e, &s);
        line->ops->position(line, e, s, q, x, j);
        for (int a = 0; a < 2 * n; a++) {
            v[a / n] += j[a] * r->state->u[cable->first + line->ops->stride * e + a % n];
        }
        p[0] += mass * v[0];
        p[1] += mass * v[1];
        p[2] += mass * (x[0] * v[1] - x[1] * v[0]);
    }
}

void rig_momentum(const rig *r, double p[3])
{
    const haw_model *model = &r->simulation->model;
    p[0] = p[1] = p[2] = 0;
    for (int i = 0; i < model->bodies; i++) {
        const double *x = r->state->q + 3 * i, *v = r->state->u + 3 * i, *m = model->body[i].mass;
        p[0] += m[0] * v[0];
        p[1] += m[1] * v[1];
        p[2] += m[0] * (x[0] * v[1] - x[1] * v[0]) + m[2] * v[2];
    }
    for (int k = 0; k < model->cables; k++) {
        rig_add_cable(r, &model->cable[k], p);
    }
}
