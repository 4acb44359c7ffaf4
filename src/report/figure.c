/* SPDX-License-Identifier: BSD-3-Clause */
/* What the figures share: instants, spans of contact, scripts, colours, stacked panels. */
#include "report/figure.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void haw_interval_widen(haw_interval *interval, double value)
{
    interval->from = fmin(interval->from, value);
    interval->to = fmax(interval->to, value);
}

/* ---- instants and spans of contact ---- */

static haw_status find_contacts(haw_figure *figure)
{
    haw_events events;
    HAW_TRY(haw_results_events(figure->results, &events));
    const double end = figure->t.rows > 0 ? figure->t.value[figure->t.rows - 1] : 0.0;
    figure->contact = haw_arena_allocate(&figure->results->arena, (size_t)events.count + 1,
                                         sizeof *figure->contact);
    HAW_TRY(haw_arena_status(&figure->results->arena));
    int open = 0;
    for (int i = 0; i < events.count; i++) {
        const haw_event_kind kind = events.event[i].kind;
        if (kind == HAW_EVENT_FIRST_CONTACT || kind == HAW_EVENT_CONTACT) {
            if (open++ == 0) {
                figure->contact[figure->contacts++] = (haw_interval){events.event[i].t, end};
            }
        } else if (kind == HAW_EVENT_SEPARATION && open > 0 && --open == 0) {
            figure->contact[figure->contacts - 1].to = events.event[i].t;
        }
    }
    return HAW_OK;
}

static int frame_near(const haw_figure *figure, double t)
{
    int best = 0;
    for (int i = 1; i < figure->t.rows; i++) {
        if (fabs(figure->t.value[i] - t) < fabs(figure->t.value[best] - t)) {
            best = i;
        }
    }
    return best;
}

/* Start and end; between them one episode of contact if there is one, else equal times. */
static void choose_instants(haw_figure *figure)
{
    const int frames = figure->t.rows;
    const double start = frames > 0 ? figure->t.value[0] : 0.0;
    const double end = frames > 0 ? figure->t.value[frames - 1] : 0.0;
    const bool is_impact = figure->contacts == 1 && figure->contact[0].from > start &&
                           figure->contact[0].to < end &&
                           figure->contact[0].to - figure->contact[0].from > 0.1 * (end - start);
    const double from = is_impact ? figure->contact[0].from : start;
    const double to = is_impact ? figure->contact[0].to : end;
    const int inner = is_impact ? HAW_INSTANTS_MAX - 2 : HAW_INSTANTS_MAX;
    for (int i = 0; i < HAW_INSTANTS_MAX && frames > 0; i++) {
        const int k = is_impact ? i - 1 : i;
        const double t = k < 0 ? start : k >= inner ? end : from + (to - from) * k / (inner - 1);
        const int frame = frame_near(figure, t);
        if (figure->instants == 0 || frame > figure->instant[figure->instants - 1]) {
            figure->instant[figure->instants++] = frame;
        }
    }
}

haw_status haw_figure_init(haw_figure *figure)
{
    HAW_TRY(haw_results_column(figure->results, "energy", NULL, "t", 1, &figure->t));
    HAW_TRY(find_contacts(figure));
    if (figure->at == NULL) {
        choose_instants(figure);
        return HAW_OK;
    }
    const double *t = figure->t.value;
    const int last = figure->t.rows - 1;
    const double slack = last > 0 ? 1e-9 * (t[last] - t[0]) : 0.0;
    for (int i = 0; i < figure->at->count && last >= 0; i++) {
        if (figure->at->t[i] < t[0] - slack || figure->at->t[i] > t[last] + slack) {
            return haw_fail(figure->context, HAW_ERR_INPUT,
                            "time %.9g s is outside the run, which goes from %.9g to %.9g s",
                            figure->at->t[i], t[0], t[last]);
        }
        figure->instant[figure->instants++] = frame_near(figure, figure->at->t[i]);
    }
    return HAW_OK;
}

