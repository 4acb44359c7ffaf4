/* SPDX-License-Identifier: BSD-3-Clause */
/* Closed points and their rows: against every grid point, and against differences of motions. */
#include "contact/region.h"
#include "model/dynamics.h"
#include "stepper/simulation.h"
#include "support/rig.h"
#include "support/trial.h"

enum { BODIES = 3, PAIRS = 3, POINTS = 400, SEEDS = 40 };

/* A cable, a disk, a half plane and a ball; random configurations are put into q and u. */
typedef struct stage {
    rig r;
    trial random;
    haw_body_spec body[BODIES];
    haw_cable_spec cable;
    haw_contact_spec contact[PAIRS];
    double *q, *u;
    haw_contacts *contacts;
} stage;

static void set_bodies(stage *s)
{
    static const char *const names[BODIES] = {"disk", "wall", "ball"};
    for (int i = 0; i < BODIES; i++) {
        s->body[i] = haw_body_spec_default();
        s->body[i].name = names[i];
        s->body[i].mass = 2 + i;
        s->body[i].inertia = 0.05 + 0.01 * i;
        s->body[i].shape = i == 1 ? "plane" : "circle";
        s->body[i].shape_options[0] = i == 0 ? 0.3 : 0.05;
    }
    s->body[0].position[1] = s->body[2].position[1] = 2; /* everything starts apart */
    s->body[0].position[0] = s->body[2].position[0] = 1;
    s->body[1].position[0] = 3;
    s->body[1].position[1] = -3;
    s->body[1].shape_options[0] = -0.3; /* normal (-0.3, 0.4) in the frame of the wall */
    s->body[1].shape_options[1] = 0.4;
}

static void stage_open(stage *s, const char *element, int arm, int refine)
{
    static const char *const between[PAIRS][2] = {
        {"cable", "disk"}, {"wall", "cable"}, {"ball", "wall"}};
    memset(s, 0, sizeof *s);
    rig_open(&s->r);
    set_bodies(s);
    s->cable = haw_cable_spec_default();
    s->cable.name = "cable";
    s->cable.element = element;
    s->cable.elements = 12;
    s->cable.from[0] = s->cable.from[1] = s->cable.to[1] = 0;
    s->cable.to[0] = 2;
    s->cable.stiffness = 4e4;
    s->cable.density = 0.1;
    s->cable.tension = 100;
    s->cable.ends[1].kind = HAW_END_FREE;
    for (int i = 0; i < PAIRS; i++) {
        s->contact[i] = haw_contact_spec_default();
        s->contact[i].between[0] = between[i][0];
        s->contact[i].between[1] = between[i][1];
        s->contact[i].points_per_element = i == 0 ? 9 : 5;
        s->contact[i].friction = 0.1 * (i + 1);
        s->contact[i].restitution = 0.2 * i;
        s->contact[i].restitution_tangential = 0.1 * i;
        s->contact[i].arm = arm;
        s->contact[i].refine = refine;
    }
    const haw_scene scene = {.bodies = BODIES,
                             .body = s->body,
                             .cables = 1,
                             .cable = &s->cable,
                             .contacts = PAIRS,
                             .contact = s->contact};
    rig_time(&s->r, 1e-5, 1, 0);
    rig_build(&s->r, &scene);
    s->q = s->r.simulation->state->q;
    s->u = s->r.simulation->state->u;
    s->contacts = s->r.simulation->contacts;
}

