/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/guards.h"

#include "support/near.h"

void guards_open(guards *g, haw_context *context, const haw_model *model)
{
    haw_arena_init(&g->arena, context);
    g->u = haw_arena_allocate(&g->arena, (size_t)model->dofs, sizeof *g->u);
    assert_non_null(g->u);
    g->deepest[0] = g->deepest[1] = 0;
    for (int k = 0; k < 4; k++) {
        assert_int_equal(haw_guard_create(&g->arena, model, &g->guard[k]), HAW_OK);
    }
}

double guards_agree(guards *g, const double *before, const double *after)
{
    const haw_guard_step step = {
        .h = 1, .before = before, .u_before = g->u, .after = after, .is_drawn = true};
    double deepest[2] = {0, 0};
    for (int k = 0; k < 4; k++) {
        double *own = k < 2 ? &deepest[k] : &g->deepest[k - 2];
        if (k % 2 == 1) {
            haw_guard_forget(g->guard[k]);
        }
        assert_int_equal(haw_guard_check(g->guard[k], &step, own), HAW_OK);
    }
    assert_true(deepest[0] == deepest[1]);
    assert_true(g->deepest[0] == g->deepest[1] && g->deepest[0] >= deepest[0]);
    return deepest[0];
}

void guards_close(guards *g)
{
    haw_arena_fini(&g->arena);
}
