/* SPDX-License-Identifier: BSD-3-Clause */
/* State vectors: bodies first, then cables, both in the order of the scene. */
#include "model/dynamics.h"

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
        model->cable[i].ops->start(&model->cable[i], s->q);
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
