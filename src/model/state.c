/* SPDX-License-Identifier: BSD-3-Clause */
/* State vectors: bodies first, then cables, both in the order of the scene. */
#include "model/rope.h"
#include "model/space.h"

#include <string.h>

/* One block: the struct, then q, u, a, the impulses and the histories; all begin as zero. */
haw_status haw_state_create(haw_context *context, const haw_model *model, haw_state **state)
{
    const size_t n = (size_t)model->dofs, coordinates = (size_t)model->coordinates;
    const size_t points = (size_t)model->points, rows = (size_t)model->dimension * points;
    const size_t numbers = coordinates + 3 * n + rows + HAW_HISTORY * points;
    *state = haw_allocate(context, 1, sizeof **state + numbers * sizeof(double));
    if (*state == NULL) {
        return HAW_ERR_NOMEM;
    }
    haw_state *s = *state;
    s->dimension = model->dimension;
    s->dofs = model->dofs;
    s->coordinates = model->coordinates;
    s->rows = (int)rows;
    s->q = (double *)(s + 1);
    s->u = s->q + coordinates;
    s->a = s->u + n;
    s->impulse = s->a + 2 * n;
    s->history = s->impulse + rows;
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        memcpy(s->q + body->first_q, body->start, haw_body_coordinates(model) * sizeof(double));
        memcpy(s->u + body->first, body->rate, haw_body_dofs(model) * sizeof(double));
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->rope != NULL) {
            cable->rope->ops->start(model, cable, s->q);
        } else {
            memcpy(s->q + cable->first_q, cable->start,
                   haw_cable_coordinates(model, cable) * sizeof(double));
        }
    }
    haw_model_prescribe(model, 0, s->u);
    return HAW_OK;
}

void haw_state_copy(haw_state *to, const haw_state *from)
{
    to->t = from->t;
    to->step = from->step;
    memcpy(to->q, from->q, (size_t)from->coordinates * sizeof(double));
    memcpy(to->u, from->u, (size_t)from->dofs * sizeof(double));
    memcpy(to->a, from->a, 2 * (size_t)from->dofs * sizeof(double));
    memcpy(to->impulse, from->impulse, (size_t)from->rows * sizeof(double));
    memcpy(to->history, from->history,
           HAW_HISTORY * (size_t)(from->rows / from->dimension) * sizeof(double));
}

void haw_state_free(haw_context *context, haw_state *state)
{
    haw_release(context, state);
}

/* The two ends of a rope rest; labels between them are haw_model_guide's. */
static void prescribe_rope(const haw_cable *cable, double *u)
{
    const haw_rope *rope = cable->rope;
    u[rope->label[0]] = u[rope->label[rope->labels - 1]] = 0;
    for (int end = 0; end < 2; end++) {
        if (rope->end_body[end] < 0) {
            u[rope->end_dof[end]] = u[rope->end_dof[end] + 1] = 0;
        }
    }
}

void haw_model_prescribe(const haw_model *model, double t, double *u)
{
    if (model->dimension == 3) {
        haw_space_prescribe(model, t, u);
        return;
    }
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        for (int j = 0; j < 3; j++) {
            if (body->held[j]) { /* what is not driven has a drive of zeros */
                u[body->first + j] = haw_function_value(&body->drive[j], t);
            }
        }
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->rope != NULL) {
            prescribe_rope(cable, u);
        }
        for (int end = 0; end < 2; end++) {
            const bool moves = cable->end[end].kind == HAW_END_MOTION;
            for (int j = 0; j < haw_cable_end_held(cable, end); j++) {
                u[cable->first + cable->end_dof[end] + j] =
                    moves ? haw_function_value(&cable->end[end].velocity[j], t) : 0;
            }
        }
    }
}