/* A wavy cable, bodies near it, velocities of order one. */
static void stage_shake(stage *s, uint64_t seed)
{
    trial *t = &s->random;
    t->random = seed * UINT64_C(0x9E3779B97F4A7C15);
    const haw_cable *cable = &s->r.simulation->model.cable[0];
    trial_wave wave = {.stretch = 1.02, .direction = trial_uniform(t, -1.5, 1.5)};
    for (int i = 0; i < 2; i++) {
        wave.rate[i] = trial_uniform(t, 1, 8);
        wave.amplitude[i] = trial_uniform(t, -0.05, 0.05);
        wave.phase[i] = trial_uniform(t, -3, 3);
    }
    cable->line.ops->interpolate(&cable->line, trial_curve, &wave, s->q + cable->first);
    for (int i = 0; i < cable->line.dofs; i++) {
        s->q[cable->first + i] += trial_uniform(t, -0.002, 0.002);
    }
    for (int i = 0; i < BODIES; i++) {
        const double along = trial_uniform(t, 0, 2), off = trial_uniform(t, -0.4, 0.4);
        s->q[3 * i] = along * cos(wave.direction) - off * sin(wave.direction);
        s->q[3 * i + 1] = along * sin(wave.direction) + off * cos(wave.direction);
        s->q[3 * i + 2] = trial_uniform(t, -3, 3);
    }
    for (int i = 0; i < s->r.state->dofs; i++) {
        s->u[i] = trial_uniform(t, -1, 1);
    }
}

/* Material point of a contact pair at a configuration: on the cable, or the centre of the ball. */
static void grid_point(const stage *s, const haw_pair *pair, int point, const double *q,
                       double x[2])
{
    const haw_model *model = &s->r.simulation->model;
    if (pair->cable < 0) {
        memcpy(x, q + 3 * pair->proxy, 2 * sizeof *x);
        return;
    }
    const haw_cable *cable = &model->cable[pair->cable];
    int e;
    double xi;
    haw_pair_point(model, pair, point, &e, &xi);
    cable->line.ops->position(&cable->line, e, xi, q + cable->first, x, NULL);
}

static double grid_gap(const stage *s, const haw_pair *pair, int point, const double *q,
                       double normal[2])
{
    const haw_body *body = &s->r.simulation->model.body[pair->body];
    double x[2];
    grid_point(s, pair, point, q, x);
    const double gap = body->surface.ops->gap(&body->surface, q + body->first, x, normal);
    return pair->cable < 0 ? gap - pair->proxy_radius : gap;
}

/* No broad phase: all points of all pairs, the pinned node at the start left out. */
static int check_all_points(const stage *s)
{
    int found = 0;
    for (int k = 0; k < PAIRS; k++) {
        const haw_pair *pair = &s->r.simulation->model.pair[k];
        double least = INFINITY;
        for (int i = pair->cable < 0 ? 0 : 1; i < pair->points; i++) {
            double normal[2];
            const double gap = grid_gap(s, pair, i, s->q, normal);
            least = fmin(least, gap);
            if (gap > s->contacts->margin) {
                continue;
            }
            const haw_touch *c = &s->contacts->item[found++];
            assert_true(found <= s->contacts->count);
            assert_int_equal(c->id, pair->first_point + i);
            assert_int_equal(c->pair, k);
            assert_true(c->gap == gap && c->normal[0] == normal[0] && c->normal[1] == normal[1]);
        }
        assert_true(s->contacts->gap_min[k] >= least);
        assert_true(least > s->contacts->margin || s->contacts->gap_min[k] == least);
    }
    assert_int_equal(found, s->contacts->count);
    return found;
}

static void the_broad_phase_misses_no_closed_point(void **state)
{
    (void)state;
    static const double margins[3] = {0, 0.01, -0.01};
    for (int i = 0; haw_elements[i] != NULL; i++) {
        stage s;
        int found = 0;
        stage_open(&s, haw_elements[i]->name, HAW_ARM_RADIUS, HAW_REFINE_OFF);
        for (uint64_t seed = 1; seed <= 4 * SEEDS; seed++) {
            stage_shake(&s, seed);
            s.contacts->margin = margins[seed % 3];
            assert_int_equal(haw_contacts_detect(s.contacts, s.q, s.u, 0), HAW_OK);
            found += check_all_points(&s);
        }
        print_message("%s: %d closed points\n", haw_elements[i]->name, found);
        assert_true(found > 1000);
        rig_close(&s.r);
    }
}

