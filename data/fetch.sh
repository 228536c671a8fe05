#!/usr/bin/env bash
# fetch.sh [FOLDER]: downloads the two UCI data sets of the paper's tables, as they were published, to
# FOLDER/NAME/NAME.data (default: data/uci). What is there already, and right, is left alone. A file
# appears whole and with the right checksum, or not at all.
set -euo pipefail

sets=(
  "ionosphere 46d52186b84e20be52918adb93e8fb9926b34795ff7504c24350ae0616a04bbd"
  "parkinsons a36116c2deac07895b79ce97a2f99a1b3720ac4892995ff5c3b9ccb397ed2bc5"
)
archive=${RAMPART_UCI:-https://archive.ics.uci.edu/ml/machine-learning-databases}
folder=${1:-$(dirname "${BASH_SOURCE[0]}")/uci}

say() { printf '%s\n' "data: $*" >&2; }

checksum() { sha256sum <"$1" | cut -d ' ' -f 1; }

# download ADDRESS FILE: what it says on failure is the last line of the program's own words.
download() {
  if command -v curl >/dev/null; then
    curl --fail --silent --show-error --location --connect-timeout 20 --max-time 300 \
      --output "$2" "$1"
  elif command -v wget >/dev/null; then
    wget --no-verbose --tries=2 --timeout=20 --output-document="$2" "$1"
  else
    say "curl or wget is needed"
    return 1
  fi
}

aside=
trap 'rm -f -- "$aside"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

for entry in "${sets[@]}"; do
  read -r name sum <<<"$entry"
  file=$folder/$name/$name.data
  if [[ -f $file && $(checksum "$file") == "$sum" ]]; then
    say "$file is there"
    continue
  fi
  mkdir -p "$folder/$name"
  aside=$(mktemp "$folder/$name/.$name.XXXXXX")
  address=$archive/$name/$name.data
  if ! download "$address" "$aside"; then
    say "$address cannot be downloaded; is there a network? Put the file at $file by hand, or try later"
    exit 1
  fi
  got=$(checksum "$aside")
  if [[ $got != "$sum" ]]; then
    say "$address is not the file it was: its sha256 is $got, must be $sum; nothing was kept"
    exit 1
  fi
  chmod 644 "$aside"
  mv -f -- "$aside" "$file"
  say "$file"
done
