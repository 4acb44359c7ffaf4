/* SPDX-License-Identifier: BSD-3-Clause */
/* Profiles and histories of the runs of a study, on top of each other. */
#include "report/study_figures.h"

#include <math.h>
#include <string.h>

enum { PROFILE_HEIGHT = 170, HISTORY_HEIGHT = 120, TITLE_GAP = 26, COLORS = 6, LETTER = 8 };

static const char reference_mark[] = " (reference)";

/* ---- what all figures share ---- */

int haw_legend_width(size_t letters)
{
    return 52 + LETTER * (int)letters;
}

size_t haw_study_letters(const haw_study *study)
{
    size_t longest = 8;
    for (int i = 0; i < study->runs; i++) {
        const size_t length = strlen(study->run[i].variant->name);
        longest = length > longest ? length : longest;
    }
    longest += strlen(reference_mark);
    return longest < HAW_LEGEND_MAX ? longest : HAW_LEGEND_MAX;
}

const char *haw_study_title(haw_figure *figure, const char *name, const char *mark)
{
    char text[HAW_LEGEND_MAX + 8];
    const size_t room = HAW_LEGEND_MAX - strlen(mark);
    size_t length = strlen(name);
    const bool is_cut = length > room;
    length = is_cut ? room - 1 : length;
    while (is_cut && length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80) {
        length--; /* never within a character */
    }
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)length, name, is_cut ? "…" : "", mark);
    return haw_figure_quote(figure, text, "");
}

static bool carries_force(const haw_study_pair *pair)
{
    for (int j = 0; j < pair->points; j++) {
        if (fabs(pair->force[2 * j]) > 0.0) {
            return true;
        }
    }
    return false;
}