/* Surface point that moves with the body and is at `foot` when the body is at `pose`. */
static void carried(const double pose[3], const double foot[2], const double moved[3], double x[2])
{
    const double turn = moved[2] - pose[2], l[2] = {foot[0] - pose[0], foot[1] - pose[1]};
    x[0] = moved[0] + cos(turn) * l[0] - sin(turn) * l[1];
    x[1] = moved[1] + sin(turn) * l[0] + cos(turn) * l[1];
}

/* Offset of the contacting material points at q + h u of those that meet at q. */
static void offset(const stage *s, const haw_touch *c, double h, double d[2])
{
    const haw_pair *pair = &s->r.simulation->model.pair[c->pair];
    double q[POINTS], x[2], moved[2], foot[2], surface[2];
    for (int i = 0; i < s->r.state->dofs; i++) {
        q[i] = s->q[i] + h * s->u[i];
    }
    grid_point(s, pair, c->id - pair->first_point, s->q, x);
    grid_point(s, pair, c->id - pair->first_point, q, moved);
    const double arm = pair->arm == HAW_ARM_RADIUS ? c->gap : 0;
    const double radius = pair->cable < 0 ? pair->proxy_radius : 0;
    for (int i = 0; i < 2; i++) {
        foot[i] = x[i] - (arm + radius) * c->normal[i];
        x[i] -= radius * c->normal[i];
    }
    if (pair->cable < 0) {
        carried(s->q + 3 * pair->proxy, x, q + 3 * pair->proxy, moved);
    }
    carried(s->q + c->side[1].first, foot, q + c->side[1].first, surface);
    d[0] = moved[0] - surface[0];
    d[1] = moved[1] - surface[1];
}

/* gamma_N = dg/dt and (gamma_N, gamma_T) = rate of the offset along n and t, t = (n_y, -n_x). */
static void check_rates(const stage *s, const haw_touch *c, const double gamma[2])
{
    const haw_pair *pair = &s->r.simulation->model.pair[c->pair];
    const double h = 1e-6, *n = c->normal;
    double q[2][POINTS], a[2], b[2], normal[2];
    for (int i = 0; i < s->r.state->dofs; i++) {
        q[0][i] = s->q[i] - h * s->u[i];
        q[1][i] = s->q[i] + h * s->u[i];
    }
    const int point = c->id - pair->first_point;
    const double rate =
        (grid_gap(s, pair, point, q[1], normal) - grid_gap(s, pair, point, q[0], normal)) / (2 * h);
    assert_near(gamma[0], rate, 1e-8, 0);
    offset(s, c, h, a);
    offset(s, c, -h, b);
    const double v[2] = {(a[0] - b[0]) / (2 * h), (a[1] - b[1]) / (2 * h)};
    assert_near(gamma[0], n[0] * v[0] + n[1] * v[1], 1e-8, 0);
    assert_near(gamma[1], n[1] * v[0] - n[0] * v[1], 1e-8, 0);
}

static void rows_are_the_rates_of_gap_and_slip(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        for (int arm = HAW_ARM_RADIUS; arm <= HAW_ARM_DISTANCE; arm++) {
            stage s;
            stage_open(&s, haw_elements[i]->name, arm, HAW_REFINE_OFF);
            for (uint64_t seed = 1; seed <= SEEDS; seed++) {
                double gamma[2 * POINTS];
                stage_shake(&s, seed);
                assert_int_equal(haw_contacts_detect(s.contacts, s.q, s.u, 0), HAW_OK);
                assert_true(s.contacts->count < POINTS);
                haw_contacts_velocity(s.contacts, s.u, gamma);
                for (int k = 0; k < s.contacts->count; k++) {
                    check_rates(&s, &s.contacts->item[k], gamma + 2 * k);
                }
            }
            rig_close(&s.r);
        }
    }
}

