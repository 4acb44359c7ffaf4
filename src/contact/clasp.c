/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clasps: touches of the narrow phase under compliant laws, on any surface and with any element.
 * All is in vectors of the inertial frame, whose part along the normal n is projected away:
 *
 *     F = f_N n - f_T,   f_T = law(s, v_T, f_N),   s = T(n) Q sigma + P w,   P = 1 - n n^T,
 *
 * with the rate v of the touch, v_T = P v, the way w of the material point on the body since the
 * start of the step (narrow.h), and the bristle's deflection sigma at that time in the frame Q of
 * the body: a surface that moves takes its bristles along. T(n) carries a vector into the tangent
 * plane at its length, b -> P b |b| / |P b|: parallel transport up to the second order of the turn
 * of n in a step. z of lugre is carried in the same way.
 */
#include "contact/clasp.h"

#include "base/lie.h"
#include "contact/partner.h"

#include <string.h>

static haw_status create(haw_compliant *c, haw_compliant_pair *pair)
{
    const haw_pair *p = pair->pair;

    const struct {
        const char *key;
        bool is_given;
    } foreign[] = {{"offset", p->offset != 0},
                   {"switching", p->compliance.post_newton},
                   {"normals", p->normals != HAW_NORMALS_SEGMENT}};

    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        if (foreign[i].is_given) {
            const haw_status status =
                haw_fail(c->context, HAW_ERR_INPUT,
                         "contact of '%s' and '%s': compliant contact of this element, of a cable "
                         "with a radius, or on this surface takes only the default of '%s'",
                         p->between[0], p->between[1], foreign[i].key);
            return haw_place(c->context, status, "contact.%s-%s.%s", p->between[0], p->between[1],
                             foreign[i].key);
        }
    }
    return haw_press_list(c);
}

haw_passage haw_clasp_passage(const haw_compliant *c, const haw_touch *touch, const double *q,
                              const double *q0)
{
    haw_passage passage = {.now = haw_view_at(c->touched, touch, q),
                           .before = haw_view_at(c->touched, touch, q0).pose,
                           .q0 = q0};
    haw_passage_set(&passage, touch);
    return passage;
}

void haw_clasp_carry(const double n[3], const double b[3], double c[3])
{
    const double size = vec3_norm(b), along = vec3_dot(n, b);
    for (int i = 0; i < 3; i++) {
        c[i] = b[i] - along * n[i];
    }
    const double left = vec3_norm(c), stretch = left > 0 ? size / left : 0;
    for (int i = 0; i < 3; i++) {
        c[i] *= stretch;
    }
}

/* ---- forces ---- */

static double side_rate(const haw_touch_side *side, int k, const double *u)
{
    double sum = 0;
    for (int a = 0; a < side->count; a++) {
        sum += side->row[k][a] * u[haw_side_dof(side, a)];
    }
    return sum;
}

/* Directions n, t1, t2 of a touch. */
static void set_frame(const haw_touch *touch, double direction[HAW_DIRECTIONS][3])
{
    memcpy(direction[0], touch->normal, sizeof direction[0]);
    memcpy(direction[1], touch->tangent, sizeof direction[1]);
    vec3_cross(touch->normal, touch->tangent, direction[2]);
}

static void set_rate(const haw_touch *touch, int d, const double *u, haw_clasp *clasp)
{
    double direction[HAW_DIRECTIONS][3], slip = 0;
    set_frame(touch, direction);
    memset(clasp->rate, 0, sizeof clasp->rate);
    for (int k = 0; k < d; k++) {
        const double rate = side_rate(&touch->side[0], k, u) + side_rate(&touch->side[1], k, u);
        clasp->press.rate[0] = k == 0 ? rate : clasp->press.rate[0];
        slip += k > 0 ? rate * rate : 0;
        vec3_add(rate, direction[k], clasp->rate);
    }
    clasp->press.rate[1] = sqrt(slip);
}

double haw_clasp_excess(const haw_view *view, const haw_places *at, double unit[3])
{
    const bool counts = at->count > 1 && view->pair->chord_length == HAW_CHORD_REFERENCE;
    for (int i = 0; i < 3; i++) {
        unit[i] = counts ? at->now[1].x[i] - at->now[0].x[i] : 0;
    }
    const double size = vec3_norm(unit);
    for (int i = 0; i < 3 && counts; i++) {
        unit[i] /= size;
    }
    return counts ? size - view->cable->line.le / view->chords : 0;
}

