# Sizes of functions: signature to closing brace, in lines. A function body starts with `{` and
# ends with `}` in the first column (Linux brace style). Fails above 90 % 40, any 60.
FNR == 1 {
    signature = inside = 0
}

inside {
    if ($0 ~ /^}/) {
        size[++count] = FNR - first + 1
        where[count] = FILENAME ":" first
        inside = signature = 0
    }
    next
}

/^{[ \t]*$/ {
    inside = 1
    first = signature ? signature : FNR
    next
}

# A signature is the run of lines before `{` that no blank line, statement, comment or directive ends.
/^[ \t]*$/ || /[;}][ \t]*(\/\*.*)?$/ || /\*\/[ \t]*$/ || /^[ \t]*#/ {
    signature = 0
    next
}

!signature {
    signature = FNR
}

END {
    if (count == 0) {
        print "size: no functions found"
        exit 1
    }
    bad = 0
    for (i = 1; i <= count; i++) {
        length_count[size[i]]++
        if (size[i] > 60) {
            print where[i] ": function of " size[i] " lines (at most 60)"
            bad = 1
        }
        largest = size[i] > largest ? size[i] : largest
    }
    for (l = 1; l <= largest; l++) {
        below += length_count[l]
        median = !median && below >= 0.5 * count ? l : median
        ninety = !ninety && below >= 0.9 * count ? l : ninety
    }
    printf "functions: %d, median %d lines, 90 %% %d (<= 40), largest %d (<= 60)\n",
           count, median, ninety, largest
    exit bad || ninety > 40
}
