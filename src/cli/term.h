/* SPDX-License-Identifier: BSD-3-Clause */
/* What people see on stderr: messages, colour, the progress line. */
#ifndef HAWSER_CLI_TERM_H
#define HAWSER_CLI_TERM_H

#include <hawser/base.h>

#include <stdio.h>

typedef struct haw_term {
    bool quiet;           /* errors only */
    int verbose;          /* 1: also information, 2: also debugging */
    bool colour;          /* stderr is a terminal and NO_COLOR is not set */
    bool has_progress;    /* stderr is a terminal that can rewrite a line, and not quiet */
    bool line_shown;      /* a progress line stands on the terminal */
    long stride, next;    /* the clock is read every `stride` steps */
    double started, last; /* [s] of the progress line; `last` time the clock was read */
    double drawn;         /* [s] when the line was last drawn */
    long drawn_step;      /* step at that time */
    char task[32];        /* in front of the line: which of several runs this is, or empty */
} haw_term;

/** By what stderr and the environment (TERM, NO_COLOR) allow. */
void haw_term_init(haw_term *term, bool quiet, int verbose);

/** Monotonic clock [s]. */
double haw_term_clock(void);

/** What files say, with '?' for each control character: a terminal would obey it. */
void haw_term_text(FILE *stream, const char *text, size_t length);

/**
 * Print one message of the library or the program to stderr.
 *
 * A diagnostic that names its place, `file:line:column: error: ...`, is printed as it is; all
 * others as `hawser: error: ...`.
 */
void haw_term_message(haw_term *term, haw_log_level level, const char *text);

/**
 * Draw the progress line if it is time to, at most ten times a second. Cheap to call every step.
 *
 * @param t, end  simulated time and its end [s]; end NAN or 0: unknown
 */
void haw_term_progress(haw_term *term, double t, double end, long step, int contacts,
                       double residual);

/**
 * Begin a new line for work other than a run: it is due again 0.1 s from now.
 *
 * @return the clock [s]
 */
double haw_term_begin(haw_term *term);

/** Time to show a line of text, at most ten times a second and only on a terminal? */
bool haw_term_is_due(haw_term *term);

/** Show `text` in place of the progress line. */
void haw_term_line(haw_term *term, const char *text);

/** Remove the progress line. */
void haw_term_clear(haw_term *term);

#endif
