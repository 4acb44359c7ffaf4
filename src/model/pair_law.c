/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Law of a pair. A compliant law is given per point, per length or per area and kept per point:
 * stiffnesses and dampings times 1, le / n or b le / n, with n points on an element of the
 * unstrained length le and the width b of the cable. For ropes le / n is the spacing of the knots.
 */
#include "model/build.h"

#include <math.h>
#include <string.h>

static haw_status place(haw_model *model, const haw_contact_spec *spec, const char *key,
                        haw_status status)
{
    return haw_place(model->context, status, "contact.%s-%s.%s", spec->between[0], spec->between[1],
                     key);
}

const char *const *haw_contact_missing(const char *const *needs, const haw_contact_spec *spec)
{
    for (; *needs != NULL; needs++) {
        const haw_option *row = haw_options_find(haw_contact_options, *needs);
        const void *at = (const unsigned char *)spec + row->offset;
        if (!(*(const double *)at > 0)) {
            break;
        }
    }
    return needs;
}

/* ---- compliant laws ---- */

/* Unstrained length that belongs to a point of a cable [m]. */
static double point_length(const haw_model *model, const haw_pair *pair)
{
    const haw_cable *cable = &model->cable[pair->cable];
    return cable->ops->moves_along ? pair->spacing : cable->line.le / pair->points_per_element;
}

/* Length [m] or area [m^2] of a point, 1 per point. */
static haw_status find_share(haw_model *model, const haw_contact_spec *spec, const haw_pair *pair,
                             double *share)
{
    *share = 1;
    if (spec->per == HAW_PER_POINT) {
        return HAW_OK;
    }
    if (pair->cable < 0) {
        return haw_pair_refuse(model, spec, "per", "two bodies touch in one point; use per: point");
    }
    const haw_cable *cable = &model->cable[pair->cable];
    *share = point_length(model, pair);
    if (spec->per == HAW_PER_AREA) {
        if (!(cable->width > 0)) {
            const haw_status status =
                haw_fail(model->context, HAW_ERR_INPUT,
                         "cable '%s': stiffness per area needs a width", cable->name);
            return haw_place(model->context, status, "cables.%s.width", cable->name);
        }
        *share *= cable->width;
    }
    return HAW_OK;
}

/* Mass that moves with a point [kg]: of its stretch of cable, or of the lighter body. */
static double point_mass(const haw_model *model, const haw_pair *pair)
{
    if (pair->cable >= 0) {
        return model->cable[pair->cable].line.density * point_length(model, pair);
    }
    double least = (double)INFINITY;
    const int body[2] = {pair->proxy, pair->body};
    for (int i = 0; i < 2; i++) {
        const haw_body *b = &model->body[body[i]];
        if (!b->held[0] || !b->held[1]) {
            least = fmin(least, b->mass[0]);
        }
    }
    return isfinite(least) ? least : 0;
}

double haw_pair_point_mass(const haw_model *model, const haw_pair *pair)
{
    const haw_body *b = pair->cable < 0 ? &model->body[pair->proxy] : NULL;
    const double mass = point_mass(model, pair), arm = pair->proxy_radius;
    const bool turns = b != NULL && !b->held[model->kind->spin];
    return turns ? mass / (1 + mass * arm * arm / b->mass[model->kind->spin]) : mass;
}

static haw_status set_normal(haw_model *model, const haw_contact_spec *spec, double share,
                             haw_compliance *law)
{
    const char *name = spec->normal != NULL ? spec->normal : "linear";
    law->normal = (const haw_normal_ops *)haw_row_find(haw_normal_laws, name);
    if (law->normal == NULL) {
        return place(
            model, spec, "normal",
            haw_row_unknown(model->context, haw_normal_laws, name, "contact: unknown normal law"));
    }
    const char *missing = *haw_contact_missing(law->normal->needs, spec);
    if (missing != NULL) {
        return haw_pair_refuse(model, spec, missing, "normal: %s needs a %s", name, missing);
    }
    const bool has_exponent = haw_law_reads(law->normal->keys, "normal_exponent");
    law->n = (haw_normal_parameters){.stiffness = share * spec->normal_stiffness,
                                     .damping = share * spec->normal_damping,
                                     .exponent = has_exponent ? spec->normal_exponent : 1,
                                     .restitution = spec->restitution};
    return HAW_OK;
}

/* The law that is named, or the first whose needs are given; none at all without friction. */
static haw_status find_tangential(haw_model *model, const haw_contact_spec *spec,
                                  haw_compliance *law)
{
    const haw_friction_ops *own =
        (const haw_friction_ops *)haw_row_find(haw_friction_laws, spec->tangential);
    if (spec->tangential != NULL && own == NULL) {
        return place(model, spec, "tangential",
                     haw_row_unknown(model->context, haw_friction_laws, spec->tangential,
                                     "contact: law: penalty has no friction law"));
    }
    for (int i = 0; own == NULL && haw_friction_laws[i] != NULL; i++) {
        const haw_friction_ops *row = (const haw_friction_ops *)haw_friction_laws[i];
        own = *haw_contact_missing(row->needs, spec) == NULL ? row : NULL;
    }
    law->tangential = own;
    if (own == NULL && (spec->friction > 0 || spec->viscous_friction > 0)) {
        return haw_pair_refuse(model, spec, "tangential",
                               "friction of law: penalty needs a tangential_stiffness (bristle) or "
                               "a regularization_velocity");
    }
    return HAW_OK;
}

