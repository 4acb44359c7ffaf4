/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements against the path that they are drawn along. One that turns by half a turn between its
 * nodes cuts the curve off: where its chord leaves a body on the other side than the path does, the
 * line starts beside what it was laid over, without a touch, and nothing later can tell.
 *
 * The way from a place of the path to the same place of its element is followed through the signed
 * distance. It passes the body where it comes to lie within and both ends look at opposite sides.
 */
#include "base/lie.h"
#include "cable/drawing.h"
#include "model/build.h"

#include <math.h>
#include <string.h>

/* Looked at in an element, without its nodes, which lie on the path: 16 to a radian. */
enum { LEAST_PLACES = 4, MOST_PLACES = 256 };

typedef struct way {
    double from[3], along[3]; /* its end less `from` [m] */
} way;

static double gap_at(const haw_model *model, const haw_pair *pair, const way *w, double part,
                     double normal[3])
{
    const haw_body *body = &model->body[pair->body];
    double x[3];
    for (int i = 0; i < 3; i++) {
        x[i] = w->from[i] + part * w->along[i];
        normal[i] = 0;
    }
    return model->kind->gap(body, body->start, x, normal);
}

/* By steps as long as the distance that is left, so that nothing thicker than the least is missed.
 */
static bool passes(const haw_model *model, const haw_pair *pair, const way *w)
{
    static const double LEAST = 1.0 / 256;
    const double length = vec3_norm(w->along);
    double first[3], last[3], any[3];
    if (!(gap_at(model, pair, w, 0, first) < length) ||
        !(gap_at(model, pair, w, 1, last) < length) || !(vec3_dot(first, last) < 0)) {
        return false;
    }
    double gap = 0, part = 0;
    while (part <= 1 && gap >= 0) {
        gap = gap_at(model, pair, w, part, any);
        gap = gap < 0 && gap > -1e-6 * length ? 0 : gap;
        part += fmax(gap / length, LEAST);
    }
    return gap < 0;
}

static haw_status refuse(haw_model *model, const haw_contact_spec *spec, const haw_cable *cable,
                         const haw_pair *pair, const way *w)
{
    const double *x = w->from;
    return haw_pair_refuse(model, spec, "between",
                           "elements of '%s', %.3g m long, start on the other side of '%s' than "
                           "its path, %.3g m from there near [%.4g, %.4g, %.4g]: they are too long "
                           "to follow it (%.0f do)",
                           cable->name, cable->line.le, model->body[pair->body].name,
                           vec3_norm(w->along), x[0], x[1], x[2],
                           haw_pair_elements(model, pair, cable));
}

void haw_drawn_way(const haw_cable *cable, int e, double s, const double *q, double from[3],
                   double along[3])
{
    haw_cable_point at;
    double t[3];
    (void)haw_drawing_point(cable->course, (e + s) * cable->line.le * cable->course->stretch, from,
                            t);
    cable->ops->point(cable, e, s, q, NULL, HAW_POINT_PLACE, &at);
    for (int i = 0; i < 3; i++) {
        along[i] = at.x[i] - from[i];
    }
}

static haw_status check_cable(haw_model *model, const haw_contact_spec *spec, const haw_pair *pair,
                              const haw_cable *cable, const double *q)
{
    const int elements = cable->line.elements;
    const double turn = 8 * haw_pair_elements(model, pair, cable) / elements;
    const int places = (int)fmax(LEAST_PLACES, fmin(turn, MOST_PLACES));
    way w = {.from = {0, 0, 0}};
    for (int k = 0; cable->course != NULL && k < places * elements; k++) {
        haw_drawn_way(cable, k / places, (k % places + 0.5) / places, q, w.from, w.along);
        if (passes(model, pair, &w)) {
            return refuse(model, spec, cable, pair, &w);
        }
    }
    return HAW_OK;
}

static double find_cut(const haw_cable *cable, const double *q)
{
    double largest = 0;
    for (int e = 0; cable->is_path && e < cable->line.elements; e++) {
        way w = {.from = {0, 0, 0}};
        haw_drawn_way(cable, e, 0.5, q, w.from, w.along);
        largest = fmax(largest, vec3_norm(w.along));
    }
    return largest;
}

static haw_status check_pair(haw_model *model, const haw_contact_spec *spec, const haw_pair *pair,
                             const double *q)
{
    const haw_cable *cable = pair->cable >= 0 ? &model->cable[pair->cable] : NULL;
    const int parts = cable != NULL && pair->body >= 0 ? haw_cable_parts(cable) : 0;
    for (int k = 0; k < parts; k++) {
        HAW_TRY(check_cable(model, spec, pair, haw_cable_part(cable, k), q));
    }
    return cable != NULL && pair->line >= 0 ? haw_build_check_lines(model, spec, pair, q) : HAW_OK;
}

static haw_status check_pairs(haw_model *model, const haw_scene *scene, double *q)
{
    for (int i = 0; i < model->cables; i++) {
        haw_cable *cable = &model->cable[i];
        if (cable->start != NULL) {
            memcpy(q + cable->first_q, cable->start, (size_t)cable->coordinates * sizeof *q);
            cable->cut = cable->course != NULL ? find_cut(cable, q) : cable->cut;
        }
    }
    for (int i = 0; i < model->pairs; i++) {
        HAW_TRY(check_pair(model, &scene->contact[i], &model->pair[i], q));
    }
    return HAW_OK;
}

haw_status haw_build_check_drawn(haw_model *model, const haw_scene *scene)
{
    double *q = haw_allocate(model->context, (size_t)model->coordinates + 1, sizeof *q);
    const haw_status status = q != NULL ? check_pairs(model, scene, q) : HAW_ERR_NOMEM;
    haw_release(model->context, q);
    for (int i = 0; i < model->cables; i++) {
        model->cable[i].course = NULL; /* it refers to the scene, which is the caller's */
    }
    return status;
}
