/* SPDX-License-Identifier: BSD-3-Clause */
/* The inverse mass of what joints leave free. */
#include "model/projection.h"

#include <string.h>

/* ---- which joints are coupled ---- */

/* Two feet are coupled where an impulse on one can move the other. */
static bool shares(const haw_model *model, const haw_spot *a, const haw_spot *b)
{
    bool is_held = true;
    for (int k = 0; k < model->kind->dofs && a->body >= 0 && a->body == b->body; k++) {
        is_held = is_held && model->body[a->body].held[k];
    }
    return (a->cable >= 0 && a->cable == b->cable) || !is_held;
}

static bool is_coupled(const haw_model *model, int i, int j)
{
    const haw_spot *a = model->joint[i].foot, *b = model->joint[j].foot;
    return i == j || shares(model, &a[0], &b[0]) || shares(model, &a[0], &b[1]) ||
           shares(model, &a[1], &b[0]) || shares(model, &a[1], &b[1]);
}

static haw_status create(haw_projection *p)
{
    const haw_model *model = p->inertia->model;
    haw_arena *arena = &p->arena;
    const size_t joints = (size_t)model->joints, rows = (size_t)model->multipliers;
    size_t widest = (size_t)model->kind->dofs;
    for (int i = 0; i < model->cables; i++) {
        const size_t dofs = (size_t)model->cable[i].line.dofs;
        widest = dofs > widest ? dofs : widest;
    }
    p->s.n = model->multipliers;
    p->hold = haw_arena_allocate(arena, joints, sizeof *p->hold);
    p->there = haw_arena_allocate(arena, joints, sizeof *p->there);
    p->inverse = haw_arena_allocate(arena, joints, sizeof *p->inverse);
    p->is_known = haw_arena_allocate(arena, joints, sizeof *p->is_known);
    p->rate = haw_arena_allocate(arena, rows, sizeof(double));
    p->push = haw_arena_allocate(arena, (size_t)model->dofs, sizeof(double));
    p->column = haw_arena_allocate(arena, HAW_JOINT_ROWS * widest, sizeof(double));
    p->answer = haw_arena_allocate(arena, HAW_JOINT_ROWS * rows, sizeof(double));
    p->s.start = haw_arena_allocate(arena, rows + 1, sizeof(int));
    return haw_arena_status(arena);
}

haw_status haw_projection_create(haw_context *context, const haw_inertia *inertia,
                                 haw_projection **projection)
{
    *projection = NULL;
    if (inertia->model->joints == 0) {
        return HAW_OK;
    }
    haw_projection *made = haw_allocate(context, 1, sizeof *made);
    if (made == NULL) {
        return HAW_ERR_NOMEM;
    }
    made->inertia = inertia;
    haw_arena_init(&made->arena, context);
    const haw_status status = create(made);
    if (status != HAW_OK) {
        haw_projection_free(made);
        return status;
    }
    *projection = made;
    return HAW_OK;
}

void haw_projection_free(haw_projection *projection)
{
    if (projection != NULL) {
        haw_sparse_factor_free(projection->factor);
        haw_arena_fini(&projection->arena);
        haw_release(projection->inertia->model->context, projection);
    }
}

/* ---- S ---- */

/* rate[r + stride c] += row r of G_i' x_c for one foot of joint i, if it is of the owner. */
static void add_rates(const haw_projection *p, const haw_response *motion, int i, int side,
                      ptrdiff_t stride, double *rate)
{
    const haw_link *joint = &p->inertia->model->joint[i];
    const haw_spot *foot = &joint->foot[side];
    const haw_hold *hold = &p->hold[i];
    const haw_dofs *dofs = &hold->dofs[side];
    const bool is_of = (foot->cable >= 0 && foot->cable == motion->cable) ||
                       (foot->body >= 0 && foot->body == motion->body);
    for (int k = 0; k < dofs->count && is_of; k++) {
        const ptrdiff_t own = haw_dof_at(dofs, k) - motion->first;
        const double *x = motion->x + own * motion->stride;
        for (int r = 0; r < joint->rows; r++) {
            const double factor = hold->row[side][r][k];
            for (int c = 0; c < motion->columns && factor != 0; c++) {
                rate[r + stride * c] += factor * x[c];
            }
        }
    }
}

