# readme.awk data/validation.csv data/iterations.csv DOCUMENT : the document with its tables made anew
# between their markers: `figures`, all of them; `cases`, the first figure of each; `iterations`.
BEGIN {
    FS = ","
    top = ARGV[3] ~ /^doc\// ? "../" : ""
    columns_of_figures = "| case | quantity | reference | allowed | measured | source | command |"
}

function allowed(tolerance, kind, unit) {
    if (kind == "relative") {
        return tolerance " relative"
    }
    if (kind == "absolute") {
        return tolerance (unit == "" ? "" : " " unit)
    }
    return kind
}

function table(head, count, rows,    i, rule) {
    rule = head
    gsub(/[^|]+/, "---", rule)
    print head
    print rule
    for (i = 1; i <= count; i++) {
        print rows[i]
    }
    inside = 1
}

function expect_fields(count) {
    if (NF != count) {
        print FILENAME ":" FNR ": " NF " fields, expected " count > "/dev/stderr"
        failed = 1
        exit 1
    }
}

FNR == 1 {
    file++
}

file == 1 {
    expect_fields(9)
    if (FNR > 1) {
        gsub(/;/, ",", $8)
        name = $3
        sub(/.*\//, "", name)
        reference = $3 ~ /\.csv$/ ? "[" name "](" top $3 ")" : $3 ($4 == "" ? "" : " " $4)
        row = "| " $1 " | " $2 " | " reference " | " allowed($5, $6, $4) " | " \
                            ($7 == "" ? "-" : $7) " | " $8 " | `" $9 "` |"
        figure[++figures] = row
        if (!($1 in seen)) {
            first[++firsts] = row
        }
        seen[$1] = 1
    }
    next
}

file == 2 {
    if (FNR == 1) {
        columns = NF
    }
    expect_fields(columns)
    line = "|"
    for (i = 1; i <= NF; i++) {
        line = line " " $i " |"
    }
    if (FNR > 1) {
        count[++counts] = line
    } else {
        heading = line
    }
    next
}

/^<!-- figures:begin/ {
    print
    table(columns_of_figures, figures, figure)
    next
}

/^<!-- cases:begin/ {
    print
    table(columns_of_figures, firsts, first)
    next
}

/^<!-- iterations:begin/ {
    print
    table(heading, counts, count)
    next
}

/^<!-- (figures|cases|iterations):end/ {
    inside = 0
}

!inside {
    print
}

END {
    exit failed
}
