/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reverse Cuthill-McKee order for bands, minimum degree of nodes for sparse factors. For the former
 * the neighbours of every vertex are sorted by degree beforehand, all at once by a bucket sort, so
 * that the whole takes time linear in the entries.
 */
#include "linalg/csr.h"

#include <amd.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { ROOT_TRIES = 8 }; /* searches for a vertex farther out; three are the rule */

static const double LEAST_PARTNER = 0.1; /* of the largest entry of a row: pivot of the two */

/* A graph with the neighbours in the order of their degrees, and the workspace of searches. */
typedef struct graph {
    int n;
    const int *start; /* [n + 1] */
    int *neighbour;   /* [start[n]] */
    int *seen;        /* [n] number of the last search that met the vertex, 0: none */
    int searches;
    bool *placed; /* [n] has its final place */
} graph;

static int degree(const graph *g, int vertex)
{
    return g->start[vertex + 1] - g->start[vertex];
}

/* Vertices by ascending degree, ties by index, enter the lists of their neighbours in that order.
 */
static haw_status build(haw_arena *arena, const haw_csr *pattern, graph *g)
{
    const size_t n = (size_t)pattern->rows;
    *g = (graph){.n = pattern->rows, .start = pattern->start};
    g->neighbour = haw_arena_allocate(arena, (size_t)pattern->start[n], sizeof(int));
    g->seen = haw_arena_allocate(arena, n, sizeof(int));
    g->placed = haw_arena_allocate(arena, n, sizeof(bool));
    int *first = haw_arena_allocate(arena, n + 2, sizeof(int)); /* of the vertices of a degree */
    int *sorted = haw_arena_allocate(arena, n, sizeof(int));
    int *end = haw_arena_allocate(arena, n, sizeof(int));
    HAW_TRY(haw_arena_status(arena));
    for (int v = 0; v < g->n; ++v) {
        ++first[degree(g, v) + 1]; /* at most n neighbours */
    }
    for (int d = 1; d <= g->n; ++d) {
        first[d] += first[d - 1];
    }
    for (int v = 0; v < g->n; ++v) {
        sorted[first[degree(g, v)]++] = v;
    }
    memcpy(end, g->start, n * sizeof(int));
    for (int k = 0; k < g->n; ++k) {
        const int v = sorted[k];
        for (int j = g->start[v]; j < g->start[v + 1]; ++j) {
            g->neighbour[end[pattern->column[j]]++] = v;
        }
    }
    return HAW_OK;
}

/* What a breadth-first search from one vertex finds. */
typedef struct levels {
    int count;      /* vertices */
    int depth;      /* levels */
    int last_level; /* position of the first vertex of the last level */
} levels;

/* Put the vertices of a connected part into `queue` [n] level by level. */
static levels search(graph *g, int root, int *queue)
{
    levels found = {.count = 1, .depth = 1};
    const int number = ++g->searches;
    queue[0] = root;
    g->seen[root] = number;
    for (int done = 0, level_end = 1; done < found.count; ++done) {
        if (done == level_end) {
            found.last_level = level_end;
            level_end = found.count;
            ++found.depth;
        }
        const int v = queue[done];
        for (int k = g->start[v]; k < g->start[v + 1]; ++k) {
            const int w = g->neighbour[k];
            if (g->seen[w] != number) {
                g->seen[w] = number;
                queue[found.count++] = w;
            }
        }
    }
    return found;
}

/* Order one part into queue [count]: from a vertex whose search has as many levels as can be had
 * by going on from the last level's vertex of smallest degree. */
static int order_part(graph *g, int root, int *queue)
{
    levels found = search(g, root, queue);
    for (int tries = 0; tries < ROOT_TRIES; ++tries) {
        const int depth = found.depth;
        int next = queue[found.last_level];
        for (int k = found.last_level; k < found.count; ++k) {
            next = degree(g, queue[k]) < degree(g, next) ? queue[k] : next;
        }
        found = search(g, next, queue);
        if (found.depth <= depth) {
            break;
        }
    }
    for (int k = 0; k < found.count; ++k) {
        g->placed[queue[k]] = true;
    }
    return found.count;
}

haw_status haw_csr_place(haw_arena *arena, const haw_csr *pattern, int *place, int *half_band)
{
    const haw_arena_mark mark = haw_arena_here(arena);
    const int n = pattern->rows;
    const int natural = haw_csr_half_band(pattern, NULL);
    int *order = haw_arena_allocate(arena, (size_t)n, sizeof(int));
    int count = 0;
    graph g;
    HAW_TRY(build(arena, pattern, &g));
    for (int v = 0; v < n; ++v) {
        if (!g.placed[v]) {
            count += order_part(&g, v, order + count);
        }
    }
    for (int k = 0; k < n; ++k) {
        place[order[k]] = n - 1 - k; /* reverse Cuthill-McKee */
    }
    *half_band = haw_csr_half_band(pattern, place);
    if (natural <= *half_band) {
        *half_band = natural;
        for (int k = 0; k < n; ++k) {
            place[k] = k;
        }
    }
    haw_arena_rewind(arena, &mark);
    return HAW_OK;
}