void haw_projection_rates(const haw_projection *projection, const haw_response *motion,
                          double *rate)
{
    const haw_model *model = projection->inertia->model;
    for (int i = 0; i < 2 * model->joints; i++) {
        add_rates(projection, motion, i / 2, i % 2, model->multipliers,
                  rate + haw_joint_first(model, i / 2));
    }
}

/* M^^-1 G of one foot of joint j, over all of the cable or the body that it is on. */
static haw_response move_foot(haw_projection *p, int j, int side)
{
    const haw_model *model = p->inertia->model;
    const haw_spot *foot = &model->joint[j].foot[side];
    const haw_hold *hold = &p->hold[j];
    const haw_dofs *dofs = &hold->dofs[side];
    const int rows = model->joint[j].rows;
    const haw_cable *cable = foot->cable >= 0 ? &model->cable[foot->cable] : NULL;
    const int count = cable != NULL ? cable->line.dofs : dofs->count;
    const int first = cable != NULL ? cable->first : dofs->first;
    memset(p->column, 0, (size_t)(count * rows) * sizeof(double));
    for (int k = 0; k < dofs->count * rows; k++) {
        const int dof = haw_dof_at(dofs, k / rows), own = dof - first;
        const double factor = cable != NULL ? !cable->held[own] : p->inertia->body_inverse[dof];
        p->column[own * rows + k % rows] += factor * hold->row[side][k % rows][k / rows];
    }
    if (cable != NULL) {
        haw_inertia_solve_window(p->inertia, foot->cable, rows, 0, count, p->column);
    }
    return (haw_response){foot->cable, foot->body, first, rows, rows, p->column};
}

/* Columns of joint j, [rows of the joint][multipliers]. */
static const double *find_columns(haw_projection *p, int j)
{
    const haw_model *model = p->inertia->model;
    memset(p->answer, 0, (size_t)(model->joint[j].rows * model->multipliers) * sizeof *p->answer);
    for (int side = 0; side < 2; side++) {
        const haw_response response = move_foot(p, j, side);
        haw_projection_rates(p, &response, p->answer);
    }
    return p->answer;
}

static bool is_same(const haw_hold *a, const haw_hold *b, int rows)
{
    for (int side = 0; side < 2; side++) {
        const size_t bytes = (size_t)a->dofs[side].count * sizeof(double);
        for (int r = 0; r < rows; r++) {
            if (memcmp(a->row[side][r], b->row[side][r], bytes) != 0) {
                return false;
            }
        }
    }
    return true;
}

/* Whether G of all joints is the same at q, where p->there becomes it. */
static bool is_there(haw_projection *p, const double *q)
{
    const haw_model *model = p->inertia->model;
    bool same = true;
    haw_joints_find(model, q, p->there);
    for (int i = 0; i < model->joints && same; i++) {
        same = is_same(&p->hold[i], &p->there[i], model->joint[i].rows);
    }
    return same;
}

/* ---- its pattern ---- */

/* Entries below the diagonal in column c of joint j; counted only while there is no list. */
static void list_column(haw_projection *p, int j, int c, int *count)
{
    const haw_model *model = p->inertia->model;
    const int first = haw_joint_first(model, j) + c;
    const double *column = p->answer + (ptrdiff_t)c * model->multipliers;
    p->s.start[first] = *count;
    for (int i = j, end = haw_joint_first(model, j); i < model->joints; i++) {
        const bool coupled = !p->inertia->is_constant && is_coupled(model, i, j);
        const int begin = end;
        end += model->joint[i].rows;
        for (int row = begin > first ? begin : first; row < end; row++) {
            const bool stays = coupled || column[row] != 0 || row == first;
            if (stays && p->s.row != NULL) {
                p->s.row[*count] = row;
            }
            *count += stays ? 1 : 0;
        }
    }
}

static int list_all(haw_projection *p)
{
    const haw_model *model = p->inertia->model;
    int count = 0;
    for (int j = 0; j < model->joints; j++) {
        (void)find_columns(p, j);
        for (int c = 0; c < model->joint[j].rows; c++) {
            list_column(p, j, c, &count);
        }
    }
    p->s.start[p->s.n] = count;
    return count;
}

/* With a constant mass, from the rows at a configuration in general position: what is zero there is
 * always so, as the components of Cartesian cables against each other. */
