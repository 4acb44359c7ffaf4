/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What keeps a body in place: the ground, through held coordinates, joints, springs and cables, and
 * whatever these keep. Bodies that are joined only to each other fly or fall together.
 */
#include "model/build.h"

/* Marks of the ground, the bodies and the cables. */
typedef struct haw_keeper {
    const haw_model *model;
    bool *kept;
    bool has_grown;
} haw_keeper;

static int of_body(int body)
{
    return 1 + body; /* -1: the ground */
}

static int of_cable(const haw_keeper *w, int cable)
{
    return 1 + w->model->bodies + cable;
}

static int of_spot(const haw_keeper *w, const haw_spot *spot)
{
    return spot->cable >= 0 ? of_cable(w, spot->cable) : of_body(spot->body);
}

static void keep(haw_keeper *w, int i)
{
    w->has_grown = w->has_grown || !w->kept[i];
    w->kept[i] = true;
}

/* Each keeps the other. */
static void tie(haw_keeper *w, int a, int b)
{
    if (w->kept[a] != w->kept[b]) {
        keep(w, w->kept[a] ? b : a);
    }
}

/* What holds a body or a cable where it is, by itself. */
static void find_held(haw_keeper *w)
{
    const haw_model *model = w->model;
    keep(w, of_body(-1));
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        bool is_held = true;
        for (int k = 0; k < model->dimension; k++) {
            is_held = is_held && (body->held[k] || model->lock[body->first + k]);
        }
        if (is_held) {
            keep(w, of_body(i));
        }
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        bool is_held = false;
        for (int k = 0; k < 2 * model->dimension; k++) {
            is_held = is_held || cable->guide[k % 2].held[k / 2];
        }
        for (int k = 0; k < cable->line.dofs; k++) {
            is_held = is_held || model->lock[cable->first + k];
        }
        if (is_held) {
            keep(w, of_cable(w, i));
        }
    }
}

/* A cable and what it touches, where that is kept: a body rests on a cable only once it moves. */
static void spread_pair(haw_keeper *w, const haw_pair *pair)
{
    if (pair->cable < 0) {
        return;
    }
    const haw_cable *list = w->model->cable, *cable = &list[pair->cable];
    const int first = of_cable(w, (int)(haw_cable_part(cable, 0) - list));
    for (int i = 0; pair->body < 0 && i < haw_cable_parts(&list[pair->line]); i++) {
        tie(w, first, of_cable(w, (int)(haw_cable_part(&list[pair->line], i) - list)));
    }
    for (int i = 0; i < haw_cable_parts(cable); i++) {
        const int own = of_cable(w, (int)(haw_cable_part(cable, i) - list));
        if (pair->body < 0) { /* all of them may touch all of the other side */
            tie(w, own, of_cable(w, (int)(haw_cable_part(&list[pair->line], 0) - list)));
        } else if (w->kept[of_body(pair->body)]) {
            keep(w, own);
        }
    }
}

/* A rope and what it lies over or ends on. */
static void spread_rope(haw_keeper *w, int i)
{
    const haw_cable *cable = &w->model->cable[i];
    for (int k = 0; k < w->model->bodies && cable->ops->keeps != NULL; k++) {
        if (cable->ops->keeps(cable, k)) {
            tie(w, of_cable(w, i), of_body(k));
        }
    }
}

static void spread(haw_keeper *w)
{
    const haw_model *model = w->model;
    for (int i = 0; i < model->joints; i++) {
        const haw_spot *foot = model->joint[i].foot;
        tie(w, of_spot(w, &foot[0]), of_spot(w, &foot[1]));
    }
    for (int i = 0; i < model->springs; i++) {
        const haw_spot *foot = model->spring[i].foot;
        tie(w, of_spot(w, &foot[0]), of_spot(w, &foot[1]));
    }
    for (int i = 0; i < model->pairs; i++) {
        spread_pair(w, &model->pair[i]);
    }
    for (int i = 0; i < model->cables; i++) {
        spread_rope(w, i);
    }
}

haw_status haw_build_kept(haw_model *model)
{
    const size_t count = 1 + (size_t)model->bodies + (size_t)model->cables;
    haw_keeper w = {.model = model,
                    .kept = haw_arena_allocate(&model->arena, count, sizeof *w.kept)};
    HAW_TRY(haw_arena_status(&model->arena));
    find_held(&w);
    while (w.has_grown) {
        w.has_grown = false;
        spread(&w);
    }
    model->kept = w.kept + of_body(0);
    return HAW_OK;
}
