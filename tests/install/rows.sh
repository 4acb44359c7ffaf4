#!/bin/sh
# A new row is one file and one line of a table: in a copy of the tree a toy row of each kind (friction
# law, planar shape, spatial surface, planar and spatial element, cable kind, probe, stepper) is added so,
# and is then listed, in the manual and in the schema, and runs: in the plane and in space where its table
# serves both. No other file is touched.
set -u
unset MAKEFLAGS MFLAGS MAKELEVEL MODE
top=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# expect WHAT COMMAND...
expect() {
    what=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "rows: $what"
        cat "$work/log"
    fi
}

# add TABLE-FILE TABLE DECLARATION ENTRY : one line of a table, with the declaration of the row.
add() {
    sed -i "s|^const haw_row \*const $2\[\] = {|extern $3;\nconst haw_row *const $2[] = {$4,|" "$work/tree/$1"
    grep -q "$4," "$work/tree/$1"
}

# copy_row FILE NEW-FILE OLD-NAME NEW-NAME OLD-SYMBOL NEW-SYMBOL : a toy that works like another row.
copy_row() {
    sed -e "s|\.row\.name = \"$3\"|.row.name = \"$4\"|" -e "s|\b$5\b|$6|g" \
        -e 's|\.row\.summary = *"|&toy row: |' "$top/$1" >"$work/tree/$2"
    grep -q "\"$4\"" "$work/tree/$2" && grep -q "$6 = {" "$work/tree/$2"
}

copy_tree() {
    mkdir "$work/tree" && cp -a "$top/Makefile" "$top/src" "$top/include" "$top/data" "$work/tree" &&
        mkdir -p "$work/tree/build/release" "$work/tree/tests" "$work/tree/doc" &&
        if [ -d "$top/build/release/src" ]; then cp -a "$top/build/release/src" "$work/tree/build/release"; fi
}

write_probe() {
    cat >"$work/tree/src/observe/probe_toy.c" <<'EOF'
#include "observe/probe.h"

static void twice(const haw_observation *o, const haw_probe *probe, double *value)
{
    (void)probe;
    value[0] = 2 * o->frame.t;
}

const haw_probe_row haw_probe_toy = {.row.name = "CABLE.toy_time",
                                     .row.summary = "toy row: twice the time [s]",
                                     .row.source = "",
                                     .kind = HAW_PROBE_CABLE,
                                     .size = {0, 0, 1, 1},
                                     .unit = "s",
                                     .evaluate = twice};
EOF
}

# The steps of moreau-jean under another name, with an option of its own.
write_stepper() {
    cat >"$work/tree/src/stepper/stepper_toy.c" <<'EOF'
#include "stepper/moreau_jean.h"

#include <float.h>

static const haw_option options[] = {
    {"step", HAW_OPTION_REAL, offsetof(haw_jean_options, common.step), 1e-3, DBL_MIN, DBL_MAX, "s",
     "time step", NULL},
    {"end", HAW_OPTION_REAL, offsetof(haw_jean_options, common.end), 1, 0, DBL_MAX, "s", "end", NULL},
    {"toy_theta", HAW_OPTION_REAL, offsetof(haw_jean_options, theta), 0.55, 0.5, 1, "", "toy", NULL},
    {"newton_tolerance", HAW_OPTION_REAL, offsetof(haw_jean_options, newton_tolerance), 1e-8, 1e-15,
     1e-1, "", "toy", NULL},
    {"max_newton", HAW_OPTION_INT, offsetof(haw_jean_options, max_newton), 25, 1, 1000, "", "toy", NULL},
    {0}};

static haw_status prepare(haw_simulation *simulation)
{
    simulation->ops = &haw_stepper_moreau_jean;
    return haw_stepper_moreau_jean.prepare(simulation);
}

const haw_stepper_ops haw_stepper_toy = {
    .row.name = "toy-stepper",
    .row.summary = "toy row: moreau-jean by another name",
    .row.source = "",
    .row.options = options,
    .row.options_size = sizeof(haw_jean_options),
    .flags = HAW_STEPPER_PLANE | HAW_STEPPER_SPACE | HAW_STEPPER_SET_VALUED,
    .order = 1,
    .prepare = prepare,
};
EOF
}