/* W lambda is the transpose of W' u: power of impulses = impulses times rates. */
static void impulses_and_rates_are_conjugate(void **state)
{
    (void)state;
    stage s;
    stage_open(&s, "bezier", HAW_ARM_RADIUS, HAW_REFINE_OFF);
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        double gamma[2 * POINTS], lambda[2 * POINTS], f[POINTS] = {0}, left = 0, right = 0;
        stage_shake(&s, seed);
        assert_int_equal(haw_contacts_detect(s.contacts, s.q, s.u, 0), HAW_OK);
        haw_contacts_velocity(s.contacts, s.u, gamma);
        for (int i = 0; i < 2 * s.contacts->count; i++) {
            lambda[i] = trial_uniform(&s.random, -1, 1);
            left += gamma[i] * lambda[i];
        }
        haw_contacts_apply(s.contacts, lambda, f);
        for (int i = 0; i < s.r.state->dofs; i++) {
            right += f[i] * s.u[i];
        }
        assert_near(left, right, 1e-12, 0);
    }
    rig_close(&s.r);
}

/* Entry (i, j) of the assembled operator; 0 where the pattern has no block. */
static double entry(const haw_bsr *w, int i, int j)
{
    for (int k = w->start[i / 2]; k < w->start[i / 2 + 1]; k++) {
        if (w->column[k] == j / 2) {
            return w->value[4 * k + 2 * (i % 2) + j % 2];
        }
    }
    return 0;
}

/* Column j of W = H' M^-1 H through one unit impulse. */
static void check_column(const stage *s, int j)
{
    const haw_contacts *contacts = s->contacts;
    double lambda[2 * POINTS] = {0}, x[POINTS] = {0}, column[2 * POINTS];
    lambda[j] = 1;
    haw_contacts_apply(contacts, lambda, x);
    haw_inertia_solve(s->r.simulation->inertia, x);
    haw_contacts_velocity(contacts, x, column);
    for (int i = 0; i < 2 * contacts->count; i++) {
        assert_near(entry(&contacts->problem.w, i, j), column[i], 1e-10, 1e-12);
    }
}

static void check_problem(stage *s)
{
    const haw_contacts *contacts = s->contacts;
    const haw_problem *problem = &contacts->problem;
    double free[2 * POINTS];
    haw_contacts_velocity(contacts, s->u, contacts->gamma_minus);
    for (int i = 0; i < s->r.state->dofs; i++) {
        s->r.simulation->u_free[i] = 0.9 * s->u[i];
    }
    assert_int_equal(
        haw_contacts_assemble(s->contacts, s->r.simulation->inertia, NULL, s->r.simulation->u_free),
        HAW_OK);
    haw_contacts_velocity(contacts, s->r.simulation->u_free, free);
    for (int i = 0; i < contacts->count; i++) {
        const int pair = contacts->item[i].pair;
        const double e[2] = {0.2 * pair, 0.1 * pair}, *minus = contacts->gamma_minus + 2 * i;
        assert_near(problem->q[2 * i], free[2 * i] + e[0] * minus[0], 1e-14, 0);
        assert_near(problem->q[2 * i + 1], free[2 * i + 1] + e[1] * minus[1], 1e-14, 0);
        assert_near(problem->mu[i], 0.1 * (pair + 1), 0, 1e-15);
    }
    for (int j = 0; j < 2 * contacts->count; j++) {
        check_column(s, j);
    }
}

