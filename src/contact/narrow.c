/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of the narrow phase; detection of all pairs, gaps and ways of what was found. */
#include "base/lie.h"
#include "contact/partner.h"

#include <math.h>
#include <string.h>

const haw_narrow *haw_narrow_of(const haw_pair *pair)
{
    static const haw_narrow *const of_cable[] = {[HAW_PROXY_POINTS] = &haw_narrow_point,
                                                 [HAW_PROXY_CAPSULES] = &haw_narrow_capsule,
                                                 [HAW_PROXY_MORTAR] = &haw_narrow_mortar,
                                                 [HAW_PROXY_MINIMA] = &haw_narrow_minimum};
    if (pair->cable < 0) {
        return pair->points > pair->feet ? &haw_narrow_corner : &haw_narrow_ball;
    }
    if (pair->kinematics == HAW_KINEMATICS_CHORD) {
        return &haw_narrow_chord;
    }
    return pair->spacing > 0 ? &haw_narrow_knot : of_cable[pair->proxies];
}

void haw_contacts_begin(haw_contacts *contacts)
{
    contacts->chosen = contacts->choice;
    if (contacts->dip != NULL) {
        memset(contacts->dip, 0, (size_t)contacts->model->points * sizeof *contacts->dip);
        contacts->refinements = 0;
    }
    for (int i = 0; i < contacts->model->points && contacts->chosen != NULL; i++) {
        contacts->chosen[i] = (double)NAN;
    }
}

bool haw_contacts_refine(haw_contacts *contacts)
{
    const size_t bytes = (size_t)contacts->model->points * sizeof *contacts->dip;
    int count = 0;
    contacts->refinements++;
    if (contacts->dip != NULL) {
        memcpy(contacts->dip_kept, contacts->dip, bytes);
    }
    for (int i = 0; i < 2 * contacts->model->pairs && contacts->dip != NULL; i++) {
        const haw_pair *pair = &contacts->model->pair[i / 2];
        const haw_narrow *row = haw_narrow_of(pair);
        const bool is_back = i % 2 > 0, is_own = pair->law->set_valued != contacts->is_compliant;
        if (row->refine != NULL && is_own &&
            (!is_back || (!pair->law->set_valued && haw_pair_looks_back(pair)))) {
            const haw_view view = haw_view_init(contacts, i / 2, is_back, contacts->q);
            count += row->refine(contacts, &view);
        }
    }
    if (count == 0 && contacts->dip != NULL && contacts->refinements > 1) {
        memcpy(contacts->dip, contacts->dip_kept, bytes);
    }
    return count > 0;
}

void haw_contacts_fit(haw_contacts *contacts, const double *q)
{
    for (int i = 0; i < contacts->model->lines; i++) {
        if (contacts->curve[i].leaf != NULL) {
            haw_centreline_fit(&contacts->curve[i], q);
        }
    }
}

/* The ends of the other cable, or what its row has of the other side. */
static haw_status look_back(haw_contacts *contacts, int pair, const double *q)
{
    if (!haw_pair_looks_back(&contacts->model->pair[pair])) {
        return HAW_OK;
    }
    haw_view view = haw_view_init(contacts, pair, true, q);
    haw_view_sweep(&view, NULL, 0);
    const haw_narrow *row = haw_narrow_of(view.pair);
    return row->back != NULL ? row->back(contacts, &view) : haw_ends_touch(contacts, &view);
}

haw_status haw_contacts_detect(haw_contacts *contacts, const double *q, const double *u, double h)
{
    contacts->count = *contacts->looked = 0;
    contacts->q = q;
    haw_contacts_fit(contacts, q);
    haw_contacts_track(contacts, q);
    for (int i = 0; i < contacts->model->pairs; i++) {
        haw_view view = haw_view_init(contacts, i, false, q);
        contacts->gap_min[i] = HUGE_VAL;
        view.clear = contacts->clear[i].until != NULL ? &contacts->clear[i] : NULL;
        haw_view_sweep(&view, u, h);
        HAW_TRY(haw_narrow_of(view.pair)->find(contacts, &view));
        HAW_TRY(haw_view_guard_depth(&view));
        HAW_TRY(look_back(contacts, i, q));
    }
    const int looked = *contacts->looked;
    contacts->looked_max = looked > contacts->looked_max ? looked : contacts->looked_max;
    return HAW_OK;
}

