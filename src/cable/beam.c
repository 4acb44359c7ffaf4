/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines in space: the elements of element/space.h. Moving q by increments of the velocities is
 *
 *     x <- x + d_x,   R <- R exp(d_R),
 *
 * and what is prescribed comes from the exact integrals of the drives (guide.c).
 */
#include "base/lie.h"
#include "cable/site.h"

#include <math.h>
#include <string.h>

enum { BLOCK = HAW_SPACE_DOFS * HAW_SPACE_DOFS };

static const double pi = 3.14159265358979323846;
static const double TURN_MOST = 0.9;  /* of pi, beyond which a logarithm is near its branch */
static const double LEG_CHANGE = 0.5; /* of a leg of a control polygon, over its length */
static const double MOST_SHIFT = 1, MOST_TURN = 1; /* of two nodes in a step [lengths], [rad] */

/* ---- coordinates ---- */

static void beam_move(const haw_cable *cable, const double *q, double h, const double *u,
                      double *q_plus)
{
    haw_space_nodes_move(cable->beam.ops, cable->beam.elements + 1, q + cable->first_q, h,
                         u + cable->first, q_plus + cable->first_q);
}

static void beam_difference(const haw_cable *cable, const double *q, const double *q_plus,
                            double *d)
{
    haw_space_nodes_difference(cable->beam.ops, cable->beam.elements + 1, q + cable->first_q,
                               q_plus + cable->first_q, d + cable->first);
}

/* Its chord, or its unstrained length where a curve is longer. */
static double beam_longest(const haw_cable *cable)
{
    double longest = cable->beam.le;
    for (int e = 0; e < cable->beam.elements; e++) {
        const double *a = cable->start + (ptrdiff_t)cable->stride_q * e, *b = a + cable->stride_q;
        longest = fmax(longest, hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]));
    }
    return longest;
}

/* ---- dynamics ---- */

static void beam_energy(const haw_cable *cable, const double *q, double energy[2])
{
    cable->beam.ops->energy(&cable->beam, q + cable->first_q, energy);
}

static double beam_kinetic(const haw_cable *cable, const double *q, const double *u)
{
    (void)q;
    return cable->beam.ops->kinetic(&cable->beam, u + cable->first);
}

/* y += factor M x: the masses of all elements of a cable are the same. */
static void add_mass(const haw_cable *cable, double factor, const double *x, double *y)
{
    const haw_beam *beam = &cable->beam;
    const int n = beam->ops->dofs;
    double m[BLOCK];
    beam->ops->mass(beam, m);
    for (int e = 0; e < beam->elements; e++) {
        const int first = haw_cable_node_dof(cable, e);
        for (int a = 0; a < n; a++) {
            double sum = 0;
            for (int b = 0; b < n; b++) {
                sum += m[a * n + b] * x[first + b];
            }
            y[first + a] += factor * sum;
        }
    }
}

static void beam_mass(const haw_cable *cable, const double *a, double *y)
{
    memset(y + cable->first, 0, (size_t)cable->line.dofs * sizeof *y);
    add_mass(cable, 1, a, y);
}

static void beam_forces(const haw_cable *cable, const double *q, const double *u,
                        const haw_forces *forces)
{
    const haw_beam *beam = &cable->beam;
    const double *velocity = u + cable->first;
    if (cable->damping_mass > 0) {
        add_mass(cable, -cable->damping_mass, u, forces->damping);
    }
    beam->ops->force(beam, q + cable->first_q, velocity, forces->conservative + cable->first,
                     forces->damping + cable->first);
    if (beam->ops->gyroscopic != NULL) {
        beam->ops->gyroscopic(beam, velocity, forces->gyroscopic + cable->first);
    }
}

static void beam_blocks(const haw_cable *cable, const double *q, const double *u,
                        const double factor[2], haw_block_sink add, void *user)
{
    const haw_beam *beam = &cable->beam;
    const double mass = factor[0] + factor[1] * cable->damping_mass;
    const int n = beam->ops->dofs;
    double m[BLOCK], k[BLOCK];
    beam->ops->mass(beam, m);
    for (int e = 0; e < beam->elements; e++) {
        beam->ops->tangent(beam, e, q + cable->first_q, u + cable->first, factor[1], k);
        for (int a = 0; a < n * n; a++) {
            k[a] += mass * m[a];
        }
        add(user, e, k);
    }
}

