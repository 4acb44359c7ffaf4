/* SPDX-License-Identifier: BSD-3-Clause */
/* Workspace of the contact stage. */
#include "contact/contact.h"

#include <math.h>
#include <string.h>

enum { FIRST_CAPACITY = 32, ALIGN = 64 };

static size_t padded(size_t bytes)
{
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* Cut the next `bytes` from a block. */
static void *cut(char **next, size_t bytes)
{
    void *piece = *next;
    *next += padded(bytes);
    return piece;
}

/* Arrays of n contacts of d rows; those of W are squares and may be left out. */
static size_t block_size(size_t n, size_t d, bool matrix)
{
    const size_t pairs = matrix ? n * n : 0;
    return padded(n * sizeof(haw_touch)) + 6 * padded(d * n * sizeof(double)) +
           padded(n * sizeof(double)) + padded(d * d * pairs * sizeof(double)) +
           padded((n + 1) * sizeof(int)) + padded(pairs * sizeof(int)) + padded(n * sizeof(int));
}

/* Lay all arrays out for n contacts. */
static void lay_out(haw_contacts *contacts, char *next, size_t n, bool matrix)
{
    const size_t pairs = matrix ? n * n : 0, d = (size_t)contacts->dimension;
    haw_problem *problem = &contacts->problem;
    contacts->item = cut(&next, n * sizeof *contacts->item);
    contacts->gamma_minus = cut(&next, d * n * sizeof(double));
    contacts->gamma_free = cut(&next, d * n * sizeof(double));
    contacts->gamma_plus = cut(&next, d * n * sizeof(double));
    contacts->impulse = cut(&next, d * n * sizeof(double));
    contacts->force = cut(&next, d * n * sizeof(double));
    problem->q = cut(&next, d * n * sizeof(double));
    problem->mu = cut(&next, n * sizeof(double));
    problem->w.value = cut(&next, d * d * pairs * sizeof(double));
    problem->w.start = cut(&next, (n + 1) * sizeof(int));
    problem->w.column = cut(&next, pairs * sizeof(int));
    problem->w.diagonal = cut(&next, n * sizeof(int));
    problem->dimension = problem->w.block = contacts->dimension;
}

static haw_status grow(haw_contacts *contacts, int count, bool matrix)
{
    int capacity = contacts->capacity;
    while (capacity < count) {
        capacity = capacity == 0 ? FIRST_CAPACITY : 2 * capacity;
    }
    char *block = haw_allocate(
        contacts->context, block_size((size_t)capacity, (size_t)contacts->dimension, matrix), 1);
    if (block == NULL) {
        return HAW_ERR_NOMEM;
    }
    const haw_contacts old = *contacts;
    const size_t kept = (size_t)contacts->count, rows = kept * (size_t)contacts->dimension;
    lay_out(contacts, block, (size_t)capacity, matrix);
    if (kept > 0) {
        memcpy(contacts->item, old.item, kept * sizeof *old.item);
        memcpy(contacts->gamma_minus, old.gamma_minus, rows * sizeof(double));
    }
    contacts->block = block;
    contacts->capacity = capacity;
    contacts->matrix_capacity = matrix ? capacity : 0;
    haw_release(contacts->context, old.block);
    return HAW_OK;
}

haw_status haw_contacts_reserve(haw_contacts *contacts, int count)
{
    return count <= contacts->matrix_capacity ? HAW_OK : grow(contacts, count, true);
}

haw_status haw_contacts_reserve_rows(haw_contacts *contacts, int count)
{
    return count <= contacts->capacity ? HAW_OK : grow(contacts, count, false);
}

haw_status haw_grow(haw_context *context, int count, size_t size, int *capacity, void **array)
{
    if (count <= *capacity) {
        return HAW_OK;
    }
    int larger = *capacity == 0 ? 64 : *capacity;
    while (larger < count) {
        larger *= 2;
    }
    void *block = haw_allocate(context, (size_t)larger, size);
    if (block == NULL) {
        return HAW_ERR_NOMEM;
    }
    if (*array != NULL) {
        memcpy(block, *array, (size_t)*capacity * size);
    }
    haw_release(context, *array);
    *array = block;
    *capacity = larger;
    return HAW_OK;
}

/* Longest vector of a cable, and whether any pair searches capsules. */
static void find_needs(const haw_model *model, size_t *widest, bool *capsules)
{
    *widest = 1;
    *capsules = false;
    for (int i = 0; i < model->cables; i++) {
        const size_t dofs = (size_t)model->cable[i].line.dofs;
        *widest = dofs > *widest ? dofs : *widest;
    }
    for (int i = 0; i < model->pairs; i++) {
        *capsules = *capsules || model->pair[i].proxies == HAW_PROXY_CAPSULES;
    }
}

haw_status haw_contacts_create(haw_context *context, const haw_model *model,
                               haw_contacts **contacts)
{
    size_t widest;
    bool capsules;
    find_needs(model, &widest, &capsules);
    const size_t head = padded(sizeof **contacts), gaps = padded(((size_t)model->pairs + 1) * 8);
    const size_t columns = padded(HAW_DELASSUS_COLUMNS * widest * sizeof(double));
    const size_t choices = capsules ? (size_t)model->points * sizeof(double) : 0;
    char *block = haw_allocate(context, head + gaps + columns + choices, 1);
    if (block == NULL) {
        return HAW_ERR_NOMEM;
    }
    *contacts = cut(&block, head);
    (*contacts)->context = context;
    (*contacts)->model = model;
    (*contacts)->dimension = model->dimension;
    (*contacts)->gap_min = cut(&block, gaps);
    (*contacts)->column = cut(&block, columns);
    for (int i = 0; i < model->pairs; i++) {
        (*contacts)->gap_min[i] = (double)INFINITY;
    }
    (*contacts)->choice = capsules ? cut(&block, choices) : NULL;
    const haw_status status = haw_contacts_reserve(*contacts, 1);
    if (status != HAW_OK) {
        haw_contacts_free(*contacts);
        *contacts = NULL;
    }
    return status;
}

void haw_contacts_free(haw_contacts *contacts)
{
    if (contacts != NULL) {
        haw_release(contacts->context, contacts->block);
        haw_release(contacts->context, contacts);
    }
}