static double point_gap(const haw_view *view, const haw_touch *touch)
{
    double x[3];
    haw_foot foot;
    haw_view_position(view, touch->element, touch->s, view->q, x);
    return view->partner->follow(view, x, touch, &foot) ? foot.gap - touch->dip : touch->gap;
}

/* Minimal rotation of the unit vector a into b: with v = a x b, 1 + [v] + [v]^2 / (1 + a . b). */
static void turn_least(const double a[3], const double b[3], double r[9])
{
    double v[3];
    vec3_cross(a, b, v);
    const double along = vec3_dot(a, b);
    for (int k = 0; k < 9; k++) {
        r[k] = (k % 4 == 0 ? along : 0) + v[k / 3] * v[k % 3] / (1 + along);
    }
    mat3_add_skew(1, v, r);
}

/* A section that tilts has turned as its tangent has, the first axis of both, least of all ways. */
static void tilt(haw_pose *then, haw_pose *now)
{
    static const double still[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double *a = then->rotation, *b = now->rotation;
    const double from[3] = {a[0], a[3], a[6]}, to[3] = {b[0], b[3], b[6]};
    turn_least(from, to, now->rotation);
    memcpy(then->rotation, still, sizeof still);
}

void haw_passage_place(const haw_passage *p, int e, double s, haw_pose *now, haw_pose *then)
{
    haw_view_place(&p->now, e, s, p->now.q, now);
    haw_view_place(&p->now, e, s, p->q0, then);
    if (p->now.tilts) {
        tilt(then, now);
    }
}

static void point_way(const haw_passage *passage, const haw_touch *touch, double *way)
{
    haw_pose now, then;
    haw_foot foot;
    memcpy(foot.normal, touch->normal, sizeof foot.normal);
    memcpy(foot.tangent, touch->tangent, sizeof foot.tangent);
    haw_passage_place(passage, touch->element, touch->s, &now, &then);
    haw_passage_add(passage, &now, &then, &foot, 1, way);
}

double haw_contacts_gap(const haw_contacts *contacts, const haw_touch *touch, const double *q)
{
    const haw_view view = haw_view_at(contacts, touch, q);
    const haw_narrow *row = haw_narrow_of(view.pair);
    return row->gap != NULL ? row->gap(&view, touch) : point_gap(&view, touch);
}

int haw_contacts_parts(const haw_contacts *contacts, const haw_touch *touch)
{
    const haw_view view = haw_view_at(contacts, touch, contacts->q);
    const haw_narrow *row = haw_narrow_of(view.pair);
    return row->parts != NULL ? row->parts(&view, touch) : 1;
}

bool haw_contacts_part(const haw_contacts *contacts, const haw_touch *touch, int i,
                       haw_touch_part *part)
{
    const haw_view view = haw_view_at(contacts, touch, contacts->q);
    const haw_narrow *row = haw_narrow_of(view.pair);
    *part = (haw_touch_part){.point = *touch, .weight = 1};
    return row->part == NULL || row->part(&view, touch, i, part);
}

void haw_passage_set(haw_passage *passage, const haw_touch *touch)
{
    haw_view *now = &passage->now;
    if (now->partner->pose != NULL) {
        now->partner->pose(now, touch, now->q, &now->pose);
        now->partner->pose(now, touch, passage->q0, &passage->before);
        if (haw_view_line_tilts(now)) {
            tilt(&passage->before, &now->pose);
        }
    }
}

void haw_contacts_way(const haw_contacts *contacts, const double *before, const double *q,
                      double *way)
{
    const ptrdiff_t d = contacts->dimension;
    haw_passage p = {.q0 = before};
    for (int i = 0; i < contacts->count; i++) {
        const haw_touch *touch = &contacts->item[i];
        if (i == 0 || touch->pair != contacts->item[i - 1].pair || p.now.line != NULL ||
            haw_pair_looks_back(p.now.pair)) {
            p.before = haw_view_at(contacts, touch, before).pose;
            p.now = haw_view_at(contacts, touch, q);
        }
        haw_passage_set(&p, touch);
        memset(way + d * i, 0, (size_t)d * sizeof *way);
        way[d * i] = touch->gap;
        const haw_narrow *row = haw_narrow_of(p.now.pair);
        (row->way != NULL ? row->way : point_way)(&p, touch, way + d * i);
    }
}

static void direction_of(const haw_chord *chord, double unit[3])
{
    for (int i = 0; i < 3; i++) {
        unit[i] = chord->along[i] / sqrt(chord->square);
    }
}

/* Both ends of a chord, which turns its sections where they do not turn by themselves. */
static void chord_places(const haw_passage *p, const haw_touch *touch, haw_places *places)
{
    static const double still[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const bool turns = haw_cable_turns(p->now.cable);
    haw_chord now, then;
    haw_view before = p->now;
    double from[3], to[3], turned[9];
    before.q = p->q0;
    before.pose = p->before;
    haw_view_chord(&p->now, touch->element, touch->s, p->now.q, false, &now);
    haw_view_chord(&before, touch->element, touch->s, p->q0, false, &then);
    direction_of(&then, from);
    direction_of(&now, to);
    turn_least(from, to, turned);
    *places = (haw_places){.count = 2, .weight = {1 - now.rho, now.rho}};
    memcpy(places->from, from, turns ? 0 : sizeof from);
    places->travel = now.rho - haw_chord_nearest(&before, &then, touch->normal);
    for (int k = 0; k < 2; k++) {
        haw_pose *a = &places->now[k], *b = &places->then[k];
        memcpy(a->x, now.end[k].x, sizeof a->x);
        memcpy(b->x, then.end[k].x, sizeof b->x);
        memcpy(a->rotation, turns ? now.end[k].rotation : turned, sizeof a->rotation);
        memcpy(b->rotation, turns ? then.end[k].rotation : still, sizeof b->rotation);
    }
}

void haw_passage_places(const haw_passage *p, const haw_touch *touch, haw_places *places)
{
    if (p->now.chords > 0) {
        chord_places(p, touch, places);
        return;
    }
    *places = (haw_places){.count = 1, .weight = {1}};
    haw_passage_place(p, touch->element, touch->s, &places->now[0], &places->then[0]);
}

/* y = B A^T x: x turned as A is turned to B. */
static void turn_along(const double a[9], const double b[9], const double x[3], double y[3])
{
    double local[3];
    mat3_apply_t(a, x, local);
    mat3_apply(b, local, y);
}

/* Way of what is at `now` from where it was, less that of the body. */
static void pass(const haw_passage *p, const double now[3], const double then[3], double w[3],
                 double carried[3])
{
    double arm[3];
    for (int i = 0; i < 3; i++) {
        arm[i] = then[i] - p->before.x[i];
    }
    turn_along(p->before.rotation, p->now.pose.rotation, arm, carried);
    for (int i = 0; i < 3; i++) {
        w[i] = now[i] - p->now.pose.x[i] - carried[i];
    }
}

static void find_arm(const haw_passage *p, const double normal[3], double rho[3])
{
    for (int i = 0; i < 3; i++) {
        rho[i] = -p->now.arm * normal[i];
    }
}

void haw_passage_find(const haw_passage *p, const haw_pose *now, const haw_pose *then,
                      const double normal[3], double w[3], double carried[3])
{
    double rho[3], rho_then[3];
    find_arm(p, normal, rho);
    turn_along(now->rotation, then->rotation, rho, rho_then);
    vec3_add(1, now->x, rho);
    vec3_add(1, then->x, rho_then);
    pass(p, rho, rho_then, w, carried);
}

void haw_passage_add(const haw_passage *p, const haw_pose *now, const haw_pose *then,
                     const haw_foot *foot, double weight, double *way)
{
    double rho[3], ahead[3], behind[3], w[3], carried[3], second[3];
    find_arm(p, foot->normal, rho);
    turn_along(then->rotation, now->rotation, rho, ahead);
    turn_along(now->rotation, then->rotation, rho, behind);
    for (int i = 0; i < 3; i++) {
        ahead[i] = now->x[i] + 0.5 * (rho[i] + ahead[i]);
        behind[i] = then->x[i] + 0.5 * (rho[i] + behind[i]);
    }
    pass(p, ahead, behind, w, carried);
    way[1] += weight * vec3_dot(foot->tangent, w);
    if (p->now.moves > 2) {
        vec3_cross(foot->normal, foot->tangent, second);
        way[2] += weight * vec3_dot(second, w);
    }
}
