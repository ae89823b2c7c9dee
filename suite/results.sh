#!/bin/sh
# Writes RESULTS.md: Kugelbahn and the entries beside each other. KUGELBAHN is the program, kugelbahn if unset.
set -e
cd "$(dirname "$0")"
program=${KUGELBAHN:-kugelbahn}
{
    echo "# Results"
    echo
    echo "Written by \`suite/results.sh\`. How to read the tables stands in [README.md](README.md); cost is of the machine of that run, and of an entry's own."
    for method in newmark auto; do
        printf '\n## Kugelbahn, %s\n\n```text\n' "$method"
        "$program" judge --ours "$method"
        printf '```\n'
    done
    for entry in entries/*/; do
        printf '\n## %s\n\n```text\n' "$(basename "$entry")"
        "$program" judge "$entry"
        printf '```\n'
    done
} >RESULTS.md.new
mv RESULTS.md.new RESULTS.md
