/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What every kind of cable must answer, whichever row it is: increments and their inverse, Jacobian
 * of a material point by differences, labels and bounds. One scene per row; the rows are those of
 * haw_cables.
 */
#include "cable/cable.h"
#include "model/dynamics.h"
#include "support/random.h"
#include "support/rope_ride.h"

#include <math.h>
#include <string.h>

enum { MOST = 2000 };

typedef struct stage {
    haw_context *context;
    haw_model *model;
    haw_state *state;
    const haw_cable *cable;
    double q[MOST], d[MOST];
} stage;

/* A cable in space that leaves no plane. */
static const haw_scene *spatial(haw_cable_spec *cable, haw_scene *scene)
{
    *cable = haw_cable_spec_default();
    cable->name = "yarn";
    cable->element = "se3";
    cable->elements = 6;
    cable->radius = 0.01;
    for (int i = 0; i < 3; i++) {
        cable->from[i] = 0;
        cable->to[i] = i + 1;
    }
    cable->stiffness = 100;
    cable->bending_stiffness = 1;
    cable->density = 0.1;
    *scene = (haw_scene){.dimension = 3, .cables = 1, .cable = cable};
    return scene;
}

/* A scene with a cable of the row, its coordinates moved a little. */
static void open_stage(stage *s, const haw_cable_ops *ops)
{
    static rope_ride ride;
    static disk_case disk;
    static haw_cable_spec yarn;
    static haw_scene space;
    const haw_scene *scene = &ride.scene;
    uint64_t seed = 7;
    if (ops->moves_along) {
        ride_elevator(&ride, ops->row.name);
        ride.cable.elements = 6;
    } else if (ops->dimension == 2) {
        disk_case_init(&disk);
        scene = disk_case_scene(&disk);
    } else {
        scene = spatial(&yarn, &space);
    }
    assert_int_equal(haw_context_create(NULL, &s->context), HAW_OK);
    assert_int_equal(haw_model_build(s->context, scene, &s->model), HAW_OK);
    assert_int_equal(haw_state_create(s->context, s->model, &s->state), HAW_OK);
    s->cable = &s->model->cable[0];
    assert_ptr_equal(s->cable->ops, ops);
    assert_in_range(s->model->coordinates, 1, MOST);
    for (int i = 0; i < s->model->dofs; i++) { /* what holds a sheave is known to its rope */
        const bool is_body = i < s->model->kind->dofs * s->model->bodies;
        const int body = i / s->model->kind->dofs, j = i % s->model->kind->dofs;
        const double way = 1e-3 * random_signed(&seed);
        s->d[i] = is_body && s->model->body[body].held[j] ? 0 : way;
    }
    haw_model_move(s->model, s->state->q, 1, s->d, s->q);
}

static void close_stage(stage *s)
{
    haw_state_free(s->context, s->state);
    haw_model_free(s->model);
    haw_context_free(s->context);
}

static void check_move(stage *s)
{
    double back[MOST];
    haw_model_difference(s->model, s->state->q, s->q, back);
    for (int i = 0; i < s->model->dofs; i++) {
        assert_near(back[i], s->d[i], 1e-12, 0);
    }
}

/* x(q + h d) - x(q - h d) = 2 h j d at the same material point. */
static void check_point(stage *s, int e, double local)
{
    const haw_cable_ops *ops = s->cable->ops;
    const haw_dofs dofs = ops->dofs(s->cable, e);
    const double h = 1e-3;
    double way[MOST], q[MOST];
    haw_cable_point at, side[2];
    ops->point(s->cable, e, local, s->q, NULL, HAW_POINT_JACOBIAN, &at);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < s->model->dofs; i++) {
            way[i] = (k == 0 ? -h : h) * s->d[i];
        }
        haw_model_move(s->model, s->q, 1, way, q);
        ops->point(s->cable, e, local, q, NULL, HAW_POINT_PLACE, &side[k]);
    }
    for (int i = 0; i < ops->dimension; i++) {
        double sum = 0;
        for (int a = 0; a < dofs.count; a++) {
            sum += at.j[i][a] * s->d[haw_dof_at(&dofs, a)];
        }
        assert_near((side[1].x[i] - side[0].x[i]) / (2 * h), sum, 1e-9, 1e-6);
    }
}

