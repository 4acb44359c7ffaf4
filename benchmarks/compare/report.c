/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static const char *const set_titles[] = {
    [SET_SPACE] = "Windings in space (c3: one layer, L2: two layers)",
    [SET_PLANE] = "Windings in the plane",
    [SET_TINY] = "Files with at most 5 contacts",
};

/* To the file and to the terminal. */
static void say(const report *to, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    (void)vprintf(format, list);
    va_end(list);
    if (to->text != NULL) {
        va_start(list, format);
        (void)vfprintf(to->text, format, list);
        va_end(list);
    }
    (void)fflush(stdout);
}

static void head_of(const report *to, const contestant *list, contest_set set, const char *format)
{
    for (const contestant *who = list; who->name != NULL; who++) {
        if (contest_set_has(set, set == SET_PLANE ? 2 : 3, who)) {
            say(to, format, who->name);
        }
    }
}

void report_head(const report *to, contest_set set)
{
    say(to,
        "\n## %s\n\nCPU milliseconds. `!x`: the referee found residual_natural x at best, and the "
        "solver\n"
        "ended with c: a claim of convergence, g: giving up, t: the limit of %g s, f: a fault.\n\n",
        set_titles[set], to->limit);
    say(to, "| %-34s |", "problem");
    head_of(to, hawser_contestants, set, " %10s |");
    head_of(to, siconos_contestants, set, " %10s |");
    say(to, " %8s | %8s |\n|:---|", "named", "any");
    head_of(to, hawser_contestants, set, "---:|");
    head_of(to, siconos_contestants, set, "---:|");
    say(to, "---:|---:|\n");
}

/* The fastest configuration of the peer that the referee accepts; NULL: none. */
static const match *fastest(const row *r, bool only_named)
{
    const match *best = NULL;

    for (int i = 1; i < r->count; i++) {
        const match *m = &r->matches[i];
        const bool counts = !only_named || m->who->role == ROLE_NAMED || r->set == SET_TINY;

        if (m->is_solved && counts && (best == NULL || m->median < best->median)) {
            best = m;
        }
    }
    return best;
}

/* Peer over hawser; infinite: no peer solved it; 0: hawser did not. */
static double ratio(const row *r, bool only_named)
{
    const match *peer = fastest(r, only_named);

    if (!r->matches[0].is_solved) {
        return 0;
    }
    return peer == NULL ? HUGE_VAL : peer->median / r->matches[0].median;
}

static const char *ratio_text(double x, char text[16])
{
    (void)snprintf(text, 16, isinf(x) ? "none" : x < 10 ? "%.2f" : "%.0f", x);
    return text;
}

static void cell_text(const match *m, char text[24])
{
    if (m->end == CHILD_ABSENT) {
        (void)snprintf(text, 24, "-");
    } else if (m->is_solved) {
        (void)snprintf(text, 24, "%.3g", 1e3 * m->median);
    } else {
        (void)snprintf(text, 24, "!%.1e%c", m->best, match_claim(m)[0]);
    }
}

void report_row(const report *to, const row *r)
{
    char text[24], named[16], any[16];

    say(to, "| %-34s |", r->name);
    for (int i = 0; i < r->count; i++) {
        cell_text(&r->matches[i], text);
        say(to, " %10s |", text);
    }
    say(to, " %8s | %8s |\n", ratio_text(ratio(r, true), named), ratio_text(ratio(r, false), any));
    for (int i = 0; to->csv != NULL && i < r->count; i++) {
        const match *m = &r->matches[i];

        if (m->end == CHILD_ABSENT) {
            continue;
        }
        (void)fprintf(to->csv, "%s,%d,%d,%s,%s,%s,%d,%.3g,%d,%d,%.5g,%.5g,%d,%.3g,%.3g,%.3g\n",
                      r->name, r->dimension, r->contacts,
                      m->who->role == ROLE_HAWSER ? "hawser" : "siconos", m->who->name,
                      match_claim(m), m->is_solved ? 1 : 0, m->to.tolerance, m->attempts,
                      m->said.iterations, 1e3 * m->least, 1e3 * m->median, m->runs,
                      m->residual.natural, m->residual.relative, m->best);
    }
    if (to->csv != NULL) {
        (void)fflush(to->csv);
    }
}

static bool is_headline(const row *r)
{
    return r->set == SET_SPACE && r->winding.nodes >= 200;
}

static bool is_short(const row *r)
{
    return r->set == SET_SPACE && r->winding.nodes < 200;
}

static bool is_plane(const row *r)
{
    return r->set == SET_PLANE;
}

static bool is_tiny(const row *r)
{
    return r->set == SET_TINY;
}

static bool is_any(const row *rows, int count, bool (*chosen)(const row *))
{
    for (int i = 0; i < count; i++) {
        if (chosen(&rows[i])) {
            return true;
        }
    }
    return false;
}