bool haw_study_touches(const haw_study *study)
{
    bool touches = false;
    for (int i = 0; i < study->runs; i++) {
        for (int k = 0; k < study->run[i].pairs; k++) {
            touches = touches || carries_force(&study->run[i].pair[k]);
        }
    }
    return touches;
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
    const int round = is_reference ? 1 : k / COLORS + 1;
    (void)fprintf(
        to->script->stream, "%s %s with lines linewidth %s dashtype %d linecolor rgb '%s' ",
        to->written++ > 0 ? ", \\\n " : "plot", source, is_reference ? "3.2" : "1.2",
        component > 0 ? component : round, is_reference ? "#b8b8b8" : haw_figure_color(k));
    if (source == to->entry) {
        (void)fprintf(to->script->stream, "title %s",
                      haw_study_title(to->figure, to->study->run[run].variant->name,
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

/* A name above a panel, at its left. */
static void put_caption(haw_figure *figure, haw_text *script, const char *name, const char *rest)
{
    (void)fprintf(script->stream, "set label 1 %s at graph 0, graph 1 offset character 0,0.6\n",
                  haw_figure_quote(figure, name, rest));
}

/* ---- profiles ---- */

/* Number of a run's block in tension.csv. */
static int tension_block(const haw_study *study, int run, int cable)
{
    int block = cable;
    for (int i = 0; i < run; i++) {
        block += study->run[i].cables;
    }
    return block;
}

static void draw_tension(curves *to, const char *cable)
{
    for (int k = 0; k < to->study->runs; k++) {
        const int i = nth(to->study, k);
        const haw_study_run *run = &to->study->run[i];
        for (int c = 0; c < run->cables; c++) {
            char source[96];
            if (strcmp(run->cable[c].name, cable) == 0) {
                (void)snprintf(source, sizeof source, "'tension.csv' index %d skip 1 using 4:5",
                               tension_block(to->study, i, c));
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
        int block = 0;
        for (int before = 0; before < i; before++) {
            block += to->study->run[before].pairs;
        }
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
    const int of_run = haw_study_touches(study) ? 0 : 1;
    haw_panels panels = {.count = has_pair(reference, cable) ? 3 : 1,
                         .right = haw_legend_width(haw_study_letters(study)),
                         .gap = TITLE_GAP};
    haw_text script;
    char time[64];
    (void)snprintf(time, sizeof time, "at {/:Italic t} = %.6g s", reference->t);
    HAW_TRY(haw_panels_begin(figure, name, PROFILE_HEIGHT, &panels, &script));
    (void)fprintf(script.stream, "set xrange [0:%.9g]\n", reference->cable[cable].length);
    curves all = {.figure = figure, .study = study, .script = &script};
    haw_panels_next(&panels, "tension  [N]", "unstrained arc length  {/:Italic s}  [m]", &script);
    put_caption(figure, &script, "mean tension of the elements", time);
    draw_tension(&all, owner);
    for (int k = 0; k < 2 && panels.count == 3; k++) {
        curves next = {.figure = figure, .study = study, .script = &script};
        haw_panels_next(&panels, label[of_run][k], "unstrained arc length  {/:Italic s}  [m]",
                        &script);
        put_caption(figure, &script, caption[of_run][k], of_run == 0 ? time : "");
        draw_contact(&next, owner, of_run != 0, k);
    }
    put_legend(figure, study, &panels, &script);
    return haw_script_end(&script);
}

/* ---- histories ---- */

/* Number of a run's block in histories.csv. */
static int history_block(const haw_study *study, int run)
{
    int block = 0;
    for (int i = 0; i < run; i++) {
        block += study->run[i].frames > 0;
    }
    return block;
}

/* A constant is drawn as one: its rounding errors must not fill the panel. */
static void put_range(const haw_study *study, const haw_study_probe *probe, haw_text *script)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < study->runs; i++) {
        const haw_study_run *run = &study->run[i];
        for (int p = 0; p < run->probes; p++) {
            const bool is_it = strcmp(run->probe[p].name, probe->name) == 0;
            for (int f = 0; is_it && f < run->frames * run->probe[p].size; f++) {
                const int size = run->probe[p].size;
                const size_t row = (size_t)(f / size) * (size_t)run->values;
                const double value = run->value[row + (size_t)(run->probe[p].first + f % size)];
                low = fmin(low, value);
                high = fmax(high, value);
            }
        }
    }
    const double size = fmax(fabs(low), fabs(high));
    if (high - low > 1.0e-9 * size) {
        (void)fputs("set yrange [*:*]\n", script->stream);
    } else {
        const double half = size > 0.0 && isfinite(size) ? 0.1 * size : 1.0;
        const double middle = isfinite(low) ? low : 0.0;
        (void)fprintf(script->stream, "set yrange [%.9g:%.9g]\n", middle - half, middle + half);
    }
}

static void draw_history(curves *to, const haw_study_probe *probe)
{
    for (int k = 0; k < to->study->runs; k++) {
        const int i = nth(to->study, k);
        for (int c = 0; c < probe->size && to->study->run[i].frames > 0; c++) {
            char source[96];
            (void)snprintf(source, sizeof source, "'histories.csv' index %d skip 1 using 2:%d",
                           history_block(to->study, i), 3 + probe->first + c);
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
                         .right = haw_legend_width(haw_study_letters(study)),
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
        put_caption(figure, &script, probe->name, probe->size <= 3 ? parts[probe->size] : "");
        put_range(study, probe, &script);
        draw_history(&all, probe);
    }
    put_legend(figure, study, &panels, &script);
    return haw_script_end(&script);
}

/* ---- all ---- */

enum { FIGURES_MAX = 32 };

/* What was drawn. */
typedef struct gallery {
    int figures;
    char name[FIGURES_MAX][32];
} gallery;

static haw_status draw_all(haw_figure *figure, const haw_study *study, gallery *drawn)
{
    const haw_study_run *reference = &study->run[study->reference];
    bool is_swept = false;
    for (int i = 0; i < reference->cables && drawn->figures < FIGURES_MAX - 2; i++) {
        char *name = drawn->name[drawn->figures++];
        (void)snprintf(name, sizeof drawn->name[0], i == 0 ? "profiles" : "profiles-%d", i + 1);
        HAW_TRY(draw_profiles(figure, study, i, name));
    }
    if (reference->probes > 0 && reference->frames > 1) {
        (void)snprintf(drawn->name[drawn->figures++], sizeof drawn->name[0], "histories");
        HAW_TRY(draw_histories(figure, study));
    }
    HAW_TRY(haw_study_sweep(figure, study, &is_swept));
    if (is_swept) {
        (void)snprintf(drawn->name[drawn->figures++], sizeof drawn->name[0], "sweep");
    }
    for (int i = 0; i < drawn->figures; i++) {
        HAW_TRY(haw_gnuplot_run(figure->context, figure->folder, drawn->name[i]));
    }
    return HAW_OK;
}

/* Where files are told of. */
typedef struct listener {
    haw_report_written written;
    void *user;
} listener;

static haw_status tell(const haw_figure *figure, const char *name, const char *suffix,
                       const listener *to)
{
    char *path = NULL;
    HAW_TRY(haw_file_path(figure->context, figure->folder, name, suffix, &path));
    to->written(to->user, path);
    haw_release(figure->context, path);
    return HAW_OK;
}

static haw_status tell_all(const haw_figure *figure, const haw_study *study, const gallery *drawn,
                           const listener *to)
{
    static const char *const suffixes[] = {".png", ".svg", ".gp"};
    static const char *const tables[] = {"compare", "tension", "contact", "histories", "sweep"};
    const int count = study->reference < 0 ? 1 : study->swept != NULL ? 5 : 4;
    const int all = 3 * drawn->figures; /* pictures first */
    for (int i = 0; i < all; i++) {
        const int k = i / drawn->figures;
        HAW_TRY(tell(figure, drawn->name[i % drawn->figures], suffixes[k], to));
    }
    for (int i = 0; i < count; i++) {
        HAW_TRY(tell(figure, tables[i], ".csv", to));
    }
    return HAW_OK;
}

haw_status haw_study_figures(haw_context *context, const haw_study *study, const char *folder,
                             haw_report_written written, void *user)
{
    haw_figure figure = {.context = context, .folder = folder};
    gallery drawn = {0};
    if (study->reference >= 0) {
        HAW_TRY(draw_all(&figure, study, &drawn));
    }
    return tell_all(&figure, study, &drawn, &(listener){written, user});
}
