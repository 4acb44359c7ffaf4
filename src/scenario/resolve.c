/* SPDX-License-Identifier: BSD-3-Clause */
/* Values by their grammar as YAML, every default among them. */
#include "scenario/grammar.h"

#include <math.h>

/* ---- option rows ---- */

static const void *member(const haw_option *row, const void *options)
{
    return (const unsigned char *)options + row->offset;
}

/*
 * Options without a value here: a missing number that no word stands for, a missing text, a key of
 * the other dimension.
 */
static bool is_absent(const haw_resolve *out, const haw_option *row, const void *options)
{
    const double *real = member(row, options);
    bool has_nan = false;
    if (haw_key_dimension(row->flags) == 5 - out->dimension) {
        return true;
    }
    switch (row->type) {
    case HAW_OPTION_REAL:
        return isnan(real[0]) ? row->choices == NULL : real[0] < row->min;
    case HAW_OPTION_VECTOR:
        for (int i = 0; i < out->dimension; ++i) {
            has_nan = has_nan || isnan(real[i]);
        }
        return has_nan && row->choices == NULL;
    case HAW_OPTION_STRING:
        return *(const char *const *)member(row, options) == NULL;
    case HAW_OPTION_INT:
    case HAW_OPTION_BOOL:
    case HAW_OPTION_CHOICE:
        break;
    }
    return false;
}

void haw_resolve_numbers(haw_resolve *out, int count, const double *value)
{
    for (int i = 0; i < count; ++i) {
        haw_text_add(&out->text, "%s", i > 0 ? ", " : "[");
        haw_text_number(&out->text, value[i]);
    }
    haw_text_add(&out->text, "]");
}

void haw_resolve_texts(haw_resolve *out, int count, const char *const *text)
{
    haw_text_add(&out->text, "[");
    for (int i = 0; i < count; ++i) {
        haw_text_add(&out->text, "%s", i > 0 ? ", " : "");
        haw_text_quote(&out->text, text[i]);
    }
    haw_text_add(&out->text, "]");
}

static void add_value(haw_resolve *out, const haw_option *row, const void *options)
{
    const double *real = member(row, options);
    switch (row->type) {
    case HAW_OPTION_REAL:
        if (isnan(real[0])) {
            haw_text_add(&out->text, "%s", row->choices[0]);
        } else {
            haw_text_number(&out->text, real[0]);
        }
        break;
    case HAW_OPTION_INT:
        haw_text_add(&out->text, "%d", *(const int *)member(row, options));
        break;
    case HAW_OPTION_BOOL:
        haw_text_add(&out->text, "%s", *(const bool *)member(row, options) ? "true" : "false");
        break;
    case HAW_OPTION_CHOICE: /* quoted: YAML 1.1 reads off as false */
        haw_text_quote(&out->text, row->choices[*(const int *)member(row, options)]);
        break;
    case HAW_OPTION_STRING:
        haw_text_quote(&out->text, *(const char *const *)member(row, options));
        break;
    case HAW_OPTION_VECTOR:
        if (isnan(real[0])) {
            haw_text_add(&out->text, "%s", row->choices[0]);
        } else {
            haw_resolve_numbers(out, out->dimension, real);
        }
        break;
    }
}

/* The key in front of a value: `key: ` on a new line, or behind a comma. */
static void begin_key(haw_resolve *out, const char *key)
{
    if (out->in_braces) {
        haw_text_add(&out->text, "%s", out->has_key ? ", " : "");
    } else if (out->is_item) {
        haw_text_add(&out->text, "%*s- ", out->indent - 2, "");
    } else {
        haw_text_add(&out->text, "%*s", out->indent, "");
    }
    out->has_key = true;
    out->is_item = false;
    haw_text_add(&out->text, "%s:", key);
}

/* ---- mappings ---- */

static const void *place_of(const haw_key *key, const void *spec)
{
    return (const unsigned char *)spec + key->offset;
}

/* A nested mapping whose first rows are texts without a value (nothing to be laid on), or whose
 * first row is absent, is absent itself. */
static bool is_row_absent(const haw_resolve *out, const haw_member *member, const void *options)
{
    const haw_option *row = member->row;
    while (member->is_nested && row[1].type == HAW_OPTION_STRING && row[1].key != NULL &&
           is_absent(out, row, options)) {
        ++row;
    }
    return is_absent(out, row, options);
}

static bool is_entry_absent(const haw_resolve *out, const haw_member *member, bool has_form,
                            const void *spec)
{
    const bool is_foreign = member->dimension == 5 - out->dimension;
    return is_foreign || haw_key_is_absent(member->table, spec) ||
           (has_form ? haw_key_is_absent(member->own, spec)
                     : is_row_absent(out, member, place_of(member->table, spec)));
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static void add_entry(haw_resolve *out, const haw_mapping *mapping, const haw_member *member,
                      const void *spec)
{
    const haw_key *own = member->own, *outer = out->key;
    const bool has_form = own != NULL && own->form != NULL && own->form->write != NULL;
    const bool is_block = has_form && own->form->is_block && !out->in_braces;
    if (is_entry_absent(out, member, has_form, spec)) {
        return;
    }
    begin_key(out, member->name);
    haw_text_add(&out->text, is_block ? "\n" : " ");
    if (has_form) {
        out->key = own;
        own->form->write(out, place_of(own, spec));
        out->key = outer;
    } else if (member->is_nested) {
        haw_nested nested;
        haw_nested_gather(&nested, mapping, member);
        haw_resolve_braces(out, &nested.mapping, place_of(member->table, spec));
    } else {
        add_value(out, member->row, place_of(member->table, spec));
    }
    haw_text_add(&out->text, is_block || out->in_braces ? "" : "\n");
}

/* NOLINTNEXTLINE(misc-no-recursion) */
void haw_resolve_mapping(haw_resolve *out, const haw_mapping *mapping, const void *spec)
{
    haw_members members;
    haw_mapping_members(mapping, &members);
    for (int i = 0; i < members.count; ++i) {
        add_entry(out, mapping, &members.of[i], spec);
    }
}

void haw_resolve_lines(haw_resolve *out, const haw_mapping *mapping, const void *spec)
{
    out->indent += 2;
    haw_resolve_mapping(out, mapping, spec);
    out->indent -= 2;
}

/* NOLINTNEXTLINE(misc-no-recursion) */
void haw_resolve_braces(haw_resolve *out, const haw_mapping *mapping, const void *spec)
{
    const bool in_braces = out->in_braces, has_key = out->has_key;
    out->in_braces = true;
    out->has_key = false;
    haw_text_add(&out->text, "{");
    haw_resolve_mapping(out, mapping, spec);
    haw_text_add(&out->text, "}");
    out->in_braces = in_braces;
    out->has_key = has_key;
}

haw_status haw_scenario_resolve(haw_context *context, const haw_scenario *scenario, char **text)
{
    haw_resolve out = {.text = {.context = context},
                       .scene = &scenario->scene,
                       .dimension = scenario->scene.dimension};
    const haw_locale before = haw_locale_begin();
    haw_resolve_mapping(&out, &haw_mapping_scenario, scenario);
    haw_locale_end(before);
    return haw_text_finish(&out.text, text);
}