haw_status haw_figure_written(const haw_figure *figure, const char *name, ...)
{
    char file[64];
    char *path = NULL;
    va_list arguments;
    va_start(arguments, name);
    (void)vsnprintf(file, sizeof file, name, arguments);
    va_end(arguments);
    HAW_TRY(haw_file_path(figure->context, &path, figure->folder, "%s", file));
    if (figure->written != NULL) {
        figure->written(figure->user, path);
    }
    haw_release(figure->context, path);
    return HAW_OK;
}

/* ---- scripts ---- */

/* What a format is called and how large its letters and lines are where a pixel is a pixel. */
static const struct {
    const char *name, *terminal, *unit;
    double scale, size; /* by default; of a pixel in the unit of its terminal */
    const char *end;    /* of a whole file, but for blank lines */
} formats[] = {{"png", "pngcairo enhanced", "", 2.0, 1.0, "IEND\xae\x42\x60\x82"},
               {"svg", "svg enhanced background 'white'", "", 1.0, 1.0, "</svg>"},
               {"pdf", "pdfcairo enhanced", "in", 1.0, 1.0 / 96.0, "%%EOF"}};

enum { FORMATS = sizeof formats / sizeof formats[0] };

static bool has_format(const haw_figure *figure, int k)
{
    const haw_style *style = figure->style;
    return style != NULL && style->format != NULL ? strcmp(style->format, formats[k].name) == 0
                                                  : k < 2;
}

static void put_terminals(const haw_figure *figure, const int size[2], FILE *stream)
{
    const haw_style *style = figure->style;
    const char *font = style != NULL && style->font != NULL ? style->font : "sans,10";
    for (int k = 0; k < FORMATS; k++) {
        const double scale = style != NULL && style->width > 0.0
                                 ? (k == 0 ? 2.0 : 1.0) * style->width / size[0]
                                 : formats[k].scale;
        const double letters = k == 2 ? 0.75 * scale : scale; /* a point is 4/3 px */
        if (has_format(figure, k)) {
            (void)fprintf(stream,
                          "if (format eq '%s') { set terminal %s font '%s' fontscale %.4g "
                          "linewidth %.4g size %.6g%s,%.6g%s }\n",
                          formats[k].name, formats[k].terminal, font, letters,
                          k == 2 ? 0.75 * scale : scale, scale * formats[k].size * size[0],
                          formats[k].unit, scale * formats[k].size * size[1], formats[k].unit);
        }
    }
}

haw_status haw_script_begin(const haw_figure *figure, const char *name, const int size[2],
                            haw_text *script)
{
    HAW_TRY(haw_text_open(figure->context, script, figure->folder, "%s.gp", name));
    FILE *stream = script->stream;
    (void)fprintf(stream,
                  "# Draws %s from the tables beside it: gnuplot %s.gp\n"
                  "if (ARGC > 0) { cd ARG1 }\n"
                  "draft = ARGC > 1 ? ARG2 : ''\n"
                  "set encoding utf8\n"
                  "do for [format in '",
                  name, name);
    for (int k = 0; k < FORMATS; k++) {
        (void)fprintf(stream, "%s", has_format(figure, k) ? formats[k].name : "");
        (void)fputs(k + 1 < FORMATS ? " " : "'] {\nreset\nset datafile separator ','\n", stream);
    }
    put_terminals(figure, size, stream);
    (void)fprintf(stream,
                  "set output '%s.'.format.draft\n"
                  "set border linewidth 0.6 linecolor rgb '#404040'\n"
                  "set tics scale 0.6 nomirror\n"
                  "set grid linetype 1 linewidth 0.5 linecolor rgb '#d0d0d0'\n",
                  name);
    return HAW_OK;
}

haw_status haw_script_end(haw_text *script)
{
    (void)fputs("unset multiplot\nset output\n}\n", script->stream);
    return haw_text_close(script, HAW_OK);
}