static haw_status find_pattern(haw_projection *p, const double *q)
{
    const haw_model *model = p->inertia->model;
    haw_arena *arena = &p->arena;
    double *general = haw_arena_allocate(arena, (size_t)model->coordinates, sizeof(double));
    HAW_TRY(haw_arena_status(arena));
    haw_joints_move_apart(model, q, p->push, general);
    haw_joints_find(model, general, p->hold);
    const size_t entries = (size_t)list_all(p);
    p->s.row = haw_arena_allocate(arena, entries, sizeof(int));
    p->s.value = haw_arena_allocate(arena, entries, sizeof(double));
    HAW_TRY(haw_arena_status(arena));
    (void)list_all(p);
    p->is_fixed = is_there(p, q);
    return haw_sparse_factor_create(model->context, &p->s, &p->factor);
}

/* ---- its values ---- */

static void set_columns(haw_projection *p, int j)
{
    const haw_model *model = p->inertia->model;
    const double *column = find_columns(p, j);
    for (int c = 0; c < model->joint[j].rows; c++, column += model->multipliers) {
        const int first = haw_joint_first(model, j) + c;
        for (int k = p->s.start[first]; k < p->s.start[first + 1]; k++) {
            p->s.value[k] = column[p->s.row[k]];
        }
    }
}

haw_status haw_projection_update(haw_projection *projection, const double *q, bool same_mass)
{
    haw_projection *p = projection;
    const haw_model *model = p->inertia->model;
    HAW_TRY(p->factor == NULL ? find_pattern(p, q) : HAW_OK);
    if (p->is_set && same_mass && (p->is_fixed || is_there(p, q))) {
        return HAW_OK;
    }
    haw_hold *there = p->there;
    haw_joints_find(model, q, there);
    p->there = p->hold;
    p->hold = there;
    memset(p->is_known, 0, (size_t)model->joints * sizeof *p->is_known);
    for (int j = 0; j < model->joints; j++) {
        set_columns(p, j);
    }
    const haw_status status = haw_sparse_factor_compute(p->factor, &p->s);
    p->is_set = status == HAW_OK;
    return status;
}

/* ---- its use ---- */

void haw_projection_apply(haw_projection *projection, const double *rate, double *u,
                          double *impulse)
{
    haw_projection *p = projection;
    const haw_model *model = p->inertia->model;
    haw_joints_rates(model, p->hold, u, p->rate);
    for (int i = 0; i < model->multipliers; i++) {
        p->rate[i] = (rate != NULL ? rate[i] : 0) - p->rate[i];
    }
    haw_sparse_factor_solve(p->factor, 1, p->rate);
    for (int i = 0; i < model->multipliers; i++) {
        impulse[i] += p->rate[i];
    }
    memset(p->push, 0, (size_t)model->dofs * sizeof(double));
    haw_joints_push(model, p->hold, 1, p->rate, p->push);
    haw_inertia_solve(p->inertia, p->push);
    for (int i = 0; i < model->dofs; i++) {
        u[i] += p->push[i];
    }
}

bool haw_projection_turn(haw_projection *projection, const double *q, const double *u,
                         const double *u_there, double *rate)
{
    const haw_model *model = projection->inertia->model;
    if (projection->is_fixed || is_there(projection, q)) {
        memset(rate, 0, (size_t)model->multipliers * sizeof(double));
        return false;
    }
    haw_joints_rates(model, projection->there, u_there, projection->rate);
    haw_joints_rates(model, projection->hold, u, rate);
    for (int i = 0; i < model->multipliers; i++) {
        rate[i] -= projection->rate[i];
    }
    return true;
}

const double *haw_projection_inverse(haw_projection *projection, int joint)
{
    haw_projection *p = projection;
    const haw_model *model = p->inertia->model;
    const int rows = model->joint[joint].rows, n = model->multipliers;
    const size_t count = (size_t)rows * (size_t)n;
    if (p->inverse[joint] == NULL) {
        p->inverse[joint] = haw_arena_allocate(&p->arena, count, sizeof(double));
    }
    double *own = p->inverse[joint];
    if (own == NULL || p->is_known[joint]) {
        return own;
    }
    memset(own, 0, count * sizeof(double));
    for (int r = 0; r < rows; r++) {
        own[(ptrdiff_t)n * r + haw_joint_first(model, joint) + r] = 1;
        haw_sparse_factor_solve(p->factor, 1, own + (ptrdiff_t)n * r);
    }
    p->is_known[joint] = true;
    return own;
}
