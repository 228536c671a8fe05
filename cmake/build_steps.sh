#!/usr/bin/env bash
# Tells how far a build is, on standard error, from ninja's lines "[3/80] …" on standard input:
# in one line that is written anew on a terminal, in about ten lines elsewhere.
set -euo pipefail

terminal=
if [[ -t 2 && ${TERM:-dumb} != dumb ]]; then terminal=yes; fi
told=0 # tenths
while IFS= read -r line; do
  [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
  done=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
  if [[ $terminal ]]; then
    printf '\r\033[Kdev: step %s of %s' "$done" "$all" >&2
  elif ((all >= 10 && 10 * done / all > told)); then # fewer: preparations, or soon over
    told=$((10 * done / all))
    printf 'dev: step %s of %s\n' "$done" "$all" >&2
  fi
done
if [[ $terminal ]]; then printf '\r\033[K' >&2; fi