const char *haw_figure_quote(haw_figure *figure, const char *name, const char *symbol)
{
    char *to = figure->phrase;
    const char *end = figure->phrase + sizeof figure->phrase - strlen(symbol) - 8;
    *to++ = '\'';
    for (const char *from = name; *from != '\0' && to < end; from++) {
        if (*from == '\'') { /* gnuplot cannot read one at the start of a text */
            to += snprintf(to, 4, "’");
            continue;
        }
        if (strchr("_^@&~{}\\", *from) != NULL) {
            *to++ = '\\';
        }
        *to++ = iscntrl((unsigned char)*from) ? ' ' : *from;
    }
    (void)snprintf(to, sizeof figure->phrase - (size_t)(to - figure->phrase), "%s%s'",
                   name[0] != '\0' && symbol[0] != '\0' ? "  " : "", symbol);
    return figure->phrase;
}

void haw_script_margins(haw_text *script, const double x[2], const double y[2])
{
    (void)fprintf(script->stream,
                  "set lmargin at screen %.6f\nset rmargin at screen %.6f\n"
                  "set bmargin at screen %.6f\nset tmargin at screen %.6f\n",
                  x[0], x[1], y[0], y[1]);
}

void haw_script_key(haw_text *script, double x, double y)
{
    (void)fprintf(script->stream,
                  "set key at screen %.6f, screen %.6f left top Left reverse samplen 1.6 "
                  "spacing 1.2\n",
                  x, y);
}

bool haw_script_range(haw_text *script, haw_interval range)
{
    static const double least = 1e-12; /* in SI units: below it there is nothing but rounding */
    static const double told = 5e-5;   /* of the size: the labels of an axis have six digits */
    const double size = fmax(fabs(range.from), fabs(range.to));
    if (size > least && range.to - range.from > told * size) {
        (void)fputs("set yrange [*:*]\n", script->stream);
        return true;
    }
    const double half = size > least && isfinite(size) ? 0.1 * size : 1.0;
    const double middle = size > least && isfinite(range.from) ? range.from : 0.0;
    (void)fprintf(script->stream, "set yrange [%.9g:%.9g]\n", middle - half, middle + half);
    return false;
}

double haw_figure_prefix(haw_interval range, const char *text, const char *unit, char label[96])
{
    static const struct {
        double from, to; /* of the largest number that is drawn */
        const char *letter;
        double factor;
    } prefixes[] = {{1e4, HUGE_VAL, "k", 1e-3}, {1e-4, 0.1, "m", 1e3}, {1e-7, 1e-4, "µ", 1e6}};

    const double size = fmax(fabs(range.from), fabs(range.to));
    const char *letter = "";
    double factor = 1.0;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        const bool is_in = size > prefixes[i].from && size < prefixes[i].to;
        if (is_in && unit[0] != '\0' && strchr("NJWP", unit[0]) != NULL) {
            letter = prefixes[i].letter;
            factor = prefixes[i].factor;
        }
    }
    if (unit[0] == '\0') {
        (void)snprintf(label, 96, "%.60s", text);
    } else {
        (void)snprintf(label, 96, "%.60s%s[%s%.20s]", text, text[0] != '\0' ? "  " : "", letter,
                       unit);
    }
    return factor;
}

void haw_figure_time(const haw_figure *figure, int instant, char text[32])
{
    const double t = figure->t.value[figure->instant[instant]];
    const bool is_short = figure->t.value[figure->t.rows - 1] < 0.05;
    (void)snprintf(text, 32, is_short ? "%.3g ms" : "%.3g s", is_short ? 1e3 * t : t);
}

/* Okabe and Ito, Color Universal Design (2008), without the yellow, which is faint on paper. */
const char *haw_figure_color(int k)
{
    static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73",
                                         "#cc79a7", "#e69f00", "#56b4e9"};
    return colors[k % (int)(sizeof colors / sizeof colors[0])];
}

bool haw_figure_curve(int k, int count, int most, char color[8])
{
    enum { NAMED = 5 };

    if (count <= most) {
        (void)snprintf(color, 8, "%s", haw_figure_color(k));
        return true;
    }
    haw_figure_ramp((double)k / (count - 1), color);
    return k * (NAMED - 1) % (count - 1) < NAMED - 1;
}

