/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/rope_rig.h"

void rope_case_init(rope_case *c)
{
    memset(c, 0, sizeof *c);
    for (int i = 0; i < 3; i++) {
        c->body[i] = haw_body_spec_default();
    }
    c->body[0].name = "sheave";
    c->body[0].shape = "circle";
    c->body[0].shape_options[0] = 1;
    c->body[0].motion = HAW_MOTION_FIXED;
    c->reeving = (haw_reeving_spec){.on = "sheave", .side = HAW_SIDE_RIGHT};
    c->cable = haw_cable_spec_default();
    c->cable.name = "rope";
    c->cable.element = "ale";
    c->cable.stiffness = 1e4;
    c->cable.density = 0.1;
    for (int j = 0; j < 2; j++) {
        c->cable.from[j] = c->cable.to[j] = 0;
    }
    c->cable.sheaves = 1;
    c->cable.reeving = &c->reeving;
    c->contact = haw_contact_spec_default();
    c->contact.between[0] = "rope";
    c->contact.between[1] = "sheave";
    c->scene = (haw_scene){.dimension = 2,
                           .bodies = 1,
                           .body = c->body,
                           .cables = 1,
                           .cable = &c->cable,
                           .contact = &c->contact};
}

/* ---- explicit integration ---- */

const haw_rope *rope_rig_rope(const rope_rig *r)
{
    return r->model->cable[0].rope;
}

static double *rope_rig_room(rope_rig *r, int count)
{
    double *room = haw_arena_allocate(&r->arena, (size_t)count, sizeof *room);
    assert_non_null(room);
    return room;
}

void rope_rig_open(rope_rig *r, const rope_case *c)
{
    memset(r, 0, sizeof *r);
    assert_int_equal(haw_context_create(NULL, &r->context), HAW_OK);
    if (haw_model_build(r->context, &c->scene, &r->model) != HAW_OK) {
        fail_msg("%s", haw_context_message(r->context));
    }
    assert_int_equal(haw_state_create(r->context, r->model, &r->state), HAW_OK);
    haw_arena_init(&r->arena, r->context);
    const haw_cable *cable = &r->model->cable[0];
    const int n = r->model->dofs;
    r->dof = haw_arena_allocate(&r->arena, (size_t)n, sizeof *r->dof);
    assert_non_null(r->dof);
    for (int i = 0; i < cable->line.dofs; i++) {
        if (!cable->held[i]) {
            r->dof[r->unknowns++] = cable->first + i;
        }
    }
    double **room[] = {&r->f,        &r->d,        &r->a,      &r->x,
                       &r->start[0], &r->start[1], &r->sum[0], &r->sum[1]};
    for (size_t k = 0; k < sizeof room / sizeof *room; k++) {
        *room[k] = rope_rig_room(r, n);
    }
    r->drawn = rope_rig_room(r, cable->rope->labels);
    for (int i = 0; i < cable->rope->labels; i++) {
        r->drawn[i] = r->state->q[cable->rope->label[i]];
    }
    assert_int_equal(haw_lu_create_full(&r->arena, r->unknowns, &r->lu), HAW_OK);
}

void rope_rig_close(rope_rig *r)
{
    haw_lu_release(r->lu);
    haw_state_free(r->context, r->state);
    haw_arena_fini(&r->arena);
    haw_model_free(r->model);
    haw_context_free(r->context);
}

void rope_rig_set_mesh(rope_rig *r, double t)
{
    const haw_rope *rope = rope_rig_rope(r);
    memset(r->a, 0, (size_t)r->model->dofs * sizeof(double));
    for (int i = 0; i < rope->labels; i++) {
        double s[3] = {r->drawn[i], 0, 0};
        if (r->mesh != NULL) {
            r->mesh(r, i, t, s);
        }
        r->state->q[rope->label[i]] = s[0];
        r->state->u[rope->label[i]] = s[1];
        r->a[rope->label[i]] = s[2];
    }
}