static void check_sample(stage *s, int e, double part)
{
    const haw_cable_ops *ops = s->cable->ops;
    haw_sample sample;
    haw_cable_point at;
    haw_bounds bounds;
    double local;
    ops->state(s->cable, e, haw_cable_local(s->cable, e, part, s->q), s->q, NULL, &sample);
    assert_int_equal(ops->locate(s->cable, s->q, sample.label, &local), e);
    ops->point(s->cable, e, local, s->q, NULL, HAW_POINT_PLACE, &at);
    ops->bounds(s->cable, e, s->q, &bounds);
    double square = 0;
    for (int i = 0; i < ops->dimension; i++) {
        assert_near(at.x[i], sample.x[i], 1e-9, 0);
        square += (at.x[i] - bounds.centre[i]) * (at.x[i] - bounds.centre[i]);
        if (ops->dimension == 2) {
            assert_true(at.x[i] >= bounds.min[i] - 1e-12 && at.x[i] <= bounds.max[i] + 1e-12);
        }
    }
    assert_true(ops->dimension == 2 || sqrt(square) <= bounds.radius * (1 + 1e-12));
    check_point(s, e, local);
}

/* Where a part of an element is. */
static void find_place(const stage *s, int e, double part, const double *q, double x[3])
{
    haw_cable_point at;
    const double local = haw_cable_local(s->cable, e, part, q);
    s->cable->ops->point(s->cable, e, local, q, NULL, HAW_POINT_PLACE, &at);
    memcpy(x, at.x, sizeof at.x);
}

/* Guards skip what cannot have come near: no place moves further than `reach` says, whichever
 * coordinate of the cable changes, and by however much. */
static void check_reach(stage *s, int dof, double change)
{
    const haw_cable *cable = s->cable;
    double d[MOST] = {0}, q[MOST];
    uint64_t seed = 11 + (uint64_t)dof;
    for (int i = 0; i < cable->line.dofs; i++) {
        d[cable->first + i] = dof < 0 ? change * random_signed(&seed) : i == dof ? change : 0;
    }
    haw_model_move(s->model, s->q, 1, d, q);
    const double reach = cable->ops->reach(cable, s->q, q);
    for (int e = 0; e < cable->line.elements; e++) {
        for (int k = 0; k <= 8; k++) {
            double from[3], to[3], square = 0;
            find_place(s, e, k / 8.0, s->q, from);
            find_place(s, e, k / 8.0, q, to);
            for (int i = 0; i < 3; i++) {
                square += (to[i] - from[i]) * (to[i] - from[i]);
            }
            if (sqrt(square) > reach * (1 + 1e-9) + 1e-12) {
                fail_msg("%s, dof %d, change %g, element %d, part %g: way %g, reach %g",
                         cable->ops->row.name, dof, change, e, k / 8.0, sqrt(square), reach);
            }
        }
    }
}

static void no_place_moves_further_than_its_kind_says(void **state)
{
    (void)state;
    for (int k = 0; haw_cables[k] != NULL; k++) {
        stage s;
        open_stage(&s, (const haw_cable_ops *)haw_cables[k]);
        for (int dof = -10; dof < s.cable->line.dofs; dof++) {
            check_reach(&s, dof, 1e-6);
            check_reach(&s, dof, 1e-3);
            check_reach(&s, dof, 1e-2);
        }
        close_stage(&s);
    }
}

static void every_kind_answers_for_its_points(void **state)
{
    (void)state;
    for (int k = 0; haw_cables[k] != NULL; k++) {
        stage s;
        open_stage(&s, (const haw_cable_ops *)haw_cables[k]);
        check_move(&s);
        for (int e = 0; e < s.cable->line.elements; e++) {
            check_sample(&s, e, 0.3);
            check_sample(&s, e, 0.8);
        }
        close_stage(&s);
    }
}

TEST_FILE(test_cables)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_answers_for_its_points),
        cmocka_unit_test(no_place_moves_further_than_its_kind_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
