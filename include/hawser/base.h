/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Status codes, context and option tables: what every other header builds on.
 *
 * Conventions of the whole library: SI units, radians, doubles; functions that can fail return
 * haw_status and leave one line of detail in the context; out-parameters come last.
 */
#ifndef HAWSER_BASE_H
#define HAWSER_BASE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HAWSER_VERSION_MAJOR 0
#define HAWSER_VERSION_MINOR 1
#define HAWSER_VERSION_PATCH 0

#if defined(__GNUC__) || defined(__clang__)
#define HAW_API               __attribute__((visibility("default")))
#define HAW_NODISCARD         __attribute__((warn_unused_result))
#define HAW_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define HAW_API
#define HAW_NODISCARD
#define HAW_PRINTF(fmt, args)
#endif

/* name, value, text: the enum, the texts and the documentation come from this one list. */
#define HAW_STATUS_LIST(X)                                                                         \
    X(DONE, 1, "the run has reached its end")                                                      \
    X(OK, 0, "success")                                                                            \
    X(ERR_ARG, -1, "argument outside its documented range")                                        \
    X(ERR_NOMEM, -2, "out of memory")                                                              \
    X(ERR_INPUT, -3, "refused before the first step")                                              \
    X(ERR_IO, -4, "cannot read or write a file")                                                   \
    X(ERR_SINGULAR, -5, "matrix is singular to working precision")                                 \
    X(ERR_DIVERGED, -6, "the run is unstable or no longer finite")                                 \
    X(ERR_UNCONVERGED, -7, "a step missed its tolerance")                                          \
    X(ERR_GUARD, -8, "a guard ended the run")                                                      \
    X(ERR_CANCELLED, -9, "cancelled")

typedef enum haw_status {

#define HAW_STATUS_ENUM(name, value, text) HAW_##name = (value),
    HAW_STATUS_LIST(HAW_STATUS_ENUM)
#undef HAW_STATUS_ENUM
} haw_status;

/** One line of English for a status; never NULL. */
HAW_API const char *haw_status_text(haw_status status);

/** "major.minor.patch" of the library that runs; HAWSER_VERSION_MAJOR ... are of the headers. */
HAW_API const char *haw_version(void);

/* ---- context: allocator, log, cancel flag, last message; one per thread, no globals ---- */

typedef struct haw_allocator {
    void *(*allocate)(void *user, size_t bytes); /* NULL on failure, aligned like malloc */
    void (*release)(void *user, void *pointer);  /* accepts NULL */
    void *user;
} haw_allocator;

typedef enum haw_log_level {
    HAW_LOG_ERROR,
    HAW_LOG_WARNING,
    HAW_LOG_INFO,
    HAW_LOG_DEBUG
} haw_log_level;

typedef void (*haw_log_function)(void *user, haw_log_level level, const char *text);

typedef struct haw_context haw_context;

/** Create a context. allocator NULL means malloc/free. Also silences the handlers of GSL. */
HAW_API HAW_NODISCARD haw_status haw_context_create(const haw_allocator *allocator,
                                                    haw_context **context);
HAW_API void haw_context_free(haw_context *context);

/** Route messages to a function; NULL (the default) keeps the library silent. */
HAW_API void haw_context_set_log(haw_context *context, haw_log_function log, void *user);

/** Ask a running simulation to end after the current step; async-signal-safe. */
HAW_API void haw_context_cancel(haw_context *context);
HAW_API bool haw_context_cancelled(const haw_context *context);

/** Detail of the last failure, "" if there was none. Valid until the next failing call. */
HAW_API const char *haw_context_message(const haw_context *context);

/** Setting that the last failure speaks of, as a path of --set ("cables.rope.density"), or "". */
HAW_API const char *haw_context_place(const haw_context *context);

/* ---- option tables: default, range, key, unit and help of every setting, in one row ---- */

