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
    char *data;   /* NULL: count only */
    size_t bytes; /* passed so far */
    bool loads;   /* from data into the object */
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

#define HAW_PACK(pack, field) haw_pack_block(pack, &(field), sizeof(field))

#endif
