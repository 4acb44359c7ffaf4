/* SPDX-License-Identifier: BSD-3-Clause */
/* Profiles and histories of the runs of a study on top of each other, and their errors and costs
 * over the one key that was swept. */
#include "report/figure.h"
#include "study/study.h"

#include <math.h>
#include <string.h>

enum { LEGEND_MAX = 100 }; /* characters of a name */

enum { NAMED_MAX = 8 }; /* runs that have a colour each */

enum { PROFILE_HEIGHT = 170, HISTORY_HEIGHT = 120, TITLE_GAP = 26, COLORS = 6 };

static const char reference_mark[] = " (reference)";

/* ---- what all figures share ---- */

/* Letters of the longest name of a run, with a mark behind it, at most LEGEND_MAX. */
static size_t letters_of(const haw_study *study)
{
    size_t longest = 8;
    for (int i = 0; i < study->runs; i++) {
        const size_t length = strlen(study->run[i].variant->name);
        longest = length > longest ? length : longest;
    }
    longest += strlen(reference_mark);
    return longest < LEGEND_MAX ? longest : LEGEND_MAX;
}

/* A name with a mark behind it for a legend, shortened to LEGEND_MAX; lent as
 * haw_figure_quote.
 */
static const char *title_of(haw_figure *figure, const char *name, const char *mark)
{
    char text[LEGEND_MAX + 8];
    const size_t room = LEGEND_MAX - strlen(mark);
    size_t length = strlen(name);
    const bool is_cut = length > room;
    length = is_cut ? room - 1 : length;
    while (is_cut && length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80) {
        length--; /* never within a character */
    }
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)length, name, is_cut ? "…" : "", mark);
    return haw_figure_quote(figure, text, "");
}

/* Whether any point of a run carries a force at the time of its profiles. */
static bool touches(const haw_study *study)
{
    double largest = 0.0;
    for (int i = 0; i < study->runs; i++) {
        for (int k = 0; k < study->run[i].pairs; k++) {
            const haw_study_pair *pair = &study->run[i].pair[k];
            for (int j = 0; j < pair->points; j++) {
                largest = fmax(largest, fabs(pair->force[2 * j]));
            }
        }
    }
    return largest > 0.0;
}

/* The reference first, that it lies below; then the others as they were given. */
static int nth(const haw_study *study, int k)
{
    if (k == 0) {
        return study->reference;
    }
    return k <= study->reference ? k - 1 : k;
}

/* The curves of one panel, written one by one. */
typedef struct curves {
    haw_figure *figure;
    const haw_study *study;
    haw_text *script;
    const char *entry; /* source of a line that is for the legend only; NULL: there is none */
    int written;
} curves;

/*
 * One curve of a run: a block of a table, two of its columns. The reference is a broad grey line
 * below the others and takes no colour from them; dashes tell the components of a vector apart (1,
 * 2, 3), of a scalar (0) the runs once the colours begin again.
 */
static void add_curve(curves *to, int run, const char *source, int component)
{
    const bool is_reference = run == to->study->reference;
    const int k = run > to->study->reference ? run - 1 : run;
    const int others = to->study->runs - 1;
    const bool is_scale = others > NAMED_MAX;
    const int round = is_reference || is_scale ? 1 : k / COLORS + 1;
    char color[8] = "#b8b8b8";
    const bool is_named = is_reference || haw_figure_curve(k, others, NAMED_MAX, color);
    (void)fprintf(to->script->stream,
                  "%s %s with lines linewidth %s dashtype %d linecolor rgb '%s' ",
                  to->written++ > 0 ? ", \\\n " : "plot", source, is_reference ? "3.2" : "1.2",
                  component > 0 ? component : round, color);
    if (source == to->entry && is_named) {
        (void)fprintf(to->script->stream, "title %s",
                      title_of(to->figure, to->study->run[run].variant->name,
                               is_reference ? reference_mark : ""));
    } else {
        (void)fputs("notitle", to->script->stream);
    }
}

