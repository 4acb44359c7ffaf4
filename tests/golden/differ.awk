# differ.awk BEFORE AFTER : how far apart two records are: lines that differ, the largest difference
# of two numbers over the larger of them, and where.
function numbers(text, into,    n, i) {
    gsub(/[^0-9eE+.,-]+/, ",", text)
    return split(text, into, ",")
}

FNR == NR {
    line[FNR] = $0
    next
}

FNR <= NR && $0 != line[FNR] {
    lines++
    first = first == "" ? FNR : first
    n = numbers($0, a)
    if (numbers(line[FNR], b) != n) {
        shape = 1
        next
    }
    for (i = 1; i <= n; i++) {
        x = a[i] + 0
        y = b[i] + 0
        d = x > y ? x - y : y - x
        m = (x < 0 ? -x : x) > (y < 0 ? -y : y) ? (x < 0 ? -x : x) : (y < 0 ? -y : y)
        if (m > 0 && d / m > worst) {
            worst = d / m
            where = FNR
            pair = b[i] " " a[i]
        }
    }
}

END {
    printf "%d lines from line %s on%s; largest relative difference %.2g (line %s: %s)\n",
           lines, first, shape ? ", of another shape" : "", worst, where, pair
}
