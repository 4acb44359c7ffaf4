/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bodies that touch with their corners: gaps against distances of sampled outlines, rows against
 * central differences of gaps, both sides in balance.
 */
#include "base/lie.h"
#include "contact/contact.h"
#include "stepper/simulation.h"
#include "support/random.h"
#include "support/scenario.h"

#include <math.h>

enum { TEXT = 1024, SAMPLES = 400, DRAWS = 200, DOFS = 12, TOUCHES = 64 };

static const double reach = 0.05; /* gaps that are listed [m] */
static const double DEPTH = 5e-3; /* deeper in, at a corner, the nearest side may be another [m] */

typedef struct couple {
    int dimension;
    const char *shape[2];
} couple;

/* Those of a sharp box have no samples between its corners, where its edges are. */
static const couple couples[] = {
    {2, {"capsule, radius: 0.1, length: 0.5", "capsule, radius: 0.06, length: 0.3"}},
    {2, {"box, length: 0.5, height: 0.3", "box, length: 0.3, height: 0.4, radius: 0.05"}},
    {2, {"box, length: 0.5, height: 0.3, radius: 0.15", "box, length: 0.3, height: 0.4"}},
    {2, {"capsule, radius: 0.1, length: 0.5", "box, length: 0.3, height: 0.4, radius: 0.02"}},
    {2, {"circle, radius: 0.2", "box, length: 0.3, height: 0.4, radius: 0.02"}},
    {2, {"plane", "box, length: 0.3, height: 0.4"}},
    {2, {"capsule, radius: 0.1, length: 0.5", "circle, radius: 0.2"}},
    {3, {"capsule, radius: 0.1, length: 0.5", "capsule, radius: 0.06, length: 0.3"}},
    {3, {"plane", "capsule, radius: 0.1, length: 0.5"}},
    {3, {"cylinder, radius: 0.2", "capsule, radius: 0.1, length: 0.5"}},
    {3, {"sphere, radius: 0.2", "capsule, radius: 0.1, length: 0.5"}},
    {3, {"plane", "box, length: 0.3, width: 0.5, height: 0.4"}},
    {3, {"sphere, radius: 0.2", "box, length: 0.3, width: 0.5, height: 0.4, radius: 0.02"}},
    {3,
     {"capsule, radius: 0.05, length: 0.5",
      "box, length: 0.3, width: 0.5, height: 0.4, radius: 0.02"}},
    {3,
     {"box, length: 0.5, width: 0.1, height: 0.3, radius: 0.02",
      "box, length: 0.3, width: 0.5, height: 0.4, radius: 0.03"}},
};

static uint64_t seed = 4711;

static void open_couple(scenario_run *run, const couple *c, char *text)
{
    const char *zero = c->dimension == 2 ? "" : ", 0";
    (void)snprintf(text, TEXT,
                   "hawser: 1\ndimension: %d\ngravity: [0, 0%s]\nbodies:\n"
                   "  - {name: a, shape: {type: %s}, mass: 2, inertia: 1, position: [0, 0%s]}\n"
                   "  - {name: b, shape: {type: %s}, mass: 3, inertia: 1, position: [0, 9%s]}\n"
                   "contact: [{between: [a, b], friction: 0.3}]\n"
                   "stepper: {type: moreau, step: 1.0e-4, end: 0.1}\n",
                   c->dimension, zero, c->shape[0], zero, c->shape[1],
                   c->dimension == 2 ? "" : ", 9");
    scenario_init(run, "couple");
    run->text = text;
    scenario_open(run);
}

/* Any attitude and place at which they are near. */
static void draw(const scenario_run *run, double *q)
{
    const haw_model *model = run->model;
    double u[DOFS];
    for (int i = 0; i < model->dofs; i++) {
        const bool turns = i % (model->dofs / 2) >= model->dimension;
        u[i] = (turns ? 3 : i < model->dofs / 2 ? 0 : 0.4) * random_signed(&seed);
    }
    memcpy(q, haw_simulation_frame(run->simulation)->state->q,
           (size_t)model->coordinates * sizeof *q);
    for (int i = 0; i < model->dimension; i++) {
        q[model->body[1].first_q + i] = 0;
    }
    haw_model_move(model, q, 1, u, q);
}