/* All names, beside all panels: the legend of one panel would have to end with it. */
static void put_legend(haw_figure *figure, const haw_study *study, const haw_panels *panels,
                       haw_text *script)
{
    curves all = {.figure = figure, .study = study, .script = script, .entry = "NaN"};
    (void)fputs("unset label\nunset border\nunset tics\nunset xlabel\nunset ylabel\n"
                "set xrange [0:1]\nset yrange [0:1]\n"
                "set tmargin at screen 0.99\nset bmargin at screen 0.01\n",
                script->stream);
    haw_panels_key(panels, script);
    for (int k = 0; k < study->runs; k++) {
        if (study->run[nth(study, k)].has_run) {
            add_curve(&all, nth(study, k), all.entry, 0);
        }
    }
    (void)fputc('\n', script->stream);
}

/* Tables of blocks: of each run one for each cable, one for each pair, and one. */
enum { TENSION, CONTACT, HISTORIES };

/* Number of the first block of a run in a table. */
static int blocks_before(const haw_study *study, int run, int table)
{
    int block = 0;
    for (const haw_study_run *r = study->run; r < study->run + run; r++) {
        const int own[] = {r->cables, r->pairs, r->frames > 0};
        block += own[table];
    }
    return block;
}

/* ---- profiles ---- */

static void draw_tension(curves *to, const char *cable)
{
    for (int k = 0; k < to->study->runs; k++) {
        const int i = nth(to->study, k);
        const haw_study_run *run = &to->study->run[i];
        for (int c = 0; c < run->cables; c++) {
            char source[96];
            if (strcmp(run->cable[c].name, cable) == 0) {
                (void)snprintf(source, sizeof source, "'tension.csv' index %d skip 1 using 4:5",
                               blocks_before(to->study, i, TENSION) + c);
                add_curve(to, i, source, 0);
            }
        }
    }
    (void)fputc('\n', to->script->stream);
}

/* All pairs of the cable, each where it touches, or all along it with the impulses of the run. */
static void draw_contact(curves *to, const char *cable, bool of_run, int component)
{
    const int column = (of_run ? 9 : 7) + component;
    to->written++; /* a base line, and a panel that is never empty */
    (void)fputs("plot 0 with lines linewidth 0.5 linecolor rgb '#808080' notitle",
                to->script->stream);
    for (int k = 0; k < to->study->runs; k++) {
        const int i = nth(to->study, k);
        const haw_study_run *run = &to->study->run[i];
        const int block = blocks_before(to->study, i, CONTACT);
        for (int p = 0; p < run->pairs; p++) {
            char source[96];
            if (strcmp(run->cable[run->pair[p].cable].name, cable) == 0) {
                (void)snprintf(source, sizeof source,
                               "'contact.csv' index %d skip 1 using 4:(%s?$%d:NaN)", block + p,
                               of_run ? "1" : "$6>0", column);
                add_curve(to, i, source, 0);
            }
        }
    }
    (void)fputc('\n', to->script->stream);
}

static bool has_pair(const haw_study_run *run, int cable)
{
    for (int i = 0; i < run->pairs; i++) {
        if (run->pair[i].cable == cable) {
            return true;
        }
    }
    return false;
}

/*
 * Tension, normal and tangential contact force per length. Where nothing touches at that time the
 * impulses of the whole run are what there is to compare: an impact is over by then.
 */