/* ---- explicit steps ---- */

static void beam_force(const haw_cable *cable, const double *q, double *f)
{
    const haw_beam *beam = &cable->beam;
    beam->ops->force(beam, q + cable->first_q, NULL, f + cable->first, f + cable->first);
}

/* A section that an end holds in part has the moment of its turns, not the motion. */
static bool turns_freely(const haw_cable *cable, int node)
{
    const bool *held = cable->held + (ptrdiff_t)cable->stride * node + 3;
    return !held[0] && !held[1] && !held[2];
}

static void beam_coast(const haw_cable *cable, double h, const double *u, double *way,
                       double *u_plus)
{
    const haw_beam *beam = &cable->beam;
    for (int n = 0; n <= beam->elements && beam->ops->has_rotations; n++) {
        const int turn = haw_cable_node_dof(cable, n) + 3;
        if (turns_freely(cable, n)) {
            so3_coast(beam->rotary, h, u + turn, way + turn, u_plus + turn);
        }
    }
}

/* Of half an element at each end. */
static void beam_gyroscopic(const haw_cable *cable, const double *q, const double *u, double *f)
{
    const haw_beam *beam = &cable->beam;
    const double *j = beam->rotary;
    (void)q;
    for (int n = 0; n <= beam->elements && beam->ops->has_rotations; n += beam->elements) {
        const int turn = haw_cable_node_dof(cable, n) + 3;
        const double *w = u + turn, momentum[3] = {j[0] * w[0], j[1] * w[1], j[2] * w[2]};
        double moment[3];
        vec3_cross(momentum, w, moment);
        vec3_add(turns_freely(cable, n) ? 0 : 0.5 * beam->le, moment, f + turn);
    }
}

static void beam_mass_block(const haw_cable *cable, int e, const double *q, double *m)
{
    const haw_beam *beam = &cable->beam;
    const int c = cable->form.copies, rows = cable->form.block, n = beam->ops->dofs;
    double full[BLOCK];
    (void)e, (void)q;
    beam->ops->mass(beam, full);
    for (int k = 0; k < rows * rows; k++) {
        m[k] = full[c * (n * (k / rows) + k % rows)];
    }
}

/* The symmetric part of the tangent: that of all of it where the nodes carry no moments. */
static void beam_stiffness_block(const haw_cable *cable, int e, const double *q, double *k)
{
    const int n = cable->beam.ops->dofs;
    double full[BLOCK];
    cable->beam.ops->tangent(&cable->beam, e, q + cable->first_q, NULL, 0, full);
    for (int a = 0; a < n * n; a++) {
        k[a] = 0.5 * (full[a] + full[n * (a % n) + a / n]);
    }
}

/* An end counts as free unless its position is held in all directions. */
static bool is_pinned(const haw_cable_guide *guide)
{
    return guide->held[0] && guide->held[1] && guide->held[2];
}

/* 1 / s^2; with dampers in place of stiffnesses 1 / s. */
static double find_stiffest(const haw_cable *cable, const haw_beam *beam)
{
    const bool is_free =
        !cable->line.closed && (!is_pinned(&cable->guide[0]) || !is_pinned(&cable->guide[1]));
    return beam->ops->stiffest(beam, is_free);
}

static double beam_critical_step(const haw_cable *cable)
{
    return 2 / sqrt(find_stiffest(cable, &cable->beam));
}

/* A damper of shear acts on all of it, also where stiffness has it in series with a cubic. */
static double beam_damping_rate(const haw_cable *cable)
{
    haw_beam dampers = cable->beam;
    haw_space_ops apart = *dampers.ops;
    apart.bends_as_cubic = false;
    dampers.ops = &apart;
    memcpy(dampers.stiffness, dampers.damping, sizeof dampers.stiffness);
    return find_stiffest(cable, &dampers);
}

static haw_status beam_guard(const haw_cable *cable, haw_context *context, double t,
                             const double *q)
{
    int element = 0;
    const double turn = haw_space_nodes_turn(&cable->beam, q + cable->first_q, &element);
    (void)t;
    return turn <= TURN_MOST * pi
               ? HAW_OK
               : haw_fail(context, HAW_ERR_GUARD,
                          "cable '%s': element %d of %d turns by %.4g rad between its nodes, "
                          "more than %.4g rad: use a finer mesh (elements)",
                          cable->name, element, cable->beam.elements, turn, TURN_MOST * pi);
}

