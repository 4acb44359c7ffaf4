/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contact of a rope with a sheave of its reeving: knots at the labels k * spacing of the whole
 * rope, k = 0, 1, ..., of which those near the sheave touch it.
 */
#include "cable/reeving.h"
#include "model/build.h"

#include <math.h>
#include <string.h>

/* Knots in an element on a sheave by default. */
static const double KNOTS = 5;

/* The comb of knots of a rope lacks some choices of the grid of a cable. */
static haw_status check_foreign(haw_model *model, const haw_contact_spec *spec)
{
    const struct {
        const char *key;
        bool is_given;
    } rows[] = {
        {"arm", spec->arm != HAW_ARM_RADIUS},
        {"refine", spec->refine != HAW_REFINE_OFF},
        {"kinematics", spec->kinematics != HAW_KINEMATICS_CURVE},
        {"normals", spec->normals != HAW_NORMALS_SEGMENT},
        {"chord_length", spec->chord_length != HAW_CHORD_REFERENCE},
        {"switching", spec->switching != HAW_SWITCHING_RETURN_MAP},
        {"offset", spec->offset != 0},
        {"proxy", spec->proxy != HAW_PROXY_POINTS},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].is_given) {
            return haw_pair_refuse(
                model, spec, rows[i].key,
                "the contact of a rope with its sheaves takes only the default of '%s'",
                rows[i].key);
        }
    }
    return HAW_OK;
}

static haw_status find_arc(haw_model *model, const haw_contact_spec *spec, haw_pair *pair)
{
    const haw_cable *cable = &model->cable[pair->cable];
    haw_rope *rope = cable->rope;
    const char *body = model->body[pair->body].name;
    for (pair->arc = 0; pair->arc < rope->arcs; pair->arc++) {
        if (rope->arc[pair->arc].body == pair->body) {
            break;
        }
    }
    if (pair->arc == rope->arcs) {
        return haw_pair_refuse(model, spec, "between",
                               "'%s' is not in the reeving of the rope '%s'", body, cable->name);
    }
    if (rope->arc[pair->arc].pair >= 0) {
        return haw_pair_refuse(model, spec, "between",
                               "the rope '%s' and its sheave '%s' are already a pair", cable->name,
                               body);
    }
    rope->arc[pair->arc].pair = model->pairs;
    return HAW_OK;
}

/* A distribution needs at least two knots on the sheave. */
static haw_status choose_spacing(haw_model *model, const haw_contact_spec *spec, haw_pair *pair)
{
    const haw_rope *rope = model->cable[pair->cable].rope;
    const haw_rope_arc *arc = &rope->arc[pair->arc];
    const double length = arc->label_out - arc->label_in, element = length / rope->per_arc;
    const bool by_points = spec->points_per_element > 0;
    pair->spacing = by_points ? element / spec->points_per_element : spec->spacing;
    if (!by_points && isnan(spec->spacing)) {
        pair->spacing = element / KNOTS;
    }
    if (!(pair->spacing > 0 && 2 * pair->spacing <= length)) {
        return haw_pair_refuse(
            model, spec, "spacing",
            "contact spacing must be > 0, and at most half of the %g m of rope on '%s' (got %g m)",
            length, model->body[pair->body].name, pair->spacing);
    }
    pair->points_per_element = (int)fmax(1, nearbyint(fmin(element / pair->spacing, 1e6)));
    return HAW_OK;
}

haw_status haw_reeving_pair(haw_model *model, const haw_contact_spec *spec, haw_pair *pair)
{
    const haw_cable *cable = &model->cable[pair->cable];
    const char *normal = spec->normal != NULL ? spec->normal : "linear";
    const bool is_linear = strcmp(normal, "linear") == 0 ||
                           (strcmp(normal, "hunt-crossley") == 0 && spec->normal_exponent == 1);
    if (pair->law->set_valued && !cable->ops->takes_hard) {
        return haw_pair_refuse(model, spec, "law",
                               "the stiffness of the element '%s' includes the normal contact: use "
                               "law: penalty, or element: ale",
                               cable->ops->row.name);
    }
    if (!pair->law->set_valued && !cable->ops->takes_hard && !is_linear) {
        return haw_pair_refuse(model, spec, "normal",
                               "the elastic bed of element '%s' is linear and part of its "
                               "stiffness: use normal: linear, or element: ale",
                               cable->ops->row.name);
    }
    HAW_TRY(check_foreign(model, spec));
    HAW_TRY(find_arc(model, spec, pair));
    HAW_TRY(choose_spacing(model, spec, pair));
    return haw_pair_count(model, floor(cable->rope->length / pair->spacing) + 1, pair);
}

void haw_reeving_bed(haw_model *model, const haw_pair *pair)
{
    const haw_rope *rope = pair->cable >= 0 ? model->cable[pair->cable].rope : NULL;
    if (rope == NULL || pair->compliance.normal == NULL) {
        return;
    }
    haw_rope_arc *arc = &rope->arc[pair->arc];
    const double stiffness = pair->compliance.n.stiffness * arc->radius * arc->radius;
    arc->softness = stiffness > 0 ? rope->section.stiffness * pair->spacing / stiffness : 0;
}

void haw_reeving_warn(const haw_model *model)
{
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        const int arcs = cable->rope != NULL ? cable->rope->arcs : 0;
        for (int k = 0; k < arcs; k++) {
            const haw_rope_arc *arc = &cable->rope->arc[k];
            if (arc->pair < 0) {
                haw_log(model->context, HAW_LOG_WARNING,
                        "cable '%s': the contact with its sheave '%s' is missing", cable->name,
                        model->body[arc->body].name);
            }
        }
    }
}
