/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an object carries from one step to the next, saved and loaded by one list: a function of the
 * object passes its fields in their order, and a pack counts their bytes, takes them or puts them
 * back. Bytes are those of this machine and this version.
 */
#ifndef HAWSER_BASE_PACK_H
#define HAWSER_BASE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct haw_pack {
    char *data;    /* NULL: count only */
    size_t bytes;  /* passed so far */
    bool loads;    /* from data into the object */
    bool is_wrong; /* some index or flag that was loaded is out of range */
} haw_pack;

static inline void haw_pack_block(haw_pack *pack, void *field, size_t bytes)
{
    if (pack->data != NULL && bytes > 0) {
        char *kept = pack->data + pack->bytes;
        memcpy(pack->loads ? (char *)field : kept, pack->loads ? kept : (char *)field, bytes);
    }
    pack->bytes += bytes;
}

static inline void haw_pack_reals(haw_pack *pack, double *field, int count)
{
    haw_pack_block(pack, field, (size_t)count * sizeof *field);
}

/* Indices or counts, 0 to `most`. Others that are loaded become 0, and are told. */
static inline void haw_pack_indices(haw_pack *pack, int *field, int count, int most)
{
    haw_pack_block(pack, field, (size_t)count * sizeof *field);
    for (int i = 0; i < count && pack->loads; i++) {
        if (field[i] < 0 || field[i] > most) {
            field[i] = 0;
            pack->is_wrong = true;
        }
    }
}

/* A bool, also one within a block that was loaded: other bytes than 0 and 1 are none, become false,
 * and are told. */
static inline void haw_pack_check_flag(haw_pack *pack, bool *field)
{
    unsigned char byte;
    memcpy(&byte, field, 1);
    if (pack->loads && byte > 1) {
        *field = false;
        pack->is_wrong = true;
    }
}

static inline void haw_pack_flag(haw_pack *pack, bool *field)
{
    haw_pack_block(pack, field, sizeof *field);
    haw_pack_check_flag(pack, field);
}

#define HAW_PACK(pack, field) haw_pack_block(pack, &(field), sizeof(field))

#endif