/* Geometric mean, extremes and counts of the ratios of some rows. */
static void say_ratios(const report *to, const row *rows, int count, bool (*chosen)(const row *),
                       bool only_named)
{
    double logarithms = 0, least = HUGE_VAL, most = 0;
    int compared = 0, alone = 0, lost = 0;

    for (int i = 0; i < count; i++) {
        const double x = chosen(&rows[i]) ? ratio(&rows[i], only_named) : (double)NAN;

        alone += isinf(x) ? 1 : 0;
        lost += x == 0 ? 1 : 0;
        if (isfinite(x) && x > 0) {
            compared++;
            logarithms += log(x);
            least = fmin(least, x);
            most = fmax(most, x);
        }
    }
    if (compared > 0) {
        say(to, "geometric mean %.3g, least %.3g, most %.3g over %d problems",
            exp(logarithms / compared), least, most, compared);
    } else {
        say(to, "no problem to compare on");
    }
    say(to, "; no such peer solved %d more; hawser failed on %d.\n", alone, lost);
}

/* Against Gauss-Seidel on 200 nodes at kappa 1e4: a timeout gives a lower bound. */
static void say_nsgs(const report *to, const row *rows, int count)
{
    for (int i = 0; i < count; i++) {
        const row *r = &rows[i];

        if (r->winding.nodes != 200 || r->winding.kappa != 1e4) {
            continue;
        }
        for (int k = 1; k < r->count; k++) {
            const match *m = &r->matches[k];

            if (strcmp(m->who->name, "NSGS") == 0 && (m->is_solved || m->end == CHILD_TIMEOUT)) {
                const double seconds = m->is_solved ? m->median : to->limit;

                say(to, "- %s: %s%.3g\n", r->name, m->is_solved ? "" : "> ",
                    seconds / r->matches[0].median);
            }
        }
    }
}

static void say_losses(const report *to, const row *rows, int count, double from, double below)
{
    int losses = 0;

    for (int i = 0; i < count; i++) {
        const row *r = &rows[i];
        const double x = ratio(r, false);
        const match *peer = fastest(r, false);

        if (x < from || x >= below) {
            continue;
        }
        losses++;
        say(to, "- %s: ratio %.2g", r->name, x);
        if (peer != NULL) {
            say(to, "; %s %.3g ms, hawser %.3g ms", peer->who->name, 1e3 * peer->median,
                1e3 * r->matches[0].median);
        }
        say(to, r->matches[0].is_solved ? "\n" : "; hawser stopped at residual_natural %.1e\n",
            r->matches[0].best);
    }
    if (losses == 0) {
        say(to, "- none\n");
    }
}

/* Claims of convergence that the referee does not share, at tolerances of 1e-8 and below. */
static void say_false_claims(const report *to, const row *rows, int count)
{
    int claims = 0;

    for (int i = 0; i < count; i++) {
        for (int k = 0; k < rows[i].count; k++) {
            const match *m = &rows[i].matches[k];
            const bool is_claim = m->end == CHILD_FINISHED && m->said.code == 0 && !m->is_solved;

            if (is_claim && m->to.tolerance <= MATCH_TOLERANCE) {
                claims++;
                say(to, "- %s, %s: tolerance %.1e, residual_natural %.1e, residual_relative %.1e\n",
                    rows[i].name, m->who->name, m->to.tolerance, m->residual.natural,
                    m->residual.relative);
            }
        }
    }
    if (claims == 0) {
        say(to, "- none\n");
    }
}

void report_summary(const report *to, const row *rows, int count)
{
    static const struct {
        const char *title;
        bool (*chosen)(const row *r);
    } groups[] = {{"in space, 200 nodes and more", is_headline},
                  {"in space, 50 nodes", is_short},
                  {"in the plane", is_plane},
                  {"at most 5 contacts, against NSGS", is_tiny}};

    say(to, "\n## CPU time of the fastest configuration of the peer over that of hawser\n\n");
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++) {
        if (!is_any(rows, count, groups[g].chosen)) {
            continue;
        }
        say(to, "- %s\n    - named configurations: ", groups[g].title);
        say_ratios(to, rows, count, groups[g].chosen, true);
        say(to, "    - any configuration: ");
        say_ratios(to, rows, count, groups[g].chosen, false);
    }
    say(to, "\n## Siconos NSGS over hawser, 200 nodes, kappa 1e4\n\n");
    say_nsgs(to, rows, count);
    say(to, "\n## Where we lose\n\nThe fastest configuration of the peer is faster:\n\n");
    say_losses(to, rows, count, 0, 1);
    say(to, "\nhawser is faster, by less than 5 times:\n\n");
    say_losses(to, rows, count, 1, 5);
    say(to, "\n## Claims of convergence that the referee does not share\n\n");
    say_false_claims(to, rows, count);
}
