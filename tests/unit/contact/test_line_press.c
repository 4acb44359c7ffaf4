/* SPDX-License-Identifier: BSD-3-Clause */
/* Cables that touch cables under compliant laws: forces of both sides balance, and their tangent is
 * their derivative, with any law, of a cable with another and with itself. */
#include "base/lie.h"
#include "contact/compliant.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigid.h"
#include "support/walk.h"

#include <hawser/hawser.h>

#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 5, SIZE = 200, SEEDS = 16, ARMS = 3 };

static const double radius = 0.01, le = 0.06;

typedef struct rig {
    haw_context *context;
    haw_model *model;
    haw_compliant *compliant;
    haw_state *state;
    uint64_t random;
    double q[SIZE], u[SIZE], normal[SIZE], tangential[SIZE];
} rig;

static double number(rig *r, double size)
{
    return size * random_signed(&r->random);
}

static void open_cables(rig *r, int dimension, const haw_cable_spec cable[2], const char *law,
                        int arm, double friction, bool beside)
{
    haw_contact_spec contact = haw_contact_spec_default();
    memset(r, 0, sizeof *r);
    r->random = 0x9e3779b97f4a7c15u;
    contact.between[0] = "a";
    contact.between[1] = "b";
    contact.points_per_element = beside ? 6 : 12;
    contact.proxy = beside ? HAW_PROXY_MINIMA : HAW_PROXY_POINTS;
    contact.arm = arm;
    contact.law = "penalty";
    contact.normal_stiffness = 2e6;
    contact.normal_damping = 1e3;
    contact.tangential = law;
    contact.friction = friction;
    contact.tangential_stiffness = 1e6;
    contact.tangential_damping = 50;
    contact.regularization = 0.1;
    const haw_scene scene = {.dimension = dimension,
                             .load_steps = 1,
                             .cables = 2,
                             .cable = cable,
                             .contacts = 1,
                             .contact = &contact};
    assert_int_equal(haw_context_create(NULL, &r->context), HAW_OK);
    if (haw_model_build(r->context, &scene, &r->model) != HAW_OK ||
        haw_state_create(r->context, r->model, &r->state) != HAW_OK ||
        haw_compliant_create(r->context, r->model, &r->compliant) != HAW_OK) {
        fail_msg("%s", haw_context_message(r->context));
        abort(); /* not reached: the line above jumps out of the test */
    }
    assert_in_range(r->model->coordinates, 1, SIZE);
}

static void open_beside(rig *r, int dimension, const char *first, const char *second,
                        const char *law, int arm, double friction, bool beside)
{
    const haw_cable_spec cable[2] = {walk_cable("a", first, ELEMENTS, le, radius),
                                     walk_cable("b", second, ELEMENTS, le, radius)};
    open_cables(r, dimension, cable, law, arm, friction, beside);
}

static void open_rubbing(rig *r, int dimension, const char *first, const char *second,
                         const char *law, int arm, double friction)
{
    open_beside(r, dimension, first, second, law, arm, friction, false);
}

static void open_rig(rig *r, int dimension, const char *first, const char *second, const char *law,
                     int arm)
{
    open_rubbing(r, dimension, first, second, law, arm, 0.3);
}

static void close_rig(rig *r)
{
    haw_compliant_free(r->compliant);
    haw_state_free(r->context, r->state);
    haw_model_free(r->model);
    haw_context_free(r->context);
}

/* Two cables that cross near their middles and overlap, both in motion, at the end of a step that
 * began where they came from, `size` away. */
static void cross_from(rig *r, double turn, double size)
{
    enum { DRAWN = 4 };

    const ptrdiff_t back = (ptrdiff_t)DRAWN * HAW_HISTORY;
    double way[SIZE];
    walk_cross(&(walk){r->model, r->q, &r->random, le}, (walk_pair){1.9 * radius, 0.02, 0.03},
               turn);
    for (int i = 0; i < r->model->dofs; i++) {
        r->u[i] = number(r, 0.5);
        way[i] = number(r, size);
    }
    haw_model_move(r->model, r->q, -1, way, r->state->q);
    memset(r->state->u, 0, (size_t)r->model->dofs * sizeof(double));
    haw_compliant_reset(r->state);
    /* all points stuck before, with bent bristles; feet behind the fourth as the first ones */
    for (int i = 0; i < r->model->points; i++) {
        double *history = r->state->history + (ptrdiff_t)i * HAW_HISTORY;
        history[0] = 0;
        history[1] = HAW_REGIME_STICK;
        for (int k = 0; k < 3; k++) {
            history[2 + k] = i % HAW_LINE_FEET < DRAWN ? number(r, 1e-4) : history[k + 2 - back];
        }
    }
    haw_compliant_begin(r->compliant, r->state, HAW_DYNAMICS, 1e-3);
}

