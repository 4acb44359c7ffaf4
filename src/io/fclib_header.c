/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The storage class of a dataset, from the object header itself (HDF5 File Format Specification
 * 3.0, IV.A.1 and IV.A.2.i). HDF5 1.10 works with the sizes of chunks before it has looked at
 * them: opening a damaged description ends in a division by zero. What is not contiguous is not
 * read anyway, so it need not be opened.
 */
#include "io/fclib.h"

#include <stdint.h>
#include <string.h>

enum { SPANS = 256, MESSAGES = 2048, LAYOUT = 8, CONTINUATION = 16 };

/* A header on its way: pieces of the file that hold messages, the first `done` are finished. */
typedef struct header {
    const haw_fclib *file;
    bool is_old;  /* version 1 */
    off_t prefix; /* bytes before the body of a message */
    int done, spans;
    off_t from[SPANS], to[SPANS];
} header;

static uint64_t little_endian(const unsigned char *bytes, int count)
{
    uint64_t value = 0;
    for (int k = count - 1; k >= 0; k--) {
        value = value << 8 | bytes[k];
    }
    return value;
}

static bool add_span(header *h, uint64_t from, uint64_t bytes)
{
    const uint64_t end = h->file->bytes;
    if (h->spans == SPANS || from > end || bytes > end - from) {
        return false;
    }
    h->from[h->spans] = (off_t)from;
    h->to[h->spans++] = (off_t)(from + bytes);
    return true;
}

/* Version, size of the first piece. */
static bool begin(header *h, uint64_t address)
{
    unsigned char bytes[16];
    if (address > h->file->bytes ||
        !haw_fclib_bytes(h->file, (off_t)address, sizeof bytes, bytes)) {
        return false;
    }
    h->is_old = bytes[0] == 1;
    if (h->is_old) {
        h->prefix = 8;
        return add_span(h, address + 16, little_endian(bytes + 8, 4));
    }
    if (memcmp(bytes, "OHDR\2", 5) != 0) {
        return false;
    }
    const unsigned flags = bytes[5];
    const uint64_t size_at =
        address + 6 + ((flags & 32U) != 0 ? 16 : 0) + ((flags & 16U) != 0 ? 4 : 0);
    const int size_bytes = 1 << (flags & 3U);
    h->prefix = (flags & 4U) != 0 ? 6 : 4;
    return haw_fclib_bytes(h->file, (off_t)size_at, (size_t)size_bytes, bytes) &&
           add_span(h, size_at + (uint64_t)size_bytes, little_endian(bytes, size_bytes));
}

/* A continuation of version 2 has a signature before and a checksum behind its messages. */
static bool follow(header *h, const unsigned char *body)
{
    const uint64_t from = little_endian(body, 8), bytes = little_endian(body + 8, 8);
    return h->is_old ? add_span(h, from, bytes) : bytes >= 8 && add_span(h, from + 4, bytes - 8);
}

/* @return the storage class if this is the layout message, -1: damaged, -2: another message */
static int look_at(header *h, int type, int size, off_t body_at)
{
    unsigned char body[16];
    const int wanted = type == CONTINUATION ? 16 : 3;
    if (type != LAYOUT && type != CONTINUATION) {
        return -2;
    }
    if (size < wanted || !haw_fclib_bytes(h->file, body_at, (size_t)wanted, body)) {
        return -1;
    }
    if (type == CONTINUATION) {
        return follow(h, body) ? -2 : -1;
    }
    return body[0] < 3 ? body[2] : body[1]; /* versions 1 and 2 tell the rank first */
}

int haw_fclib_storage(const haw_fclib *file, uint64_t address)
{
    header h = {.file = file};
    if (!begin(&h, address)) {
        return -1;
    }
    int found = -2;
    for (int k = 0; k < MESSAGES && found == -2 && h.done < h.spans; k++) {
        unsigned char bytes[8];
        off_t *at = &h.from[h.done];
        if (h.to[h.done] - *at < h.prefix) {
            h.done++;
            continue;
        }
        if (!haw_fclib_bytes(file, *at, (size_t)h.prefix, bytes)) {
            return -1;
        }
        const int type = (int)little_endian(bytes, h.is_old ? 2 : 1);
        const int size = (int)little_endian(bytes + (h.is_old ? 2 : 1), 2);
        found = look_at(&h, type, size, *at + h.prefix);
        *at += h.prefix + size;
    }
    return found;
}
