/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entries of the inverse Z of B = L U, L with ones on its diagonal, on the pattern of the factors
 * and wherever else they are wanted (K. Takahashi, J. Fagan, M.-S. Chin, Proc. 8th PICA Conf.
 * (1973) 63-69; A. M. Erisman, W. F. Tinney, Commun. ACM 18 (1975) 177-179). From U Z = L^-1 and Z
 * L = U^-1
 *
 *     Z_Sj = -Z_SS L_Sj,   Z_jS = -U_jS Z_SS / U_jj,   Z_jj = (1 - U_jS Z_Sj) / U_jj,
 *
 * from the last column j to the first. S are the places below j where L + U' has entries, or would
 * have them if its pattern were symmetric: what fills in by elimination (A. George, J. W. H. Liu,
 * Computer Solution of Large Sparse Positive Definite Systems (1981), ch. 5), so that Z_SS is
 * known. Neighbouring columns of the same S are taken together. All entries cost as much as two
 * factorizations, where a substitution for each of ten thousand rows costs a hundred.
 */
#include "linalg/lu_kinds.h"
#include "linalg/vector.h"

#include <limits.h>
#include <string.h>

/* Columns first ... first + width - 1, which share the places below them. */
typedef struct block {
    int first, width, below;
    const int *place; /* [below] ascending */
    double *low;      /* [width][width + below] Z of all their places, by columns */
    double *up;       /* [width][below] Z by rows, of the places below */
} block;

struct haw_lu_inverse {
    int n, blocks, tallest; /* tallest: most places below a block */
    int *of;                /* [n] block of a column */
    block *block;           /* [blocks] */
    int *at;                /* [n] work: where places are in a block */
    double *l, *u;          /* [most columns][of them and below] work: L by columns, U by rows */
    double *z, *zt;         /* [tallest][tallest] work: Z_SS by columns, by rows */
};

/* ---- the pattern ---- */

/* Lists of places below each column, as they are found. */
typedef struct growth {
    int *start; /* [n + 1] */
    int *place; /* [room] */
    ptrdiff_t count, room;
    int *seen;            /* [n] last column that has taken a place */
    int *child, *sibling; /* [n] columns whose first place below is this one; -1: none, no more */
} growth;

static void take(growth *g, int column, int place)
{
    if (place > column && g->seen[place] != column && g->count < g->room) {
        g->seen[place] = column;
        g->place[g->count++] = place;
    }
}

/* What is wanted of rows: all pairs of their columns, both as rows and as columns of B. By way of
 * the first of them elimination adds the others. */
static haw_status list_wanted(haw_arena *arena, const haw_lu_factors *of, const haw_csr *wanted,
                              haw_csr *pairs)
{
    const int n = wanted->columns;
    haw_triplets list;
    HAW_TRY(haw_triplets_create(arena, 2 * (ptrdiff_t)wanted->start[wanted->rows], false, &list));
    for (int i = 0; i < wanted->rows; ++i) {
        int first = n;
        for (int k = wanted->start[i]; k < wanted->start[i + 1]; ++k) {
            const int row = of->row[wanted->column[k]], column = of->column[wanted->column[k]];
            const int least = row < column ? row : column;
            first = least < first ? least : first;
        }
        for (int k = wanted->start[i]; k < wanted->start[i + 1]; ++k) {
            haw_triplets_add(&list, first, of->row[wanted->column[k]], 0);
            haw_triplets_add(&list, first, of->column[wanted->column[k]], 0);
        }
    }
    return haw_triplets_compress(arena, &list, n, n, pairs);
}

static void take_row(growth *g, int column, const haw_csr *of)
{
    for (int k = of->start[column]; k < of->start[column + 1]; ++k) {
        take(g, column, of->column[k]);
    }
}

/* @return false: there is no room for all places */
static bool find_pattern(growth *g, const haw_lu_factors *of, const haw_csr *pairs)
{
    const int n = of->lower.rows;
    for (int j = 0; j < n; ++j) {
        take_row(g, j, &of->lower);
        take_row(g, j, &of->upper);
        take_row(g, j, pairs);
        for (int c = g->child[j]; c >= 0; c = g->sibling[c]) {
            for (int k = g->start[c]; k < g->start[c + 1]; ++k) {
                take(g, j, g->place[k]);
            }
        }
        int parent = n;
        for (ptrdiff_t k = g->start[j]; k < g->count; ++k) {
            parent = g->place[k] < parent ? g->place[k] : parent;
        }
        if (parent < n) {
            g->sibling[j] = g->child[parent];
            g->child[parent] = j;
        }
        g->start[j + 1] = (int)g->count;
    }
    return g->count < g->room;
}

enum { ROOM = 4 }; /* times the entries of the factors */