/* ---- given forces ---- */

/* A moment turns the sections. */
static haw_status beam_check_load(const haw_cable *cable, haw_context *context, const char *what,
                                  const bool turns[3])
{
    (void)what;
    const bool any = turns[0] || turns[1] || turns[2];
    return !any || cable->beam.ops->has_rotations
               ? HAW_OK
               : haw_fail(context, HAW_ERR_INPUT,
                          "moment on the cable '%s': the element '%s' has no rotational degrees of "
                          "freedom",
                          cable->name, cable->beam.ops->row.name);
}

/* ---- material points ---- */

/* A node is where its coordinates say, whatever the kind of element; most contact points are. */
static void node_point(const haw_cable *cable, int e, int end, const double *q, bool is_wanted,
                       haw_cable_point *point)
{
    static const double unit[4] = {1, 0, 0, 0};
    const bool turns = haw_cable_turns(cable);
    const double *node = q + haw_cable_node_q(cable, e + end);
    const int column = cable->beam.ops->node_dofs * end;
    memcpy(point->x, node, sizeof point->x);
    quaternion_matrix(turns ? node + 3 : unit, point->rotation);
    for (int i = 0; i < 3 && is_wanted; i++) {
        memset(point->j[i], 0, HAW_SPACE_DOFS * sizeof *point->j[i]);
        memset(point->w[i], 0, HAW_SPACE_DOFS * sizeof *point->w[i]);
        point->j[i][column + i] = 1;
        for (int k = 0; k < 3 && turns; k++) {
            point->w[i][column + 3 + k] = point->rotation[3 * i + k];
        }
    }
}

/* NOLINTNEXTLINE(readability-function-size): a row of haw_cable_ops */
static void beam_point(const haw_cable *cable, int e, double s, const double *q, const double *u,
                       int want, haw_cable_point *point)
{
    const bool is_wanted = (want & HAW_POINT_JACOBIAN) != 0;
    (void)u;
    memset(point->convection, 0, sizeof point->convection);
    if (!(s > 0 && s < 1)) {
        node_point(cable, e, s > 0 ? 1 : 0, q, is_wanted, point);
        return;
    }
    if (want == HAW_POINT_POSITION && cable->beam.ops->position != NULL) {
        cable->beam.ops->position(&cable->beam, e, s, q + cable->first_q, point->x);
        return;
    }
    haw_space_point at;
    cable->beam.ops->point(&cable->beam, e, s, q + cable->first_q, is_wanted, &at);
    memcpy(point->x, at.x, sizeof at.x);
    memcpy(point->rotation, at.rotation, sizeof at.rotation);
    for (int i = 0; i < 3 && is_wanted; i++) {
        memcpy(point->j[i], at.jx[i], sizeof at.jx[i]);
        memcpy(point->w[i], at.jw[i], sizeof at.jw[i]);
    }
}

static void beam_curve(const haw_cable *cable, int e, double s, const double *q, double d[3][3])
{
    cable->beam.ops->curve(&cable->beam, e, s, q + cable->first_q, d);
}

static bool beam_is_cubic(const haw_cable *cable)
{
    return !cable->beam.ops->is_helix;
}

/* x' = sum c_k p_k over the control points, which are linear in q: by what each coordinate gives,
 * as differences of the points of a short element have no digits where a node's slope has all. */
static void beam_slope(const haw_cable *cable, int e, double s, const double *q, double d[3],
                       double j[3][HAW_CABLE_DOFS])
{
    const double r = 1 - s, c[] = {-3 * r * r, 3 * r * (r - 2 * s), 3 * s * (2 * r - s), 3 * s * s};
    double p[4][3];
    if (cable->beam.ops->slope != NULL) {
        double own[3][3], jacobian[3][HAW_SPACE_DOFS];
        beam_curve(cable, e, s, q, own);
        cable->beam.ops->slope(&cable->beam, e, s, q + cable->first_q, jacobian);
        memcpy(d, own[0], sizeof own[0]);
        for (int i = 0; i < 3; i++) {
            memcpy(j[i], jacobian[i], sizeof jacobian[i]);
        }
        return;
    }
    const haw_dofs dofs = cable->ops->dofs(cable, e);
    d[0] = d[1] = d[2] = 0;
    for (int a = 0; a < 4; a++) {
        double unit[HAW_SPACE_DOFS] = {0}, sum = 0;
        unit[3 * a] = 1;
        cable->beam.ops->polygon(&cable->beam, 0, unit, p);
        for (int k = 0; k < 4; k++) {
            sum += c[k] * p[k][0];
        }
        for (int i = 0; i < 9; i++) {
            j[i / 3][3 * a + i % 3] = i / 3 == i % 3 ? sum : 0;
        }
        for (int i = 0; i < 3 && 3 * a + i < dofs.count; i++) {
            d[i] += sum * q[cable->first_q + haw_dof_at(&dofs, 3 * a + i) - cable->first];
        }
    }
}

