# SPDX-License-Identifier: BSD-3-Clause
# json.awk: check that the input is exactly one JSON text (RFC 8259) and print its leaves, one per
# line: path, type, value, separated by tabs. Exits with 1 and a message where it is not JSON.

function fail(what) {
    printf "not JSON: %s at character %d: %s\n", what, at, substr(text, at, 20) > "/dev/stderr"
    failed = 1
    exit 1
}

function blanks() {
    while (substr(text, at, 1) ~ /[ \t\r\n]/) {
        at++
    }
}

function take(want) {
    blanks()
    if (substr(text, at, 1) != want) {
        fail("expected " want)
    }
    at++
}

function string(    start, c) {
    take("\"")
    start = at
    while ((c = substr(text, at, 1)) != "\"") {
        if (c == "" || c ~ /[\001-\037]/) {
            fail("bad string")
        }
        if (c == "\\") {
            at++
            c = substr(text, at, 1)
            if (c == "u" && substr(text, at + 1, 4) !~ /^[0-9a-fA-F][0-9a-fA-F][0-9a-fA-F][0-9a-fA-F]$/) {
                fail("bad escape")
            } else if (c !~ /["\\\/bfnrtu]/) {
                fail("bad escape")
            }
        }
        at++
    }
    at++
    return substr(text, start, at - 1 - start)
}

function join(path, key) {
    return path == "" ? key : path "." key
}

function object(path,    key, n) {
    take("{")
    blanks()
    if (substr(text, at, 1) == "}") {
        at++
        print path "\tobject\t0"
        return
    }
    while (1) {
        blanks()
        key = string()
        if ((path, key) in seen) {
            fail("key twice: " key)
        }
        seen[path, key] = 1
        n++
        take(":")
        value(join(path, key))
        blanks()
        if (substr(text, at, 1) != ",") {
            break
        }
        at++
    }
    take("}")
    print path "\tobject\t" n
}

function array(path,    n) {
    take("[")
    blanks()
    if (substr(text, at, 1) == "]") {
        at++
        print path "\tarray\t0"
        return
    }
    while (1) {
        value(path "[" n++ "]")
        blanks()
        if (substr(text, at, 1) != ",") {
            break
        }
        at++
    }
    take("]")
    print path "\tarray\t" n
}

function value(path,    rest) {
    blanks()
    rest = substr(text, at, 40)
    if (rest ~ /^\{/) {
        object(path)
    } else if (rest ~ /^\[/) {
        array(path)
    } else if (rest ~ /^"/) {
        print path "\tstring\t" string()
    } else if (match(rest, /^(true|false|null)/)) {
        print path "\t" (substr(rest, 1, 4) == "null" ? "null" : "boolean") "\t" substr(rest, 1, RLENGTH)
        at += RLENGTH
    } else if (match(rest, /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/)) {
        print path "\tnumber\t" substr(rest, 1, RLENGTH)
        at += RLENGTH
    } else {
        fail("expected a value")
    }
}

{ text = text $0 "\n" }

END {
    if (failed) {
        exit 1
    }
    at = 1
    value("")
    blanks()
    if (at <= length(text)) {
        fail("more than one value")
    }
}