static void find_way(const haw_passage *p, const haw_touch *touch, double way[3], double carried[3])
{
    haw_places at;
    double unit[3];
    haw_passage_places(p, touch, &at);
    const double excess = haw_clasp_excess(&p->now, &at, unit);
    memset(way, 0, 3 * sizeof *way);
    memset(carried, 0, 3 * sizeof *carried);
    for (int k = 0; k < at.count; k++) {
        double w[3], taken[3];
        haw_passage_find(p, &at.now[k], &at.then[k], touch->normal, w, taken);
        vec3_add(at.weight[k], w, way);
        vec3_add(at.weight[k], taken, carried);
    }
    vec3_add(excess * at.travel, unit, way);
}

/* What is given to a foot, of a full share. One that has come to share with another has that of the
 * other. */
static const double *find_given(const haw_compliant *c, const haw_clasp *clasp)
{
    const double *own = c->given + (ptrdiff_t)HAW_GIVEN * clasp->press.id;
    if (clasp->with >= 0) {
        const int id = c->touched->item[clasp->with].id;
        const double *its = c->given + (ptrdiff_t)HAW_GIVEN * id;
        own = its[0] > own[0] ? its : own;
    }
    return own;
}

/* Friction that is given, and what is viscous beside it. */
static void set_given(const haw_friction_parameters *p, const double normal[3],
                      const double given[3], haw_clasp *clasp)
{
    haw_clasp_carry(normal, given, clasp->given);
    for (int i = 0; i < 3; i++) {
        clasp->given[i] *= clasp->part;
    }
    for (int i = 0; i < 3; i++) {
        const double slip = clasp->rate[i] - clasp->press.rate[0] * normal[i];
        clasp->f.force[i] = clasp->given[i] + p->viscous * slip;
        clasp->f.d_rate[4 * i] = p->viscous;
    }
}

static void set_friction(const haw_compliant *c, const haw_compliant_pair *pair,
                         const double normal[3], haw_clasp *clasp)
{
    haw_press *press = &clasp->press;
    haw_friction_parameters part;
    clasp->f = (haw_slip_force){.regime = HAW_REGIME_STICK};
    memset(clasp->given, 0, sizeof clasp->given);
    if (c->given != NULL && pair->tangential != NULL && !pair->tangential->is_unbounded) {
        set_given(haw_press_share(c, pair, press, &part), normal, find_given(c, clasp) + 1, clasp);
    } else if (pair->tangential != NULL && press->n.force >= 0) {
        const double pressed = vec3_dot(normal, clasp->way);
        haw_slip slip = {.normal = press->n.force, .h = c->h};
        if (!clasp->is_bare) {
            haw_clasp_carry(normal, clasp->bristle, slip.memory);
        }
        for (int i = 0; i < 3; i++) {
            slip.rate[i] = clasp->rate[i] - press->rate[0] * normal[i];
            slip.slide[i] =
                slip.memory[i] + clasp->entry[0] * (clasp->way[i] - pressed * normal[i]);
        }
        pair->tangential->vector(haw_press_share(c, pair, press, &part), &slip, &clasp->f);
    }
    press->f = (haw_friction_force){.force = vec3_norm(clasp->f.force), .regime = clasp->f.regime};
}

/* A point that is held closed outside is pulled as it would be pressed that deep: a force with its
 * slope, without which Newton's method goes to and fro between both sides of a stiff surface. What
 * damping has at g = 0 it keeps: without it the force would jump there. */
static void hold_closed(const haw_compliant_pair *pair, haw_press *press)
{
    haw_normal_force pull, *n = &press->n;
    pair->normal->force(&pair->pressing, -press->gap, 0, press->impact, &pull);
    pair->normal->force(&pair->pressing, 0, press->rate[0], press->impact, n);
    n->force = press->share * (n->force - pull.force);
    n->d_gap = press->share * pull.d_gap;
    n->d_rate *= press->share;
}

/* True if the other foot is behind the end of this one's element: of a ring of two elements, which
 * meet at both of their ends, at the end that is nearer. */
static bool is_before(const haw_view *view, const haw_touch *touch, const haw_touch *other)
{
    return haw_cable_beside(view->line, touch->on, 1) == other->on &&
           (haw_cable_beside(view->line, other->on, 1) != touch->on || touch->at > other->at);
}

/* Of a foot beside a node that the other one lies beyond, as a part of an element from it; else -1.
 */
static double from_node(const haw_view *view, const haw_touch *touch, const haw_touch *other)
{
    const bool is_behind = haw_cable_beside(view->line, other->on, 1) == touch->on;
    return is_before(view, touch, other) ? 1 - touch->at : is_behind ? touch->at : -1;
}

/*
 * Where elements meet at an angle a point on its inner side has two feet, and the one that comes to
 * the node is gone: a whole force each would jump, and might leave no equilibrium. Feet that are
 * this much nearer to each other than to the point share one, by their ways from the node.
 */