# A kind of cable for the plane and space: the lines of either, with an element that no table has.
write_cable() {
    cat >"$work/tree/src/cable/cable_toy.c" <<'EOF'
#include "cable/site.h"

extern const haw_cable_ops haw_cable_toy;

static const haw_cable_ops *like(const haw_cable *c)
{
    return c->beam.ops != NULL ? &haw_cable_beam : &haw_cable_line;
}

static haw_status build(haw_site *site, const haw_cable_spec *spec, haw_cable *c)
{
    haw_cable_spec own = *spec;
    own.element = site->dimension > 2 ? "corotational" : "bezier";
    c->ops = site->dimension > 2 ? &haw_cable_beam : &haw_cable_line;
    const haw_status status = c->ops->build(site, &own, c);
    c->ops = &haw_cable_toy;
    return status;
}

static double longest(const haw_cable *c)
{
    return like(c)->longest(c);
}

static void move(const haw_cable *c, const double *q, double h, const double *u, double *q_plus)
{
    like(c)->move(c, q, h, u, q_plus);
}

static void difference(const haw_cable *c, const double *q, const double *q_plus, double *d)
{
    like(c)->difference(c, q, q_plus, d);
}

static void prescribe(const haw_cable *c, double t, double h, double *u)
{
    like(c)->prescribe(c, t, h, u);
}

static void place(const haw_cable *c, double t, double *q)
{
    if (like(c)->place != NULL) {
        like(c)->place(c, t, q);
    }
}

static haw_dofs dofs(const haw_cable *c, int e)
{
    return like(c)->dofs(c, e);
}

static haw_dofs dofs_of_two(const haw_cable *c, int e)
{
    return like(c)->dofs_of_two(c, e);
}

static int node_q(const haw_cable *c, int n)
{
    return like(c)->node_q(c, n);
}

static int node_dof(const haw_cable *c, int n)
{
    return like(c)->node_dof(c, n);
}

static void energy(const haw_cable *c, const double *q, double sum[2])
{
    like(c)->energy(c, q, sum);
}

static double kinetic(const haw_cable *c, const double *q, const double *u)
{
    return like(c)->kinetic(c, q, u);
}

static void forces(const haw_cable *c, const double *q, const double *u, const haw_forces *f)
{
    like(c)->forces(c, q, u, f);
}

static void mass(const haw_cable *c, const double *a, double *y)
{
    like(c)->mass(c, a, y);
}

static void blocks(const haw_cable *c, const double *q, const double *u, const double factor[2],
                   haw_block_sink add, void *user)
{
    like(c)->blocks(c, q, u, factor, add, user);
}

static double critical_step(const haw_cable *c)
{
    return like(c)->critical_step(c);
}

static double excess(const haw_cable *c, const double *q, const double *d, double most)
{
    return like(c)->excess(c, q, d, most);
}

static int locate(const haw_cable *c, const double *q, double label, double *s)
{
    return like(c)->locate(c, q, label, s);
}

static void point(const haw_cable *c, int e, double s, const double *q, const double *u, int want,
                  haw_cable_point *to)
{
    like(c)->point(c, e, s, q, u, want, to);
}

static void bounds(const haw_cable *c, int e, const double *q, haw_bounds *to)
{
    like(c)->bounds(c, e, q, to);
}

static int samples(const haw_cable *c, int e)
{
    return like(c)->samples(c, e);
}

static void state(const haw_cable *c, int e, double s, const double *q, const double *u,
                  haw_sample *to)
{
    like(c)->state(c, e, s, q, u, to);
}

static double tension(const haw_cable *c, int e, const double *q, const double *u)
{
    return like(c)->tension(c, e, q, u);
}

const haw_cable_ops haw_cable_toy = {
    .row.name = "toy-cable",
    .row.summary = "toy row: a line in the plane or in space",
    .row.source = "",
    .refused = "toy cables take implicit steps only",
    .takes_hard = true,
    .build = build,
    .longest = longest,
    .start = haw_cable_start,
    .move = move,
    .difference = difference,
    .prescribe = prescribe,
    .place = place,
    .dofs = dofs,
    .dofs_of_two = dofs_of_two,
    .node_q = node_q,
    .node_dof = node_dof,
    .energy = energy,
    .kinetic = kinetic,
    .forces = forces,
    .mass = mass,
    .blocks = blocks,
    .critical_step = critical_step,
    .excess = excess,
    .locate = locate,
    .point = point,
    .bounds = bounds,
    .reach = haw_cable_reach,
    .samples = samples,
    .state = state,
    .tension = tension,
};
EOF
}