static haw_contacts *detect(const scenario_run *run, const double *q)
{
    haw_contacts *contacts = run->simulation->contacts;
    contacts->margin = reach;
    assert_int_equal(haw_contacts_detect(contacts, q, NULL, 0), HAW_OK);
    return contacts;
}

static double gap_of(const haw_contacts *contacts, int id)
{
    for (int i = 0; i < contacts->count; i++) {
        if (contacts->item[i].id == id) {
            return contacts->item[i].gap;
        }
    }
    return (double)NAN;
}

/* ---- distances ---- */

static double outline[2][SAMPLES + 1][2];

/* A place of the outline or of the axis of a body, and the radius around it. */
static double sample(const scenario_run *run, int body, const double *q, int k, double x[3])
{
    const haw_body *b = &run->model->body[body];
    const haw_surface_ops *ops = b->surface.ops;
    double at[3] = {0, 0, 0};
    haw_cable_point point;
    double radius = 0;
    if (ops->corners == 1 || ops->edges > 0) {
        radius = haw_body_radius(b);
        if (ops->edges > 0) {
            const int edge = k / (SAMPLES + 1), place = k % (SAMPLES + 1);
            ops->corner(&b->surface, ops->first_edge + 2.0 * edge + (double)place / SAMPLES, at);
        }
    } else {
        memcpy(at, outline[body][k], sizeof outline[body][k]);
    }
    run->model->kind->point(b, q, at, &point);
    memcpy(x, point.x, sizeof point.x);
    return radius;
}

/* The least gap of the samples of either body over the other one's surface. */
static double sampled_gap(const scenario_run *run, const double *q)
{
    double least = HUGE_VAL, x[3], normal[3];
    for (int body = 0; body < 2; body++) {
        const haw_body *other = &run->model->body[1 - body];
        const haw_surface_ops *own = run->model->body[body].surface.ops;
        const int lines = own->edges > 1 ? own->edges : 1;
        for (int k = 0; k < (SAMPLES + 1) * lines && own->corners > 0; k++) {
            const double radius = sample(run, body, q, k, x);
            const double gap = run->model->kind->gap(other, q + other->first_q, x, normal);
            least = fmin(least, gap - radius);
        }
    }
    return least;
}

/* Their middles are inside each other: no contact leads there. */
static bool crosses(const scenario_run *run, const double *q)
{
    bool any = false;
    for (int i = 0; i < 2; i++) {
        const haw_body *other = &run->model->body[1 - i];
        double x[3] = {0, 0, 0}, normal[3];
        memcpy(x, q + run->model->body[i].first_q, (size_t)run->model->dimension * sizeof *x);
        const bool is_bounded = isfinite(haw_body_inner(&run->model->body[i]));
        any =
            any || (is_bounded && run->model->kind->gap(other, q + other->first_q, x, normal) < 0);
    }
    return any;
}

/* ---- rows ---- */

static double row_times(const haw_touch *touch, int k, const double *u)
{
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        for (int a = 0; a < touch->side[side].count; a++) {
            sum += touch->side[side].row[k][a] * u[haw_side_dof(&touch->side[side], a)];
        }
    }
    return sum;
}

/* Neither moves the other: no rigid motion of both makes a rate of a touch, but for the part of the
 * gap that friction is away from where it acts. */
