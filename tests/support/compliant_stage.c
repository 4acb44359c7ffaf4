/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/compliant_stage.h"

void stage_init(compliant_stage *s)
{
    memset(s, 0, sizeof *s);
    assert_int_equal(haw_context_create(NULL, &s->context), HAW_OK);
    for (int i = 0; i < STAGE_BODIES; i++) {
        s->body[i] = haw_body_spec_default();
        s->body[i].name = i == STAGE_DISK ? "disk" : "other";
        s->body[i].shape = "circle";
        s->body[i].shape_options[0] = i == STAGE_DISK ? 0.12 : 0.05;
        s->body[i].mass = 2;
    }
    s->cable = haw_cable_spec_default();
    s->cable.name = "cable";
    s->cable.element = "ancf";
    s->cable.elements = 1;
    s->cable.from[0] = s->cable.from[1] = s->cable.to[1] = 0;
    s->cable.to[0] = 0.3;
    s->cable.stiffness = 8000;
    s->cable.bending_stiffness = 2;
    s->cable.density = 0.8288;
    s->cable.ends[0].kind = s->cable.ends[1].kind = HAW_END_FREE;
    s->contact = haw_contact_spec_default();
    s->contact.between[0] = "cable";
    s->contact.between[1] = "disk";
    s->contact.law = "penalty";
    s->contact.normal = "linear";
    s->contact.tangential = "bristle";
    s->contact.kinematics = HAW_KINEMATICS_CHORD;
    s->contact.points_per_element = 4;
}

static void stage_require(compliant_stage *s, haw_status status)
{
    if (status != HAW_OK) {
        fail_msg("%s", haw_context_message(s->context));
    }
}

void stage_build_scene(compliant_stage *s, const haw_scene *scene)
{
    stage_require(s, haw_model_build(s->context, scene, &s->model));
    stage_require(s, haw_state_create(s->context, s->model, &s->state));
    stage_require(s, haw_compliant_create(s->context, s->model, &s->compliant));
    stage_require(s, haw_contacts_create(s->context, s->model, &s->contacts));
    stage_require(s, haw_system_create(s->context, s->model, NULL, NULL, &s->system));
    s->dofs = haw_model_dofs(s->model);
    double **const vector[] = {&s->q, &s->u, &s->normal, &s->tangential, &s->total};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
        *vector[i] = calloc((size_t)s->model->coordinates, sizeof(double));
        assert_non_null(*vector[i]);
    }
    haw_compliant_reset(s->state);
    memcpy(s->q, s->state->q, (size_t)s->model->coordinates * sizeof(double));
    memcpy(s->u, s->state->u, (size_t)s->dofs * sizeof(double));
}

void stage_build(compliant_stage *s)
{
    const haw_scene scene = {.bodies = STAGE_BODIES,
                             .body = s->body,
                             .cables = 1,
                             .cable = &s->cable,
                             .contacts = 1,
                             .contact = &s->contact};
    stage_build_scene(s, &scene);
}

void stage_evaluate(compliant_stage *s)
{
    memset(s->normal, 0, (size_t)s->dofs * sizeof(double));
    memset(s->tangential, 0, (size_t)s->dofs * sizeof(double));
    stage_require(s, haw_compliant_evaluate(s->compliant, s->q, s->u, s->normal, s->tangential));
    for (int i = 0; i < s->dofs; i++) {
        s->total[i] = s->normal[i] + s->tangential[i];
    }
}

void stage_commit(compliant_stage *s)
{
    s->contacts->count = 0;
    stage_require(s, haw_compliant_commit(s->compliant, s->state, s->contacts));
}

/* Commit at (q, u) and list; the number of rates. */
static int stage_list(compliant_stage *s)
{
    stage_evaluate(s);
    stage_commit(s);
    return s->contacts->dimension * s->contacts->count;
}

void stage_check_listed(compliant_stage *s, double h, double tolerance)
{
    const int rows = stage_list(s);
    const size_t numbers = 3 * (size_t)rows + 2 * (size_t)s->dofs;
    double *keep = calloc(numbers, sizeof *keep);
    double *const impulse = keep, *rate = impulse + rows, *sum = rate + rows, *u = sum + rows;
    double *const force = u + s->dofs, size = 0;
    assert_non_null(keep);
    assert_true(rows > 0);
    memcpy(impulse, s->contacts->impulse, (size_t)rows * sizeof *impulse);
    memcpy(rate, s->contacts->gamma_plus, (size_t)rows * sizeof *rate);
    memcpy(u, s->u, (size_t)s->dofs * sizeof *u);
    memcpy(force, s->total, (size_t)s->dofs * sizeof *force);
    for (int a = 0; a < s->dofs; a++) {
        size = fmax(size, fabs(force[a]));
    }
    for (int a = 0; a < s->dofs; a++) { /* row a: rates of its unit velocity */
        double moved = 0;
        memset(s->u, 0, (size_t)s->dofs * sizeof *s->u);
        s->u[a] = 1;
        assert_int_equal(stage_list(s), rows);
        for (int i = 0; i < rows; i++) {
            moved += s->contacts->gamma_plus[i] * impulse[i];
            sum[i] += s->contacts->gamma_plus[i] * u[a];
        }
        assert_near(moved, h * force[a], h * tolerance * size, tolerance);
    }
    for (int i = 0; i < rows; i++) {
        assert_near(sum[i], rate[i], tolerance, tolerance);
    }
    memcpy(s->u, u, (size_t)s->dofs * sizeof *u);
    free(keep);
}

double *stage_body(const compliant_stage *s, double *vector, int body)
{
    return vector + s->model->body[body].first;
}

double *stage_cable(const compliant_stage *s, double *vector)
{
    return vector + s->model->cable[0].first;
}

double *stage_history(const compliant_stage *s, int id)
{
    return s->state->history + (ptrdiff_t)id * HAW_HISTORY;
}

void stage_drop(compliant_stage *s)
{
    free(s->q);
    free(s->u);
    free(s->normal);
    free(s->tangential);
    free(s->total);
    haw_system_free(s->system);
    haw_contacts_free(s->contacts);
    haw_compliant_free(s->compliant);
    haw_state_free(s->context, s->state);
    haw_model_free(s->model);
    s->model = NULL;
}

void stage_close(compliant_stage *s)
{
    stage_drop(s);
    haw_context_free(s->context);
}