int haw_figure_legend(size_t letters)
{
    return 52 + 8 * (int)letters;
}

/* The dark four fifths of "plasma" (Smith, van der Walt, matplotlib 1.5), equal in lightness. */
void haw_figure_ramp(double place, char color[8])
{
    static const double knots[5][3] = {
        {13, 8, 135}, {104, 0, 168}, {170, 35, 149}, {219, 92, 104}, {248, 149, 64}};
    const double at = fmin(fmax(place, 0.0), 1.0) * 4.0;
    const int k = at < 4.0 ? (int)at : 3;
    int rgb[3];
    for (int i = 0; i < 3; i++) {
        rgb[i] = (int)lround(knots[k][i] + (at - k) * (knots[k + 1][i] - knots[k][i]));
    }
    (void)snprintf(color, 8, "#%02x%02x%02x", (unsigned)rgb[0] & 255U, (unsigned)rgb[1] & 255U,
                   (unsigned)rgb[2] & 255U);
}

void haw_figure_blocks(haw_figure *figure, const char *name, int index, const char *owner,
                       const char *style, haw_text *script)
{
    if (owner != NULL) {
        (void)fprintf(script->stream, "set key title %s left\n",
                      haw_figure_quote(figure, owner, ""));
    } else {
        (void)fputs("unset key\n", script->stream);
    }
    for (int i = 0; i < figure->instants; i++) {
        char color[8];
        char time[32];
        haw_figure_time(figure, i, time);
        haw_figure_ramp(figure->instants > 1 ? (double)i / (figure->instants - 1) : 0.0, color);
        (void)fprintf(script->stream,
                      "%s '%s-%d.csv' index %d using %s linewidth 1.3 "
                      "linecolor rgb '%s' title '%s'%s\n",
                      i == 0 ? "plot" : " ", name, index + 1, i, style, color, time,
                      i + 1 < figure->instants ? ", \\" : "");
    }
}

/* ---- gnuplot ---- */

/*
 * No shell: folder and script are arguments, and the script changes to the folder it gets (ARG1),
 * so that no name can be taken for a command.
 */
enum { COMPLAINT_BYTES = 512, DRAFT_BYTES = 32 };

static const char NOT_FOUND[] =
    "no such program"; /* what the process says that could not become it */

/* Seconds that gnuplot may take. */
static double time_limit(void)
{
    static const double LIMIT = 300;
    const char *given = getenv("HAWSER_GNUPLOT_SECONDS");
    const double own = given != NULL ? strtod(given, NULL) : LIMIT;
    return own > 0 ? own : LIMIT;
}

static double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Bytes of the output as they come: 0 at its end, -1 once the time is over, of which an
 * interruption leaves little. */
static ssize_t await(const haw_context *context, int descriptor, double *until, char *buffer,
                     size_t bytes)
{
    static const double PATIENCE = 5, GLANCE = 0.2; /* [s] */
    for (bool is_cut = false;;) {
        struct pollfd source = {.fd = descriptor, .events = POLLIN};
        const double now = wall_clock();
        if (!is_cut && haw_context_cancelled(context)) {
            *until = fmin(*until, now + PATIENCE);
            is_cut = true;
        }
        if (now >= *until) {
            return -1;
        }
        const int ready = poll(&source, 1, (int)(1000 * fmin(*until - now, GLANCE)) + 1);
        const ssize_t got = ready > 0 ? read(descriptor, buffer, bytes) : -1;
        if (got >= 0 || (ready > 0 && errno != EINTR && errno != EAGAIN)) {
            return got > 0 ? got : 0;
        }
    }
}

/* Keep the last line of the output, in which gnuplot states the reason. @return false: it did not
 * end in time */