/* ---- rows that stay together ---- */

static bool same_columns(const haw_csr *pattern, int i, int j)
{
    const int count = pattern->start[i + 1] - pattern->start[i];
    return pattern->start[j + 1] - pattern->start[j] == count &&
           memcmp(pattern->column + pattern->start[i], pattern->column + pattern->start[j],
                  (size_t)count * sizeof(int)) == 0;
}

int haw_csr_groups(const haw_csr *pattern, int *group)
{
    for (int i = 0; i < pattern->rows; ++i) {
        group[i] = i == 0 ? 0 : group[i - 1] + (same_columns(pattern, i, i - 1) ? 0 : 1);
    }
    return pattern->rows > 0 ? group[pattern->rows - 1] + 1 : 0;
}

/* Row of an entry without a pivot of its own: the entries beside it, of which the least crowded of
 * those that are not small gives it one. @param is_taken  [n] rows that give one already
 * @return -1: none */
static int find_partner(const haw_csr *matrix, const bool *is_taken, int i)
{
    double largest = 0;
    int partner = -1, fewest = INT_MAX;
    for (int k = matrix->start[i]; k < matrix->start[i + 1]; ++k) {
        largest = fmax(largest, fabs(matrix->value[k]));
    }
    for (int k = matrix->start[i]; k < matrix->start[i + 1] && largest > 0; ++k) {
        const int j = matrix->column[k], count = matrix->start[j + 1] - matrix->start[j];
        if (!is_taken[j] && count < fewest && fabs(matrix->value[k]) >= LEAST_PARTNER * largest) {
            fewest = count;
            partner = j;
        }
    }
    return partner;
}

static bool has_pivot(const haw_csr *matrix, int i)
{
    const ptrdiff_t place = haw_csr_find(matrix, i, i);
    return place >= 0 && matrix->value[place] != 0;
}

/* Number groups anew without those that have no rows. @return how many there are */
static int renumber(int n, int *group, int groups, int *number)
{
    int count = 0;
    memset(number, 0, (size_t)groups * sizeof *number);
    for (int i = 0; i < n; ++i) {
        number[group[i]] = 1;
    }
    for (int g = 0; g < groups; ++g) {
        count += number[g];
        number[g] = count - 1;
    }
    for (int i = 0; i < n; ++i) {
        group[i] = number[group[i]];
    }
    return count;
}

haw_status haw_csr_join_groups(haw_arena *arena, const haw_csr *matrix, int *group, int *groups)
{
    const haw_arena_mark mark = haw_arena_here(arena);
    const int n = matrix->rows;
    bool *is_taken = haw_arena_allocate(arena, (size_t)n + 1, sizeof(bool));
    int *number = haw_arena_allocate(arena, (size_t)*groups + 1, sizeof(int));
    HAW_TRY(haw_arena_status(arena));
    for (int i = 0; i < n; ++i) {
        is_taken[i] = !has_pivot(matrix, i);
    }
    for (int i = 0; i < n; ++i) {
        const int partner = has_pivot(matrix, i) ? -1 : find_partner(matrix, is_taken, i);
        if (partner >= 0) {
            is_taken[partner] = true;
            group[i] = group[partner];
        }
    }
    *groups = renumber(n, group, *groups, number);
    haw_arena_rewind(arena, &mark);
    return HAW_OK;
}

/* Rows by their groups. @param first  [groups + 2] zeroed, out: of each group; @param row  [n] */
static void list_rows(int n, const int *group, int groups, int *first, int *row)
{
    for (int i = 0; i < n; ++i) {
        ++first[group[i] + 2];
    }
    for (int g = 0; g < groups; ++g) {
        first[g + 2] += first[g + 1];
    }
    for (int i = 0; i < n; ++i) {
        row[first[group[i] + 1]++] = i;
    }
}

/* Pattern of the groups: those that their rows couple. */
static haw_status divide(haw_arena *arena, const haw_csr *pattern, const int *group, int groups,
                         haw_csr *quotient)
{
    int count = 0, *last = haw_arena_allocate(arena, (size_t)groups + 1, sizeof(int));
    int *first = haw_arena_allocate(arena, (size_t)groups + 2, sizeof(int));
    int *row = haw_arena_allocate(arena, (size_t)pattern->rows + 1, sizeof(int));
    HAW_TRY(haw_csr_create(arena, groups, groups, pattern->start[pattern->rows], false, quotient));
    HAW_TRY(haw_arena_status(arena));
    list_rows(pattern->rows, group, groups, first, row);
    for (int m = 0; m < pattern->rows; ++m) {
        const int i = row[m], own = group[i];
        for (int k = pattern->start[i]; k < pattern->start[i + 1]; ++k) {
            const int other = group[pattern->column[k]];
            if (last[other] != own + 1) {
                last[other] = own + 1;
                quotient->column[count++] = other;
            }
        }
        quotient->start[own + 1] = count;
    }
    return HAW_OK;
}

