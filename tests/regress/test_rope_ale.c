/* SPDX-License-Identifier: BSD-3-Clause */
/* Ale ropes as a whole: derivatives of their forces, the drawn start, a hanging rope. */
#include "stepper/simulation.h"
#include "support/reeving.h"
#include "support/rig.h"
#include "support/rope_rig.h"

#include <gsl/gsl_math.h>
#include <stdio.h>

/* ---- derivatives ---- */

/* A place near the drawn one: every number moved by up to `size` times a length. */
static void disturb(reeving_case *c, double size)
{
    unsigned long seed = 20240611;
    for (int i = 0; i < c->model->dofs; i++) {
        seed = (seed * 1103515245 + 12345) % 2147483648UL;
        c->state->q[i] += size * ((double)seed / 1073741824.0 - 1);
    }
}

static void open_bent(reeving_case *c)
{
    reeving_init(c, "ale");
    c->cable.bending_stiffness = 40;
    c->cable.overflow = 0.2;
    reeving_open(c);
    disturb(c, 2e-3);
}

static double energy_of(const reeving_case *c)
{
    const haw_cable *cable = &c->model->cable[0];
    double energy[2] = {0, 0};
    cable->ops->energy(cable, c->state->q, energy);
    return energy[0] + energy[1];
}

static bool is_label(const haw_rope *rope, int dof)
{
    for (int i = 0; i < rope->labels; i++) {
        if (rope->label[i] == dof) {
            return true;
        }
    }
    return false;
}

/* Forces on labels are not those of the energy, whose limits they move. */
static void forces_are_minus_the_gradient_of_the_energy(void **state)
{
    (void)state;
    reeving_case c;
    open_bent(&c);
    const haw_cable *cable = &c.model->cable[0];
    const size_t n = (size_t)c.model->dofs;
    double *f = calloc(2 * n, sizeof *f), *q = c.state->q, most = 0;
    assert_non_null(f);
    cable->ops->forces(cable, q, c.state->u, &(haw_forces){.conservative = f, .damping = f + n});
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(f[i]));
    }
    for (int i = 0; i < c.model->dofs; i++) {
        const double h = 1e-6, here = q[i];
        if (is_label(cable->rope, i)) {
            continue;
        }
        q[i] = here + h;
        const double above = energy_of(&c);
        q[i] = here - h;
        const double below = energy_of(&c);
        q[i] = here;
        assert_near(f[i], (below - above) / (2 * h), 1e-7 * most, 0);
    }
    free(f);
    reeving_close(&c);
}

/* K of all elements times a direction, against forces on both sides. */
static void the_tangent_is_the_derivative_of_the_forces(void **state)
{
    (void)state;
    reeving_case c;
    open_bent(&c);
    const haw_cable *cable = &c.model->cable[0];
    const haw_rope *rope = cable->rope;
    const size_t n = (size_t)c.model->dofs;
    double *f = calloc(4 * n, sizeof *f), *q = c.state->q, *u = c.state->u, most = 0;
    double *above = f + n, *below = f + 2 * n, *direction = f + 3 * n;
    const double h = 1e-7, factor[2] = {0, 0};
    assert_non_null(f);
    for (int i = 0; i < c.model->dofs; i++) {
        direction[i] = is_label(rope, i) ? 0 : cos(3.7 * i + 0.2);
    }
    for (int e = 0; e < rope->elements; e++) {
        const haw_rope_element *element = &rope->element[e];
        double k[HAW_ROPE_DOFS * HAW_ROPE_DOFS], d[HAW_ROPE_DOFS], y[HAW_ROPE_DOFS] = {0};
        reeving_block(cable, e, q, u, factor, k);
        haw_rope_gather(rope, e, direction, d);
        for (int i = 0; i < element->dofs * element->dofs; i++) {
            y[i / element->dofs] += k[i] * d[i % element->dofs];
        }
        haw_rope_scatter(rope, e, y, f);
    }
    for (size_t i = 0; i < n; i++) {
        q[i] += h * direction[i];
        most = fmax(most, fabs(f[i]));
    }
    cable->ops->forces(cable, q, u, &(haw_forces){.conservative = above, .damping = above});
    for (size_t i = 0; i < n; i++) {
        q[i] -= 2 * h * direction[i];
    }
    cable->ops->forces(cable, q, u, &(haw_forces){.conservative = below, .damping = below});
    for (int i = 0; i < c.model->dofs; i++) {
        if (!is_label(rope, i)) {
            assert_near(f[i], (below[i] - above[i]) / (2 * h), 1e-6 * most, 0);
        }
    }
    free(f);
    reeving_close(&c);
}

/* ---- start ---- */