static const double BESIDE = 0.01;
static const double LEAST_PART = 1e-9; /* a spring of none has no softness */

static void find_part(const haw_compliant *c, haw_clasp *clasp)
{
    const haw_contacts *touched = c->touched;
    const int i = clasp->touch;
    const haw_touch *touch = &touched->item[i];
    clasp->part = 1;
    clasp->with = -1;
    clasp->slope[0] = clasp->slope[1] = 0;
    for (int k = i - 1; k <= i + 1; k += 2) {
        const haw_touch *other = k >= 0 && k < touched->count ? &touched->item[k] : touch;
        if (other->pair != touch->pair || other->element != touch->element ||
            other->s != touch->s || other->on == touch->on ||
            other->side[0].cable != touch->side[0].cable) { /* a point of the other one */
            continue;
        }
        const haw_view view = haw_view_at(touched, touch, c->q);
        if (view.line == NULL) {
            continue;
        }
        const double own = from_node(&view, touch, other), its = from_node(&view, other, touch);
        int e = touch->on;
        const double apart = (own + its) * haw_cable_member(view.line, &e)->line.le;
        if (own >= 0 && its >= 0 &&
            apart <= BESIDE * (touch->gap + view.radius + view.line->radius)) {
            const double both = own + its;
            const double side = is_before(&view, touch, other) ? -1 : 1;
            clasp->part = both > 0 ? fmax(own / both, LEAST_PART) : 0.5;
            clasp->with = k;
            if (own > LEAST_PART * both) {
                clasp->slope[0] = side * its / (own * both);
                clasp->slope[1] = side / both;
            }
        }
    }
}

/* Whose bristle a foot has at the start of the step: one that has come to share a force with
 * another has that of the other, which may be gone when the step ends. */
static int find_kept(const haw_compliant *c, const haw_clasp *clasp)
{
    const bool is_new = haw_history_is_new(&c->histories, clasp->press.id);
    return is_new && clasp->with >= 0 ? c->touched->item[clasp->with].id : clasp->press.id;
}

/*
 * A new bristle moves with its point until that comes into contact, and on surfaces until the step
 * ends. Lines that slide across each other change points all the way, and a new one has its force
 * from the place of its entry on: the part g / (g - g_0) of the way, the gap linear in time, and
 * all of it if the point was inside, as of combs (press.c). Else the force across is less by the
 * share of new points, and lines slip in jumps.
 */
static void find_entry(const haw_compliant *c, const haw_touch *touch, const haw_view *view,
                       haw_clasp *clasp)
{
    const bool enters = view->line != NULL && c->phase != HAW_STATICS && touch->gap < 0;
    clasp->entry[0] = !clasp->is_bare || enters ? 1 : 0;
    clasp->entry[1] = 0;
    const double before =
        clasp->is_bare && enters ? haw_contacts_gap(c->touched, touch, c->start_q) : 0;
    if (before > 0) {
        const double closed = touch->gap - before;
        clasp->entry[0] = touch->gap / closed;
        clasp->entry[1] = -before / (closed * closed);
    }
}

/* A mesh without memory between its points. */
static void push(haw_compliant *c, const haw_compliant_pair *pair, const haw_touch *touch,
                 haw_clasp *clasp)
{
    const haw_passage passage = haw_clasp_passage(c, touch, c->q, c->start_q), *p = &passage;
    haw_press *press = &clasp->press;
    find_part(c, clasp);
    *press = (haw_press){
        .id = touch->id,
        .gap = touch->gap,
        .is_new = haw_history_is_new(&c->histories, touch->id),
        .share = haw_pair_weight(c->model, pair->pair, touch->id - pair->pair->first_point) *
                 clasp->part};
    memcpy(press->normal, touch->normal, sizeof press->normal);
    clasp->pair = pair;
    set_rate(touch, p->now.moves, c->u, clasp);
    find_way(p, touch, clasp->way, clasp->carried);
    const int kept = find_kept(c, clasp);
    clasp->is_bare = haw_history_is_new(&c->histories, kept);
    find_entry(c, touch, &p->now, clasp);
    mat3_apply(p->now.pose.rotation, haw_history_start(&c->histories, kept) + 2, clasp->bristle);
    if (c->given != NULL) {
        press->n = (haw_normal_force){.force = clasp->part * find_given(c, clasp)[0]};
    } else {
        (void)haw_press_normal(c, pair, press);
    }
    if (c->given == NULL && touch->gap > 0) {
        hold_closed(pair, press);
    }
    set_friction(c, pair, touch->normal, clasp);
}