static void cross(rig *r, double turn)
{
    cross_from(r, turn, 3e-4);
}

static void evaluate(rig *r, const double *q, const double *u)
{
    memset(r->normal, 0, sizeof r->normal);
    memset(r->tangential, 0, sizeof r->tangential);
    assert_int_equal(haw_compliant_evaluate(r->compliant, q, u, r->normal, r->tangential), HAW_OK);
}

/* Forces at the configuration moved by factor du and velocities changed by factor rate du. */
static void push_there(rig *r, double factor, double rate, const double *du, double *f)
{
    double d[SIZE], q[SIZE], u[SIZE];
    for (int i = 0; i < r->model->dofs; i++) {
        d[i] = factor * du[i];
        u[i] = r->u[i] + factor * rate * du[i];
    }
    haw_model_move(r->model, r->q, 1, d, q);
    evaluate(r, q, u);
    for (int i = 0; i < r->model->dofs; i++) {
        f[i] = r->normal[i] + r->tangential[i];
    }
}

static int compare_tangent(rig *r, double tolerance)
{
    const double h = 1e-7, rate = 900;
    const int d = r->model->dimension;
    double du[SIZE], x[SIZE], y[SIZE], plus[SIZE], minus[SIZE];
    double most[2] = {0, 0}; /* of places, and of slopes and turns, which are smaller */
    haw_system *system;
    assert_int_equal(haw_system_create(r->context, r->model, NULL, NULL, &system), HAW_OK);
    evaluate(r, r->q, r->u);
    const int closed = haw_compliant_closed(r->compliant);
    assert_int_equal(haw_compliant_couple(r->compliant, system), HAW_OK);
    haw_system_clear(system);
    haw_compliant_tangent(r->compliant, rate, system);
    for (int i = 0; i < system->equations; i++) {
        x[i] = du[system->dof[i]] = number(r, 1);
        y[i] = 0;
    }
    if (closed > 0) {
        haw_matrix_multiply(system->matrix, -1, x, y);
    }
    push_there(r, h, rate, du, plus);
    push_there(r, -h, rate, du, minus);
    for (int i = 0; i < system->equations; i++) {
        const int dof = system->dof[i];
        most[dof % (2 * d) / d] =
            fmax(most[dof % (2 * d) / d], fabs(plus[dof] - minus[dof]) / (2 * h));
    }
    for (int i = 0; i < system->equations; i++) {
        const int dof = system->dof[i];
        assert_near(y[i], (plus[dof] - minus[dof]) / (2 * h), tolerance * most[dof % (2 * d) / d],
                    0);
    }
    haw_system_free(system);
    return closed;
}

/* Forces on both sides cancel, and their moments. */
static void balance(rig *r)
{
    double u[SIZE];
    for (int k = 0; k < 6; k++) {
        double sum = 0, size = 0;
        rigid_motion(r->model, r->q, k, u);
        for (int i = 0; i < r->model->dofs; i++) {
            sum += u[i] * r->normal[i];
            size += fabs(u[i] * r->normal[i]);
        }
        assert_near(sum, 0, 1e-12 * size + 1e-15, 0);
    }
}

static const char *const laws[] = {"regularized", "bristle", "lugre"};

static void the_tangent_is_the_derivative_of_the_forces(void **state)
{
    static const struct {
        int dimension;
        const char *element[2];
        double turn, tolerance;
    } of[] = {{3, {"ancf", "ancf"}, 0.1, 2e-6},         {3, {"chain", "ancf"}, 0.1, 2e-6},
              {3, {"ancf", "bezier"}, 0.1, 2e-6},       {3, {"se3", "se3"}, 0.1, 1e-3},
              {3, {"corotational", "ancf"}, 0.1, 1e-3}, {2, {"ancf", "ancf"}, 0.02, 2e-6},
              {2, {"chain", "bezier-c0"}, 0.02, 2e-6},  {2, {"ancf", "bezier"}, 0.02, 2e-6}};

    (void)state;
    for (int k = 0; k < 8 * 3 * ARMS; k++) {
        const int kind = k / (3 * ARMS);
        rig r;
        int met = 0;
        open_rig(&r, of[kind].dimension, of[kind].element[0], of[kind].element[1],
                 laws[k / ARMS % 3], k % ARMS);
        for (int seed = 0; seed < SEEDS; seed++) {
            cross(&r, of[kind].turn);
            met += compare_tangent(&r, of[kind].tolerance) > 0;
            evaluate(&r, r.q, r.u);
            balance(&r);
        }
        assert_in_range(met, 3, SEEDS);
        close_rig(&r);
    }
}