static haw_status set_tangential(haw_model *model, const haw_contact_spec *spec, double share,
                                 double mass, haw_pair *pair)
{
    haw_compliance *law = &pair->compliance;
    const bool is_comb = pair->cable >= 0 && model->cable[pair->cable].ops->moves_along;
    HAW_TRY(find_tangential(model, spec, law));
    if (law->tangential == NULL) {
        return HAW_OK;
    }
    const bool is_elastic = haw_law_reads(law->tangential->keys, "tangential_stiffness");
    const char *missing = *haw_contact_missing(law->tangential->needs, spec);
    const double kinetic = isnan(spec->friction_kinetic) ? spec->friction : spec->friction_kinetic;
    if (missing != NULL) {
        return haw_pair_refuse(model, spec, missing, "tangential: %s needs a %s",
                               law->tangential->row.name, missing);
    }
    if (kinetic != spec->friction && !(spec->stribeck_velocity > 0) && !is_comb) {
        return haw_pair_refuse(model, spec, "stribeck_velocity",
                               "friction of %g at rest and %g in slip needs a stribeck_velocity "
                               "between them",
                               spec->friction, kinetic);
    }
    const double stiffness = is_elastic ? share * spec->tangential_stiffness : 0;
    const double damping = isnan(spec->tangential_damping) ? sqrt(2 * stiffness * mass)
                                                           : share * spec->tangential_damping;
    law->t = (haw_friction_parameters){
        .mu_static = spec->friction,
        .mu_kinetic = kinetic,
        .stribeck_velocity =
            spec->stribeck_velocity > 0 ? spec->stribeck_velocity : (is_comb ? 0 : 1),
        .stiffness = stiffness,
        .damping = is_elastic ? damping : 0,
        .viscous = share * spec->viscous_friction,
        .regularization = spec->regularization > 0 ? spec->regularization : 1,
    };
    return HAW_OK;
}

static haw_status check_modes(haw_model *model, const haw_contact_spec *spec, const haw_pair *pair)
{
    const haw_compliance *law = &pair->compliance;
    if (pair->kinematics == HAW_KINEMATICS_CHORD && haw_pair_is_flat(model, pair) &&
        !model->body[pair->body].surface.ops->is_circle) {
        return haw_pair_refuse(model, spec, "kinematics",
                               "chords touch circles only, and '%s' is not a circle; use "
                               "kinematics: curve",
                               model->body[pair->body].name);
    }
    if (law->post_newton && (!law->normal->is_linear || law->tangential == NULL ||
                             !haw_law_reads(law->tangential->keys, "switching"))) {
        return haw_pair_refuse(
            model, spec, "switching",
            "switching: post-newton needs normal: linear and tangential: bristle");
    }
    if (law->post_newton && (law->t.mu_kinetic < law->t.mu_static ||
                             law->t.mu_kinetic > law->t.mu_static || law->t.viscous > 0)) {
        return haw_pair_refuse(model, spec, "switching",
                               "switching: post-newton has one coefficient of friction and no "
                               "viscous_friction; use switching: return-map");
    }
    if (!pair->law->set_valued && pair->arm == HAW_ARM_TILT && haw_pair_is_flat(model, pair)) {
        return haw_pair_refuse(model, spec, "arm",
                               "in the plane a compliant law has no arm: tilt on a body; use "
                               "radius or distance");
    }
    if (pair->cable < 0 && pair->offset != 0) {
        return haw_pair_refuse(model, spec, "offset", "only a cable has an offset");
    }
    return HAW_OK;
}

haw_status haw_build_law(haw_model *model, const haw_contact_spec *spec, haw_pair *pair)
{
    haw_compliance *law = &pair->compliance;
    pair->options =
        (haw_law_options){spec->friction, spec->restitution, spec->restitution_tangential};
    pair->arm = (haw_arm)spec->arm;
    pair->normals = (haw_normals)spec->normals;
    pair->chord_length = (haw_chord_length)spec->chord_length;
    pair->offset = spec->offset;
    pair->speed_limit = spec->speed_limit;
    pair->depth_limit = spec->depth_limit;
    /* What only a compliant law reads is left alone: a scenario can change its law and nothing
     * else. */
    if (pair->law->set_valued) {
        const bool has_two =
            !isnan(spec->friction_kinetic) && spec->friction_kinetic != spec->friction;
        return has_two ? haw_pair_refuse(model, spec, "friction_kinetic",
                                         "law: hard has one coefficient of friction (got %g at "
                                         "rest and %g in slip)",
                                         spec->friction, spec->friction_kinetic)
                       : check_modes(model, spec, pair);
    }
    double share;
    HAW_TRY(find_share(model, spec, pair, &share));
    HAW_TRY(set_normal(model, spec, share, law));
    HAW_TRY(set_tangential(model, spec, share, point_mass(model, pair), pair));
    law->post_newton = spec->switching == HAW_SWITCHING_POST_NEWTON;
    law->per = (haw_per)spec->per;
    return check_modes(model, spec, pair);
}