static haw_status draw_profiles(haw_figure *figure, const haw_study *study, int cable,
                                const char *name)
{
    static const char *const label[2][2] = {{"normal  [N/m]", "tangential  [N/m]"},
                                            {"normal  [N s/m]", "tangential  [N s/m]"}};
    static const char *const caption[2][2] = {
        {"normal contact force per length", "tangential contact force per length"},
        {"normal contact impulse per length, since the start",
         "tangential contact impulse per length, since the start"}};
    const haw_study_run *reference = &study->run[study->reference];
    const char *owner = reference->cable[cable].name;
    const int of_run = touches(study) ? 0 : 1;
    haw_panels panels = {.count = has_pair(reference, cable) ? 3 : 1,
                         .right = haw_figure_legend(letters_of(study)),
                         .gap = TITLE_GAP};
    haw_text script;
    char time[64];
    (void)snprintf(time, sizeof time, "at {/:Italic t} = %.6g s", reference->t);
    HAW_TRY(haw_panels_begin(figure, name, PROFILE_HEIGHT, &panels, &script));
    (void)fprintf(script.stream, "set xrange [0:%.9g]\n", reference->cable[cable].length);
    curves all = {.figure = figure, .study = study, .script = &script};
    haw_panels_next(&panels, "tension  [N]", "unstrained arc length  {/:Italic s}  [m]", &script);
    haw_panels_caption(figure, &script, "mean tension of the elements", time);
    draw_tension(&all, owner);
    for (int k = 0; k < 2 && panels.count == 3; k++) {
        curves next = {.figure = figure, .study = study, .script = &script};
        haw_panels_next(&panels, label[of_run][k], "unstrained arc length  {/:Italic s}  [m]",
                        &script);
        haw_panels_caption(figure, &script, caption[of_run][k], of_run == 0 ? time : "");
        draw_contact(&next, owner, of_run != 0, k);
    }
    put_legend(figure, study, &panels, &script);
    return haw_script_end(&script);
}

/* ---- histories ---- */

/* The range of a probe in all runs. */
static haw_interval range_of(const haw_study *study, const char *probe)
{
    haw_interval range = {INFINITY, -INFINITY};
    for (int i = 0; i < study->runs; i++) {
        const haw_study_run *run = &study->run[i];
        const haw_study_probe *own = haw_study_probe_find(run, probe);
        for (int f = 0; own != NULL && f < run->frames; f++) {
            for (int k = 0; k < own->size; k++) {
                haw_interval_widen(&range, haw_study_value(run, own, f)[k]);
            }
        }
    }
    return range;
}

static void draw_history(curves *to, const haw_study_probe *probe)
{
    for (int k = 0; k < to->study->runs; k++) {
        const int i = nth(to->study, k);
        for (int c = 0; c < probe->size && to->study->run[i].frames > 0; c++) {
            char source[96];
            (void)snprintf(source, sizeof source, "'histories.csv' index %d skip 1 using 2:%d",
                           blocks_before(to->study, i, HISTORIES), 3 + probe->first + c);
            add_curve(to, i, source, probe->size > 1 ? c + 1 : 0);
        }
    }
    (void)fputc('\n', to->script->stream);
}

static haw_status draw_histories(haw_figure *figure, const haw_study *study)
{
    static const char *const parts[] = {"", "", "({/:Italic x} solid, {/:Italic y} dashed)",
                                        "({/:Italic x} solid, {/:Italic y} dashed, third dotted)"};
    const haw_study_run *reference = &study->run[study->reference];
    haw_panels panels = {.count = reference->probes,
                         .right = haw_figure_legend(letters_of(study)),
                         .gap = TITLE_GAP};
    haw_text script;
    HAW_TRY(haw_panels_begin(figure, "histories", HISTORY_HEIGHT, &panels, &script));
    (void)fprintf(script.stream, "set xrange [%.9g:%.9g]\n", reference->time[0],
                  reference->time[reference->frames - 1]);
    for (int i = 0; i < reference->probes; i++) {
        const haw_study_probe *probe = &reference->probe[i];
        char unit[64] = "";
        curves all = {.figure = figure, .study = study, .script = &script};
        if (probe->unit[0] != '\0') {
            (void)snprintf(unit, sizeof unit, "[%.60s]", probe->unit);
        }
        haw_panels_next(&panels, unit, "time  {/:Italic t}  [s]", &script);
        haw_panels_caption(figure, &script, probe->name,
                           probe->size <= 3 ? parts[probe->size] : "");
        haw_script_range(&script, range_of(study, probe->name));
        draw_history(&all, probe);
    }
    put_legend(figure, study, &panels, &script);
    return haw_script_end(&script);
}

/* ---- error and cost over the key that was swept ---- */

enum { LEFT = 78, PANEL = 300, BETWEEN = 74, HEIGHT = 330, LINE = 20 };

/* Errors of zero and costs that were not measured have no place on an axis. */
static void widen_positive(haw_interval *s, double value)
{
    if (value > 0.0) {
        haw_interval_widen(s, value);
    }
}

