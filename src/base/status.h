/* SPDX-License-Identifier: BSD-3-Clause */
/* Failing with a message, allocating through the context, logging; names of options and rows. */
#ifndef HAWSER_BASE_STATUS_H
#define HAWSER_BASE_STATUS_H

#include <hawser/base.h>

enum { HAW_MESSAGE_SIZE = 1024, HAW_HINT_SIZE = 128 };

/* Compilers move what leads to a call out of the way, so that loops stay in the caches. */
#if defined __GNUC__
#define HAW_COLD __attribute__((cold))
#else
#define HAW_COLD
#endif

/** Put one formatted line into the context and return `status`. context may be NULL. */
haw_status haw_fail(haw_context *context, haw_status status, const char *format, ...)
    HAW_PRINTF(3, 4) HAW_COLD;

/**
 * Say which setting a failure speaks of, as a path of --set; a place that is already known stays.
 * @return status
 */
haw_status haw_place(haw_context *context, haw_status status, const char *format, ...)
    HAW_PRINTF(3, 4);

/** Calls of SuiteSparse by what belongs to the context; whoever calls it counts. */
haw_sparse_calls *haw_context_sparse(haw_context *context);

/** Log one formatted line. */
void haw_log(haw_context *context, haw_log_level level, const char *format, ...) HAW_PRINTF(3, 4);

/** count * size zeroed bytes aligned to 64, or NULL with the message set: also where the context
 * has no room for them. Checks for overflow. */
void *haw_allocate(haw_context *context, size_t count, size_t size);
void haw_release(haw_context *context, void *pointer);

/** Bytes that may still be asked for: what the process may have (base/memory.h) less what the
 * context holds. */
double haw_context_room(const haw_context *context);

/** Whether a process may hold so many bytes in all, and how many it may. */
bool haw_context_fits(haw_context *context, double bytes, double *most);

/** Whether something did not fit that would have without haw_context_share. */
bool haw_context_is_short(const haw_context *context);

/** Leave room for other processes of the same command that run at the same time. */
void haw_context_share(haw_context *context, int processes);

/** Return early on failure. */
#define HAW_TRY(call)                                                                              \
    do {                                                                                           \
        const haw_status status_ = (call);                                                         \
        if (status_ != HAW_OK) {                                                                   \
            return status_;                                                                        \
        }                                                                                          \
    } while (0)

/**
 * Check the values of an options struct that a caller may have filled by hand against their rows.
 *
 * @param dimension  2 or 3: keys of the other dimension are not read
 * @param where      what the options belong to, begins the message
 * @param key        out: key at fault
 * @return ERR_INPUT
 */
HAW_NODISCARD haw_status haw_options_check(haw_context *context, const haw_option *table,
                                           const void *options, int dimension, const char *where,
                                           const char **key);

/**
 * Say that a table has no row of that name: what the format says, the name in quotes, and the
 * nearest name that the table has. @return ERR_INPUT
 */
haw_status haw_row_unknown(haw_context *context, const haw_row *const *table, const char *name,
                           const char *format, ...) HAW_PRINTF(4, 5);

/* Names in the structs of an array. */
typedef struct haw_name_list {
    const void *first;     /* struct */
    size_t stride, offset; /* to the next one; of the name, a const char * [bytes] */
    int count;
} haw_name_list;

/** The names that a member of the structs of an array holds. */
#define HAW_NAMES(array, count, type, member)                                                      \
    (haw_name_list)                                                                                \
    {                                                                                              \
        (array), sizeof(type), offsetof(type, member), (count)                                     \
    }

/** Name i, and where structs have several, those behind it. */
const char *const *haw_names_at(haw_name_list list, int i);

/** Index of the first struct of a name, -1: none. */
int haw_names_find(haw_name_list list, const char *name);

/** Words of a list that ends with NULL, 0 for NULL; index of one, -1: none; "a, b, c". */
int haw_words_count(const char *const *words);
int haw_words_find(const char *const *words, const char *word);
void haw_words_join(const char *const *words, size_t size, char *text);

/** Nearest of `count` names to a misspelt one within an edit distance of 3, else the first of
 * several words that begins or ends with it (stiffness: normal_stiffness), or NULL. */
const char *haw_nearest(const char *word, int count, const char *const *names);

/** "; did you mean 'name'?" with the nearest of `count` names, or "". @return hint */
const char *haw_hint(const char *word, int count, const char *const *names,
                     char hint[HAW_HINT_SIZE]);

/* A limit of an option. Limits are inclusive; an open one is stored as its next representable
 * neighbour. */
typedef struct haw_limit {
    bool given, open;
    char text[32]; /* the number */
} haw_limit;

haw_limit haw_option_limit(const haw_option *row, double value);

/** @return ERR_CANCELLED with a message, once the context was cancelled: for what takes long */
HAW_NODISCARD haw_status haw_context_goes_on(haw_context *context);

/** Whether a cancel was asked for some seconds ago: a step that still goes on is given up. */
bool haw_context_insists(const haw_context *context);

#endif