/* Points in contact that were outside where the step began. */
static int count_entries(const rig *r)
{
    const haw_contacts *near = haw_compliant_near(r->compliant);
    int entries = 0;
    for (int i = 0; near != NULL && i < near->count; i++) {
        const haw_touch *touch = &near->item[i];
        entries += touch->gap < 0 && haw_contacts_gap(near, touch, r->state->q) > 0;
    }
    return entries;
}

/* Two straight lines of five chords that cross in their middles, the second one so far above the
 * first and so far along it. */
static void cross_straight(const rig *r, double height, double along, double *q)
{
    for (int k = 0; k < 2; k++) {
        double *node = q + r->model->cable[k].first_q;
        for (int i = 0; i <= ELEMENTS; i++, node += 3) {
            const double place = (i - 0.5 * ELEMENTS) * le;
            const double x[3] = {k == 0 ? place : along, k == 0 ? 0 : place, k == 0 ? 0 : height};
            memcpy(node, x, sizeof x);
        }
    }
}

/* Friction on the second line along the first one, of bristles that stick, at the end of a step
 * that began at a height, after so long a way. */
static double rub(rig *r, double height, double way)
{
    double sum = 0;
    cross_straight(r, height, 0, r->state->q);
    memset(r->u, 0, sizeof r->u);
    haw_compliant_reset(r->state);
    haw_compliant_begin(r->compliant, r->state, HAW_DYNAMICS, 1e-3);
    cross_straight(r, 2 * radius - 1e-5, way, r->q);
    evaluate(r, r->q, r->u);
    assert_int_equal(haw_compliant_closed(r->compliant), 2); /* the middle of each */
    for (int i = 0; i <= ELEMENTS; i++) {
        sum += r->tangential[r->model->cable[1].first + 3 * i];
    }
    return sum;
}

/* A step that brings lines together and along each other bends their bristles as one that begins
 * where they meet: the way before has none. */
static void bristles_begin_where_points_meet(void **state)
{
    static const double part[] = {0.5, 0.25};
    rig r;
    (void)state;
    open_rubbing(&r, 3, "chain", "chain", "bristle", 0, 30);
    for (int i = 0; i < 2; i++) {
        const double met = rub(&r, 2 * radius, part[i] * 2e-6);
        assert_near(met, -1e6 * part[i] * 2e-6, 0, 1e-3);
        assert_near(rub(&r, 2 * radius - 1e-5 + 1e-5 / part[i], 2e-6), met, 0, 1e-3);
    }
    close_rig(&r);
}

/* Bristles of points without a history: those that came in bend from their entry on. */
static void the_tangent_holds_where_points_come_in(void **state)
{
    static const struct {
        int dimension;
        const char *element[2];
        double turn;
        int seeds;
    } of[] = {{3, {"ancf", "ancf"}, 0.1, 4 * SEEDS},
              {3, {"chain", "bezier"}, 0.1, SEEDS},
              {2, {"ancf", "bezier"}, 0.02, SEEDS}};

    (void)state;
    for (int k = 0; k < 3 * 2; k++) { /* slips, sticks */
        rig r;
        int entries = 0;
        open_rubbing(&r, of[k / 2].dimension, of[k / 2].element[0], of[k / 2].element[1], "bristle",
                     0, k % 2 == 0 ? 0.3 : 30);
        for (int seed = 0; seed < of[k / 2].seeds; seed++) {
            cross_from(&r, of[k / 2].turn, 2e-3);
            haw_compliant_reset(r.state);
            haw_compliant_begin(r.compliant, r.state, HAW_DYNAMICS, 1e-3);
            (void)compare_tangent(&r, 2e-6);
            evaluate(&r, r.q, r.u);
            balance(&r);
            entries += count_entries(&r);
        }
        assert_true(entries > 3);
        close_rig(&r);
    }
}