typedef enum haw_option_type {
    HAW_OPTION_REAL,   /* double */
    HAW_OPTION_INT,    /* int */
    HAW_OPTION_BOOL,   /* bool */
    HAW_OPTION_CHOICE, /* int, index into choices */
    HAW_OPTION_STRING, /* const char *, preset NULL */
    HAW_OPTION_VECTOR  /* double[3], each component preset to `preset`; the plane has two */
} haw_option_type;

/* Where a key may stand, and whether it must; only scenarios ask. */
enum {
    HAW_KEY_PLANE = 1,   /* in scenes of dimension 2 only */
    HAW_KEY_SPACE = 2,   /* in scenes of dimension 3 only */
    HAW_KEY_OPEN = 4,    /* a number without a default that need not be given: NAN */
    HAW_KEY_REQUIRED = 8 /* a text or word that must be given */
};

/*
 * A REAL or VECTOR option with preset NAN has no default: it is required (unless HAW_KEY_OPEN), or,
 * where `choices` names a word (such as "auto"), that word stands for NAN. Range limits are
 * inclusive; open limits are written with the next representable number (DBL_MIN for "> 0").
 */
typedef struct haw_option {
    const char *key;
    haw_option_type type;
    size_t offset; /* bytes into the options struct */
    double preset, min, max;
    const char *unit; /* "" if it has none */
    const char *help;
    const char *const *choices; /* NULL-terminated */
    unsigned long flags;        /* HAW_KEY_PLANE, ... */
} haw_option;

/** Write the presets of a table (ends with a NULL key) into an options struct. */
HAW_API void haw_options_init(const haw_option *table, void *options);

/** Row of a key, or NULL. */
HAW_API const haw_option *haw_options_find(const haw_option *table, const char *key);

/**
 * Set one option from a number, checked against its range.
 * @return ERR_INPUT with a message that names key, value and what is allowed
 */
HAW_API HAW_NODISCARD haw_status haw_options_set_real(haw_context *context, const haw_option *table,
                                                      void *options, const char *key, double value);

/** Set one option from a word: a choice, "auto", true/false, or a string (pointer is kept). */
HAW_API HAW_NODISCARD haw_status haw_options_set_text(haw_context *context, const haw_option *table,
                                                      void *options, const char *key,
                                                      const char *text);

/** Set one option from three numbers; the plane has two, and ignores the third. */
HAW_API HAW_NODISCARD haw_status haw_options_set_vector(haw_context *context,
                                                        const haw_option *table, void *options,
                                                        const char *key, const double value[3]);

/**
 * Set one option from text as it stands in a scenario: a number, a word, true or false, or
 * "[x, y, z]". Of a string the pointer is kept.
 */
HAW_API HAW_NODISCARD haw_status haw_options_parse(haw_context *context, const haw_option *table,
                                                   void *options, const char *key,
                                                   const char *text);

/* ---- rows: what elements, surfaces, laws, solvers, steppers, probes and theories begin with ----
 */

/*
 * A table is an array of pointers to the heads of its rows and ends with NULL. The head is the
 * first member of a row's struct, so that a pointer to it can be cast to the type of the row.
 */
typedef struct haw_row {
    const char *name;          /* as in scenarios and on the command line */
    const char *summary;       /* one line */
    const char *source;        /* where it is published, or "" */
    const haw_option *options; /* settings of its own, ends with a NULL key; NULL: none */
    size_t options_size;       /* bytes of the struct that they describe */
} haw_row;

HAW_API int haw_row_count(const haw_row *const *table);

/** Row of a name, or NULL. */
HAW_API const haw_row *haw_row_find(const haw_row *const *table, const char *name);

/** The nearest name of a table to a misspelt one, or NULL. */
HAW_API const char *haw_row_nearest(const haw_row *const *table, const char *name);

/* Calls of the libraries of SuiteSparse. */
typedef struct haw_sparse_calls {
    long cholmod_factorizations, cholmod_solves;
    long klu_factorizations, klu_solves;
    long umfpack_factorizations, umfpack_solves;
} haw_sparse_calls;

#ifdef __cplusplus
}
#endif
#endif
