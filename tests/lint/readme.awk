# readme.awk data/validation.csv README.md : the README with the table of checked figures made anew
# between its two markers.
BEGIN {
    FS = ","
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

FNR == NR {
    if (FNR > 1 && NF != 9) {
        print "data/validation.csv:" FNR ": " NF " fields, expected 9" > "/dev/stderr"
        failed = 1
        exit 1
    }
    if (FNR > 1) {
        gsub(/;/, ",", $8)
        name = $3
        sub(/.*\//, "", name)
        link = $3 ~ /\.csv$/ ? "[" name "](" $3 ")" : $3 ($4 == "" ? "" : " " $4)
        row[++rows] = "| " $1 " | " $2 " | " link " | " allowed($5, $6, $4) " | " \
                      ($7 == "" ? "-" : $7) " | " $8 " | `" $9 "` |"
    }
    next
}

/^<!-- validation:begin/ {
    print
    print "| case | quantity | reference | allowed | measured | source | command |"
    print "|---|---|---|---|---|---|---|"
    for (i = 1; i <= rows; i++) {
        print row[i]
    }
    inside = 1
    next
}

/^<!-- validation:end/ {
    inside = 0
}

!inside {
    print
}

END {
    exit failed
}