static void rope_rig_mass(rope_rig *r)
{
    const haw_rope *rope = rope_rig_rope(r);
    const int n = r->unknowns, dofs = r->model->dofs;
    double *matrix = haw_lu_matrix(r->lu);
    int *place = haw_allocate(r->context, (size_t)dofs, sizeof *place);
    assert_non_null(place);
    for (int i = 0; i < n; i++) {
        place[r->dof[i]] = i + 1;
    }
    memset(matrix, 0, (size_t)n * (size_t)n * sizeof *matrix);
    for (int e = 0; e < rope->elements; e++) {
        const haw_rope_element *element = &rope->element[e];
        const haw_ale_kind *kind = &rope->kind[element->is_span ? 1 : 0];
        double local[HAW_ROPE_DOFS], m[HAW_ROPE_DOFS * HAW_ROPE_DOFS];
        haw_rope_gather(rope, e, r->state->q, local);
        kind->ops->mass(kind, &rope->section, local, m);
        for (int k = 0; k < kind->dofs * kind->dofs; k++) {
            const int i = place[element->dof[k / kind->dofs]];
            const int j = place[element->dof[k % kind->dofs]];
            if (i > 0 && j > 0) {
                matrix[n * (j - 1) + i - 1] += m[k];
            }
        }
    }
    haw_release(r->context, place);
}

/** Accelerations of the unknowns at the state and time t into a [dofs]. */
static void rope_rig_accelerate(rope_rig *r, double t)
{
    const haw_cable *cable = &r->model->cable[0];
    const haw_cable_ops *ops = cable->ops;
    const size_t bytes = (size_t)r->model->dofs * sizeof(double);
    const double *q = r->state->q, *u = r->state->u;
    rope_rig_set_mesh(r, t);
    memset(r->f, 0, bytes);
    memset(r->d, 0, bytes);
    ops->forces(cable, q, u, &(haw_forces){.conservative = r->f, .damping = r->f});
    ops->inertia(cable, q, u, r->a, r->d);
    rope_rig_mass(r);
    assert_int_equal(haw_lu_factor(r->lu, NULL), HAW_OK);
    for (int i = 0; i < r->unknowns; i++) {
        r->x[i] = r->f[r->dof[i]] - r->d[r->dof[i]];
    }
    haw_lu_solve(r->lu, r->x);
    for (int i = 0; i < r->unknowns; i++) {
        r->a[r->dof[i]] = r->x[i];
    }
}

void rope_rig_step(rope_rig *r, double h)
{
    static const double node[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    const size_t bytes = (size_t)r->model->dofs * sizeof(double);
    double *q = r->state->q, *u = r->state->u, t = r->state->t;
    memcpy(r->start[0], q, bytes);
    memcpy(r->start[1], u, bytes);
    memset(r->sum[0], 0, bytes);
    memset(r->sum[1], 0, bytes);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < r->unknowns; i++) {
            const int j = r->dof[i]; /* u and a are those of the stage before */
            const double v = u[j];
            q[j] = r->start[0][j] + (k > 0 ? node[k] * h * v : 0);
            u[j] = r->start[1][j] + (k > 0 ? node[k] * h * r->a[j] : 0);
        }
        rope_rig_accelerate(r, t + node[k] * h);
        for (int i = 0; i < r->unknowns; i++) {
            const int j = r->dof[i];
            r->sum[0][j] += weight[k] * u[j];
            r->sum[1][j] += weight[k] * r->a[j];
        }
    }
    for (int i = 0; i < r->unknowns; i++) {
        const int j = r->dof[i];
        q[j] = r->start[0][j] + h / 6 * r->sum[0][j];
        u[j] = r->start[1][j] + h / 6 * r->sum[1][j];
    }
    r->state->t = t + h;
    rope_rig_set_mesh(r, r->state->t);
}

double rope_rig_energy(const rope_rig *r)
{
    const haw_cable *cable = &r->model->cable[0];
    const haw_cable_ops *ops = cable->ops;
    double energy[2] = {0, 0};
    ops->energy(cable, r->state->q, energy);
    return energy[0] + energy[1] + ops->kinetic(cable, r->state->q, r->state->u);
}

void rope_rig_place(const rope_rig *r, double s, double x[2])
{
    const haw_cable *cable = &r->model->cable[0];
    haw_sample at;
    const int e = haw_rope_find(cable->rope, r->state->q, s);
    cable->ops->state(cable, e, s, r->state->q, NULL, &at);
    x[0] = at.x[0];
    x[1] = at.x[1];
}
