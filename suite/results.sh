#!/bin/sh
# Writes RESULTS.md and figures/: Kugelbahn, the methods of the literature and the entries beside each other, by a release build of experiments'
# own_integrator, which has the methods; arguments go to `judge`. Answers of the entries are those in their folders: their scripts write them anew.
set -e
cd "$(dirname "$0")"
program="cargo run -q --release -p experiments --bin own_integrator --"
entries=$(for about in entries/*/about.toml; do dirname "$about"; done)
literature="extrapolated-moreau paoli-schatzman rattle generalized-alpha decoupled-alpha cd-lagrange d1-minus variational"
ground="newmark:generalized-alpha-dae newmark:hht newmark:radau-iia newmark:energy-momentum newmark:rattle-dae"
all="--long"
for method in newmark auto events moreau moreau-midpoint $literature $ground; do all="$all --ours $method"; done
coarse=""
for method in newmark moreau $literature $ground; do coarse="$coarse --ours $method@4e-2"; done
{
    echo "# Results"
    echo
    echo "Written by \`suite/results.sh\`. How to read the tables stands in [README.md](README.md); cost is of the machine of that run, and of an entry's own."
    echo
    # shellcheck disable=SC2086
    $program judge $all "$@" $entries --out figures
    printf '\n## Figures\n\n![How programs go wrong](figures/programs.svg)\n\nOf each case in which an answer is wrong:'
    for figure in figures/case-*.svg; do
        name=${figure#figures/case-}
        printf ' [%s](%s)' "${name%.svg}" "$figure"
    done
    echo
} >RESULTS.md.new
# The figure of the methods, with steps long enough to see what each does.
# shellcheck disable=SC2086
$program judge $coarse --out figures.new >figures.new.txt
mv figures.new/settings.svg figures/methods.svg
# The folders are of figures; Kugelbahn's answers are made anew by the command.
rm -rf figures.new figures.new.txt figures/answers.csv figures/about.toml
mv RESULTS.md.new RESULTS.md
