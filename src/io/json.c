/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/json.h"

#include <math.h>

/*
 * Length of the well-formed UTF-8 sequence at `s`, 0 if there is none (RFC 3629: no overlong
 * forms, no surrogates, nothing above U+10FFFF).
 */
static int sequence_length(const unsigned char *s)
{
    const int length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;

    if (s[0] > 0xf4) {
        return 0;
    }
    for (int i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    const bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    const bool outside = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);

    return overlong || outside ? 0 : length;
}

static void quote(const haw_json *json, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    FILE *out = json->out;

    fputc('"', out);
    while (*s != '\0') {
        const int length = sequence_length(s);

        if (length == 0) {
            fputs("\\ufffd", out);
        } else if (*s == '"' || *s == '\\') {
            fprintf(out, "\\%c", *s);
        } else if (*s == '\n') {
            fputs("\\n", out);
        } else if (*s < 0x20 || (*s == '<' && json->compact)) {
            fprintf(out, "\\u%04x", *s);
        } else {
            fwrite(s, 1, (size_t)length, out);
        }
        s += length > 0 ? length : 1;
    }
    fputc('"', out);
}

static void line(const haw_json *json)
{
    if (!json->compact) {
        fprintf(json->out, "\n%*s", 2 * json->depth, "");
    }
}

void haw_json_key(haw_json *json, const char *key)
{
    if (!json->first) {
        fputc(',', json->out);
    }
    if (json->depth > 0) {
        line(json);
    }
    json->first = false;
    if (key != NULL) {
        quote(json, key);
        fputs(json->compact ? ":" : ": ", json->out);
    }
}

static void number(const haw_json *json, double value)
{
    if (isfinite(value)) {
        fprintf(json->out, "%.*g", json->compact ? 9 : 17, value);
    } else {
        fputs("null", json->out);
    }
}

void haw_json_open(haw_json *json, const char *key, char bracket)
{
    haw_json_key(json, key);
    fputc(bracket, json->out);
    json->depth++;
    json->first = true;
}

void haw_json_close(haw_json *json, char bracket)
{
    json->depth--;
    if (!json->first) {
        line(json);
    }
    fputc(bracket, json->out);
    json->first = false;
    if (json->depth == 0 && !json->compact) {
        fputc('\n', json->out);
    }
}

void haw_json_number(haw_json *json, const char *key, double value)
{
    haw_json_key(json, key);
    number(json, value);
}

void haw_json_integer(haw_json *json, const char *key, long value)
{
    haw_json_key(json, key);
    fprintf(json->out, "%ld", value);
}

void haw_json_flag(haw_json *json, const char *key, bool value)
{
    haw_json_key(json, key);
    fputs(value ? "true" : "false", json->out);
}

void haw_json_text(haw_json *json, const char *key, const char *value)
{
    haw_json_key(json, key);
    if (value == NULL) {
        fputs("null", json->out);
    } else {
        quote(json, value);
    }
}

void haw_json_texts(haw_json *json, const char *key, int count, const char *const *text)
{
    haw_json_open(json, key, '[');
    for (int i = 0; i < count; i++) {
        haw_json_text(json, NULL, text[i]);
    }
    haw_json_close(json, ']');
}

void haw_json_fields(haw_json *json, const haw_field *field, const void *object)
{
    for (; field->name != NULL; field++) {
        /* whole numbers too: 17 digits are all of theirs */
        haw_json_number(json, field->json != NULL ? field->json : field->name,
                        object != NULL ? haw_field_value(field, object, 0) : (double)NAN);
    }
}

void haw_json_values(haw_json *json, const char *key, int count, const double *value)
{
    if (count == 1) {
        haw_json_number(json, key, value[0]);
    } else {
        haw_json_array(json, key, count, value);
    }
}

void haw_json_array(haw_json *json, const char *key, int count, const double *value)
{
    haw_json_key(json, key);
    fputc('[', json->out);
    for (int i = 0; i < count; i++) {
        fputs(i == 0 ? "" : json->compact ? "," : ", ", json->out);
        number(json, value[i]);
    }
    fputc(']', json->out);
}
