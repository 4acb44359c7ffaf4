/* SPDX-License-Identifier: BSD-3-Clause */
/* The mesh of ale ropes: results do not depend on its motion, it follows a rope that rides over its
 * sheave, and it is brought back to the tangent points without moving the rope. */
#include "support/rope_rig.h"

#include <gsl/gsl_math.h>

/* ---- motion of the mesh does not matter ---- */

static const double STRETCH = 1.01, AMPLITUDE = 0.03, FREQUENCY = 40, SPEED = 10;

/* Nodes swing along the rope at up to 1.2 m/s. */
static void swing(const rope_rig *r, int i, double t, double s[3])
{
    if (i > 0 && i < rope_rig_rope(r)->labels - 1) {
        s[0] += AMPLITUDE * sin(FREQUENCY * t);
        s[1] = AMPLITUDE * FREQUENCY * cos(FREQUENCY * t);
        s[2] = -AMPLITUDE * FREQUENCY * FREQUENCY * sin(FREQUENCY * t);
    }
}

/* Velocity across the rope of a label, and its slope. */
static void wave(const rope_rig *r, double s, double v[2])
{
    const double k = M_PI / rope_rig_rope(r)->length;
    v[0] = SPEED * sin(k * s);
    v[1] = SPEED * k * cos(k * s);
}

static void set_node(rope_rig *r, int i)
{
    double *q = r->state->q + rope_rig_rope(r)->label[i] - 4, *u = r->state->u + (q - r->state->q);
    double v[2];
    wave(r, q[4], v);
    q[0] = STRETCH * q[4];
    q[1] = q[3] = 0;
    q[2] = STRETCH;
    u[0] = STRETCH * u[4];
    u[1] = v[0];
    u[2] = 0;
    u[3] = v[1];
}

/* Amplitudes of the wave over a span, by sums over midpoints. */
static void set_span(rope_rig *r, int e)
{
    enum { POINTS = 200 };

    const haw_rope *rope = rope_rig_rope(r);
    const int *dof = rope->element[e].dof + 4, axial = rope->modes[0];
    const double from = r->state->q[rope->label[e]], to = r->state->q[rope->label[e + 1]];
    double v[3][2];
    wave(r, from, v[0]);
    wave(r, to, v[1]);
    for (int k = 0; k < axial + rope->modes[1]; k++) {
        r->state->q[dof[k]] = r->state->u[dof[k]] = 0;
    }
    for (int i = 0; i < POINTS; i++) {
        const double eta = (i + 0.5) / POINTS;
        wave(r, from + eta * (to - from), v[2]);
        const double off = v[2][0] - (1 - eta) * v[0][0] - eta * v[1][0];
        for (int k = 0; k < rope->modes[1]; k++) {
            r->state->u[dof[axial + k]] += 2.0 / POINTS * off * sin((k + 1) * M_PI * eta);
        }
    }
}

/* A taut string of 2 m with eight contact elements and two spans, struck to half a sine. */
static void open_string(rope_rig *r)
{
    rope_case c;
    const double radius = 200, tangent = 0.3;
    rope_case_init(&c);
    c.body[0].shape_options[0] = radius;
    c.body[0].position[0] = 1;
    c.body[0].position[1] = (1 - tangent * tangent) / (2 * radius) - radius;
    c.cable.to[0] = 2;
    c.cable.tension = 1e4 * (STRETCH - 1);
    c.cable.elements = 6;
    c.cable.overflow = 0.06;
    c.cable.modes[0] = c.cable.modes[1] = 8;
    rope_rig_open(r, &c);
}

static double strike(rope_rig *r)
{
    const haw_rope *rope = rope_rig_rope(r);
    rope_rig_set_mesh(r, 0);
    for (int i = 1; i < rope->labels - 1; i++) {
        set_node(r, i);
    }
    for (int e = 0; e < rope->elements; e++) {
        if (rope->element[e].is_span) {
            set_span(r, e);
        }
    }
    return rope_rig_energy(r);
}

