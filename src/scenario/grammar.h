/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The grammar of scenarios: one table, three users. A mapping is a list of keys; a key says what
 * its value is and where it goes. The reader fills specifications by it, haw_scenario_resolve
 * writes them out with every default, and haw_scenario_schema describes it to editors.
 *
 * Most keys are rows of option tables and need nothing else. A value that is more than a number, a
 * word or a vector has a form, which says the same three things of it.
 */
#ifndef HAWSER_SCENARIO_GRAMMAR_H
#define HAWSER_SCENARIO_GRAMMAR_H

#include "scenario/reader.h"
#include "scenario/text.h"

/* A scenario on its way to YAML that reads back to the same. */
typedef struct haw_resolve {
    haw_text text;
    const haw_scene *scene;
    const haw_key *key; /* that is being written */
    int dimension;      /* of the scene: keys of the other one are left out */
    int indent;         /* of the lines of the present mapping */
    bool is_item;       /* the next line begins an item of a list */
    bool in_braces;     /* the present mapping stands in one line */
    bool has_key;       /* something stands in its braces already */
} haw_resolve;

/* A kind of value. Its functions find the key that they are at in the reader or the haw_resolve. */
typedef struct haw_form {
    /** `value` is where haw_key.offset points to. NULL: others read it. */
    void (*read)(haw_reader *reader, const haw_yaml_node *node, void *value);
    /** The value behind its key. */
    void (*write)(haw_resolve *out, const void *value);
    /** Members of the JSON object that describes the value; NULL: those of `schema`. */
    void (*describe)(haw_text *text, const haw_key *key);
    const char *schema;
    bool is_block;    /* written as lines below its key, except within braces */
    int count;        /* of numbers in a list; 0: one for each dimension of the scene */
    const char *word; /* "list", "function", ...: what it is, for lists of keys; NULL: "mapping" */
    bool is_name, is_typed; /* haw_key.of is a haw_names, or a haw_typed: a mapping for each row */
    const haw_mapping *inner[2];                       /* mappings in it */
    const haw_mapping *(*mapping)(const haw_key *key); /* that of haw_key.of; or NULL */
} haw_form;

/* When a key has no value in the struct of its mapping, by the member at haw_key.asks. */
typedef enum haw_absence {
    HAW_ABSENT_NEVER,
    HAW_ABSENT_NULL,    /* the pointer is NULL */
    HAW_ABSENT_EQUAL,   /* the int or enum is haw_key.value */
    HAW_ABSENT_OTHER,   /* it is not */
    HAW_ABSENT_TRUE,    /* the bool is true */
    HAW_ABSENT_FALSE,   /* it is false */
    HAW_ABSENT_NOTHING, /* the haw_function is zero at all times */
    HAW_ABSENT_ALWAYS   /* of an option table: read, checked, and not kept */
} haw_absence;

/*
 * One key of a mapping, or all keys of an option table. Lists of keys are written "a|b". A key
 * counts as given beside others unless its value is the preset of its row.
 */
struct haw_key {
    const char *key;      /* NULL: all rows of the option table `of` */
    const haw_form *form; /* NULL: that of the row of this key, which has more to say in this one */
    size_t offset;        /* of the value in the struct of the mapping */
    const void *of;       /* what the form is asked for: a haw_mapping, a haw_list, words, ... */
    unsigned long flags;  /* HAW_KEY_SPACE, HAW_KEY_REQUIRED, ... */
    const char *help;     /* NULL: its description says enough */
    const char *unit;     /* NULL: none, or that of its row */
    const char *also;     /* older spellings that are read, and never written */
    const char *needs;    /* where it is given, one of these is, too */
    const char *excludes; /* where it is given, none of these is */
    haw_absence absent;
    int value;
    size_t asks;
};

struct haw_mapping {
    const char *noun;    /* "a body", for messages */
    const haw_key *keys; /* ends with an empty row */
    /** Checks beyond those of single keys, once all keys are read; or NULL. */
    void (*check)(haw_reader *reader, const haw_yaml_node *mapping, void *spec);
    const char *owner;    /* what lacks a required key; NULL: the noun */
    const char *choice;   /* error unless exactly one of the keys is there; NULL: all may be */
    const char *needs[2]; /* one key of each of these lists must be given */
    const char *name;     /* in lists of keys; NULL: that of the key that leads to it */
};

/* A list of mappings that goes to an array, their number to haw_key.asks. */
typedef struct haw_list {
    const haw_mapping *mapping;
    size_t item; /* bytes */
    /** Presets of an item beside those of its option tables; or NULL. */
    void (*init)(const haw_reader *reader, void *item);
    /** Checks across items; `is_good`: each item is valid by itself. Or NULL. */
    void (*check)(haw_reader *reader, const haw_yaml_node *list, void *spec, bool is_good);
    const char *is_empty; /* error; NULL: it may be */
    bool has_names;       /* that others refer to */
} haw_list;