/* The places below all columns, ascending. @param fits  out: false where much more fills in than
 * factors have, by pivots from afar
 */
static haw_status create_pattern(haw_arena *arena, const haw_lu_factors *of, const haw_csr *wanted,
                                 haw_csr *below, bool *fits)
{
    const int n = of->lower.rows;
    const size_t size = (size_t)n;
    const double entries = (double)of->lower.start[n] + of->upper.start[n];
    haw_csr pairs, turned;
    growth g = {.room = (ptrdiff_t)fmin(ROOM * entries, INT_MAX)};
    g.start = haw_arena_allocate(arena, size + 1, sizeof(int));
    g.place = haw_arena_allocate(arena, (size_t)g.room, sizeof(int));
    g.seen = haw_arena_allocate(arena, size, sizeof(int));
    g.child = haw_arena_allocate(arena, size, sizeof(int));
    g.sibling = haw_arena_allocate(arena, size, sizeof(int));
    HAW_TRY(haw_arena_status(arena));
    HAW_TRY(list_wanted(arena, of, wanted, &pairs));
    memset(g.seen, -1, size * sizeof(int));
    memset(g.child, -1, size * sizeof(int));
    memset(g.sibling, -1, size * sizeof(int));
    *fits = find_pattern(&g, of, &pairs);
    const haw_csr found = {.rows = n, .columns = n, .start = g.start, .column = g.place};
    HAW_TRY(*fits ? haw_csr_transpose(arena, &found, &turned) : HAW_OK);
    return *fits ? haw_csr_transpose(arena, &turned, below) : HAW_OK;
}

/* ---- blocks ---- */

/* Whether a column has the places below of the one before, but for itself. */
static bool goes_on(const haw_csr *below, int j)
{
    const int before = below->start[j] - below->start[j - 1];
    return before == below->start[j + 1] - below->start[j] + 1 &&
           below->column[below->start[j - 1]] == j;
}

static haw_status create_blocks(haw_arena *arena, const haw_csr *below, haw_lu_inverse *z)
{
    size_t entries = 0, front = 1;
    z->of = haw_arena_allocate(arena, (size_t)z->n, sizeof(int));
    z->at = haw_arena_allocate(arena, (size_t)z->n, sizeof(int));
    z->block = haw_arena_allocate(arena, (size_t)z->n, sizeof *z->block);
    HAW_TRY(haw_arena_status(arena));
    for (int j = 0, end; j < z->n; j = end) {
        for (end = j + 1; end < z->n && goes_on(below, end); ++end) {
        }
        block *made = &z->block[z->blocks];
        const int start = below->start[end - 1], count = below->start[end] - start;
        *made =
            (block){.first = j, .width = end - j, .below = count, .place = below->column + start};
        for (int k = j; k < end; ++k) {
            z->of[k] = z->blocks;
        }
        z->blocks++;
        z->tallest = count > z->tallest ? count : z->tallest;
        const size_t width = (size_t)made->width, all = width * (width + (size_t)count);
        entries += all + width * (size_t)count;
        front = all > front ? all : front;
    }
    double *next = haw_arena_allocate(arena, entries, sizeof(double));
    z->l = haw_arena_allocate(arena, front, sizeof(double));
    z->u = haw_arena_allocate(arena, front, sizeof(double));
    const size_t square = (size_t)z->tallest * (size_t)z->tallest;
    z->z = haw_arena_allocate(arena, square, sizeof(double));
    z->zt = haw_arena_allocate(arena, square, sizeof(double));
    HAW_TRY(haw_arena_status(arena));
    for (int i = 0; i < z->blocks; ++i) {
        block *b = &z->block[i];
        b->low = next;
        b->up = b->low + (ptrdiff_t)b->width * (b->width + b->below);
        next = b->up + (ptrdiff_t)b->width * b->below;
    }
    return HAW_OK;
}

/* ---- entries ---- */

/* Where the places of a block are among them. */
static void number(haw_lu_inverse *z, const block *b)
{
    for (int i = 0; i < b->width; ++i) {
        z->at[b->first + i] = i;
    }
    for (int i = 0; i < b->below; ++i) {
        z->at[b->place[i]] = b->width + i;
    }
}

/* L by columns and U by rows of a block, [width][width + below]. */
static void load(haw_lu_inverse *z, const haw_lu_factors *of, const block *b)
{
    const ptrdiff_t height = b->width + b->below;
    memset(z->l, 0, (size_t)(b->width * height) * sizeof(double));
    memset(z->u, 0, (size_t)(b->width * height) * sizeof(double));
    number(z, b);
    for (int j = 0; j < b->width; ++j) {
        const int column = b->first + j;
        for (int k = of->lower.start[column]; k < of->lower.start[column + 1]; ++k) {
            z->l[height * j + z->at[of->lower.column[k]]] = of->lower.value[k];
        }
        for (int k = of->upper.start[column]; k < of->upper.start[column + 1]; ++k) {
            z->u[height * j + z->at[of->upper.column[k]]] = of->upper.value[k];
        }
    }
}