static void a_string_does_not_feel_its_mesh(void **state)
{
    (void)state;
    const double h = 6e-5, kinetic = 0.1 * 1 * SPEED * SPEED / 2;
    double x[2][2], path = 0;
    rope_rig r[2];
    double energy[2], drift[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        open_string(&r[k]);
        r[k].mesh = k == 1 ? swing : NULL;
        energy[k] = strike(&r[k]);
    }
    assert_near(energy[0], energy[1], 1e-6, 0);
    for (int i = 0; i < 5000; i++) {
        for (int k = 0; k < 2; k++) {
            rope_rig_step(&r[k], h);
            drift[k] = fmax(drift[k], fabs(rope_rig_energy(&r[k]) - energy[k]));
            rope_rig_place(&r[k], 0.8, x[k]);
        }
        path = fmax(path, hypot(x[1][0] - x[0][0], x[1][1] - x[0][1]));
    }
    print_message("energy of %.3g J drifts by %.2g of it (fixed mesh %.2g), paths differ by %.2g m "
                  "of 0.29 m\n",
                  kinetic, drift[1] / kinetic, drift[0] / kinetic, path);
    assert_near(drift[0], 0, 1e-7 * kinetic, 0);
    assert_near(drift[1], 0, 2e-6 * kinetic, 0);
    assert_near(rope_rig_energy(&r[1]), energy[1], 1e-6 * kinetic, 0);
    assert_near(path, 0, 1e-5, 0);
    rope_rig_close(&r[0]);
    rope_rig_close(&r[1]);
}

/* ---- a ride over the sheave ---- */

/* Half a turn over a sheave of radius R at the origin, lines downwards of 10 m and 2 m. */
static const double R = 0.24, TOP = 10;

static void open_ride(rope_rig *r)
{
    rope_case c;
    rope_case_init(&c);
    c.body[0].shape_options[0] = R;
    c.cable.from[0] = -R;
    c.cable.from[1] = -TOP;
    c.cable.to[0] = R;
    c.cable.to[1] = -2;
    c.cable.elements = 20;
    c.cable.overflow = 0.1;
    rope_rig_open(r, &c);
}

/* Place and direction at a way c past the left tangent point. */
static void along(double c, double x[2], double t[2])
{
    const double a = fmin(fmax(c / R, 0), M_PI), straight = c - a * R;
    t[0] = sin(a);
    t[1] = cos(a);
    x[0] = -R * cos(a) + straight * t[0];
    x[1] = R * sin(a) + straight * t[1];
}

/* The rope has run `way` at a speed, and a wave of no mean runs along it. */
typedef struct ride {
    double way, speed, wave, rate;
} ride;

/* A node of label s is c = s - TOP + way + wave sin(2 c0 / R) past the tangent point; its
 * velocity is that of the material and what its label brings. */
static void lay(rope_rig *r, int i, const ride *now)
{
    const haw_rope *rope = rope_rig_rope(r);
    double *q = r->state->q + rope->label[i] - 4, *u = r->state->u + (q - r->state->q), t[2];
    const double c = q[4] - TOP + now->way, swell = sin(2 * c / R);
    along(c + now->wave * swell, q, t);
    for (int j = 0; j < 2; j++) {
        q[2 + j] = t[j];
        u[j] = t[j] * (now->speed + now->rate * swell + u[4]);
    }
}

/* Way of the nodes at the tangent points from these, over R. */
static double off_tangents(const rope_rig *r)
{
    const haw_rope *rope = rope_rig_rope(r);
    const haw_rope_arc *arc = &rope->arc[0];
    const int in = arc->first_element + (arc->elements - rope->per_arc) / 2;
    const double *x = r->state->q + rope->label[in] - 4;
    const double *y = r->state->q + rope->label[in + rope->per_arc] - 4;
    return fmax(fabs(atan2(x[1], -x[0])), fabs(atan2(y[1], y[0])));
}

typedef struct followed {
    double off;    /* largest way from the tangent points over R [rad] */
    double uneven; /* largest difference of two elements on the arc over their mean */
    double stir;   /* largest velocity of a label that the ride has not [m/s] */
} followed;

static void look(const rope_rig *r, double speed, followed *f)
{
    const haw_rope *rope = rope_rig_rope(r);
    const haw_rope_arc *arc = &rope->arc[0];
    const int in = arc->first_element + (arc->elements - rope->per_arc) / 2;
    const double mean = M_PI * R / rope->per_arc, *q = r->state->q;
    f->off = fmax(f->off, off_tangents(r));
    for (int i = in; i < in + rope->per_arc; i++) {
        const double size = q[rope->label[i + 1]] - q[rope->label[i]];
        f->uneven = fmax(f->uneven, fabs(size / mean - 1));
        f->stir = fmax(f->stir, fabs(r->x[rope->label[i]] + speed));
    }
}

