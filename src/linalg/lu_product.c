/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products h' A^-1 h of a row h with few entries, from the triangles of a sparse LU,
 *
 *     P R A' Q = L U,   A scaled by rows with S:   h' A^-1 h = (Q' S h)' U^-1 . L^-1 (P R h),
 *
 * two forward substitutions that visit only what the entries of h reach (J. R. Gilbert, T. Peierls,
 * SIAM J. Sci. Stat. Comput. 9 (1988) 862-874): the equations from these up to the root of the
 * elimination tree. The next one to visit is looked for in a map of bytes, whose search takes less
 * than keeping an order would.
 */
#include "linalg/lu_kinds.h"

#include <string.h>

/* Vectors of one substitution: zero but while it lasts. */
typedef struct substitution {
    double *x;   /* [n] */
    char *mark;  /* [n] to be visited */
    int *list;   /* [n] visited */
    int visited; /* length of the list */
} substitution;

struct haw_lu_products {
    double *scale; /* [n] of the rows of A */
    haw_lu_triangles of;
    haw_lu_factors factors;
    haw_lu_inverse *inverse; /* NULL: by substitution */
    double *pivot;           /* [n] diagonal of U */
    substitution left, right;
};

static haw_status allocate(haw_arena *arena, int n, substitution *s)
{
    s->x = haw_arena_allocate(arena, (size_t)n, sizeof(double));
    s->mark = haw_arena_allocate(arena, (size_t)n, sizeof(char));
    s->list = haw_arena_allocate(arena, (size_t)n, sizeof(int));
    return haw_arena_status(arena);
}

haw_status haw_lu_triangles_create(haw_arena *arena, int n, int lower, int upper,
                                   haw_lu_triangles *t)
{
    HAW_TRY(haw_csr_create(arena, n, n, lower, true, &t->lower));
    HAW_TRY(haw_csr_create(arena, n, n, upper, true, &t->upper));
    t->row = haw_arena_allocate(arena, (size_t)n, sizeof(int));
    t->column = haw_arena_allocate(arena, (size_t)n, sizeof(int));
    t->scale = haw_arena_allocate(arena, (size_t)n, sizeof(double));
    return haw_arena_status(arena);
}

haw_status haw_lu_prepare_products(haw_lu *lu, const haw_csr *wanted, haw_arena *arena,
                                   haw_lu_products **products)
{
    const int n = lu->n;
    bool has = false;
    *products = NULL;
    haw_lu_products *made = haw_arena_allocate(arena, 1, sizeof *made);
    HAW_TRY(haw_arena_status(arena));
    if (lu->is_ready && lu->ops->extract != NULL) {
        HAW_TRY(lu->ops->extract(lu, arena, &made->of, &has));
    }
    if (!has) {
        return HAW_OK;
    }
    made->pivot = haw_arena_allocate(arena, (size_t)n, sizeof(double));
    made->factors.row = haw_arena_allocate(arena, (size_t)n, sizeof(int));
    made->factors.column = haw_arena_allocate(arena, (size_t)n, sizeof(int));
    made->scale = haw_arena_allocate(arena, (size_t)n, sizeof(double));
    HAW_TRY(allocate(arena, n, &made->left));
    HAW_TRY(allocate(arena, n, &made->right));
    made->factors.lower = made->of.lower;
    if (made->of.lower_is_by_rows) {
        HAW_TRY(haw_csr_transpose(arena, &made->of.lower, &made->factors.lower));
    }
    HAW_TRY(haw_csr_transpose(arena, &made->of.upper, &made->factors.upper));
    memcpy(made->scale, lu->scale, (size_t)n * sizeof(double));
    for (int k = 0; k < n; ++k) {
        made->factors.row[made->of.row[k]] = k;
        made->factors.column[made->of.column[k]] = k;
        made->pivot[k] = made->factors.upper.value[made->factors.upper.start[k]];
    }
    *products = made;
    return wanted != NULL ? haw_lu_inverse_create(arena, &made->factors, wanted, &made->inverse)
                          : HAW_OK;
}

static void add(substitution *s, int at, double value)
{
    s->x[at] += value;
    s->mark[at] = 1;
}

/* x <- T^-1 x for the columns of a lower triangle T. @param pivot  [n] its diagonal, NULL: ones */
static void substitute(const haw_csr *columns, const double *pivot, substitution *s)
{
    const char *mark = s->mark;
    const int n = columns->rows;
    s->visited = 0;
    for (const char *at = memchr(mark, 1, (size_t)n); at != NULL;
         at = memchr(at, 1, (size_t)(mark + n - at))) {
        const int k = (int)(at - mark);
        const double x = s->x[k] / (pivot != NULL ? pivot[k] : 1);
        for (int e = columns->start[k]; e < columns->start[k + 1]; ++e) {
            add(s, columns->column[e], -columns->value[e] * x);
        }
        s->x[k] = x;
        s->mark[k] = 0;
        s->list[s->visited++] = k;
    }
}

static void clear(substitution *s)
{
    for (int i = 0; i < s->visited; ++i) {
        s->x[s->list[i]] = 0;
    }
}

/* Sum of left_i Z right_j by known entries. @return false: some are not known */
static bool look_up(const haw_lu_products *p, int count, const int *column, const double *h,
                    int stride, double *sum)
{
    const haw_lu_factors *f = &p->factors;
    *sum = 0;
    for (int j = 0; j < count && p->inverse != NULL; ++j) {
        const int at = f->row[column[j]];
        const double right = p->of.scale[at] * h[(ptrdiff_t)stride * j];
        double part = 0;
        for (int i = 0; i < count && right != 0; ++i) {
            const double *entry = haw_lu_inverse_entry(p->inverse, f->column[column[i]], at);
            if (entry == NULL) {
                return false;
            }
            part += p->scale[column[i]] * h[(ptrdiff_t)stride * i] * *entry;
        }
        *sum += part * right;
    }
    return p->inverse != NULL;
}

double haw_lu_product(haw_lu_products *p, int count, const int *column, const double *h, int stride)
{
    double sum = 0;
    if (look_up(p, count, column, h, stride, &sum)) {
        return sum;
    }
    sum = 0;
    for (int i = 0; i < count; ++i) {
        const double entry = h[(ptrdiff_t)stride * i];
        const int row = p->factors.row[column[i]];
        if (entry != 0) {
            add(&p->right, row, p->of.scale[row] * entry);
            add(&p->left, p->factors.column[column[i]], p->scale[column[i]] * entry);
        }
    }
    substitute(&p->factors.lower, NULL, &p->right);
    substitute(&p->factors.upper, p->pivot, &p->left);
    for (int i = 0; i < p->right.visited; ++i) {
        const int k = p->right.list[i];
        sum += p->left.x[k] * p->right.x[k];
    }
    clear(&p->left);
    clear(&p->right);
    return sum;
}