/* Words that are names of rows, in scenes of either dimension or of one. */
struct haw_names {
    const char *what;    /* "shape": "unknown shape 'circel'" */
    const char *subject; /* "the shape": "the shape 'cylinder' needs dimension: 3" */

    struct {
        const haw_row *const *rows;
        int dimension; /* 0: either */
    } table[2];

    const haw_row *(*row)(int i, int *dimension); /* in place of tables; NULL beyond the last row */

    const char *first; /* a word that is not a row, or NULL */
};

/* A mapping whose `type` is the name of a row, which has the other keys. */
typedef struct haw_typed haw_typed;

enum { HAW_TYPED_KEYS = 5, HAW_FOREIGN_MAX = 64 };

typedef struct haw_typed_mapping {
    char noun[HAW_KEY_SIZE];
    haw_key keys[HAW_TYPED_KEYS];
    haw_mapping mapping;
    haw_option foreign[HAW_FOREIGN_MAX]; /* rows made for it */
} haw_typed_mapping;

struct haw_typed {
    haw_names names;
    bool has_default; /* the first row, whose type need not be given */
    /** The keys behind `type`, and their rules. */
    void (*add)(const haw_typed *typed, const haw_row *row, haw_typed_mapping *made);
    /** The row that a spec has, or NULL. */
    const haw_row *(*get)(const haw_typed *typed, int dimension, const void *spec);
    /** Gives it a row, with the presets of its options. */
    void (*set)(const haw_typed *typed, const haw_row *row, void *spec);
    size_t settings;          /* offset of what both speak of */
    const haw_option *common; /* keys of all rows */
    const haw_mapping *inner; /* a mapping in one of them, for lists of keys, or NULL */
};

/* ---- forms that several mappings use; `of` is what stands in parentheses ---- */

extern const haw_form haw_form_function;  /* F of the grammar: haw_function */
extern const haw_form haw_form_functions; /* F for each dimension: haw_function[3] */
extern const haw_form haw_form_point;     /* a number for each dimension: double[3] */
extern const haw_form haw_form_flag;      /* true or false: bool */
extern const haw_form haw_form_mapping;   /* (haw_mapping) lines below the key */
extern const haw_form haw_form_braces;    /* (haw_mapping) {key: value, ...} */
extern const haw_form haw_form_motion;    /* (haw_mapping) braces, or the table of its velocity */
extern const haw_form haw_form_typed;     /* (haw_typed) lines below the key */
extern const haw_form haw_form_list;      /* (haw_list) */
extern const haw_form haw_form_name;      /* (haw_names) const char * */
extern const haw_form haw_form_constant;  /* (const char *, or haw_row by its name) one word */

/* ---- the parts of a scenario ---- */

extern const haw_mapping haw_mapping_scenario, haw_mapping_ends, haw_mapping_output;
extern const haw_list haw_list_bodies, haw_list_cables, haw_list_contacts, haw_list_forces,
    haw_list_springs, haw_list_joints, haw_list_path;
extern const haw_form haw_form_start;
extern const haw_typed haw_typed_steppers, haw_typed_solvers;

/** Row i of the names and the dimension that it is of; NULL behind the last one. */
const haw_row *haw_names_row(const haw_names *names, int i, int *dimension);

/** Words of a dimension, each once; 0: of both. Ends with NULL. */
void haw_names_list(const haw_names *names, int dimension, const char *words[HAW_WORDS_MAX]);

/** The keys of a row; `made` points into itself. */
void haw_typed_make(const haw_typed *typed, const haw_row *row, haw_typed_mapping *made);

/** Whether two points have the same coordinates, as many as the scene has dimensions. */
bool haw_read_is_same(const haw_reader *reader, const double a[3], const double b[3]);

/** Report a path of a closed cable that does not end where it starts. */
void haw_read_check_closed(haw_reader *reader, const haw_yaml_node *node,
                           const haw_cable_spec *cable);

/** Read and write values with haw_form.count numbers. */
void haw_read_count(haw_reader *reader, const haw_yaml_node *node, void *value);
void haw_write_count(haw_resolve *out, const void *value);

/* ---- values as YAML ---- */

/** [a, b, ...] */
void haw_resolve_numbers(haw_resolve *out, int count, const double *value);

/** ["a", "b", ...] */
void haw_resolve_texts(haw_resolve *out, int count, const char *const *text);

/** [[t, v], ...] */
void haw_resolve_table(haw_resolve *out, const haw_function *function);

/** haw_function: a number or {table: [[t, v], ...], ramp: ...}. */
void haw_resolve_function(haw_resolve *out, const void *value);

/** haw_function[3]: [F, ...], as many as the scene has dimensions. */
void haw_resolve_functions(haw_resolve *out, const void *functions);

/* ---- keys ---- */

/** Behind the last key of a mapping. */
bool haw_key_is_end(const haw_key *key);