/* Row and column of Z at place c of those below a block, from this place on, or from the first one
 * that is of the same other block; there place c is. */
static void gather_place(haw_lu_inverse *z, const block *b, const block *other, int from, int c)
{
    const ptrdiff_t count = b->below, own = b->place[c] - other->first;
    const double *low = other->low + (other->width + other->below) * own;
    const double *up = other->up + other->below * own;
    for (int s = from; s < count; ++s) {
        const int at = z->at[b->place[s]];
        z->z[count * c + s] = z->zt[count * s + c] = low[at];
        if (at >= other->width) {
            z->z[count * s + c] = z->zt[count * c + s] = up[at - other->width];
        }
    }
}

/* Z of the places below a block, from the blocks that these belong to. */
static void gather(haw_lu_inverse *z, const block *b)
{
    for (int from = 0, c = 0; from < b->below; from = c) {
        const block *other = &z->block[z->of[b->place[from]]];
        number(z, other);
        for (; c < b->below && b->place[c] < other->first + other->width; ++c) {
            gather_place(z, b, other, from, c);
        }
    }
}

/* Z_SJ and Z_JS of the columns J and the places S below. */
static void find_sides(const haw_lu_inverse *z, const block *b)
{
    const int width = b->width, count = b->below;
    const ptrdiff_t height = width + count;
    for (int j = width - 1; j >= 0; --j) {
        double *low = b->low + height * j + width, *up = b->up + (ptrdiff_t)count * j;
        const double *l = z->l + height * j, *u = z->u + height * j;
        for (int s = 0; s < count; ++s) {
            haw_axpy(count, -l[width + s], z->z + (ptrdiff_t)count * s, low);
            haw_axpy(count, -u[width + s], z->zt + (ptrdiff_t)count * s, up);
        }
        for (int k = j + 1; k < width; ++k) {
            haw_axpy(count, -l[k], b->low + height * k + width, low);
            haw_axpy(count, -u[k], b->up + (ptrdiff_t)count * k, up);
        }
        for (int s = 0; s < count; ++s) {
            up[s] /= u[j];
        }
    }
}

/* Z_JJ of the columns J. */
static void find_middle(const haw_lu_inverse *z, const block *b)
{
    const int width = b->width, count = b->below;
    const ptrdiff_t height = width + count;
    double *mid = b->low;
    for (int j = width - 1; j >= 0; --j) {
        const double *l = z->l + height * j, *u = z->u + height * j;
        for (int i = width - 1; i >= j; --i) {
            double left = -haw_dot(count, b->up + (ptrdiff_t)count * i, l + width);
            double right = (i == j) - haw_dot(count, u + width, mid + height * i + width);
            for (int k = j + 1; k < width; ++k) {
                left -= mid[height * k + i] * l[k];
                right -= u[k] * mid[height * i + k];
            }
            mid[height * j + i] = left;
            mid[height * i + j] = right / u[j];
        }
    }
}

haw_status haw_lu_inverse_create(haw_arena *arena, const haw_lu_factors *of, const haw_csr *wanted,
                                 haw_lu_inverse **inverse)
{
    haw_csr below;
    bool fits = false;
    *inverse = NULL;
    HAW_TRY(create_pattern(arena, of, wanted, &below, &fits));
    if (!fits) {
        return HAW_OK;
    }
    haw_lu_inverse *z = haw_arena_allocate(arena, 1, sizeof *z);
    HAW_TRY(haw_arena_status(arena));
    z->n = of->lower.rows;
    HAW_TRY(create_blocks(arena, &below, z));
    for (int i = z->blocks - 1; i >= 0; --i) {
        load(z, of, &z->block[i]);
        gather(z, &z->block[i]);
        find_sides(z, &z->block[i]);
        find_middle(z, &z->block[i]);
    }
    *inverse = z;
    return HAW_OK;
}

const double *haw_lu_inverse_entry(const haw_lu_inverse *z, int row, int column)
{
    const int near = row < column ? row : column, far = row < column ? column : row;
    const block *b = &z->block[z->of[near]];
    const ptrdiff_t height = b->width + b->below, own = near - b->first;
    if (far < b->first + b->width) {
        return &b->low[height * (column - b->first) + row - b->first];
    }
    int low = 0, high = b->below;
    while (low < high) {
        const int middle = (low + high) / 2;
        const bool is_before = b->place[middle] < far;
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    if (low == b->below || b->place[low] != far) {
        return NULL;
    }
    return far == row ? &b->low[height * own + b->width + low] : &b->up[b->below * own + low];
}
