#!/usr/bin/env bash
# A short tour of rampart: learn from noisy data, look at the answers, count what they cost.
#
# usage: demo.sh [RAMPART] [--report FILE] [--keep]
#   RAMPART: the command's path (or the environment variable); FILE: where the page goes
set -euo pipefail
export LC_ALL=C  # awk and printf: a decimal point

keep=
report=report.html
tool=${RAMPART:-rampart}
while (($# > 0)); do
  case $1 in
    --keep) keep=yes ;;
    --report) report=${2:?--report needs a file} && shift ;;
    *) tool=$1 ;;
  esac
  shift
done
report=$(realpath "$report")
tool=$(command -v "$tool") || { echo "demo: no such command: $tool" >&2 && exit 1; }
tool=$(realpath "$tool")

folder=$(mktemp -d)
finish() {
  if [[ $keep ]]; then echo "The files of this tour are in $folder"; else rm -rf "$folder"; fi
}
trap finish EXIT
cd "$folder"

say() { printf '\n%s\n' "$*"; }
rampart() {
  printf '\n$ rampart %s\n' "$*"
  "$tool" "$@"
}

# number FILE KEY [INNER]: a number of a JSON object, or of the object that KEY holds.
number() {
  local text
  text=$(tr -d ' \n' <"$1")
  if (($# == 3)); then
    text=$(sed -E "s/.*\"$2\":(\{[^{}]*\}).*/\1/" <<<"$text")
    shift
  else # without what is nested
    text=$(sed -E ':a; s/([:,[])(\{[^{}]*\}|\[[^][]*\])/\10/; ta' <<<"$text")
  fi
  sed -nE "s/.*[{,]\"$2\":([-+.eE0-9]+|null).*/\1/p" <<<"$text"
}

# tour NAME ROWS C: learns from a small noisy set, then measures on 20000 rows never seen.
tour() {
  rampart generate "$1" -n "$2" --seed 1 -o "$1.csv"
  rampart train "$1.csv" -o "$1.json" --kernel linear -c "$3" --reject-cost 0.2
  rampart generate "$1" -n 20000 --seed 2 -o "$1-fresh.csv"
}

row() {
  "$tool" evaluate "$1.json" "$1-fresh.csv" --json >"$1-result.json"
  awk -v name="$1" \
    -v rejected="$(number "$1-result.json" rejection_rate)" \
    -v right="$(number "$1-result.json" accepted_accuracy)" \
    -v risk="$(number "$1-result.json" risk)" \
    -v always="$(number "$1-result.json" never_reject risk)" \
    -v never="$(number "$1-result.json" reject_all risk)" '
    BEGIN {
      right = right == "null" ? "-" : sprintf("%.1f %%", 100 * right)
      printf "%-12s %7.1f %% %10s %10.3f %18.3f %18.3f\n",
             name, 100 * (1 - rejected), right, risk, always, never
    }'
}

say "Some cases are better left to somebody else. Here a wrong answer costs 1 and no answer 0.2.
Rampart learns where to answer and where not to.

1. square: points of the unit square, classes split by the diagonal, and a band around the diagonal
   where the labels are pure noise. The best rule answers outside that band only."
tour square 400 100

say "What it answers for the first fresh points (the first three columns are the data):"
rampart predict square.json square-fresh.csv -o answers.csv
paste -d , <(head -n 6 square-fresh.csv) <(head -n 6 answers.csv) |
  awk -F, '{ printf "%-10s %-10s %-8s %-11s %s\n", $1, $2, $3, $4, NR == 1 ? $5 : sprintf("%.2f", $5) }'

say "2. synthetic1: two classes split at x1 = 0, and every tenth label wrong, wherever it lies. That noise
   is a hard case: an answer costs 0.1 on average, so declining at 0.2 never pays, far from x1 = 0
   or near."
tour synthetic1 300 2

say "The same models on 20000 fresh points each: 'rampart evaluate MODEL DATA' shows more."
printf '\n%-12s %9s %10s %10s %18s %18s\n' \
  'data set' answered 'right *' cost 'always answering' 'never answering'
row square
row synthetic1
printf '\n* among the answers. cost: the average per point; the two columns after it are the cost of\n'
printf '  the same model made to answer always, and of never answering.\n'

say "3. How much of that is luck of the draw? Cross-validation, three repetitions of ten folds, of the
   double ramp and of a support vector machine whose band is chosen on inner folds:"
rampart cv square.csv --kernel linear -c 100 --reject-cost 0.1:0.4:0.1 --loss double-ramp,hinge --repeats 3

say "4. The paper's evaluation on its two generated sets, measured beside published (--repeats 10 is what
   the paper did; './dev data' gets the two sets that cannot be generated):"
rampart reproduce --only synthetic1,synthetic2 --repeats 2
if [[ -e report.html ]]; then
  mv report.html "$report"
  say "Open $report in a browser."
fi # else the command has just said why there is no page, and what to do