static bool read_complaint(const haw_context *context, int descriptor,
                           char complaint[COMPLAINT_BYTES])
{
    double until = wall_clock() + time_limit();
    size_t used = 0;
    char buffer[COMPLAINT_BYTES];
    ssize_t got = 0;
    bool is_new = false;
    while ((got = await(context, descriptor, &until, buffer, sizeof buffer)) > 0) {
        for (ssize_t i = 0; i < got; i++) {
            used = is_new && buffer[i] != '\n' ? 0 : used;
            is_new = buffer[i] == '\n';
            if (!is_new && used + 1 < COMPLAINT_BYTES) {
                complaint[used++] = buffer[i];
            }
        }
    }
    complaint[used] = '\0';
    return got == 0;
}

/* What is behind the name of a picture until it is whole. */
static char *draft_ending(char text[DRAFT_BYTES])
{
    (void)snprintf(text, DRAFT_BYTES, ".%ld.part", (long)getpid());
    return text;
}

/* Start gnuplot with its output going to a pipe; it dies with this process, and goes on for nobody.
 * @return 0 or an errno */
static int start(const char *script, const char *folder, const int pipe_end[2], pid_t *process)
{
    char draft[DRAFT_BYTES];
    char *const arguments[] = {(char[]){"gnuplot"},
                               (char[]){"-d"},
                               (char[]){"-c"},
                               (char *)script,
                               (char *)folder,
                               draft_ending(draft),
                               NULL};
    const pid_t parent = getpid();
    *process = fork();
    if (*process != 0) {
        return *process < 0 ? errno : 0;
    }
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nothing = open("/dev/null", O_RDONLY);
    if (getppid() == parent && nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
        dup2(pipe_end[1], STDOUT_FILENO) >= 0 && dup2(pipe_end[1], STDERR_FILENO) >= 0) {
        (void)execvp(arguments[0], arguments);
    }
    const char *why = errno == ENOENT ? NOT_FOUND : "it cannot be started";
    (void)(write(pipe_end[1], why, strlen(why)) < 0);
    return raise(SIGKILL); /* nothing of what the parent has is to be closed or flushed here */
}

