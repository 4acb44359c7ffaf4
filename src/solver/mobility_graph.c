/* SPDX-License-Identifier: BSD-3-Clause */
/* The graph whose order makes M banded and puts all entries of W_cc = H_c^T M^-1 H_c within the
 * band of M^-1. */
#include "solver/mobility.h"

#include <limits.h>
#include <string.h>

enum { GRAPH_FILL = 16 }; /* entries of the graph over those of M and H */

/* Contacts that touch each velocity, and the velocities that each contact touches. */
typedef struct touch {
    int contacts;
    const haw_csr *ht;
    int dimension;
    haw_csr contact_of; /* rows: contact rows of a velocity */
    int *met;           /* [nv] last velocity that listed this one, plus 1 */
    int *seen;          /* [contacts] the same of contacts */
} touch;

/* Add one index to the list unless it is there. */
static void add(touch *t, int velocity, int neighbour, haw_csr *graph)
{
    if (t->met[neighbour] != velocity + 1) {
        t->met[neighbour] = velocity + 1;
        graph->column[graph->start[velocity + 1]++] = neighbour;
    }
}

static void add_row(touch *t, int velocity, const haw_csr *rows, int row, haw_csr *graph)
{
    for (int k = rows->start[row]; k < rows->start[row + 1]; ++k) {
        add(t, velocity, rows->column[k], graph);
    }
}

/* All velocities that share a contact with this one. */
static void add_contacts(touch *t, int velocity, haw_csr *graph)
{
    const haw_csr *of = &t->contact_of;
    for (int k = of->start[velocity]; k < of->start[velocity + 1]; ++k) {
        const int contact = of->column[k] / t->dimension;
        if (t->seen[contact] != velocity + 1) {
            t->seen[contact] = velocity + 1;
            for (int a = 0; a < t->dimension; ++a) {
                add_row(t, velocity, t->ht, contact * t->dimension + a, graph);
            }
        }
    }
}

/* Entries of the graph at most: M twice, and the square of what each contact touches. */
static double bound(const haw_global *global, int dimension)
{
    const haw_csr *ht = &global->ht;
    double count = 2.0 * global->m.start[global->m.rows];
    for (int row = 0; row < ht->rows; row += dimension) {
        const double touched = ht->start[row + dimension] - ht->start[row];
        count += touched * touched;
    }
    return count;
}

static haw_status prepare(haw_arena *arena, const haw_global *global, int dimension, touch *t)
{
    const haw_csr *ht = &global->ht;
    *t = (touch){.contacts = ht->rows / dimension, .ht = ht, .dimension = dimension};
    haw_csr pattern = *ht;
    pattern.value = NULL;
    HAW_TRY(haw_csr_transpose(arena, &pattern, &t->contact_of));
    t->met = haw_arena_allocate(arena, (size_t)ht->columns, sizeof(int));
    t->seen = haw_arena_allocate(arena, (size_t)t->contacts, sizeof(int));
    return t->met != NULL && t->seen != NULL ? HAW_OK : HAW_ERR_NOMEM;
}

haw_status haw_mobility_graph(haw_arena *arena, const haw_global *global, int dimension,
                              haw_csr *graph)
{
    const haw_csr *m = &global->m;
    const double most = bound(global, dimension);
    const double few = GRAPH_FILL * ((double)m->start[m->rows] + global->ht.start[global->ht.rows]);
    *graph = (haw_csr){0};
    if (most > few || most > INT_MAX) {
        return HAW_OK;
    }
    touch t;
    haw_csr pattern = *m;
    haw_csr transposed;
    pattern.value = NULL;
    HAW_TRY(prepare(arena, global, dimension, &t));
    HAW_TRY(haw_csr_transpose(arena, &pattern, &transposed));
    HAW_TRY(haw_csr_create(arena, m->rows, m->rows, (ptrdiff_t)most, false, graph));
    for (int i = 0; i < m->rows; ++i) {
        graph->start[i + 1] = graph->start[i];
        add_row(&t, i, m, i, graph);
        add_row(&t, i, &transposed, i, graph);
        add_contacts(&t, i, graph);
    }
    return HAW_OK;
}