static bool is_decade(const haw_interval *s)
{
    return isfinite(s->from) && s->from > 0.0 && s->to >= 10.0 * s->from;
}

/* A run that stands on a curve: one of a group, not a reference that was run beside them. */
static bool is_on_curve(const haw_study_run *run)
{
    return run->variant->group >= 0 && run->has_run;
}

/* Spans of the swept key, of the errors and of the CPU time. */
static void measure(const haw_study *study, haw_interval spans[3])
{
    for (int k = 0; k < 3; k++) {
        spans[k] = (haw_interval){INFINITY, -INFINITY};
    }
    for (int i = 0; i < study->runs; i++) {
        const haw_study_run *run = &study->run[i];
        const bool is_alone = i == study->reference && !is_on_curve(run);
        if (is_on_curve(run) || is_alone) {
            widen_positive(&spans[2], run->summary.cpu_seconds);
        }
        if (!is_on_curve(run)) {
            continue;
        }
        haw_interval_widen(&spans[0], run->variant->value);
        widen_positive(&spans[1], run->error);
        for (int p = 0; study->groups == 1 && p < run->probes; p++) {
            widen_positive(&spans[1], run->probe_error[p]);
        }
        if (study->groups == 1) {
            widen_positive(&spans[1], run->tension_l2);
        }
    }
}

/* Whether any run on a curve has the error of this column of sweep.csv; 5: tension, then probes. */
static bool has_error(const haw_study *study, int column)
{
    for (int i = 0; i < study->runs; i++) {
        const haw_study_run *run = &study->run[i];
        if (!is_on_curve(run) || i == study->reference) {
            continue;
        }
        const int probe = column - 6;
        const double error = probe < 0
                                 ? run->tension_l2
                                 : (probe < run->probes ? run->probe_error[probe] : (double)NAN);
        if (error > 0.0) {
            return true;
        }
    }
    return false;
}

static bool has_runs(const haw_study *study, int group)
{
    for (int i = 0; i < study->runs; i++) {
        if (study->run[i].variant->group == group && study->run[i].has_run) {
            return true;
        }
    }
    return false;
}

/* Name and unit of the swept key; stiffness and damping of a contact may be given per length. */
static void put_label(haw_figure *figure, haw_text *script, const haw_study *study)
{
    static const char *const shares[] = {
        [HAW_PER_POINT] = "", [HAW_PER_LENGTH] = " per m", [HAW_PER_AREA] = " per m^2"};
    const char *unit = haw_variant_unit(study->swept);
    const bool is_share =
        strncmp(study->swept, "contact.", 8) == 0 &&
        (strstr(study->swept, "_stiffness") != NULL || strstr(study->swept, "_damping") != NULL);
    char text[96] = "";
    if (unit[0] != '\0') {
        (void)snprintf(text, sizeof text, "[%.40s%s]", unit,
                       is_share ? shares[study->run[0].per] : "");
    }
    (void)fprintf(script->stream, "set xlabel %s offset 0,0.3\n",
                  haw_figure_quote(figure, study->swept, text));
}

static void put_curve(haw_text *script, int *written, const char *source, int k)
{
    (void)fprintf(script->stream,
                  "%s 'sweep.csv' %s with linespoints linewidth 1.3 dashtype %d pointtype 7 "
                  "pointsize 0.4 linecolor rgb '%s'",
                  (*written)++ > 0 ? ", \\\n " : "plot", source, k / COLORS + 1,
                  haw_figure_color(k));
}

/* Column `column` of every group. */
static void put_groups(haw_figure *figure, haw_text *script, const haw_study *study, int column,
                       bool titled)
{
    int written = 0, block = 0;
    for (int g = 0; g < study->groups; g++) {
        char source[96];
        if (!has_runs(study, g)) {
            continue;
        }
        (void)snprintf(source, sizeof source, "index %d skip 1 using 2:($%d>0?$%d:NaN)", block++,
                       column, column);
        put_curve(script, &written, source, g);
        (void)fprintf(script->stream, " %s%s", titled ? "title " : "notitle",
                      titled ? title_of(figure, study->group_name[g], "") : "");
    }
}

