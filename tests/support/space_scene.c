/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/space_scene.h"

#include "support/winding.h"

void space_scene_open(space_scene *f)
{
    const winding w = winding_default(0.1);
    memset(f, 0, sizeof *f);
    assert_int_equal(haw_context_create(NULL, &f->context), HAW_OK);
    f->body[0] = winding_drum();
    f->cable = winding_cable(&w);
    f->contact = haw_contact_spec_default();
    f->contact.between[0] = "yarn";
    f->contact.between[1] = "drum";
    f->contact.points_per_element = 1;
    f->force = haw_force_spec_default();
    f->scene = (haw_scene){.dimension = 3,
                           .bodies = 1,
                           .cables = 1,
                           .contacts = 1,
                           .body = f->body,
                           .cable = &f->cable,
                           .contact = &f->contact,
                           .force = &f->force};
}

haw_status space_scene_try(space_scene *f)
{
    haw_model_free(f->model);
    f->model = NULL;
    return haw_model_build(f->context, &f->scene, &f->model);
}

void space_scene_build(space_scene *f)
{
    const haw_status status = space_scene_try(f);
    if (status != HAW_OK) {
        fail_msg("%s", haw_context_message(f->context));
    }
}

void space_scene_close(space_scene *f)
{
    haw_model_free(f->model);
    haw_context_free(f->context);
}

const double *space_scene_node(const space_scene *f, const double *q, int node)
{
    const haw_cable *cable = &f->model->cable[0];
    return q + cable->first_q + (ptrdiff_t)cable->beam.ops->node_coordinates * node;
}

void space_scene_start(const space_scene *f, double *q)
{
    haw_state *state = NULL;
    assert_true(f->model->coordinates <= SPACE_SIZE);
    assert_int_equal(haw_state_create(f->context, f->model, &state), HAW_OK);
    memcpy(q, state->q, (size_t)f->model->coordinates * sizeof *q);
    haw_state_free(f->context, state);
}