static void check_rigid(const scenario_run *run, const double *q, const haw_touch *touch)
{
    const haw_model *model = run->model;
    const int turns = model->dimension == 2 ? 1 : 3;
    for (int axis = 0; axis < turns; axis++) {
        double u[DOFS] = {0}, w[3] = {0, 0, turns == 1 ? 1 : 0}, v[3], local[3], r[9];
        w[axis] = turns == 1 ? w[axis] : 1;
        for (int i = 0; i < 2; i++) {
            const haw_body *b = &model->body[i];
            const double x[3] = {q[b->first_q], q[b->first_q + 1],
                                 turns == 1 ? 0 : q[b->first_q + 2]};
            const double spin[3] = {0, 0, 1};
            vec3_cross(turns == 1 ? spin : w, x, v);
            memcpy(u + b->first, v, (size_t)model->dimension * sizeof *u);
            if (turns == 1) {
                u[b->first + 2] = 1;
            } else {
                quaternion_matrix(q + b->first_q + 3, r);
                mat3_apply_t(r, w, local);
                memcpy(u + b->first + 3, local, sizeof local);
            }
        }
        assert_near(row_times(touch, 0, u), 0, 1e-14, 0);
        for (int k = 1; k < model->dimension; k++) {
            assert_near(row_times(touch, k, u), 0, 1e-14 + (turns == 1 ? fabs(touch->gap) : 0), 0);
        }
    }
}

static int check_rows(const scenario_run *run, const double *q)
{
    static const double small = 1e-6;
    double u[DOFS], moved[2][14];
    haw_touch kept[TOUCHES];
    const haw_contacts *contacts = detect(run, q);
    const int count = contacts->count, n = run->model->dofs;
    int compared = 0;
    assert_in_range(count, 0, TOUCHES);
    memcpy(kept, contacts->item, (size_t)count * sizeof *kept);
    for (int i = 0; i < n; i++) {
        u[i] = random_signed(&seed);
    }
    haw_model_move(run->model, q, small, u, moved[0]);
    haw_model_move(run->model, q, -small, u, moved[1]);
    for (int i = 0; i < count; i++) {
        const double ahead = gap_of(detect(run, moved[0]), kept[i].id);
        const double behind = gap_of(detect(run, moved[1]), kept[i].id);
        check_rigid(run, q, &kept[i]);
        if (!isnan(ahead + behind) &&
            fabs(ahead + behind - 2 * kept[i].gap) < small * small * 1e4) {
            assert_near((ahead - behind) / (2 * small), row_times(&kept[i], 0, u), 1e-7, 0);
            compared++;
        }
    }
    return compared;
}

static void corners_find_what_is_nearest(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof couples / sizeof *couples; i++) {
        char text[TEXT];
        scenario_run run;
        int near = 0, compared = 0, floats = 0;
        double most = 0;
        open_couple(&run, &couples[i], text);
        for (int body = 0; body < 2; body++) {
            const haw_surface *surface = &run.model->body[body].surface;
            if (surface->ops->draw != NULL && couples[i].dimension == 2) {
                surface->ops->draw(surface, SAMPLES + 1, outline[body]);
            }
        }
        for (int k = 0; k < DRAWS * 10 && near < DRAWS; k++) {
            double q[14], least = HUGE_VAL;
            draw(&run, q);
            const double want = sampled_gap(&run, q);
            if (want > 0.8 * reach || want < -DEPTH || crosses(&run, q)) {
                continue;
            }
            near++;
            const haw_contacts *contacts = detect(&run, q);
            for (int j = 0; j < contacts->count; j++) {
                least = fmin(least, contacts->item[j].gap);
                floats += contacts->item[j].floats;
            }
            /* samples are a hundredth of a side apart */
            most = fmax(most, want - least);
            assert_true(least <= want + 1e-12);
            assert_true(want - least < 2e-3);
            compared += check_rows(&run, q);
        }
        print_message("%s on %s: %d near, %d rows, %d nearest of an axis, samples %.2g m off\n",
                      couples[i].shape[0], couples[i].shape[1], near, compared, floats, most);
        assert_in_range(near, 20, DRAWS);
        assert_in_range(compared, near, TOUCHES * DRAWS);
        const bool crosses = couples[i].dimension == 3 && strstr(text, "plane") == NULL &&
                             strstr(text, "sphere") == NULL;
        assert_true(!crosses || floats > 10);
        scenario_close(&run);
    }
}

TEST_FILE(test_corners)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_find_what_is_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