/* The errors one by one, of the only group. */
static void put_errors(haw_figure *figure, haw_text *script, const haw_study *study)
{
    const haw_study_run *reference = &study->run[study->reference];
    int written = 0;
    for (int column = 5; column < 6 + reference->probes; column++) {
        char source[96];
        if (!has_error(study, column)) {
            continue;
        }
        (void)snprintf(source, sizeof source, "index 0 skip 1 using 2:($%d>0?$%d:NaN)", column,
                       column);
        put_curve(script, &written, source, written);
        (void)fprintf(script->stream, " title %s",
                      column == 5 ? "'tension profile'"
                                  : title_of(figure, reference->probe[column - 6].name, ""));
    }
    if (written == 0) {
        (void)fputs("plot NaN notitle", script->stream);
    }
}

/* Letters of the longest text of either legend. */
static size_t letters(const haw_study *study)
{
    const haw_study_run *reference = &study->run[study->reference];
    const bool is_alone = !is_on_curve(reference);
    size_t longest = is_alone ? strlen(" (reference)") + strlen(reference->variant->name) : 8;
    for (int g = 0; g < study->groups; g++) {
        const size_t length = strlen(study->group_name[g]);
        longest = length > longest ? length : longest;
    }
    for (int i = 0; study->groups == 1 && i < reference->probes; i++) {
        const size_t length = strlen(reference->probe[i].name);
        longest = length > longest ? length : longest;
    }
    return longest < LEGEND_MAX ? longest : LEGEND_MAX;
}

/* One of the two panels; `lines` of the legend are taken already. */
static void frame(haw_text *script, const int size[2], int panel, const char *label, int lines)
{
    const double left = LEFT + panel * (PANEL + BETWEEN);
    const double x[2] = {left / size[0], (left + PANEL) / size[0]}, y[2] = {0.15, 0.96};
    haw_script_margins(script, x, y);
    (void)fprintf(script->stream, "set ylabel '%s' offset 0.4\n", label);
    haw_script_key(script, (LEFT + 2.0 * PANEL + BETWEEN + 10.0) / size[0],
                   y[1] - (double)(lines * LINE) / size[1]);
}

void haw_study_log_tics(haw_text *script, char axis, double low, double high)
{
    const char *comma = "";
    if (high > 300.0 * low) {
        (void)fprintf(script->stream, "set %ctics autofreq\nset format %c '10^{%%T}'\n", axis,
                      axis);
        return;
    }
    (void)fprintf(script->stream, "set format %c '%%g'\nset %ctics (", axis, axis);
    for (int k = 3 * (int)floor(log10(low)); k < 3 * (int)ceil(log10(high)) + 1; k++) {
        static const double part[] = {1.0, 2.0, 5.0};
        const int third = ((k % 3) + 3) % 3, decade = (k - third) / 3;
        (void)fprintf(script->stream, "%s%.3g", comma, part[third] * pow(10.0, decade));
        comma = ", ";
    }
    (void)fputs(")\n", script->stream);
}

/* Linear axes of errors and costs begin at zero. */
static void put_axis(haw_text *script, char axis, const haw_interval *s, bool is_log)
{
    const double width = s->to - s->from;
    if (is_log && isfinite(width)) {
        (void)fprintf(script->stream, "set logscale %c\nset %crange [%.9g:%.9g]\n", axis, axis,
                      s->from / 1.6, s->to * 1.6);
        haw_study_log_tics(script, axis, s->from / 1.6, s->to * 1.6);
        return;
    }
    (void)fprintf(script->stream, "unset logscale %c\nset %ctics autofreq\nset format %c '%%g'\n",
                  axis, axis, axis);
    if (!isfinite(width)) {
        (void)fprintf(script->stream, "set %crange [0:1]\n", axis);
    } else {
        (void)fprintf(script->stream, "set %crange [%.9g:%.9g]\n", axis,
                      axis == 'y' ? 0.0 : s->from - 0.06 * width,
                      axis == 'y' ? 1.1 * s->to : s->to + 0.06 * width);
    }
}