/* A node is where its coordinates say: there w = R, and d(R^T m) = R^T m x (turn).
 * NOLINTNEXTLINE(readability-function-size): a row of haw_cable_ops */
static void beam_point_tangent(const haw_cable *cable, int e, double s, const double *q,
                               const double f[3], const double *m, double *k)
{
    static const double none[3] = {0, 0, 0};
    const haw_space_ops *ops = cable->beam.ops;
    const double *moment = m != NULL ? m : none;
    double r[9], own[3], turned[9] = {0};
    if (!ops->has_rotations) {
        return;
    }
    if (s > 0 && s < 1) {
        ops->point_tangent(&cable->beam, e, s, q + cable->first_q, f, moment, k);
        return;
    }
    const int node = s > 0 ? 1 : 0, first = ops->node_dofs * node + 3;
    quaternion_matrix(q + haw_cable_node_q(cable, e + node) + 3, r);
    mat3_apply_t(r, moment, own);
    mat3_add_skew(-1, own, turned);
    for (int i = 0; i < 9; i++) {
        k[ops->dofs * (first + i / 3) + first + i % 3] += turned[i];
    }
}

static void beam_twist(const haw_cable *cable, int e, double s, const double *q,
                       double w[3][HAW_CABLE_DOFS])
{
    double own[3][HAW_SPACE_DOFS];
    cable->beam.ops->twist(&cable->beam, e, s, q + cable->first_q, own);
    for (int i = 0; i < 3; i++) {
        memcpy(w[i], own[i], sizeof own[i]);
    }
}

/*
 * A ball about the curve of an element: whatever its shape, a curve of length S between two points
 * stays within S / 2 of their middle. An arc of constant curvature and twist that turns by phi has
 * S <= chord x / sin x with the angle x = phi / 2 between the quaternions, and up to a quarter turn
 * x / sin x <= 1 + (pi / 2 - 1) sin^2 x. A cubic is not longer than its control polygon, and its
 * slope is nowhere above three times the longest leg of that.
 */
static double ball_radius(const haw_cable *cable, int e, const double *q, double chord,
                          double *slope)
{
    const haw_beam *beam = &cable->beam;
    const double *a = q + haw_cable_node_q(cable, e), *b = a + cable->stride_q;
    double p[4][3], sum = 0;
    if (beam->ops->is_helix) {
        const double half_pi = 1.57079632679489662;
        const double cosine = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6]; /* of x */
        const double length = chord * (1 + (half_pi - 1) * fmax(1 - cosine * cosine, 0));
        *slope = 3 * length;
        return 0.5 * length;
    }
    *slope = 0;
    beam->ops->polygon(beam, e, q + cable->first_q, p);
    for (int k = 0; k < 3; k++) {
        const double leg[3] = {p[k + 1][0] - p[k][0], p[k + 1][1] - p[k][1], p[k + 1][2] - p[k][2]};
        const double size = vec3_norm(leg);
        sum += size;
        *slope = fmax(*slope, 3 * size);
    }
    return 0.5 * sum;
}

static void beam_bounds(const haw_cable *cable, int e, const double *q, haw_bounds *bounds)
{
    const double *a = q + haw_cable_node_q(cable, e), *b = q + haw_cable_node_q(cable, e + 1);
    double square = 0;
    for (int i = 0; i < 3; i++) {
        bounds->centre[i] = 0.5 * (a[i] + b[i]);
        square += (b[i] - a[i]) * (b[i] - a[i]);
    }
    bounds->radius = ball_radius(cable, e, q, sqrt(square), &bounds->slope);
}

/* Positions drift: those of nodes, and of control points between them; slopes and turns are at
 * rest. */