static void add_forces(const haw_touch *touch, int d, const haw_clasp *clasp,
                       double *const force[2])
{
    double direction[HAW_DIRECTIONS][3];
    set_frame(touch, direction);
    for (int side = 0; side < 2; side++) {
        const haw_touch_side *s = &touch->side[side];
        for (int a = 0; a < s->count; a++) {
            const int dof = haw_side_dof(s, a);
            force[0][dof] += clasp->press.n.force * s->row[0][a];
            for (int k = 1; k < d; k++) {
                force[1][dof] -= vec3_dot(direction[k], clasp->f.force) * s->row[k][a];
            }
        }
    }
}

/* Touches of the pair as the narrow phase lists them, those behind the others of the evaluation;
 * `is_back`: of the points of the other cable. */
static haw_status list_touches(haw_compliant *c, const haw_compliant_pair *pair, bool is_back)
{
    haw_contacts *touched = c->touched;
    const int first = touched->count;
    haw_view view = haw_view_init(touched, pair->index, is_back, touched->q);
    view.lists = true;
    view.gap_min = &c->gap_min[pair->index];
    view.looked = &c->looked;
    haw_view_sweep(&view, c->u, 0);
    HAW_TRY(haw_narrow_of(pair->pair)->find(touched, &view));
    for (int i = first; i < touched->count; i++) { /* with the dips beside points */
        *view.gap_min = fmin(*view.gap_min, touched->item[i].gap);
    }
    return HAW_OK;
}

static haw_status list_all(haw_compliant *c, const haw_compliant_pair *pair)
{
    haw_contacts *touched = c->touched;
    touched->margin = c->given != NULL ? c->sight : haw_press_margin(pair);
    HAW_TRY(list_touches(c, pair, false));
    return haw_pair_looks_back(pair->pair) ? list_touches(c, pair, true) : HAW_OK;
}

haw_status haw_clasp_measure(haw_compliant *c, const double *q)
{
    haw_contacts *touched = c->touched;
    touched->count = 0;
    touched->q = q;
    haw_contacts_fit(touched, q);
    for (int i = 0; i < c->pairs; i++) {
        const bool has_dips = c->pair[i].pair->proxies == HAW_PROXY_MINIMA;
        HAW_TRY(has_dips ? list_all(c, &c->pair[i]) : HAW_OK);
    }
    (void)haw_contacts_refine(touched);
    touched->count = 0;
    return HAW_OK;
}

static haw_status evaluate(haw_compliant *c, haw_compliant_pair *pair, const double *q,
                           const double *u, double *const force[2])
{
    const int first = c->touched->count, begin = c->clasps;
    (void)q;
    (void)u;
    HAW_TRY(list_all(c, pair));
    void *array = c->clasp;
    const haw_status status = haw_grow(c->context, c->clasps + c->touched->count - first + 1,
                                       sizeof *c->clasp, &c->clasp_capacity, &array);
    c->clasp = array;
    HAW_TRY(status);
    HAW_TRY(haw_compliant_reserve(c, 0, 0, 0));
    for (int i = first; i < c->touched->count; i++) {
        const haw_touch *touch = &c->touched->item[i];
        haw_clasp *clasp = &c->clasp[c->clasps];
        if (c->given != NULL || haw_history_cling(&c->histories, touch->id, touch->gap <= 0)) {
            clasp->touch = i;
            push(c, pair, touch, clasp);
            add_forces(touch, c->touched->dimension, clasp, force);
            c->clasps++;
        }
    }
    if (c->clasps > begin) {
        c->patch[c->patches++] = (haw_patch){.pair = (int)(pair - c->pair),
                                             .element = -1,
                                             .touch = begin,
                                             .count = c->clasps - begin};
        c->closed += c->clasps - begin;
    }
    return HAW_OK;
}

/* Speed of approach at the start of the step, as seen from where the touch is now. */
static haw_arrival arrive(haw_compliant *c, const haw_compliant_pair *pair, const haw_press *press)
{
    const haw_touch *touch = &c->touched->item[((const haw_clasp *)(const void *)press)->touch];
    const double rate =
        side_rate(&touch->side[0], 0, c->start_u) + side_rate(&touch->side[1], 0, c->start_u);
    (void)pair;
    return (haw_arrival){.impact = rate < 0 ? -rate : 0};
}

/* ---- springs ---- */

