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
#include "base/lie.h"
#include "contact/press.h"

#include <string.h>

struct haw_clasp {
    haw_press press;   /* id, gap, share, rate (normal, |v_T|), normal force; first: see keep */
    int touch;         /* of haw_compliant.touched */
    haw_slip_force f;  /* n = 3 */
    double rate[3];    /* v [m/s] */
    double bristle[3]; /* Q sigma [m] */
    double way[3];     /* w [m] */
    double carried[3]; /* from the body's centre to where it has taken the point by now [m] */
};

static haw_status create(haw_compliant *c, haw_compliant_pair *pair)
{
    const char *const *between = pair->pair->between;
    if (pair->pair->offset != 0) {
        const haw_status status = haw_fail(
            c->context, HAW_ERR_INPUT,
            "cable '%s': compliant contact of this element takes no offset (law: hard, and "
            "the other planar elements do)",
            pair->cable->name);
        return haw_place(c->context, status, "contact.%s-%s.offset", between[0], between[1]);
    }
    return haw_press_list(c);
}

/* The pair at q, since it was at q0. */
static haw_passage passage_of(const haw_compliant *c, const haw_compliant_pair *pair,
                              const double *q, const double *q0)
{
    return (haw_passage){.now = haw_view_init(c->touched, pair->index, false, q),
                         .before = haw_view_init(c->touched, pair->index, false, q0).pose,
                         .q0 = q0};
}

/* T(n) b. */
static void carry(const double n[3], const double b[3], double c[3])
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

/* Where a bristle counts the travel of a touch along its chord c in the reference length l, as on a
 * circle in the plane, the way has (|c| - l) travel c / |c| more. @return |c| - l */
static double find_excess(const haw_view *view, const haw_places *at, double unit[3])
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
    const double excess = find_excess(&p->now, &at, unit);
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

