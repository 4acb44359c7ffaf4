# Layers: reads `file:line:#include ...` lines (grep -n) and reports every include that points
# upwards or sideways. A folder of src/ may include itself and folders of lower rank; a public
# header counts with the rank of the folder that implements it and must not be higher.
BEGIN {
    n = split("base:0 linalg:1 theory:2 element:2 shape:2 law:2 solver:2 cable:3 model:4 contact:5 " \
              "statics:6 stepper:7 observe:8 scenario:9 io:9 report:10 bench:10 study:11 cli:12", pair, " ")
    for (i = 1; i <= n; i++) {
        split(pair[i], field, ":")
        rank[field[1]] = field[2]
    }
    public["base"] = 0
    public["sparse"] = 1
    public["problem"] = public["solver"] = public["theory"] = 2
    public["model"] = 3 # cables are built from it, too
    public["stepper"] = 7
    public["scenario"] = public["io"] = 9
    public["hawser"] = 12
    bad = 0
}

function report(why) {
    print "layering: " $0 ": " why
    bad = 1
}

{
    file = $0
    sub(/:.*/, "", file)
    split(file, part, "/")
    is_public = (part[1] == "include")
    from = is_public ? part[3] : part[2]
    sub(/\.h$/, "", from)
    if (is_public ? !(from in public) : !(from in rank)) {
        report("folder or public header without a rank")
        next
    }
    own = is_public ? public[from] : rank[from]

    target = $0
    sub(/^[^:]*:[0-9]+:[ \t]*#[ \t]*include[ \t]*/, "", target)
    is_quoted = (substr(target, 1, 1) == "\"")
    target = substr(target, 2)
    sub(/[">].*$/, "", target)
    depth = split(target, piece, "/")

    if (piece[1] == "hawser") {
        name = piece[2]
        sub(/\.h$/, "", name)
        if (!(name in public)) {
            report("public header without a rank")
        } else if (public[name] > own) {
            report("a public header of a higher layer")
        }
    } else if (is_quoted && is_public) {
        report("a public header includes a private one")
    } else if (is_quoted && (target ~ /\.\./ || depth != 2)) {
        report("write it as \"folder/file.h\"")
    } else if (is_quoted && !(piece[1] in rank)) {
        report("folder without a rank")
    } else if (is_quoted && rank[piece[1]] > own) {
        report("a higher layer")
    } else if (is_quoted && rank[piece[1]] == own && piece[1] != from) {
        report("another folder of the same rank")
    }
}

END {
    exit bad
}