/* What a region solves is solved by W, too. @return whether it does */
static int check_region(stage *s, haw_region *region, double tolerance)
{
    haw_contacts *contacts = s->contacts;
    const haw_inertia *inertia = s->r.simulation->inertia;
    double u[2 * POINTS], wanted[2 * POINTS];
    haw_report report;
    haw_residual residual;
    memset(contacts->impulse, 0, 2 * (size_t)contacts->count * sizeof(double));
    assert_int_equal(haw_region_solve(region, contacts, inertia, tolerance, u, &report), HAW_OK);
    if (report.outcome != HAW_CONVERGED) {
        return 0;
    }
    assert_int_equal(haw_contacts_delassus(contacts, inertia, NULL), HAW_OK);
    assert_int_equal(haw_problem_residual(s->r.context, &contacts->problem, contacts->impulse,
                                          wanted, &residual),
                     HAW_OK);
    assert_true(report.residual.stop <= tolerance);
    assert_near(residual.natural, report.residual.natural, 1e-6, 1e-12);
    assert_near(residual.relative, report.residual.relative, 1e-6, 1e-12);
    for (int i = 0; i < 2 * contacts->count; i++) {
        assert_near(u[i], wanted[i], 1e-10, 1e-10);
    }
    return 1;
}

/* Explicit and implicit, of constant mass and not; the window moves from seed to seed. */
static void a_region_solves_the_problem_of_w(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        for (int k = 0; k < 2; k++) {
            stage s;
            haw_region *region = NULL;
            int asked = 0, solved = 0;
            stage_open(&s, haw_elements[i]->name, HAW_ARM_RADIUS, HAW_REFINE_OFF);
            haw_inertia *inertia = s.r.simulation->inertia;
            assert_int_equal(haw_region_create(s.r.context, &s.r.simulation->model, &region),
                             HAW_OK);
            assert_int_equal(haw_inertia_set(inertia, 1e-5, 0.55 * k), HAW_OK);
            for (uint64_t seed = 1; seed <= 2 * SEEDS; seed++) {
                stage_shake(&s, seed);
                assert_int_equal(haw_inertia_update(inertia, s.q), HAW_OK);
                assert_int_equal(haw_contacts_detect(s.contacts, s.q, s.u, 0), HAW_OK);
                haw_contacts_velocity(s.contacts, s.u, s.contacts->gamma_minus);
                assert_int_equal(haw_contacts_pose(s.contacts, s.u), HAW_OK);
                asked += s.contacts->count > 20;
                (void)check_region(&s, region, 0.1); /* far off, the residual knows the weights */
                solved += check_region(&s, region, 1e-10);
            }
            print_message("%s: %d, %d of more than 20\n", haw_elements[i]->name, solved, asked);
            assert_true(asked >= 40 && solved >= 0.9 * asked);
            haw_region_free(region);
            rig_close(&s.r);
        }
    }
}

/* Blocks, right-hand side and coefficients, explicit and implicit. */
static void the_assembled_problem_is_that_of_the_rows(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        for (int k = 0; k < 2; k++) {
            stage s;
            stage_open(&s, haw_elements[i]->name, HAW_ARM_RADIUS, HAW_REFINE_OFF);
            haw_inertia *inertia = s.r.simulation->inertia;
            assert_int_equal(haw_inertia_set(inertia, 1e-5, 0.55 * k), HAW_OK);
            for (uint64_t seed = 1; seed <= 6; seed++) {
                stage_shake(&s, seed);
                assert_int_equal(haw_inertia_update(inertia, s.q), HAW_OK);
                assert_int_equal(haw_contacts_detect(s.contacts, s.q, s.u, 0), HAW_OK);
                check_problem(&s);
                assert_int_equal(haw_problem_check(s.r.context, &s.contacts->problem), HAW_OK);
            }
            rig_close(&s.r);
        }
    }
}

TEST_FILE(test_contact_rows)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_broad_phase_misses_no_closed_point),
        cmocka_unit_test(rows_are_the_rates_of_gap_and_slip),
        cmocka_unit_test(impulses_and_rates_are_conjugate),
        cmocka_unit_test(the_assembled_problem_is_that_of_the_rows),
        cmocka_unit_test(a_region_solves_the_problem_of_w),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