/* Places of rows from those of their groups. @param first [groups + 1] zeroed */
static void expand(int n, const int *group, int groups, const int *group_place, int *first,
                   int *place)
{
    for (int i = 0; i < n; ++i) {
        ++first[group_place[group[i]] + 1];
    }
    for (int g = 0; g < groups; ++g) {
        first[g + 1] += first[g];
    }
    for (int i = 0; i < n; ++i) {
        place[i] = first[group_place[group[i]]]++;
    }
}

haw_status haw_csr_place_groups(haw_arena *arena, const haw_csr *pattern, int *place,
                                int *half_band)
{
    const haw_arena_mark mark = haw_arena_here(arena);
    const size_t n = (size_t)pattern->rows;
    haw_csr symmetric, quotient;
    int *group = haw_arena_allocate(arena, n + 1, sizeof(int));
    int *group_place = haw_arena_allocate(arena, n + 1, sizeof(int));
    int *first = haw_arena_allocate(arena, n + 2, sizeof(int));
    HAW_TRY(haw_csr_symmetrize(arena, pattern, &symmetric));
    const int groups = haw_csr_groups(&symmetric, group);
    HAW_TRY(divide(arena, &symmetric, group, groups, &quotient));
    HAW_TRY(haw_csr_place(arena, &quotient, group_place, half_band));
    expand(pattern->rows, group, groups, group_place, first, place);
    *half_band = haw_csr_half_band(&symmetric, place);
    haw_arena_rewind(arena, &mark);
    return HAW_OK;
}

haw_status haw_csr_order_groups(haw_arena *arena, const haw_csr *pattern, const int *group,
                                int groups, haw_csr_order *made)
{
    const int n = pattern->rows;
    const double size = (double)n / groups;
    double info[AMD_INFO];
    made->order = haw_arena_allocate(arena, (size_t)n + 1, sizeof(int));
    const haw_arena_mark mark = haw_arena_here(arena);
    int *group_order = haw_arena_allocate(arena, (size_t)groups + 1, sizeof(int));
    int *group_place = haw_arena_allocate(arena, (size_t)groups + 1, sizeof(int));
    int *first = haw_arena_allocate(arena, (size_t)n + 2, sizeof(int));
    int *place = haw_arena_allocate(arena, (size_t)n + 1, sizeof(int));
    haw_csr quotient;
    HAW_TRY(divide(arena, pattern, group, groups, &quotient));
    const int code = amd_order(groups, quotient.start, quotient.column, group_order, NULL, info);
    if (code != AMD_OK && code != AMD_OK_BUT_JUMBLED) {
        const bool is_full = code == AMD_OUT_OF_MEMORY;
        return haw_fail(arena->context, is_full ? HAW_ERR_NOMEM : HAW_ERR_ARG,
                        is_full ? "AMD is out of memory" : "AMD rejects the pattern (status %d)",
                        code);
    }
    for (int k = 0; k < groups; ++k) {
        group_place[group_order[k]] = k;
    }
    expand(n, group, groups, group_place, first, place);
    for (int i = 0; i < n; ++i) {
        made->order[place[i]] = i;
    }
    made->entries = 2 * size * size * (info[AMD_LNZ] + groups);
    made->flops = 2 * size * size * size * (info[AMD_NMULTSUBS_LU] + info[AMD_NDIV] + groups);
    haw_arena_rewind(arena, &mark);
    return HAW_OK;
}

/* ---- connected parts ---- */

/* Number all vertices that are connected with the root. */
static void flood(const haw_csr *pattern, int root, int number, int *part, int *stack)
{
    int height = 1;
    stack[0] = root;
    part[root] = number;
    while (height > 0) {
        const int v = stack[--height];
        for (int k = pattern->start[v]; k < pattern->start[v + 1]; ++k) {
            const int w = pattern->column[k];
            if (part[w] < 0) {
                part[w] = number;
                stack[height++] = w;
            }
        }
    }
}

haw_status haw_csr_parts(haw_arena *arena, const haw_csr *pattern, int *part, int *parts)
{
    const haw_arena_mark mark = haw_arena_here(arena);
    int *stack = haw_arena_allocate(arena, (size_t)pattern->rows, sizeof(int));
    HAW_TRY(haw_arena_status(arena));
    memset(part, 0xff, (size_t)pattern->rows * sizeof *part); /* -1: not met yet */
    *parts = 0;
    for (int root = 0; root < pattern->rows; ++root) {
        if (part[root] < 0) {
            flood(pattern, root, (*parts)++, part, stack);
        }
    }
    haw_arena_rewind(arena, &mark);
    return HAW_OK;
}