static void the_start_is_drawn_without_strain(void **state)
{
    (void)state;
    reeving_case c;
    reeving_start(&c, "ale");
    const haw_cable *cable = &c.model->cable[0];
    const haw_rope *rope = cable->rope;
    const double *q = c.state->q;
    for (int e = 0; e < rope->elements; e++) {
        const double at = 0.5 * (q[rope->label[e]] + q[rope->label[e + 1]]);
        haw_sample point;
        cable->ops->state(cable, e, at, q, NULL, &point);
        assert_true(q[rope->label[e]] < q[rope->label[e + 1]]);
        assert_near(point.strain, 0, rope->element[e].is_span ? 1e-12 : 1e-4, 0);
    }
    for (int i = 0; i < rope->arcs; i++) {
        const haw_rope_arc *arc = &rope->arc[i];
        const double *centre = c.model->body[arc->body].start;
        const double label[2] = {arc->label_in, arc->label_out}, angle[2] = {arc->in, arc->out};
        for (int k = 0; k < 2; k++) {
            const int e = haw_rope_find(rope, q, label[k]);
            haw_sample at;
            cable->ops->state(cable, e, label[k], q, NULL, &at);
            assert_near(at.x[0], centre[0] + arc->radius * cos(angle[k]), 1e-12, 0);
            assert_near(at.x[1], centre[1] + arc->radius * sin(angle[k]), 1e-12, 0);
        }
    }
    assert_near(q[rope->label[0]], 0, 0, 0);
    assert_near(q[rope->label[rope->labels - 1]], rope->length, 0, 0);
    reeving_close(&c);
}

/* ---- a hanging rope ---- */

/* The elastic catenary of weight w per length, between supports at one height. */
typedef struct catenary {
    double length, weight, stiffness, pull; /* pull: horizontal component of the tension */
} catenary;

static void catenary_point(const catenary *c, double s, double x[2])
{
    const double h = c->pull, v0 = -0.5 * c->weight * c->length, v = v0 + c->weight * s;
    x[0] = h * s / c->stiffness + h / c->weight * (asinh(v / h) - asinh(v0 / h));
    x[1] = (v0 * s + 0.5 * c->weight * s * s) / c->stiffness +
           (hypot(h, v) - hypot(h, v0)) / c->weight;
}

static catenary catenary_of(double length, double weight, double stiffness, double span)
{
    double low = 1e-3 * weight, high = 1e3 * weight * length;
    catenary c = {length, weight, stiffness, 0};
    for (int i = 0; i < 200; i++) {
        double x[2];
        c.pull = 0.5 * (low + high);
        catenary_point(&c, length, x);
        *(x[0] < span ? &low : &high) = c.pull;
    }
    return c;
}

/* The sheave only says where the contact elements are: nothing touches it. */
static void a_rope_hangs_in_a_catenary(void **state)
{
    (void)state;
    rope_case c;
    rig r;
    rope_case_init(&c);
    c.body[0].shape_options[0] = 1.3;
    c.body[0].position[0] = 1;
    c.body[0].position[1] = 0.9;
    c.reeving.side = HAW_SIDE_LEFT;
    c.cable.to[0] = 2;
    c.cable.elements = 8;
    c.cable.overflow = 0.05;
    c.cable.modes[0] = c.cable.modes[1] = 8;
    c.cable.stiffness = 1e5;
    c.cable.density = 1;
    c.scene.gravity[1] = -9.81;
    c.scene.start = HAW_START_GIVEN;
    rig_open(&r);
    assert_int_equal(haw_stepper_settings_init(r.context, "static", &r.settings.stepper), HAW_OK);
    rig_build(&r, &c.scene);
    rig_step(&r);
    const haw_model *model = &r.simulation->model;
    const haw_cable *cable = &model->cable[0];
    const catenary want = catenary_of(cable->rope->length, 9.81, 1e5, 2);
    double most = 0, tension = 0;
    for (int i = 1; i < 40; i++) {
        const double s = cable->rope->length * i / 40, v = 9.81 * (s - 0.5 * want.length);
        const int e = haw_rope_find(cable->rope, r.state->q, s);
        double y[2];
        haw_sample at;
        cable->ops->state(cable, e, s, r.state->q, NULL, &at);
        catenary_point(&want, s, y);
        most = fmax(most, hypot(at.x[0] - y[0], at.x[1] - y[1]));
        tension = fmax(tension, fabs(at.tension / hypot(want.pull, v) - 1));
    }
    print_message("length %.4f m, pull %.4f N: places within %.2g m, tension within %.2g\n",
                  want.length, want.pull, most, tension);
    assert_near(most, 0, 1e-4, 0);
    rig_close(&r);
}

TEST_FILE(test_rope_ale)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_minus_the_gradient_of_the_energy),
        cmocka_unit_test(the_tangent_is_the_derivative_of_the_forces),
        cmocka_unit_test(the_start_is_drawn_without_strain),
        cmocka_unit_test(a_rope_hangs_in_a_catenary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