static void beam_drift(const haw_cable *cable, double *u)
{
    const int each = cable->beam.ops->node_dofs;
    for (int a = 0; a < cable->line.dofs; a++) {
        const bool is_position = each % 6 != 0 || a % each < 3;
        u[cable->first + a] = is_position ? cable->drift[a % 3] : 0;
    }
}

/* ---- results ---- */

static int beam_samples(const haw_cable *cable, int e)
{
    (void)e;
    return cable->samples > 0 ? cable->samples : 4;
}

static void beam_state(const haw_cable *cable, int e, double s, const double *q, const double *u,
                       haw_sample *sample)
{
    const haw_beam *beam = &cable->beam;
    const double *own_q = q + cable->first_q, *own_u = u != NULL ? u + cable->first : NULL;
    haw_space_point point;
    haw_space_strain strain;
    beam->ops->point(beam, e, s, own_q, false, &point);
    beam->ops->strain(beam, e, s, own_q, own_u, &strain);
    memcpy(sample->x, point.x, sizeof point.x);
    for (int i = 0; i < 3; i++) {
        sample->tangent[i] = point.rotation[3 * i];
    }
    sample->label = (e + s) * beam->le;
    sample->tension = strain.tension;
    sample->strain = strain.strain[0];
    sample->curvature = strain.curvature;
}

/* The element's own, or Simpson's: exact for strains up to cubic in s. */
static const haw_quadrature *rule_of(const haw_beam *beam)
{
    static const haw_quadrature simpson = {
        .points = 3, .s = {0, 0.5, 1}, .weight = {1.0 / 6, 4.0 / 6, 1.0 / 6}};
    return beam->ops->stretches_only ? &beam->rule : &simpson;
}

static double beam_tension(const haw_cable *cable, int e, const double *q, const double *u)
{
    const haw_quadrature *rule = rule_of(&cable->beam);
    const double *own_q = q + cable->first_q, *own_u = u != NULL ? u + cable->first : NULL;
    double sum = 0;
    for (int g = 0; g < rule->points; g++) {
        haw_space_strain strain;
        cable->beam.ops->strain(&cable->beam, e, rule->s[g], own_q, own_u, &strain);
        sum += rule->weight[g] * strain.tension;
    }
    return sum;
}

/* |dx/dxi| = |e1 + (Gamma - e1)|. */
static double beam_stretched(const haw_cable *cable, const double *q)
{
    const haw_beam *beam = &cable->beam;
    const haw_quadrature *rule = rule_of(beam);
    const int n = rule->points;
    double sum = 0;
    for (int k = 0; k < n * beam->elements; k++) {
        haw_space_strain at;
        beam->ops->strain(beam, k / n, rule->s[k % n], q + cable->first_q, NULL, &at);
        const double gamma[3] = {1 + at.strain[0], at.strain[1], at.strain[2]};
        sum += rule->weight[k % n] * beam->le * vec3_norm(gamma);
    }
    return sum;
}

/* Moment that balances the internal forces on the direction of a node: those on its turn are in its
 * frame, those on a slope r' turn it by r' x f. */
static void node_moment(const haw_cable *cable, const double *node, const double *f,
                        double moment[3])
{
    double r[9];
    if (haw_cable_turns(cable)) {
        quaternion_matrix(node + 3, r);
        mat3_apply(r, f + 3, moment);
    } else {
        vec3_cross(node + 3, f + 3, moment);
    }
    for (int k = 0; k < 3; k++) {
        moment[k] = -moment[k];
    }
}

/* NOLINTNEXTLINE(readability-function-size): a row of haw_cable_ops */
static void beam_reaction(const haw_cable *cable, int end, const double *q, const double *u,
                          double *work, double wrench[6])
{
    const haw_beam *beam = &cable->beam;
    const haw_cable_guide *guide = &cable->guide[end];
    const int n = end == 0 ? 0 : beam->elements, first = beam->ops->node_dofs * n;
    memset(work, 0, (size_t)cable->line.dofs * sizeof *work);
    memset(wrench, 0, 6 * sizeof *wrench);
    beam->ops->force(beam, q + cable->first_q, u + cable->first, work, work);
    for (int k = 0; k < 3; k++) {
        wrench[k] = guide->held[k] ? -work[first + k] : 0;
    }
    if (!beam->ops->stretches_only && (guide->is_clamped || guide->join == HAW_JOIN_CLAMPED)) {
        node_moment(cable, q + haw_cable_node_q(cable, n), work + first, wrench + 3);
    }
    haw_cable_joint_reaction(cable, end, u, wrench);
}