/* The force k s + c v of a friction law below its limit, and k_T, how it rises with the way. */
static double find_stick(const haw_compliant *c, const haw_clasp *clasp, double rate,
                         double linear[3])
{
    const haw_compliant_pair *pair = clasp->pair;
    const double *n = c->touched->item[clasp->touch].normal;
    haw_friction_parameters part;
    const haw_friction_parameters *p = haw_press_share(c, pair, &clasp->press, &part);
    double slope, damping = p->damping, stiffness = clasp->entry[0] * p->stiffness;
    if (pair->tangential->is_drag) {
        const double mu = haw_friction_coefficient(p, clasp->press.rate[1], &slope);
        damping = mu * clasp->press.n.force / p->regularization;
        stiffness = 0;
    } else if (!pair->tangential->uses_slide) { /* bristles that are bent by v from the start */
        damping += p->stiffness * c->h;
    }
    double kept[3] = {0};
    if (stiffness > 0 && !clasp->is_bare) {
        haw_clasp_carry(n, clasp->bristle, kept);
    }
    const double pressed = vec3_dot(n, clasp->way);
    for (int i = 0; i < 3; i++) {
        const double way = pair->tangential->uses_slide ? clasp->way[i] - pressed * n[i] : 0;
        linear[i] =
            damping * (clasp->rate[i] - clasp->press.rate[0] * n[i]) + stiffness * (kept[i] + way);
    }
    return damping * rate + (pair->tangential->uses_slide ? stiffness : 0);
}

haw_softness haw_compliant_softness(const haw_compliant *compliant, int i, double rate)
{
    const haw_clasp *clasp = &compliant->clasp[i];
    const haw_touch *touch = &compliant->touched->item[i];
    const haw_compliant_pair *pair = clasp->pair;
    haw_softness soft = {
        .normal = 1 / (clasp->press.share * pair->pressing.stiffness),
        .force = {clasp->press.n.force, clasp->given[0], clasp->given[1], clasp->given[2]},
        .with = clasp->with};
    double linear[3], second[3], slope;
    if (pair->tangential == NULL || pair->tangential->is_unbounded) {
        return soft;
    }
    const double k = find_stick(compliant, clasp, rate, linear);
    if (k > 0) {
        const haw_friction_parameters *p = haw_press_friction(compliant, pair, touch->id);
        vec3_cross(touch->normal, touch->tangent, second);
        soft.tangential = 1 / k;
        soft.mu = haw_friction_coefficient(p, clasp->press.rate[1], &slope);
        soft.slip[0] = vec3_dot(touch->tangent, linear) / k;
        soft.slip[1] = vec3_dot(second, linear) / k;
    }
    return soft;
}

/* ---- what is listed and kept ---- */

static const haw_press *get_point(const haw_compliant *c, const haw_patch *patch, int i)
{
    return &c->clasp[patch->touch + i].press;
}

static void describe(const haw_compliant *c, const haw_patch *patch, int i, haw_touch *item,
                     double *rate, double *force)
{
    const haw_clasp *clasp = &c->clasp[patch->touch + i];
    double direction[HAW_DIRECTIONS][3];
    *item = c->touched->item[clasp->touch];
    set_frame(item, direction);
    rate[0] = clasp->press.rate[0];
    force[0] = clasp->press.n.force;
    for (int k = 1; k < c->touched->dimension; k++) {
        rate[k] = vec3_dot(direction[k], clasp->rate);
        force[k] = -vec3_dot(direction[k], clasp->f.force);
    }
    haw_side_set(&item->side[0], -1, -1, 0, 0);
}

/* In the frame of the body. A bristle goes on with the rest of the step, where forces are those
 * before its end: else it would miss that part of every way. */
static void keep(const haw_compliant *c, const haw_compliant_pair *pair, const haw_press *touch,
                 bool is_relaxed, double *history)
{
    static const double none[3] = {0, 0, 0};
    const haw_clasp *clasp = (const void *)touch;
    const haw_touch *item = &c->touched->item[clasp->touch];
    const haw_passage rest = haw_clasp_passage(c, item, c->rest_q != NULL ? c->rest_q : c->q, c->q);
    mat3_apply_t(rest.before.rotation, is_relaxed ? none : clasp->f.deflection, history + 2);
    if (c->rest_q != NULL && pair->tangential != NULL && pair->tangential->uses_slide) {
        double way[3], carried[3], turned[3];
        find_way(&rest, item, way, carried);
        vec3_add(-vec3_dot(item->normal, way), item->normal, way);
        mat3_apply_t(rest.now.pose.rotation, way, turned);
        vec3_add(1, turned, history + 2);
    }
}

const haw_press_ops haw_press_clasp = {
    .takes_given = true,
    .create = create,
    .evaluate = evaluate,
    .arrive = arrive,
    .tangent = haw_clasp_tangent,
    .point = get_point,
    .describe = describe,
    .keep = keep,
};