/* Least distance of two lines less both radii, by samples whose window shrinks about the least. */
static double least_gap(const rig *r)
{
    enum { SAMPLES = 200, ZOOMS = 8 };

    double at[2] = {0.5 * ELEMENTS, 0.5 * ELEMENTS}, width = 0.5 * ELEMENTS, least = 0;
    for (int zoom = 0; zoom < ZOOMS; zoom++) {
        static double x[2][SAMPLES + 1][3];
        double place[2][SAMPLES + 1];
        for (int k = 0; k < 2 * (SAMPLES + 1); k++) {
            const haw_cable *cable = &r->model->cable[k % 2];
            const int sample = k / 2;
            const double s = at[k % 2] + width * (2.0 * sample / SAMPLES - 1);
            const double inside = fmax(0, fmin(s, ELEMENTS * (1 - 1e-15)));
            const int e = (int)inside;
            haw_cable_point point;
            cable->ops->point(cable, e, inside - e, r->q, NULL, HAW_POINT_PLACE, &point);
            memcpy(x[k % 2][k / 2], point.x, sizeof point.x);
            place[k % 2][k / 2] = inside;
        }
        least = HUGE_VAL;
        for (int k = 0; k < (SAMPLES + 1) * (SAMPLES + 1); k++) {
            const double *a = x[0][k / (SAMPLES + 1)], *b = x[1][k % (SAMPLES + 1)];
            const double gap = hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) - 2 * radius;
            if (gap < least) {
                least = gap;
                at[0] = place[0][k / (SAMPLES + 1)];
                at[1] = place[1][k % (SAMPLES + 1)];
            }
        }
        width *= 0.05;
    }
    return least;
}

/* Points stand for the pieces beside them: with the dips of a configuration the deepest spring is
 * pressed as deep as lines overlap anywhere, on both sides; and with dips that stay the tangent is
 * the derivative and forces balance. */
static void springs_press_with_the_least_gap_beside_points(void **state)
{
    static const char *const element[][2] = {{"ancf", "ancf"}, {"ancf", "bezier"}};
    (void)state;
    for (int k = 0; k < 6; k++) {
        rig r;
        int met = 0, dips = 0;
        open_beside(&r, 3, element[k % 2][0], element[k % 2][1], laws[k / 2], 0, 0.3, true);
        for (int seed = 0; seed < SEEDS; seed++) {
            cross(&r, 0.1);
            met += compare_tangent(&r, 2e-6) > 0;
            evaluate(&r, r.q, r.u);
            balance(&r);
            (void)haw_compliant_refine(r.compliant);
            evaluate(&r, r.q, r.u);
            balance(&r);
            const haw_contacts *near = haw_compliant_near(r.compliant);
            double deepest[2] = {0, 0};
            for (int i = 0; near != NULL && i < near->count; i++) {
                const haw_touch *touch = &near->item[i];
                const int side = touch->side[0].cable;
                deepest[side] = fmin(deepest[side], touch->gap);
                dips += touch->gap <= 0 && touch->dip > 1e-3 * radius;
            }
            const double least = near != NULL ? least_gap(&r) : 0;
            assert_near(deepest[0], least, 1e-7 * radius, 0);
            assert_near(deepest[1], least, 1e-7 * radius, 0);
            assert_true(near == NULL ||
                        fabs(haw_compliant_gap(r.compliant, 0) - least) < 1e-7 * radius);
        }
        assert_in_range(met, 3, SEEDS);
        assert_true(dips > 0);
        close_rig(&r);
    }
}

/* Points that stick, or slip, by the bristles that the step would leave. */
static int count(rig *r, haw_regime regime)
{
    int found = 0;
    haw_contacts *contacts;
    assert_int_equal(haw_contacts_create(r->context, r->model, &contacts), HAW_OK);
    evaluate(r, r->q, r->u);
    const size_t bytes = (size_t)r->model->points * HAW_HISTORY * sizeof(double);
    double *before = test_malloc(bytes);
    memcpy(before, r->state->history, bytes);
    assert_int_equal(haw_compliant_commit(r->compliant, r->state, contacts), HAW_OK);
    for (int i = 0; i < r->model->points; i++) {
        found += r->state->history[(ptrdiff_t)i * HAW_HISTORY + 1] == (double)regime;
    }
    memcpy(r->state->history, before, bytes);
    test_free(before);
    haw_contacts_free(contacts);
    return found;
}

