# Reads what `gcov -n` says and sums the executed lines per folder of src/ and include/.
/^File / {
    file = $0
    gsub(/^File '|'$/, "", file)
    next
}

/^Lines executed:/ && file ~ /^(src|include)\// {
    text = $0
    gsub(/Lines executed:|% of/, " ", text)
    split(text, value, " ")
    folder = file
    sub(/\/[^\/]*$/, "", folder)
    # A header counts once per file that includes it; the best of its counts is kept.
    done = value[1] * value[2] / 100
    if (!(file in lines)) {
        lines[file] = value[2]
        of[file] = folder
    }
    best[file] = done > best[file] ? done : best[file]
    file = ""
}

END {
    for (file in lines) {
        executed[of[file]] += best[file]
        total[of[file]] += lines[file]
        all_executed += best[file]
        all_total += lines[file]
    }
    if (all_total == 0) {
        print "coverage: no counts found"
        exit 1
    }
    for (folder in total) {
        printf "%-20s %6.1f %% of %5d lines\n", folder, 100 * executed[folder] / total[folder], total[folder] | "sort"
    }
    close("sort")
    printf "%-20s %6.1f %% of %5d lines\n", "all", 100 * all_executed / all_total, all_total
}