/* Cost of a reference that stands on no curve. */
static void put_reference_cost(haw_figure *figure, haw_text *script, const haw_study *study)
{
    const haw_study_run *reference = &study->run[study->reference];
    if (reference->variant->group >= 0 || !(reference->summary.cpu_seconds > 0.0)) {
        return;
    }
    (void)fprintf(script->stream,
                  ", \\\n  %.9g with lines linewidth 1.3 dashtype 2 linecolor rgb '#404040' "
                  "title %s",
                  reference->summary.cpu_seconds,
                  title_of(figure, reference->variant->name, " (reference)"));
}

static void draw(haw_figure *figure, haw_text *script, const haw_study *study, const int size[2])
{
    haw_interval spans[3];
    int lines = study->groups > 1 ? study->groups : 0;
    measure(study, spans);
    for (int column = 5; study->groups == 1 && column < 6 + study->run[study->reference].probes;
         column++) {
        lines += has_error(study, column) ? 1 : 0;
    }
    (void)fprintf(script->stream, "set multiplot\n");
    put_label(figure, script, study);
    const bool is_log = is_decade(&spans[0]);
    put_axis(script, 'x', &spans[0], is_log);
    put_axis(script, 'y', &spans[1], is_log || is_decade(&spans[1]));
    frame(script, size, 0, "relative error against the reference", 0);
    if (study->groups == 1) {
        put_errors(figure, script, study);
    } else {
        put_groups(figure, script, study, 4, true);
    }
    (void)fputc('\n', script->stream);
    put_axis(script, 'y', &spans[2], is_log || is_decade(&spans[2]));
    frame(script, size, 1, "CPU time  [s]", lines);
    put_groups(figure, script, study, 3, false);
    put_reference_cost(figure, script, study);
    (void)fputc('\n', script->stream);
}

/* The figure of error and cost over the swept key. @param drawn  whether there was one */
static haw_status draw_sweep(haw_figure *figure, const haw_study *study, bool *drawn)
{
    int runs = 0;
    haw_text script;
    for (int i = 0; i < study->runs; i++) {
        runs += is_on_curve(&study->run[i]) ? 1 : 0;
    }
    *drawn = study->swept != NULL && runs > 1;
    if (!*drawn) {
        return HAW_OK;
    }
    const int size[2] = {LEFT + 2 * PANEL + BETWEEN + haw_figure_legend(letters(study)), HEIGHT};
    HAW_TRY(haw_script_begin(figure, "sweep", size, &script));
    draw(figure, &script, study, size);
    return haw_script_end(&script);
}

/* ---- all ---- */

enum { FIGURES_MAX = 32 };

static haw_status draw_all(haw_figure *figure, const haw_study *study)
{
    const haw_study_run *reference = &study->run[study->reference];
    char profiles[FIGURES_MAX][32];
    const char *name[FIGURES_MAX];
    int count = 0;
    bool is_swept = false;
    for (int i = 0; i < reference->cables && i < FIGURES_MAX - 2; i++) {
        (void)snprintf(profiles[i], sizeof profiles[i], i == 0 ? "profiles" : "profiles-%d", i + 1);
        name[count++] = profiles[i];
        HAW_TRY(draw_profiles(figure, study, i, profiles[i]));
    }
    if (reference->probes > 0 && reference->frames > 1) {
        name[count++] = "histories";
        HAW_TRY(draw_histories(figure, study));
    }
    HAW_TRY(draw_sweep(figure, study, &is_swept));
    if (is_swept) {
        name[count++] = "sweep";
    }
    return haw_figure_draw(figure, count, name);
}

haw_status haw_study_figures(haw_context *context, const haw_study *study, const char *folder,
                             haw_report_written written, void *user)
{
    haw_figure figure = {.context = context, .folder = folder, .written = written, .user = user};
    if (study->reference >= 0) {
        HAW_TRY(draw_all(&figure, study));
    }
    for (int i = 0; i < haw_study_table_count(study); i++) {
        HAW_TRY(haw_figure_written(&figure, "%s.csv", haw_study_table_names[i]));
    }
    return HAW_OK;
}