/* Forces of points that are near, with friction in their tangent planes. */
static void give(rig *r, double *given)
{
    const haw_contacts *near = haw_compliant_near(r->compliant);
    for (int i = 0; near != NULL && i < near->count; i++) {
        const haw_touch *touch = &near->item[i];
        double second[3], *own = given + (ptrdiff_t)HAW_GIVEN * touch->id;
        memset(own, 0, HAW_GIVEN * sizeof *own);
        vec3_cross(touch->normal, touch->tangent, second);
        own[0] = 100 + number(r, 50);
        vec3_add(number(r, 50), touch->tangent, own + 1);
        vec3_add(number(r, 50), second, own + 1);
    }
}

/* Friction holds all points, or none; or forces are given, whatever gaps and slips are. */
static void the_tangent_holds_where_all_points_stick_or_slip(void **state)
{
    static const haw_regime regime[] = {HAW_REGIME_STICK, HAW_REGIME_FORWARD};
    static const double friction[] = {1e3, 1e-3};
    (void)state;
    for (int k = 0; k < 2 * 2 * 2; k++) {
        const int slips = k % 2, gives = k / 2 % 2;
        rig r;
        int met = 0;
        open_rubbing(&r, 3, "ancf", k / 4 == 0 ? "ancf" : "chain", "bristle", k / 4,
                     friction[slips]);
        double *given = test_calloc((size_t)r.model->points * HAW_GIVEN, sizeof *given);
        for (int seed = 0; seed < SEEDS; seed++) {
            cross(&r, 0.1);
            met += count(&r, regime[slips]) > 0 && count(&r, regime[1 - slips]) == 0;
            haw_compliant_give(r.compliant, gives ? given : NULL, 0.3 * radius);
            evaluate(&r, r.q, r.u);
            give(&r, given);
            (void)compare_tangent(&r, 2e-6);
            haw_compliant_give(r.compliant, NULL, 0);
        }
        assert_in_range(met, 3, SEEDS);
        test_free(given);
        close_rig(&r);
    }
}

/* The first cable along y, at x = along. */
static void lie_across(rig *r, double along)
{
    memset(r->q, 0, sizeof r->q);
    for (int k = 0; k <= ELEMENTS; k++) {
        const haw_cable *a = &r->model->cable[0];
        double *x = r->q + a->ops->node_q(a, k);
        x[0] = along;
        x[1] = (k - 2) * le;
        x[2] = 1.98 * radius;
        x[4] = 1; /* slope along y */
    }
}

/* The ancf cable lies along y with its middle node above node 2 of a chain that has a valley there,
 * at x = along. */
static void lie_across_a_valley(rig *r, double valley, double along)
{
    lie_across(r, along);
    for (int k = 0; k <= ELEMENTS; k++) {
        const haw_cable *b = &r->model->cable[1];
        double *y = r->q + b->ops->node_q(b, k);
        y[0] = (k - 2) * le;
        y[2] = valley * fabs(y[0]);
    }
    haw_compliant_reset(r->state);
    haw_compliant_begin(r->compliant, r->state, HAW_STATICS, 0);
}

/* Every point has stuck since the last step, its bristle bent by so much across the valley [m]. */
static void stick_all(rig *r, double across)
{
    memcpy(r->state->q, r->q, (size_t)r->model->coordinates * sizeof *r->q);
    for (int i = 0; i < r->model->points; i++) {
        double *history = r->state->history + (ptrdiff_t)i * HAW_HISTORY;
        history[1] = HAW_REGIME_STICK;
        history[3] = across;
    }
}

/* In a valley that is deep the same point touches both slopes, and each presses by itself. */
static void the_tangent_holds_at_two_feet(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        rig r;
        open_rubbing(&r, 3, "ancf", "chain", "bristle", 0, k % 2 == 0 ? 1e3 : 1e-3);
        lie_across_a_valley(&r, k < 2 ? 0.2 : 0.3, 1e-4);
        for (int i = 0; i < r.model->dofs; i++) {
            r.u[i] = number(&r, 0.05);
        }
        stick_all(&r, 1e-3);
        haw_compliant_begin(r.compliant, r.state, HAW_DYNAMICS, 1e-3);
        evaluate(&r, r.q, r.u);
        int twice = 0;
        const haw_contacts *near = haw_compliant_near(r.compliant);
        for (int i = 1; i < near->count; i++) {
            twice += near->item[i].element == near->item[i - 1].element &&
                     near->item[i].s == near->item[i - 1].s &&
                     near->item[i].on != near->item[i - 1].on;
        }
        assert_true(twice > 0);
        assert_true(compare_tangent(&r, 1e-6) > 0);
        close_rig(&r);
    }
}

/* Beside node n of a ring of two elements without bending, which is as straight there as a chain:
 * four equal legs of one control polygon to either side, the other ends far above. */
