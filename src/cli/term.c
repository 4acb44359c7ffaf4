/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/term.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const double redraw_period = 0.1; /* [s] faster than this nobody reads it */
static const long stride_max = 1L << 16;

enum { USUAL_WIDTH = 79 };

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);

    return value != NULL && value[0] != '\0';
}

void haw_term_init(haw_term *term, bool quiet, int verbose)
{
    const bool terminal = isatty(STDERR_FILENO) != 0;
    const char *type = getenv("TERM");
    const bool capable = type != NULL && type[0] != '\0' && strcmp(type, "dumb") != 0;

    *term = (haw_term){
        .quiet = quiet,
        .verbose = verbose,
        .colour = terminal && capable && !is_set("NO_COLOR"),
        .has_progress = terminal && capable && !quiet,
        .stride = 1,
    };
}

double haw_term_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void haw_term_clear(haw_term *term)
{
    if (term->line_shown) {
        fputs("\r\033[K", stderr);
        term->line_shown = false;
    }
}

/* Errors always, information and debugging by the number of -v. */
static bool is_wanted(const haw_term *term, haw_log_level level)
{
    return level == HAW_LOG_WARNING ? !term->quiet
                                    : (int)level <= (int)HAW_LOG_WARNING + term->verbose;
}

static const char *level_word(haw_log_level level)
{
    static const char *const word[] = {"error: ", "warning: ", "", ""};

    return word[level];
}

/* Where ": error: " or ": warning: " stands in a diagnostic that names its place, or NULL. */
static const char *find_label(const char *text, haw_log_level level)
{
    const char *label = level_word(level);
    const char *found = label[0] != '\0' ? strstr(text, label) : NULL;

    return found != NULL && found - text > 2 && found[-2] == ':' ? found : NULL;
}

/* Number of bytes at c that a terminal would obey: a control character, of ASCII or U+0080 to
 * U+009F. */
static size_t control_size(const unsigned char *c)
{
    const bool is_blank = c[0] == '\t' || c[0] == '\n' || c[0] == '\r';

    if (c[0] == 0xC2U && c[1] >= 0x80U && c[1] < 0xA0U) {
        return 2;
    }
    return (c[0] < 0x20U && !is_blank) || c[0] == 0x7FU ? 1 : 0;
}

void haw_term_text(FILE *stream, const char *text, size_t length)
{
    for (const char *c = text, *end = text + length; c < end;) {
        const size_t control = control_size((const unsigned char *)c);

        fputc(control > 0 ? '?' : *c, stream);
        c += control > 0 ? control : 1;
    }
}

/* `place` without its end, then the label in colour, then the rest. */
static void paint(const haw_term *term, haw_log_level level, const char *place, size_t length,
                  const char *rest)
{
    const char *colour = level == HAW_LOG_ERROR ? "\033[1;31m" : "\033[1;35m";
    const char *label = level_word(level);

    haw_term_text(stderr, place, length);
    if (term->colour && label[0] != '\0') {
        fprintf(stderr, "%s%s\033[0m", colour, label);
    } else {
        fputs(label, stderr);
    }
    haw_term_text(stderr, rest, strlen(rest));
    fputs(rest[0] != '\0' && rest[strlen(rest) - 1] == '\n' ? "" : "\n", stderr);
}

void haw_term_message(haw_term *term, haw_log_level level, const char *text)
{
    static const char program[] = "hawser: ";
    const char *label = find_label(text, level);

    if (!is_wanted(term, level)) {
        return;
    }
    haw_term_clear(term);
    if (label != NULL) {
        paint(term, level, text, (size_t)(label - text), label + strlen(level_word(level)));
    } else {
        paint(term, level, program, sizeof program - 1, text);
    }
}

/* Reading the clock costs about as much as a cheap step: do it 50 to 100 times a second. */
static void adapt_stride(haw_term *term, double elapsed)
{
    if (elapsed < 0.01 && term->stride < stride_max) {
        term->stride *= 2;
    } else if (elapsed > 0.04 && term->stride > 1) {
        term->stride /= 2;
    }
}

/* Columns of the terminal but one: a longer line would wrap, and could not be taken back. */
static int width(void)
{
    struct winsize size;
    const bool is_known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;

    return is_known ? size.ws_col - 1 : USUAL_WIDTH;
}

/* What matters most comes first: a narrow terminal cuts the rest. */
static void draw(haw_term *term, double t, double end, double speed, const char *tail)
{
    const bool known = isfinite(end) && end > 0.0;
    const double left =
        known && t > 0.0 ? (end - t) * (term->last - term->started) / t : (double)NAN;
    char part[32] = "", until[32] = "", line[160];

    if (known) {
        snprintf(part, sizeof part, "%3.0f %%  ", 100.0 * t / end);
        snprintf(until, sizeof until, " / %.4g", end);
    }
    int used = snprintf(line, sizeof line, "%s%st = %.4g%s s", term->task, part, t, until);
    if (isfinite(left)) {
        used += snprintf(line + used, sizeof line - (size_t)used, "  %.0f:%02.0f left",
                         floor(left / 60.0), floor(fmod(left, 60.0)));
    }
    snprintf(line + used, sizeof line - (size_t)used, "  %.3g steps/s%s", speed, tail);
    haw_term_line(term, line);
}

void haw_term_progress(haw_term *term, double t, double end, long step, int contacts,
                       double residual)
{
    if (!term->has_progress || step < term->next) {
        return;
    }
    const double now = haw_term_clock();

    if (term->started <= 0.0) {
        term->started = term->last = term->drawn = now;
    }
    adapt_stride(term, now - term->last);
    term->last = now;
    term->next = step + term->stride;
    if (now - term->drawn >= redraw_period) {
        char tail[64];

        snprintf(tail, sizeof tail, "  %d contacts  residual %.1e", contacts, residual);
        draw(term, t, end, (double)(step - term->drawn_step) / (now - term->drawn), tail);
        term->drawn = now;
        term->drawn_step = step;
    }
}

double haw_term_begin(haw_term *term)
{
    term->drawn = haw_term_clock();
    return term->drawn;
}

bool haw_term_is_due(haw_term *term)
{
    if (!term->has_progress) {
        return false;
    }
    const double now = haw_term_clock();

    if (now - term->drawn < redraw_period) {
        return false;
    }
    term->drawn = now;
    return true;
}

/* Parts of a line stand two blanks apart; one that does not fit is left out as a whole. */
static int fitting(const char *text, int room)
{
    int cut = room;

    if ((int)strlen(text) <= room) {
        return room;
    }
    while (cut > 0 && (text[cut] != ' ' || text[cut - 1] != ' ')) {
        cut--;
    }
    return cut > 0 ? cut : room;
}

void haw_term_line(haw_term *term, const char *text)
{
    fprintf(stderr, "\r%.*s\033[K", fitting(text, width()), text);
    fflush(stderr);
    term->line_shown = true;
}