/* 8 m at 1 m/s, started and stopped within 2 s, with a wave of this velocity at 1000 rad/s. */
static followed follow(double h, double wave)
{
    static const double time[] = {0, 2, 8, 10}, value[] = {0, 1, 1, 0};
    const haw_function run = {.count = 4, .time = time, .value = value, .ramp = HAW_RAMP_CYCLOID};
    rope_rig r;
    followed f = {0, 0, 0};
    open_ride(&r);
    const haw_rope *rope = rope_rig_rope(&r);
    for (long step = 0; (double)step * h < 11; step++) {
        const double t = (double)step * h;
        const ride now = {-haw_function_integral(&run, t), -haw_function_value(&run, t),
                          wave / 1000 * sin(1000 * t), wave * cos(1000 * t)};
        for (int i = 1; i < rope->labels - 1; i++) {
            lay(&r, i, &now);
        }
        r.model->cable[0].ops->guide(&r.model->cable[0], r.state->q, r.state->u, h, r.x);
        look(&r, now.speed, &f);
        for (int i = 1; i < rope->labels - 1; i++) {
            const int s = rope->label[i];
            r.state->q[s] += 0.5 * h * (r.state->u[s] + r.x[s]);
            r.state->u[s] = r.x[s];
        }
    }
    assert_near(r.x[rope->label[0]], 0, 0, 0);
    assert_near(r.x[rope->label[rope->labels - 1]], 0, 0, 0);
    rope_rig_close(&r);
    return f;
}

static void the_mesh_stays_on_the_tangent_points_of_a_long_ride(void **state)
{
    (void)state;
    static const double step[] = {2e-4, 1e-3, 5e-3, 0.02}, most[] = {5e-5, 1e-4, 6e-4, 8e-3};
    for (int i = 0; i < 4; i++) {
        const followed f = follow(step[i], 0);
        print_message("h %g s: off the tangent points by %.2g rad, elements uneven by %.2g\n",
                      step[i], f.off, f.uneven);
        assert_near(f.off, 0, most[i], 0);
        assert_near(f.uneven, 0, 1e-4, 0);
    }
}

/* Of a wave of 0.1 m/s the labels take only what its mean over the nodes has. */
static void labels_do_not_follow_waves(void **state)
{
    (void)state;
    const followed calm = follow(1e-3, 0), stirred = follow(1e-3, 0.1);
    print_message("labels differ from the ride by %.2g m/s, with waves by %.2g m/s; %.2g rad off\n",
                  calm.stir, stirred.stir, stirred.off);
    assert_near(stirred.stir, calm.stir, 0.02 * 0.1, 0);
    assert_near(stirred.off, 0, 1e-4, 0);
}

/* ---- statics ---- */

/* The rope has slid by 0.07 m over the sheave, a whole element and more, and its mesh with it. */
static void recentring_moves_the_mesh_and_not_the_rope(void **state)
{
    (void)state;

    enum { PLACES = 60 };

    rope_rig r;
    open_ride(&r);
    const haw_rope *rope = rope_rig_rope(&r);
    const haw_cable *cable = &r.model->cable[0];
    const ride slid = {0.07, 0, 0, 0};
    double before[PLACES][2], most = 0, way = 1;
    int calls = 0;
    for (int i = 1; i < rope->labels - 1; i++) {
        lay(&r, i, &slid);
    }
    for (int i = 0; i < PLACES; i++) {
        rope_rig_place(&r, rope->length * (i + 0.5) / PLACES, before[i]);
    }
    assert_near(off_tangents(&r), 0.07 / R, 1e-9, 0);
    for (; calls < 5 && way > 1e-9; calls++) {
        way = cable->ops->recentre(cable, r.model->context, r.state->q);
    }
    for (int i = 0; i < PLACES; i++) {
        double x[2];
        rope_rig_place(&r, rope->length * (i + 0.5) / PLACES, x);
        most = fmax(most, hypot(x[0] - before[i][0], x[1] - before[i][1]));
    }
    print_message("%d calls, rope moved by %.2g m\n", calls, most);
    assert_near(off_tangents(&r), 0, 1e-6, 0);
    assert_near(most, 0, 3e-3, 0);
    rope_rig_close(&r);
}

TEST_FILE(test_rope_ale_mesh)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_string_does_not_feel_its_mesh),
        cmocka_unit_test(the_mesh_stays_on_the_tangent_points_of_a_long_ride),
        cmocka_unit_test(labels_do_not_follow_waves),
        cmocka_unit_test(recentring_moves_the_mesh_and_not_the_rope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
