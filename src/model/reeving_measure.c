/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lengths of a drawn rope: the unstrained one, uniform tension T as drawn,
 *
 *     length = path / (1 + T / EA),
 *
 * labels of the tangent points, and the mesh around them. Bending reaches sqrt(EI / T) into a
 * span (lift-off angle sqrt(EI / T) / R; J. L. Escalona, Multibody Syst. Dyn. 2024): five of them
 * are meshed by contact elements.
 */
#include "model/reeving_build.h"

#include <math.h>

enum { ELEMENTS_MAX = 1000000, BENDING_LENGTHS = 5, LEAST_ELEMENTS = 2 };

static double wrap(const haw_rope_arc *arc)
{
    return arc->turn * (arc->out - arc->in);
}

/* ---- unstrained length and labels ---- */

static haw_status set_length(haw_model *model, const haw_cable_spec *spec, const double *span,
                             haw_rope *rope)
{
    double path = span[0];
    for (int i = 0; i < rope->arcs; i++) {
        haw_rope_arc *arc = &rope->arc[i];
        arc->label_in = path;
        path += arc->radius * wrap(arc);
        arc->label_out = path;
        path += span[i + 1];
    }
    rope->length = path;
    if (!isnan(spec->tension)) {
        rope->length = path / (1 + spec->tension / spec->stiffness);
    } else if (!isnan(spec->length)) {
        rope->length = spec->length;
    }
    const double scale = rope->length / path;
    for (int i = 0; i < rope->arcs; i++) {
        rope->arc[i].label_in *= scale;
        rope->arc[i].label_out *= scale;
    }
    return haw_cable_check_positive(model->context, spec->name, "length", rope->length);
}

/* ---- overflow ---- */

static double weight(const haw_model *model, const haw_body *body)
{
    return body->held[0] && body->held[1]
               ? 0
               : body->mass[0] * hypot(model->gravity[0], model->gravity[1]);
}

static double least_positive(double a, double b)
{
    return b > 0 ? fmin(a, b) : a;
}

/* Least tension of the rope at work: as drawn, of the bodies that hang on its ends, or half of
 * those that hang in a bight. INFINITY: unknown. */
static double estimate_tension(const haw_model *model, const haw_cable_spec *spec, double strain,
                               const haw_rope *rope)
{
    double tension = (double)INFINITY;
    if (strain > 0) {
        return strain * spec->stiffness;
    }
    for (int end = 0; end < 2; end++) {
        if (rope->end_body[end] >= 0) {
            tension = least_positive(tension, weight(model, &model->body[rope->end_body[end]]));
        }
    }
    for (int i = 0; i < rope->arcs; i++) {
        tension = least_positive(tension, 0.5 * weight(model, &model->body[rope->arc[i].body]));
    }
    return tension;
}

static double element_length(const haw_rope *rope, const haw_rope_arc *arc)
{
    return arc->radius * wrap(arc) / rope->per_arc;
}

static haw_status choose_overflow(haw_model *model, const haw_cable_spec *spec, double strain,
                                  haw_rope *rope)
{
    rope->overflow = spec->overflow;
    if (!isnan(spec->overflow)) {
        return HAW_OK;
    }
    rope->overflow = 0;
    for (int i = 0; i < rope->arcs; i++) {
        rope->overflow = fmax(rope->overflow, LEAST_ELEMENTS * element_length(rope, &rope->arc[i]));
    }
    const double tension = estimate_tension(model, spec, strain, rope);
    if (rope->section.bending > 0 && isinf(tension)) {
        return haw_cable_place(model, spec, "overflow",
                               haw_fail(model->context, HAW_ERR_INPUT,
                                        "cable '%s': overflow: auto is 5 sqrt(EI / T) and needs a "
                                        "tension, or bodies that hang on the rope; give it [m]",
                                        spec->name));
    }
    rope->overflow = fmax(rope->overflow, BENDING_LENGTHS * sqrt(rope->section.bending / tension));
    return HAW_OK;
}

/* Between the meshes of two sheaves, and of a sheave and an end, a free span must be left. */
static haw_status check_spans(haw_model *model, const haw_cable_spec *spec, const double *span,
                              const haw_rope *rope)
{
    for (int i = 0; i <= rope->arcs; i++) {
        if (2 * rope->overflow >= span[i]) {
            return haw_cable_place(
                model, spec, "overflow",
                haw_fail(model->context, HAW_ERR_INPUT,
                         "cable '%s': an overflow of %g m is longer than half of span %d, of %g "
                         "m; use more elements, a smaller overflow or longer spans",
                         spec->name, rope->overflow, i + 1, span[i]));
        }
    }
    return HAW_OK;
}

/* ---- mesh ---- */

static haw_status count_elements(haw_model *model, const haw_cable_spec *spec, haw_rope *rope)
{
    double total = 1;
    for (int i = 0; i < rope->arcs; i++) {
        const double beside =
            ceil(rope->overflow / element_length(rope, &rope->arc[i]) * (1 - 1e-9));
        total += rope->per_arc + 2 * beside + 1;
        if (total > ELEMENTS_MAX) {
            return haw_cable_place(model, spec, "overflow",
                                   haw_fail(model->context, HAW_ERR_INPUT,
                                            "cable '%s': more than %d elements", spec->name,
                                            ELEMENTS_MAX));
        }
        rope->arc[i].elements = rope->per_arc + 2 * (int)beside;
        rope->arc[i].first_element =
            i == 0 ? 1 : rope->arc[i - 1].first_element + rope->arc[i - 1].elements + 1;
    }
    rope->elements = (int)total;
    return HAW_OK;
}

haw_status haw_reeving_measure(haw_model *model, const haw_cable_spec *spec, const double *span,
                               const haw_cable *cable)
{
    haw_rope *rope = cable->rope;
    HAW_TRY(set_length(model, spec, span, rope));
    rope->overflow = 0;
    if (cable->ops->guide != NULL) { /* a mesh that is moved along reaches into the spans */
        const double path = rope->arc[0].label_in > 0 ? span[0] / rope->arc[0].label_in : 1;
        HAW_TRY(choose_overflow(model, spec, path - 1, rope));
    }
    HAW_TRY(check_spans(model, spec, span, rope));
    return count_elements(model, spec, rope);
}