static haw_status run(haw_context *context, const char *script, const char *folder)
{
    int pipe_end[2];
    if (pipe(pipe_end) != 0) {
        return haw_file_fail(context, "run", "gnuplot", errno);
    }
    (void)fcntl(pipe_end[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(pipe_end[1], F_SETFD, FD_CLOEXEC);
    char complaint[COMPLAINT_BYTES] = "";
    pid_t process = 0;
    int result = 0;
    const int error = start(script, folder, pipe_end, &process);
    (void)close(pipe_end[1]);
    const bool ends = error != 0 || read_complaint(context, pipe_end[0], complaint);
    if (!ends) {
        (void)kill(process, SIGKILL);
    }
    if (error == 0) {
        while (waitpid(process, &result, 0) < 0 && errno == EINTR) {
        }
    }
    (void)close(pipe_end[0]);
    if (error == 0 && WIFSIGNALED(result) && strcmp(complaint, NOT_FOUND) == 0) {
        return haw_fail(context, HAW_ERR_IO,
                        "cannot run gnuplot: it is not installed (Debian: gnuplot-nox)");
    }
    if (error != 0) {
        return haw_file_fail(context, "run", "gnuplot", error);
    }
    const bool is_good = ends && WIFEXITED(result) && WEXITSTATUS(result) == 0;
    if (!is_good && haw_context_cancelled(context)) { /* Ctrl-C ends gnuplot too */
        return haw_fail(context, HAW_ERR_CANCELLED, "interrupted while gnuplot draws '%s'", script);
    }
    if (!ends) {
        return haw_fail(context, HAW_ERR_IO, "gnuplot did not end '%s' within %g s", script,
                        time_limit());
    }
    return is_good ? HAW_OK
                   : haw_fail(context, HAW_ERR_IO, "gnuplot failed on '%s': %s", script, complaint);
}

static haw_status run_gnuplot(haw_context *context, const char *folder, const char *name)
{
    /* A leading dot keeps gnuplot from seeing a pipe, an option or a home in a name. */
    char *script = NULL;
    const size_t bytes = strlen(folder) + 3;
    char *place = haw_allocate(context, bytes, 1);
    if (place == NULL) {
        return HAW_ERR_NOMEM;
    }
    (void)snprintf(place, bytes, "%s%s", folder[0] == '/' ? "" : "./", folder);
    haw_status status = haw_file_path(context, &script, place, "%s.gp", name);
    if (status == HAW_OK) {
        status = run(context, script, place);
    }
    haw_release(context, script);
    haw_release(context, place);
    return status;
}

/* gnuplot does not notice that a disk is full. Looking at the end takes no memory. */
static bool has_end(const char *path, const char *end)
{
    char tail[32];
    ssize_t got;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    (void)lseek(file, -(off_t)sizeof tail, SEEK_END); /* a shorter one is read from its start */
    do {
        got = read(file, tail, sizeof tail);
    } while (got < 0 && errno == EINTR);
    (void)(file >= 0 && close(file));
    while (got > 0 && tail[got - 1] == '\n') {
        got--;
    }
    const ssize_t length = (ssize_t)strlen(end);
    return got >= length && memcmp(tail + got - length, end, (size_t)length) == 0;
}

typedef struct picture {
    char *path, *draft;
} picture;

/* A picture gets its name if it is whole. @return `status`, or the failure of this */
static haw_status name_picture(const haw_figure *figure, int k, const picture *made,
                               haw_status status)
{
    if (status == HAW_OK && !has_end(made->draft, formats[k].end)) {
        status = haw_fail(figure->context, HAW_ERR_IO,
                          "gnuplot has not written all of '%s': is there space left on the device?",
                          made->path);
    } else if (status == HAW_OK && rename(made->draft, made->path) != 0) {
        status = haw_file_fail(figure->context, "write", made->path, errno);
    }
    if (status != HAW_OK) {
        (void)remove(made->draft);
    }
    return status;
}

static haw_status draw(const haw_figure *figure, const char *name)
{
    haw_context *context = figure->context;
    char ending[DRAFT_BYTES];
    picture made[FORMATS] = {{NULL}};
    haw_status status = HAW_OK;
    (void)draft_ending(ending);
    for (int k = 0; k < FORMATS && status == HAW_OK; k++) {
        const char *format = formats[k].name;
        status = haw_file_path(context, &made[k].path, figure->folder, "%s.%s", name, format);
        status = status == HAW_OK ? haw_file_path(context, &made[k].draft, figure->folder,
                                                  "%s.%s%s", name, format, ending)
                                  : status;
    }
    const bool is_named = status == HAW_OK;
    for (int k = 0; k < FORMATS && is_named; k++) {
        haw_draft_tell("", made[k].draft);
    }
    status = is_named ? run_gnuplot(context, figure->folder, name) : status;
    for (int k = 0; k < FORMATS; k++) {
        if (is_named && has_format(figure, k)) {
            status = name_picture(figure, k, &made[k], status);
        }
        if (is_named) {
            haw_draft_tell(made[k].draft, "");
        }
        haw_release(context, made[k].draft);
        haw_release(context, made[k].path);
    }
    return status;
}

haw_status haw_figure_draw(const haw_figure *figure, int count, const char *const *name)
{
    for (int i = 0; i < count; i++) {
        HAW_TRY(draw(figure, name[i]));
    }
    for (int i = 0; i < FORMATS * count; i++) { /* pictures first */
        const int k = i / count;
        HAW_TRY(has_format(figure, k)
                    ? haw_figure_written(figure, "%s.%s", name[i % count], formats[k].name)
                    : HAW_OK);
    }
    for (int i = 0; i < count; i++) {
        HAW_TRY(haw_figure_written(figure, "%s.gp", name[i]));
    }
    return HAW_OK;
}

/* ---- stacked panels ---- */

enum { LEFT = 92, RIGHT = 200, TOP = 12, BOTTOM = 46, GAP = 14, PANEL = 522, NARROW = 190 };

static int top_of(const haw_panels *panels)
{
    return panels->gap > GAP ? panels->gap : TOP;
}

static int left_of(const haw_panels *panels, int column)
{
    return LEFT + column * (panels->width + GAP);
}

haw_status haw_panels_begin(const haw_figure *figure, const char *name, int height,
                            haw_panels *panels, haw_text *script)
{
    panels->index = 0;
    panels->height = height;
    panels->right = panels->right > 0 ? panels->right : RIGHT;
    panels->gap = panels->gap > 0 ? panels->gap : GAP;
    panels->columns = panels->columns > 1 ? panels->columns : 1;
    panels->width = panels->columns > 1 ? NARROW : PANEL;
    const int rows = (panels->count + panels->columns - 1) / panels->columns;
    panels->size[0] = left_of(panels, panels->columns) - GAP + panels->right;
    panels->size[1] = top_of(panels) + BOTTOM + rows * (height + panels->gap) - panels->gap;
    HAW_TRY(haw_script_begin(figure, name, panels->size, script));
    (void)fputs("set multiplot\n"
                "set autoscale noextend\n"
                "set offsets 0, 0, graph 0.08, graph 0.08\n"
                "set format x ''\n",
                script->stream);
    return HAW_OK;
}

void haw_panels_time(const haw_figure *figure, haw_text *script)
{
    const double from = figure->t.value[0];
    const double to = figure->t.value[figure->t.rows - 1];
    double covered = 0.0;
    (void)fprintf(script->stream, "set xrange [%.9g:%.9g]\n", from, to > from ? to : from + 1.0);
    for (int i = 0; i < figure->contacts; i++) {
        covered += figure->contact[i].to - figure->contact[i].from;
    }
    /* Backgrounds that fill the panel and stripes too thin to see are left out. */
    for (int i = 0; i < figure->contacts && covered < 0.95 * (to - from); i++) {
        const haw_interval *span = &figure->contact[i];
        if (span->to - span->from > 1e-3 * (to - from)) {
            (void)fprintf(script->stream,
                          "set object rectangle from %.9g, graph 0 to %.9g, graph 1 behind "
                          "fillcolor rgb '#eeeeee' fillstyle solid noborder\n",
                          span->from, span->to);
        }
    }
}

void haw_panels_next(haw_panels *panels, const char *label, const char *axis, haw_text *script)
{
    const double width = panels->size[0], height = panels->size[1];
    const int row = panels->index / panels->columns, column = panels->index % panels->columns;
    const int top = top_of(panels) + row * (panels->height + panels->gap);
    const int left = left_of(panels, column);
    const double x[2] = {left / width, (left + panels->width) / width};
    const double y[2] = {1.0 - (top + panels->height) / height, 1.0 - top / height};
    haw_script_margins(script, x, y);
    (void)fprintf(script->stream, "set ylabel '%s' offset 0.4\n", column == 0 ? label : "");
    if (panels->columns > 1) {
        haw_panels_key(panels, script);
        (void)fprintf(script->stream, "set format y '%s'\n", column == 0 ? "%g" : "");
    } else {
        haw_script_key(script, (left + panels->width + 10.0) / width, y[1]);
    }
    if (++panels->index + panels->columns > panels->count) { /* no other stands below */
        (void)fprintf(script->stream, "set format x '%%g'\nset xlabel '%s' offset 0,0.3\n", axis);
    }
}

void haw_panels_caption(haw_figure *figure, haw_text *script, const char *name, const char *rest)
{
    (void)fprintf(script->stream, "set label 1 %s at graph 0, graph 1 offset character 0,0.6\n",
                  haw_figure_quote(figure, name, rest));
}

void haw_panels_key(const haw_panels *panels, haw_text *script)
{
    haw_script_key(script, (left_of(panels, panels->columns) - GAP + 10.0) / panels->size[0],
                   1.0 - (double)top_of(panels) / panels->size[1]);
}