static void lie_in_a_ring(rig *r, double valley, double along, int n)
{
    const haw_cable *ring = &r->model->cable[1];
    lie_across(r, along);
    for (int k = 0; k < 7; k++) { /* two elements of three legs each */
        const int left = (k - 3 * n + 9) % 6 - 3;
        double *x = r->q + ring->ops->node_q(ring, 0) + (ptrdiff_t)3 * k;
        x[0] = abs(left) < 3 ? left * le : 0;
        x[2] = abs(left) < 3 ? valley * fabs(x[0]) : 5 * le;
    }
    haw_compliant_reset(r->state);
    haw_compliant_begin(r->compliant, r->state, HAW_STATICS, 0);
}

/* Cables of which the first lies along y over an angle of the second at its node n, at x = along;
 * n < 0: node 2 of a chain, else of a ring. */
static void press_in_a_valley(rig *r, int n)
{
    const double valley = 0.003, reach = 1.5 * valley * 2 * radius;
    double last = 0, most = 0;
    int closed[2] = {1000, 0};
    for (int k = -100; k <= 100; k++) {
        double force = 0;
        if (n < 0) {
            lie_across_a_valley(r, valley, 0.01 * k * reach);
        } else {
            lie_in_a_ring(r, valley, 0.01 * k * reach, n);
        }
        evaluate(r, r->q, r->u);
        for (int node = 0; node <= ELEMENTS; node++) {
            force += r->normal[r->model->cable[0].ops->node_dof(&r->model->cable[0], node) + 2];
        }
        most = k > -100 ? fmax(most, fabs(force - last)) : most;
        last = force;
        const int now = haw_compliant_closed(r->compliant);
        closed[0] = now < closed[0] ? now : closed[0];
        closed[1] = now > closed[1] ? now : closed[1];
    }
    assert_true(closed[1] > closed[0]);
    assert_true(last > 0 && most < 1e-4 * last);
}

/* A point on the inner side of an angle has two feet beside the node, and then one: no force may
 * jump by that. A ring of two elements has two such nodes between the same elements. */
static void two_feet_beside_a_node_press_as_one(void **state)
{
    haw_path_segment half = {.kind = HAW_PIECE_ARC, .radius = le / 3, .angle_deg = 180};
    haw_path_segment path[2] = {half, half};
    haw_cable_spec cable[2] = {walk_cable("a", "ancf", ELEMENTS, le, radius),
                               walk_cable("b", "bezier-c0", 2, le, radius)};
    rig r;
    (void)state;
    open_rig(&r, 3, "ancf", "chain", "regularized", 0);
    press_in_a_valley(&r, -1);
    close_rig(&r);
    cable[1].closed = true;
    cable[1].from[0] = le / 3;
    cable[1].segments = 2;
    cable[1].path = path;
    open_cables(&r, 3, cable, "regularized", 0, 0.3, false);
    for (int n = 0; n < 2; n++) {
        press_in_a_valley(&r, n);
    }
    close_rig(&r);
}

/* Two feet beside a node of which one takes over from the other: the share changes with both. */
static void the_tangent_holds_where_two_feet_share(void **state)
{
    const double valley = 0.003, reach = 1.5 * valley * 2 * radius;
    (void)state;
    for (int k = 0; k < 12; k++) {
        rig r;
        open_rubbing(&r, 3, "ancf", "chain", laws[k % 3], 0, k < 6 ? 1e3 : 0.3);
        lie_across_a_valley(&r, valley, 0.1 * (k - 5.5) * reach);
        for (int i = 0; i < r.model->dofs; i++) {
            r.u[i] = number(&r, 0.05);
        }
        stick_all(&r, 1e-4);
        haw_compliant_begin(r.compliant, r.state, HAW_DYNAMICS, 1e-3);
        assert_true(compare_tangent(&r, 1e-6) > 0);
        close_rig(&r);
    }
}

TEST_FILE(test_line_press)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tangent_is_the_derivative_of_the_forces),
        cmocka_unit_test(bristles_begin_where_points_meet),
        cmocka_unit_test(the_tangent_holds_where_points_come_in),
        cmocka_unit_test(the_tangent_holds_where_all_points_stick_or_slip),
        cmocka_unit_test(the_tangent_holds_at_two_feet),
        cmocka_unit_test(two_feet_beside_a_node_press_as_one),
        cmocka_unit_test(the_tangent_holds_where_two_feet_share),
        cmocka_unit_test(springs_press_with_the_least_gap_beside_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