add_rows() {
    copy_row src/law/friction_regularized.c src/law/friction_toy.c regularized toy-friction \
        haw_friction_regularized haw_friction_toy &&
        add src/law/table.c haw_friction_laws 'const haw_friction_ops haw_friction_toy' '\&haw_friction_toy.row' &&
        copy_row src/shape/circle.c src/shape/shape_toy.c circle toy-shape haw_shape_circle haw_shape_toy &&
        add src/shape/table.c haw_shapes 'const haw_surface_ops haw_shape_toy' '\&haw_shape_toy.row' &&
        copy_row src/shape/sphere.c src/shape/surface_toy.c sphere toy-surface haw_surface_sphere haw_surface_toy &&
        add src/shape/table.c haw_surfaces 'const haw_surface_ops haw_surface_toy' '\&haw_surface_toy.row' &&
        copy_row src/element/chain.c src/element/element_toy.c chain toy-element haw_element_chain haw_element_toy &&
        sed -i 's|haw_space_element_chain|haw_space_element_toy_chain|' "$work/tree/src/element/element_toy.c" &&
        add src/element/table.c haw_elements 'const haw_element_ops haw_element_toy' '\&haw_element_toy.row' &&
        copy_row src/element/corotational_beam.c src/element/beam_toy.c corotational toy-beam \
            haw_space_element_corotational haw_space_element_toy &&
        add src/element/space_table.c haw_space_elements 'const haw_space_ops haw_space_element_toy' \
            '\&haw_space_element_toy.row' &&
        write_probe && add src/observe/probe.c haw_probes 'const haw_probe_row haw_probe_toy' '\&haw_probe_toy.row' &&
        write_cable && add src/cable/table.c haw_cables 'const haw_cable_ops haw_cable_toy' '\&haw_cable_toy.row' &&
        write_stepper && add src/stepper/table.c haw_steppers 'const haw_stepper_ops haw_stepper_toy' \
            '\&haw_stepper_toy.row'
}

build() {
    ${MAKE:-make} -C "$work/tree" --no-print-directory all 2>&1
}

listed() {
    "$work/tree/build/hawser" list "$1" --names | grep -x "$2"
}

documented() {
    "$work/tree/build/hawser" list --man | sed 's/\\-/-/g' | grep -F "$1"
}

in_schema() {
    "$work/tree/build/hawser" check --schema | grep -F "\"$1\""
}

# runs WORDS NAME ARGUMENTS... : a shipped scenario with settings, to the end.
runs() {
    name=$1
    shift
    "$work/tree/build/hawser" run "$top/data/scenarios/$name.yaml" -o "$work/o.h5" --json "$@" >"$work/json"
}

plane() {
    runs disk-impact --set output.probes='[cable.toy_time]' --set stepper.end=2.0e-3 --set stepper.step=1.0e-5 "$@"
}

space() {
    runs rope-on-cylinder --set output.probes='[rope.toy_time]' --set stepper.end=2.0e-3 --set stepper.step=1.0e-4 "$@"
}

expect 'a copy of the tree' copy_tree
expect 'one file and one line for each row' add_rows
expect 'it builds' build
for pair in friction-laws:toy-friction shapes:toy-shape surfaces:toy-surface elements:toy-element \
    space-elements:toy-beam cables:toy-cable steppers:toy-stepper; do
    kind=${pair%%:*} name=${pair#*:}
    expect "$name is listed" listed "$kind" "$name"
    expect "$name is in the manual" documented "$name"
    expect "$name is in the schema" in_schema "$name"
done
expect 'the probe is listed' listed probes CABLE.toy_time
expect 'an option of the stepper is in the schema' in_schema toy_theta
expect 'the probe is in the manual' documented CABLE.toy_time
expect 'element in the plane' plane --set cables.cable.element=toy-element
expect 'shape in the plane' plane --set bodies.disk.shape='{type: toy-shape, radius: 0.1}'
expect 'friction law in the plane' plane --set contact.law=penalty --set contact.normal_stiffness=1.0e+5 \
    --set contact.tangential=toy-friction --set contact.regularization_velocity=1.0e-2
expect 'cable in the plane' plane --set cables.cable.element=toy-cable --set stepper.type=moreau-jean
expect 'cable in space' space --set cables.rope.element=toy-cable
expect 'stepper in the plane' plane --set stepper.type=toy-stepper
expect 'stepper in space' space --set stepper.type=toy-stepper
expect 'element in space' space --set cables.rope.element=toy-beam
expect 'probe in space' grep -q toy_time "$work/json"
expect 'surface in space' runs block-on-incline --set stepper.end=1.0e-2 \
    --set bodies.block.shape='{type: toy-surface, radius: 0.1}'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
