#!/bin/sh
# Writes RESULTS.md and figures/: Kugelbahn and the entries beside each other. KUGELBAHN is the program, kugelbahn if unset; arguments go to `judge`.
set -e
cd "$(dirname "$0")"
program=${KUGELBAHN:-kugelbahn}
entries=$(for about in entries/*/about.toml; do dirname "$about"; done)
{
    echo "# Results"
    echo
    echo "Written by \`suite/results.sh\`. How to read the tables stands in [README.md](README.md); cost is of the machine of that run, and of an entry's own."
    echo
    # shellcheck disable=SC2086
    "$program" judge --ours newmark --ours auto "$@" $entries --out figures
    printf '\n## Figures\n\n![How programs go wrong](figures/programs.svg)\n\nOf each case in which an answer is wrong:'
    for figure in figures/case-*.svg; do
        name=${figure#figures/case-}
        printf ' [%s](%s)' "${name%.svg}" "$figure"
    done
    echo
} >RESULTS.md.new
# The folder is of figures; Kugelbahn's answers are made anew by the command.
rm -f figures/answers.csv figures/about.toml
mv RESULTS.md.new RESULTS.md