/** Key of a name that has a form or more to say than its row, or NULL. */
const haw_key *haw_mapping_find(const haw_mapping *mapping, const char *key);

/** The next word of a list "a|b", copied; false behind the last one. */
bool haw_key_next(const char **list, char word[HAW_KEY_SIZE]);

/** Whether a key has no value in the struct of its mapping. */
bool haw_key_is_absent(const haw_key *key, const void *spec);

/** Mappings within the value of a key: one, two or none, then NULL. */
void haw_key_inner(const haw_key *key, const haw_mapping *inner[3]);

/** Row of the option tables of a mapping, or NULL. */
const haw_option *haw_mapping_row(const haw_mapping *mapping, const char *key);

enum { HAW_NESTED_MAX = 16, HAW_NESTED_KEYS = 4, HAW_MEMBERS_MAX = 96 };

/* A key of a mapping as a file has it: a row, the rows "name.inner" of a table, or a value with a
 * form. */
typedef struct haw_member {
    char name[HAW_KEY_SIZE];
    const haw_option *row; /* the first of "name.inner"; NULL: no row */
    bool is_nested;        /* its value is a mapping: haw_nested_gather */
    const haw_key *own;    /* entry of the mapping for the key itself, or NULL */
    const haw_key *table;  /* that the row is of, else `own` */
    int dimension;         /* that it belongs to, 0: none */
    bool is_required;      /* in scenes of that dimension */
} haw_member;

typedef struct haw_members {
    int count;
    haw_member of[HAW_MEMBERS_MAX];
} haw_members;

/* The rows "outer.inner" of a table as a mapping of their own, which points into this struct. */
typedef struct haw_nested {
    haw_option row[HAW_NESTED_MAX];
    haw_key keys[HAW_NESTED_KEYS];
    haw_mapping mapping;
    char owner[HAW_KEY_SIZE];
} haw_nested;

/** All keys of a mapping, each once. */
void haw_mapping_members(const haw_mapping *mapping, haw_members *members);

/** The one of a name, or NULL. */
const haw_member *haw_members_find(const haw_members *members, const char *name);

/** Gather the rows of a nested entry, which must outlive them. */
void haw_nested_gather(haw_nested *nested, const haw_mapping *of, const haw_member *member);

enum { HAW_PARTS_MAX = 80 };

/* A mapping of the grammar and the name that it has in lists of keys. */
typedef struct haw_part {
    const char *name;
    const haw_mapping *mapping; /* NULL: haw_typed_make of the other two */
    const haw_typed *typed;
    const haw_row *row;
    unsigned long flags; /* of the row, HAW_KEY_PLANE, HAW_KEY_SPACE or 0: either */
} haw_part;

/** All mappings of a scenario, each once. @return their number */
int haw_scenario_parts(haw_part part[HAW_PARTS_MAX]);

enum { HAW_EXAMPLE_SIZE = 128 };

extern const char haw_key_examples[]; /* text of data/examples.yaml */

/** A value of a key of the mapping with this noun; `row`: of the key, or NULL. "" if none is known.
 */
void haw_key_example(const char *noun, const char *key, const haw_option *row,
                     char text[HAW_EXAMPLE_SIZE]);

/** Write the presets of the option tables of a mapping. */
void haw_mapping_init(const haw_mapping *mapping, void *spec);

/* ---- the three users ---- */

/** Read all keys of a mapping, report unknown keys and missing ones. */
void haw_read_mapping(haw_reader *reader, const haw_yaml_node *node, const haw_mapping *mapping,
                      void *spec);
/** Read keys with forms, from this one on. */
void haw_read_forms(haw_reader *reader, const haw_yaml_node *node, const haw_key *keys, void *spec);

/** Write all keys of a mapping: as they are, as lines below a key, or within braces. */
void haw_resolve_mapping(haw_resolve *out, const haw_mapping *mapping, const void *spec);
void haw_resolve_lines(haw_resolve *out, const haw_mapping *mapping, const void *spec);
void haw_resolve_braces(haw_resolve *out, const haw_mapping *mapping, const void *spec);

/** Members of the JSON object that describes a mapping. */
void haw_describe_mapping(haw_text *text, const haw_mapping *mapping);

/** A mapping, or else what is added behind, up to "}": an editor shows what is wrong in the part
 * that is meant. */
void haw_describe_either(haw_text *text, const haw_mapping *mapping);

/** "enum": [...] of a NULL-terminated list. */
void haw_describe_enum(haw_text *text, const char *const *words);

/** A list of as many numbers as haw_form.count says. */
void haw_describe_count(haw_text *text, const haw_key *key);

/** Type and limits as the tables store them: inclusive, DBL_MIN for "> 0", +-DBL_MAX for none. */
void haw_describe_number(haw_text *text, const haw_option *row);

/** Definitions that descriptions refer to: function, table, history, vector; end and guide. */
void haw_define_functions(haw_text *text);
void haw_define_ends(haw_text *text);

#endif