static void set_friction(const haw_compliant *c, const haw_compliant_pair *pair,
                         const double normal[3], haw_clasp *clasp)
{
    haw_press *press = &clasp->press;
    clasp->f = (haw_slip_force){.regime = HAW_REGIME_STICK};
    if (pair->tangential != NULL && press->n.force >= 0) {
        const double pressed = vec3_dot(normal, clasp->way);
        haw_friction_parameters part;
        haw_slip slip = {.normal = press->n.force, .h = c->h};
        if (!press->is_new) {
            carry(normal, clasp->bristle, slip.memory);
        }
        for (int i = 0; i < 3; i++) {
            slip.rate[i] = clasp->rate[i] - press->rate[0] * normal[i];
            slip.slide[i] =
                press->is_new ? 0 : slip.memory[i] + clasp->way[i] - pressed * normal[i];
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

/* A mesh without memory between its points: a bristle of a new contact moves with it until the step
 * ends, as on a line. */
static void push(haw_compliant *c, const haw_compliant_pair *pair, const haw_passage *p,
                 const haw_touch *touch, haw_clasp *clasp)
{
    haw_press *press = &clasp->press;
    *press = (haw_press){
        .id = touch->id,
        .gap = touch->gap,
        .is_new = haw_history_is_new(&c->histories, touch->id),
        .share = haw_pair_weight(c->model, pair->pair, touch->id - pair->pair->first_point)};
    memcpy(press->normal, touch->normal, sizeof press->normal);
    set_rate(touch, p->now.moves, c->u, clasp);
    find_way(p, touch, clasp->way, clasp->carried);
    mat3_apply(p->now.pose.rotation, haw_history_start(&c->histories, touch->id) + 2,
               clasp->bristle);
    (void)haw_press_normal(c, pair, press);
    if (touch->gap > 0) {
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

/* Touches of the pair as the narrow phase lists them, those behind the others of the evaluation. */
static haw_status list_touches(haw_compliant *c, const haw_compliant_pair *pair, const double *u)
{
    haw_contacts *touched = c->touched;
    touched->count = c->clasps > 0 ? touched->count : 0;
    touched->q = c->q;
    touched->margin = haw_press_margin(pair);
    haw_view view = haw_view_init(touched, pair->index, false, c->q);
    view.lists = true;
    view.gap_min = &c->gap_min[pair->index];
    view.looked = &c->looked;
    haw_view_sweep(&view, u, 0);
    return haw_narrow_of(pair->pair)->find(touched, &view);
}

static haw_status evaluate(haw_compliant *c, haw_compliant_pair *pair, const double *q,
                           const double *u, double *const force[2])
{
    const haw_passage p = passage_of(c, pair, c->q, c->start_q);
    const int first = c->clasps > 0 ? c->touched->count : 0, begin = c->clasps;
    (void)q;
    HAW_TRY(list_touches(c, pair, u));
    void *array = c->clasp;
    const haw_status status = haw_grow(c->context, c->clasps + c->touched->count - first + 1,
                                       sizeof *c->clasp, &c->clasp_capacity, &array);
    c->clasp = array;
    HAW_TRY(status);
    HAW_TRY(haw_compliant_reserve(c, 0, 0, 0));
    for (int i = first; i < c->touched->count; i++) {
        const haw_touch *touch = &c->touched->item[i];
        haw_clasp *clasp = &c->clasp[c->clasps];
        if (haw_history_cling(&c->histories, touch->id, touch->gap <= 0)) {
            clasp->touch = i;
            push(c, pair, &p, touch, clasp);
            add_forces(touch, p.now.moves, clasp, force);
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

/* ---- tangent ---- */

/*
 * Derivatives of the forces of a clasp, column by column over the degrees of freedom of its two
 * sides. With rho = -a n, eta = rho - g n where friction acts at the foot (view.h), else rho, the
 * lever L = x + eta - X, motions dx, dphi of the first side and dX, dPhi of the body,
 *
 *     dn = B (dx - dX - dPhi x (x - X)) + dPhi x n,   dg = n . (dx - dX - dPhi x (x - X)),
 *     v = v_x + omega x rho - V - Omega x L,
 *     dw = dx - dX - dPhi x c + drho - C (drho - dphi x rho)   (c carried arm, C rho its part),
 *
 * and the forces F on x, rho x F on the section, -F and -L x F on the body. The axes of a node turn
 * with it. Between nodes that turn the Jacobian of x changes too, haw_cable_ops.point_tangent; what
 * that makes of v, and how the shares of the nodes in omega change, is left out, as in turn.c.
 *
 * The place z on a chord c moves with its nearest point, n . c = 0, by
 *
 *     dz = -(dn . c + n . dc) / (c . B c),   dn at a place that stays,
 *
 * and x by c dz more, which is no way of the material: w goes from that of one end to that of the
 * other. omega = c x c' / |c|^2 of a chord that turns its sections changes with c.
 */

enum { COLUMNS = HAW_SIDE_DOFS + HAW_BODY_DOFS };

/* A motion of the two sides, or one of the rates. */
typedef struct motion {
    double x[3], turn[3];      /* of the first side */
    double body[3], spin[3];   /* of the second */
    double axis[3];            /* of the turn, of a node of the first side or of the ball */
    double along[3], twist[3]; /* of a chord, from end to end: x and turn */
    double end_turn[2][3];     /* of what the way takes along: of each of its places */
    int node;
} motion;

typedef struct setting {
    const haw_clasp *clasp;
    const haw_touch *touch;
    const haw_pair *pair;
    double rate;
    bool slides, to_foot;
    double rho[3], eta[3], lever[3], arm[3]; /* L, x - X [m] */
    haw_places at;
    double turned[2][9]; /* Q Q_0^T R_0 R^T of each place */
    double force[3];     /* F [N] */
    motion rates;
    int count[2];
    motion column[COLUMNS];
    double node_rate[2][3]; /* what the turns of a node, or of the ball, make of rates.turn */
    /* of a chord: */
    haw_chord chord;
    bool turns;       /* its sections with itself */
    double bend;      /* c . B c, 0: its place stays */
    double unlike[3]; /* w of its second end less that of the first [m] */
    double excess, unit[3];
} setting;

/* ---- the two sides ---- */

/* Columns of a body: its centre, and turns about its own axes or about z. */
static void set_body_columns(const haw_view *view, const double *rotation, int first, setting *s)
{
    for (int k = 0; k < view->moves + view->turns; k++) {
        motion *m = &s->column[first + k];
        double *move = first == 0 ? m->x : m->body, *turn = first == 0 ? m->turn : m->spin;
        if (k < view->moves) {
            move[k] = 1;
            continue;
        }
        const int axis = k - view->moves + 3 - view->turns;
        for (int i = 0; i < 3; i++) {
            turn[i] = rotation[3 * i + axis];
            m->axis[i] = m->turn[i];
            m->end_turn[0][i] = m->turn[i];
        }
    }
}

/* What the ends of a chord have of a column; a chord turned from the direction a to b, least of all
 * ways, by db turns by b x db - b a . (b x db) / (1 + a . b). */
static void set_chord_column(const haw_view *view, int a, setting *s)
{
    const haw_cable_point *end = s->chord.end;
    const double *from = s->at.from;
    motion *m = &s->column[a];
    for (int i = 0; i < 3; i++) {
        m->along[i] = i < view->moves ? end[1].j[i][a] - end[0].j[i][a] : 0;
        for (int k = 0; k < 2 && view->arm != 0; k++) {
            m->end_turn[k][i] = s->turns ? m->turn[i] : end[k].w[i][a];
            m->twist[i] += s->turns ? 0 : (2 * k - 1) * end[k].w[i][a];
        }
    }
    if (s->turns && view->arm != 0) {
        const double size = sqrt(s->chord.square);
        const double part = -vec3_dot(from, m->turn) / (size + vec3_dot(from, s->chord.along));
        vec3_add(part, s->chord.along, m->end_turn[0]);
        vec3_add(part, s->chord.along, m->end_turn[1]);
    }
}

static void set_cable_columns(const haw_view *view, const haw_touch *touch, setting *s)
{
    haw_cable_point point;
    haw_view_point(view, touch->element, touch->s, view->q, true, &point);
    for (int a = 0; a < touch->side[0].count; a++) {
        motion *m = &s->column[a];
        for (int i = 0; i < 3; i++) {
            m->x[i] = i < view->moves ? point.j[i][a] : 0;
            m->turn[i] = m->end_turn[0][i] = view->arm != 0 ? point.w[i][a] : 0;
        }
        if (view->chords > 0) {
            set_chord_column(view, a, s);
        }
    }
    for (int end = 0; end < 2 && view->arm != 0 && !s->turns; end++) {
        haw_pose node;
        haw_cable_point at;
        view->cable->ops->point(view->cable, touch->element, end, view->q, NULL, 0, &at);
        memcpy(node.rotation, at.rotation, sizeof node.rotation);
        for (int k = 0; k < 9; k++) {
            motion *m = &s->column[touch->side[0].count / 2 * end + 3 + k % 3];
            m->node = end;
            m->axis[k / 3] = node.rotation[k];
        }
    }
}

static void add_motion(double factor, const motion *a, motion *sum)
{
    vec3_add(factor, a->x, sum->x);
    vec3_add(factor, a->turn, sum->turn);
    vec3_add(factor, a->body, sum->body);
    vec3_add(factor, a->spin, sum->spin);
    vec3_add(factor, a->along, sum->along);
    vec3_add(factor, a->twist, sum->twist);
}

static void set_rates(const double *u, setting *s)
{
    memset(&s->rates, 0, sizeof s->rates);
    memset(s->node_rate, 0, sizeof s->node_rate);
    for (int side = 0, at = 0; side < 2; side++) {
        for (int a = 0; a < s->count[side]; a++, at++) {
            const double rate = u[haw_side_dof(&s->touch->side[side], a)];
            add_motion(rate, &s->column[at], &s->rates);
            vec3_add(rate, s->column[at].turn, s->node_rate[s->column[at].node]);
        }
    }
}

static void set_levers(const haw_passage *p, setting *s)
{
    const double *n = s->touch->normal;
    double x[3] = {0, 0, 0};
    for (int k = 0; k < s->at.count; k++) {
        double back[9], relative[9], before[9];
        mat3_transpose(s->at.now[k].rotation, back);
        mat3_product(s->at.then[k].rotation, back, relative);
        mat3_transpose(p->before.rotation, back);
        mat3_product(back, relative, before);
        mat3_product(p->now.pose.rotation, before, s->turned[k]);
        vec3_add(s->at.weight[k], s->at.now[k].x, x);
    }
    for (int i = 0; i < 3; i++) {
        s->rho[i] = -p->now.arm * n[i];
        s->eta[i] = s->rho[i] - (s->to_foot ? s->touch->gap : 0) * n[i];
        s->arm[i] = x[i] - p->now.pose.x[i];
        s->lever[i] = s->arm[i] + s->eta[i];
        s->force[i] = s->clasp->press.n.force * n[i] - s->clasp->f.force[i];
    }
}

/* How the place moves, and what the way has to do with it. */
static void set_chord(const haw_passage *p, setting *s)
{
    const haw_touch *touch = s->touch;
    double way[2][3], carried[3], slope[2];
    haw_view_chord(&p->now, touch->element, touch->s, p->now.q, true, &s->chord);
    s->turns = !haw_cable_turns(p->now.cable);
    for (int k = 0; k < 2; k++) {
        haw_passage_find(p, &s->at.now[k], &s->at.then[k], touch->normal, way[k], carried);
    }
    for (int i = 0; i < 3; i++) {
        s->unlike[i] = way[1][i] - way[0][i];
    }
    s->excess = find_excess(&p->now, &s->at, s->unit);
    vec3_add(s->excess, s->unit, s->unlike);
    haw_chord_slope(&s->chord, touch->normal, touch->tangent, touch->bend, s->chord.rho, slope);
    s->bend = fabs(slope[0]) < 1e-8 * sqrt(s->chord.square) ? slope[1] : 0;
}

static void set_up(const haw_compliant *c, const haw_compliant_pair *pair, const haw_passage *p,
                   const haw_clasp *clasp, setting *s)
{
    s->clasp = clasp;
    s->touch = &c->touched->item[clasp->touch];
    s->pair = pair->pair;
    s->to_foot = p->now.to_foot;
    s->slides = pair->tangential != NULL && pair->tangential->uses_slide;
    s->count[0] = s->touch->side[0].count;
    s->count[1] = s->touch->side[1].count;
    memset(s->column, 0, (size_t)(s->count[0] + s->count[1]) * sizeof *s->column);
    haw_passage_places(p, s->touch, &s->at);
    if (p->now.chords > 0) {
        set_chord(p, s);
    }
    if (pair->cable != NULL) {
        set_cable_columns(&p->now, s->touch, s);
    } else {
        set_body_columns(&p->now, s->at.now[0].rotation, 0, s);
    }
    set_body_columns(&p->now, p->now.pose.rotation, s->count[0], s);
    set_rates(c->u, s);
    set_levers(p, s);
}

/* ---- one column ---- */

static void subtract_cross(const double a[3], const double b[3], double y[3])
{
    double cross[3];
    vec3_cross(a, b, cross);
    vec3_add(-1, cross, y);
}

/* What a motion changes of a touch. */
typedef struct change {
    double place;  /* of the place on its chord */
    double arm[3]; /* x - X of the touch */
    double gap, normal[3], rho[3], eta[3];
} change;

/* dn += B xi. */
static void bend_normal(const haw_touch *touch, const double xi[3], double dn[3])
{
    double second[3];
    vec3_cross(touch->normal, touch->tangent, second);
    vec3_add(touch->bend[0] * vec3_dot(touch->tangent, xi), touch->tangent, dn);
    vec3_add(touch->bend[1] * vec3_dot(second, xi), second, dn);
}

static void turn_normal(const setting *s, const motion *m, change *d)
{
    const haw_touch *touch = s->touch;
    const double *n = touch->normal, *c = s->chord.along;
    const double a = -vec3_dot(s->rho, n), foot = -vec3_dot(s->eta, n);
    double xi[3], on[3];
    for (int i = 0; i < 3; i++) {
        xi[i] = d->arm[i] = m->x[i] - m->body[i];
    }
    subtract_cross(m->spin, s->arm, xi);
    vec3_cross(m->spin, n, d->normal);
    bend_normal(touch, xi, d->normal);
    d->gap = vec3_dot(n, xi);
    d->place = s->bend != 0 ? -(vec3_dot(d->normal, c) + vec3_dot(n, m->along)) / s->bend : 0;
    for (int i = 0; i < 3; i++) {
        on[i] = d->place * c[i];
        d->arm[i] += on[i];
    }
    bend_normal(touch, on, d->normal);
    d->gap += vec3_dot(n, on);
    for (int i = 0; i < 3; i++) {
        d->rho[i] = -a * d->normal[i];
        d->eta[i] = -foot * d->normal[i] - (s->to_foot ? d->gap : 0) * n[i];
    }
}

/* dv of the touch: by its turned levers, and by rates in proportion to the motion. */
static void turn_rate(const setting *s, const motion *m, const change *d, double dv[3])
{
    const motion *r = &s->rates;
    double lever[3], spin[3], turn[3], part[3];
    for (int i = 0; i < 3; i++) {
        lever[i] = d->arm[i] + d->eta[i];
        dv[i] = s->rate * (m->x[i] - m->body[i]) + d->place * r->along[i];
    }
    subtract_cross(r->spin, lever, dv);
    vec3_cross(m->spin, r->spin, spin);
    vec3_cross(m->axis, s->node_rate[m->node], turn);
    vec3_add(s->rate, m->spin, spin);
    vec3_add(s->rate, m->turn, turn);
    vec3_add(d->place, r->twist, turn);
    if (s->turns) { /* omega of the chord */
        vec3_cross(m->along, r->along, part);
        vec3_add(1 / s->chord.square, part, turn);
        vec3_add(-2 * vec3_dot(s->chord.along, m->along) / s->chord.square, r->turn, turn);
    }
    subtract_cross(spin, s->lever, dv);
    vec3_cross(turn, s->rho, part);
    vec3_add(1, part, dv);
    vec3_cross(r->turn, d->rho, part);
    vec3_add(1, part, dv);
}

/* d(P x) = P dx - dn (n . x) - n (dn . x). */
static void project_change(const double n[3], const double dn[3], const double x[3],
                           const double dx[3], double y[3])
{
    const double along = vec3_dot(n, x), turned = vec3_dot(dn, x) + vec3_dot(n, dx);
    for (int i = 0; i < 3; i++) {
        y[i] = dx[i] - along * dn[i] - turned * n[i];
    }
}

/* d(T(n) b) as b turns with the body: c = T b is P b at the constant length of b, c . b = |b| |P
 * b|, so that dc = (|b|^2 d(P b) - (c . d(P b)) c) / (c . b). */
static void carry_change(const setting *s, const motion *m, const double dn[3], double y[3])
{
    const double *n = s->touch->normal, *b = s->clasp->bristle;
    double db[3], c[3], dp[3];
    vec3_cross(m->spin, b, db);
    carry(n, b, c);
    project_change(n, dn, b, db, dp);
    const double along = vec3_dot(c, b), square = vec3_dot(b, b), stretch = vec3_dot(c, dp);
    for (int i = 0; i < 3; i++) {
        y[i] = along > 0 ? (square * dp[i] - stretch * c[i]) / along : 0;
    }
}

/* dw: what the body carries turns with it, and its part C rho with the section too. */
static void way_change(const setting *s, const motion *m, const change *d, double dw[3])
{
    for (int i = 0; i < 3; i++) {
        dw[i] = m->x[i] - m->body[i] + d->rho[i] + d->place * s->unlike[i];
    }
    for (int k = 0; k < s->at.count; k++) {
        double inner[3], turned[3];
        vec3_cross(m->end_turn[k], s->rho, inner);
        for (int i = 0; i < 3; i++) {
            inner[i] = d->rho[i] - inner[i];
        }
        mat3_apply(s->turned[k], inner, turned);
        vec3_add(-s->at.weight[k], turned, dw);
    }
    if (s->at.travel != 0) { /* d((|c| - l) c / |c|) */
        const double part = s->excess / sqrt(s->chord.square), along = vec3_dot(s->unit, m->along);
        vec3_add(s->at.travel * part, m->along, dw);
        vec3_add(s->at.travel * (1 - part) * along, s->unit, dw);
    }
    subtract_cross(m->spin, s->clasp->carried, dw);
}

/* dF of a column. */
static void force_change(const setting *s, const motion *m, const change *d, double df[3])
{
    const haw_clasp *clasp = s->clasp;
    const double *n = s->touch->normal, *dn = d->normal;
    double dv[3], slip[3], dw[3], slide[3], carried[3], part[3];
    turn_rate(s, m, d, dv);
    const double d_rate = vec3_dot(dn, clasp->rate) + vec3_dot(n, dv);
    const double normal = clasp->press.n.d_gap * d->gap + clasp->press.n.d_rate * d_rate;
    project_change(n, dn, clasp->rate, dv, slip);
    mat3_apply(clasp->f.d_rate, slip, df);
    if (!clasp->press.is_new) {
        carry_change(s, m, dn, slide);
        way_change(s, m, d, dw);
        project_change(n, dn, clasp->way, dw, carried);
        vec3_add(s->slides ? 1 : 0, carried, slide);
        mat3_apply(s->slides ? clasp->f.d_slide : clasp->f.d_memory, slide, part);
        vec3_add(1, part, df);
    }
    for (int i = 0; i < 3; i++) {
        df[i] =
            normal * n[i] + clasp->press.n.force * dn[i] - df[i] - clasp->f.d_normal[i] * normal;
    }
}

/* What a moment M on the sections does to the rows as their turns c x dc / |c|^2 change. */
static double turn_of_row(const setting *s, const motion *m, const motion *row,
                          const double moment[3])
{
    double part[3];
    vec3_cross(m->along, row->along, part);
    return (vec3_dot(part, moment) -
            2 * vec3_dot(s->chord.along, m->along) * vec3_dot(row->turn, moment)) /
           s->chord.square;
}

/* Change of the generalized forces that a column makes, into column `at` of k. */
static void add_column(const setting *s, int at, double *k)
{
    const motion *m = &s->column[at];
    const int width = s->count[0] + s->count[1];
    double df[3], moment[3], turned[3], part[3], lever[3], own[3], twist[3];
    change d;
    turn_normal(s, m, &d);
    force_change(s, m, &d, df);
    /* on the section, d(rho x F), and as the axes of its nodes turn */
    vec3_cross(s->rho, s->force, twist);
    vec3_cross(s->rho, df, turned);
    vec3_cross(d.rho, s->force, part);
    vec3_add(1, part, turned);
    vec3_cross(twist, m->axis, own);
    /* on the body, -d(L x F) */
    double on_body[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        lever[i] = d.arm[i] + d.eta[i];
    }
    subtract_cross(lever, s->force, on_body);
    subtract_cross(s->lever, df, on_body);
    vec3_cross(s->lever, s->force, moment);
    vec3_cross(m->spin, moment, part);
    vec3_add(1, part, on_body);
    for (int a = 0; a < width; a++) {
        const motion *row = &s->column[a];
        k[a * width + at] -=
            vec3_dot(row->x, df) + vec3_dot(row->turn, turned) - vec3_dot(row->body, df) +
            vec3_dot(row->spin, on_body) + (row->node == m->node ? vec3_dot(row->turn, own) : 0) +
            d.place * (vec3_dot(row->along, s->force) + vec3_dot(row->twist, twist)) +
            (s->turns ? turn_of_row(s, m, row, twist) : 0);
    }
}

/* ---- into the matrix ---- */

static void add_turn(const haw_compliant *c, const haw_compliant_pair *pair, const setting *s,
                     haw_system *system)
{
    const haw_cable_ops *ops = pair->cable->ops;
    const int e = s->touch->element;
    double own[HAW_SIDE_DOFS * HAW_SIDE_DOFS];
    memset(own, 0, (size_t)(s->count[0] * s->count[0]) * sizeof *own);
    for (int k = 0; k < s->at.count && ops->point_tangent != NULL; k++) {
        double force[3] = {0, 0, 0};
        vec3_add(s->at.weight[k], s->force, force);
        ops->point_tangent(pair->cable, e, s->at.count > 1 ? s->chord.s[k] : s->touch->s, c->q,
                           force, NULL, own);
    }
    haw_system_add_element(system, pair->pair->cable, e, own);
}

/* A ball and a body. */
static void add_pair(const setting *s, const double *k, haw_system *system)
{
    int list[COLUMNS];
    const haw_dofs dofs = {.count = s->count[0] + s->count[1], .list = list};
    for (int a = 0; a < dofs.count; a++) {
        const int side = a < s->count[0] ? 0 : 1;
        list[a] = haw_side_dof(&s->touch->side[side], a - side * s->count[0]);
    }
    haw_system_add_block(system, &dofs, k);
}

static void tangent(haw_compliant *c, const haw_patch *patch, double rate, haw_system *system)
{
    const haw_compliant_pair *pair = &c->pair[patch->pair];
    const haw_passage p = passage_of(c, pair, c->q, c->start_q);
    double k[COLUMNS * COLUMNS];
    setting s = {.rate = rate};
    for (int i = 0; i < patch->count; i++) {
        set_up(c, pair, &p, &c->clasp[patch->touch + i], &s);
        const int width = s.count[0] + s.count[1];
        memset(k, 0, (size_t)(width * width) * sizeof *k);
        for (int at = 0; at < width; at++) {
            add_column(&s, at, k);
        }
        if (pair->cable != NULL) {
            add_turn(c, pair, &s, system);
            haw_system_add_contact(system, pair->pair->cable, s.touch->element, pair->pair->body,
                                   k);
        } else {
            add_pair(&s, k, system);
        }
    }
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
    const haw_passage rest = passage_of(c, pair, c->rest_q != NULL ? c->rest_q : c->q, c->q);
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
    .create = create,
    .evaluate = evaluate,
    .arrive = arrive,
    .tangent = tangent,
    .point = get_point,
    .describe = describe,
    .keep = keep,
};