/* ---- equilibria ---- */

/* By half a leg of a control polygon, beyond which lines without bending fold. */
static double polygon_excess(const haw_cable *cable, const double *d, double move)
{
    const haw_beam *beam = &cable->beam;
    double most = 0;
    for (int e = 0; e < beam->elements; e++) {
        double p[4][3];
        beam->ops->polygon(beam, e, d + cable->first, p);
        for (int k = 0; k < 3; k++) {
            const double leg[3] = {p[k + 1][0] - p[k][0], p[k + 1][1] - p[k][1],
                                   p[k + 1][2] - p[k][2]};
            most = fmax(most, vec3_norm(leg) / (LEG_CHANGE * beam->le / 3));
            most = fmax(most, vec3_norm(p[k]) / move);
        }
    }
    return most;
}

static double beam_excess(const haw_cable *cable, const double *q, const double *d, double move)
{
    const haw_beam *beam = &cable->beam;
    if (beam->ops->stretches_only) {
        return polygon_excess(cable, d, move);
    }
    const double turn = beam->ops->has_rotations ? MOST_TURN : 1;
    double most = 0;
    (void)q;
    for (int e = 0; e < beam->elements; e++) {
        const double *a = d + haw_cable_node_dof(cable, e), *b = a + cable->stride;
        const double way[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
        const double turned[3] = {a[3] - b[3], a[4] - b[4], a[5] - b[5]};
        most = fmax(most, vec3_norm(way) / (MOST_SHIFT * beam->le));
        most = fmax(most, vec3_norm(turned) / turn);
        most = fmax(most, fmax(vec3_norm(a), vec3_norm(b)) / move);
    }
    return most;
}

/* ---- from its description ---- */

/* A round section has rho J = rho A r^2 / 2 and half of it about each diameter. */
static haw_status set_section(const haw_site *site, const haw_cable_spec *spec, haw_cable *cable)
{
    haw_beam *beam = &cable->beam;
    const double bending = spec->bending_stiffness * spec->bending_factor;
    const double shear =
        isnan(spec->shear_stiffness) ? 0.5 * spec->stiffness : spec->shear_stiffness;
    const double torsion =
        isnan(spec->torsional_stiffness) ? spec->bending_stiffness : spec->torsional_stiffness;
    const double stiffness[HAW_STRAINS] = {spec->stiffness, shear,   shear,
                                           torsion,         bending, bending};
    const double damping[HAW_STRAINS] = {spec->damping_strain,    spec->damping_shear,
                                         spec->damping_shear,     spec->damping_torsion,
                                         spec->damping_curvature, spec->damping_curvature};
    memcpy(beam->stiffness, stiffness, sizeof stiffness);
    memcpy(beam->damping, damping, sizeof damping);
    beam->density = spec->density;
    cable->radius = spec->radius;
    memcpy(cable->drift, spec->velocity, sizeof cable->drift);
    for (int i = 0; i < 3; i++) {
        const double round = spec->density * spec->radius * spec->radius * (i == 0 ? 0.5 : 0.25);
        beam->rotary[i] = isnan(spec->rotary_inertia[i]) ? round : spec->rotary_inertia[i];
        beam->gravity[i] = site->gravity[i];
        if (beam->ops->has_rotations && !(beam->rotary[i] > 0)) {
            return haw_cable_refuse(site, spec, "rotary_inertia",
                                    "the sections of this element need rotary inertia: give a "
                                    "radius, or a rotary_inertia > 0");
        }
    }
    return HAW_OK;
}

/*
 * What the drawing does to element e besides its stretch and its turns, as strains: the chord of an
 * arc is shorter than the arc, and an element between a line and an arc has shear, which stiff
 * sections would release as a blow. Both vanish with the square and the first power of its length.
 */
static void find_misfit(const haw_beam *beam, int e, const double *start, haw_course *course,
                        double *misfit)
{
    double strain[HAW_STRAINS];
    haw_section middle;
    beam->ops->natural(beam, e, start, strain);
    haw_course_section(course, (e + 0.5) * beam->le, &middle);
    memcpy(misfit, strain, 3 * sizeof *misfit);
    misfit[0] -= middle.stretch - 1;
}

/*
 * Strains of no stress. As drawn: those of the start, less the strain T / EA of a wanted tension,
 * or plus the reference strain where the drawing says how long the cable is. A straight cable that
 * is drawn along a curve without corners begins with its tension alone: its elements, as far as
 * they are nodes with one strain between them, fit the drawing.
 */
static haw_status set_natural(const haw_site *site, const haw_cable_spec *spec, haw_course *course,
                              haw_cable *cable)
{
    haw_beam *beam = &cable->beam;
    const bool is_curve = spec->segments > 0 || spec->lay.on != NULL || spec->lay.cable != NULL;
    const bool fits = beam->ops->has_rotations && is_curve && !course->hangs && !course->has_corner;
    const bool is_drawn = spec->reference == HAW_REFERENCE_DRAWN;
    const bool is_tense = is_drawn && !isnan(spec->tension);
    const double axial = is_tense ? -spec->tension / spec->stiffness : spec->reference_strain;
    const double twist = spec->twist_deg * (pi / 180);
    const double torsion = ((is_drawn ? 0 : course->closing) - twist) / course->length;
    if (!is_drawn && axial == 0 && spec->reference_curvature == 0 && torsion == 0 && !fits) {
        return HAW_OK;
    }
    double *natural =
        haw_arena_allocate(site->arena, (size_t)beam->elements * HAW_STRAINS, sizeof *natural);
    HAW_TRY(haw_arena_status(site->arena));
    for (int e = 0; e < beam->elements; e++) {
        double *row = natural + (ptrdiff_t)HAW_STRAINS * e;
        if (is_drawn) {
            beam->ops->natural(beam, e, cable->start, row);
        } else if (fits) {
            find_misfit(beam, e, cable->start, course, row);
        }
        row[0] += axial;
        row[3] += torsion;
        row[HAW_STRAINS - 1] += spec->reference_curvature;
    }
    beam->natural = natural;
    return HAW_OK;
}

/* Bending, damping of rates and a stress-free shape of their own are not for every element. */
static haw_status check_stretch(const haw_site *site, const haw_cable_spec *spec,
                                const haw_space_ops *ops)
{
    const struct {
        const char *key, *what;
        double value;
    } row[] = {{"bending_stiffness", "bending stiffness", spec->bending_stiffness},
               {"reference_curvature", "bending stiffness", spec->reference_curvature},
               {"reference_strain", "reference strain", spec->reference_strain},
               {"damping.strain", "damping of strain rates", spec->damping_strain},
               {"damping.shear", "damping of strain rates", spec->damping_shear},
               {"damping.torsion", "damping of strain rates", spec->damping_torsion},
               {"damping.curvature", "damping of curvature rates", spec->damping_curvature},
               {"reference", "stress-free shape but a straight one",
                spec->reference == HAW_REFERENCE_DRAWN}};

    for (size_t i = 0; i < sizeof row / sizeof *row && ops->stretches_only; i++) {
        if (row[i].value != 0) {
            return haw_cable_refuse(site, spec, row[i].key, "the element '%s' has no %s",
                                    ops->row.name, row[i].what);
        }
    }
    return !spec->slack || ops->stretches_only
               ? HAW_OK
               : haw_cable_refuse(site, spec, "slack",
                                  "slack: true is for elements that only stretch: use bezier");
}

/*
 * The last node becomes a copy of the first. As drawn it has the same place and direction; a twist
 * that does not close is refused.
 */
static haw_status close_ring(const haw_site *site, const haw_cable_spec *spec, haw_cable *cable)
{
    const int last = cable->stride_q * cable->beam.elements;
    double turn[3] = {0, 0, 0};
    if (cable->beam.ops->has_rotations) {
        so3_difference(cable->start + 3, cable->start + last + 3, turn);
    }
    if (!(vec3_norm(turn) <= 1e-4)) {
        return haw_cable_refuse(site, spec, "closed",
                                "its section turns by %.4g rad between its end and its start",
                                vec3_norm(turn));
    }
    memcpy(cable->start + last, cable->start,
           (size_t)(cable->coordinates - last) * sizeof *cable->start);
    return HAW_OK;
}

/* A straight cable that only stretches has the tensions of its weight, all others are weightless
 * as they are drawn. */
static haw_status lay_out(haw_site *site, const haw_cable_spec *spec, haw_cable *cable)
{
    haw_beam *beam = &cable->beam;
    static const double weightless[3] = {0, 0, 0};
    haw_course course;
    HAW_TRY(haw_course_init(site, spec, beam->ops->stretches_only ? site->gravity : weightless,
                            &course));
    site->starts_static = site->starts_static || (beam->ops->stretches_only && course.is_static);
    const bool is_chain = beam->ops->node_dofs == 3; /* whose links share no direction */
    if (course.has_corner && !beam->ops->has_rotations && !is_chain) {
        return haw_cable_refuse(site, spec, "path",
                                "a corner needs sections that turn, or links that meet there; use "
                                "element: se3 or chain");
    }
    beam->le = course.length / beam->elements;
    cable->tension = (double)NAN;
    cable->stride_q = beam->ops->node_coordinates;
    cable->stride = beam->ops->node_dofs;
    cable->element_dofs = beam->ops->dofs;
    /* what planar and spatial cables have in common: how long and how heavy */
    cable->line = (haw_line){.elements = beam->elements,
                             .dofs = haw_space_dofs(beam->ops, beam->elements),
                             .le = beam->le,
                             .closed = spec->closed,
                             .stiffness = beam->stiffness[0],
                             .bending = beam->ops->stretches_only ? 0 : beam->stiffness[4],
                             .strain0 = spec->reference_strain,
                             .density = beam->density};
    cable->form = (haw_mass_form){.copies = beam->ops->mass_copies,
                                  .width = beam->ops->mass_width,
                                  .block = beam->ops->dofs / beam->ops->mass_copies,
                                  .is_constant = true};
    cable->coordinates = haw_space_coordinates(beam->ops, beam->elements);
    cable->start =
        haw_arena_allocate(site->arena, (size_t)cable->coordinates, sizeof *cable->start);
    HAW_TRY(haw_arena_status(site->arena));
    beam->ops->interpolate(beam, haw_course_section, &course, cable->start);
    HAW_TRY(spec->closed ? close_ring(site, spec, cable) : HAW_OK);
    haw_course_keep(site, &course, cable);
    return set_natural(site, spec, &course, cable);
}

static haw_status beam_build(haw_site *site, const haw_cable_spec *spec, haw_cable *cable)
{
    cable->beam.ops = (const haw_space_ops *)haw_row_find(cable->ops->elements, spec->element);
    cable->beam.elements = spec->elements;
    HAW_TRY(check_stretch(site, spec, cable->beam.ops));
    cable->beam.slack = spec->slack;
    haw_quadrature_init(spec->gauss_points, &cable->beam.rule);
    HAW_TRY(set_section(site, spec, cable));
    HAW_TRY(lay_out(site, spec, cable));
    HAW_TRY(haw_cable_number(site, cable));
    HAW_TRY(haw_cable_set_mass(site->arena, cable));
    HAW_TRY(haw_cable_build_end(site, spec, 0, cable));
    return haw_cable_build_end(site, spec, 1, cable);
}

const haw_cable_ops haw_cable_beam = {
    HAW_LINE_ROW("beam", "cable in space", "element/space.h"),
    .dimension = 3,
    .elements = haw_space_elements,
    .build = beam_build,
    .turns_first = true,
    .longest = beam_longest,
    .drift = beam_drift,
    .move = beam_move,
    .difference = beam_difference,
    .prescribe = haw_cable_prescribe_ends,
    .place = haw_cable_place_ends,
    .energy = beam_energy,
    .kinetic = beam_kinetic,
    .forces = beam_forces,
    .mass = beam_mass,
    .blocks = beam_blocks,
    .critical_step = beam_critical_step,
    .damping_rate = beam_damping_rate,
    .force = beam_force,
    .coast = beam_coast,
    .gyroscopic = beam_gyroscopic,
    .mass_block = beam_mass_block,
    .stiffness_block = beam_stiffness_block,
    .guard = beam_guard,
    .check_load = beam_check_load,
    .point = beam_point,
    .slope = beam_slope,
    .curve = beam_curve,
    .is_cubic = beam_is_cubic,
    .point_tangent = beam_point_tangent,
    .twist = beam_twist,
    .bounds = beam_bounds,
    .samples = beam_samples,
    .state = beam_state,
    .tension = beam_tension,
    .stretched = beam_stretched,
    .reaction = beam_reaction,
    .excess = beam_excess,
};
