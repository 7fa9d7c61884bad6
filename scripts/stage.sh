# How a command tells what it does: one line per stage with its seconds, the output in a log, one sentence on failure.

log=/dev/null
logs=$PWD/.tools/logs
mkdir -p "$logs"

# give_up SENTENCE: ends with one sentence that says what to do.
give_up() {
  printf '%s\n' "$1" >&2
  exit 1
}

# attempt NAME COMMAND…: runs a stage and leaves its status in `outcome`. It never fails itself: called as a condition,
# it would take `set -e` from the command.
attempt() {
  local name=$1 start=$SECONDS
  shift
  log=$logs/${name//[ \/]/-}.log
  printf '%-36s' "  $name"
  set +e
  (
    set -e
    "$@"
  ) >"$log" 2>&1 </dev/null
  outcome=$?
  set -e
  if [ $outcome -eq 0 ]; then
    printf '%5d s\n' $((SECONDS - start))
  else
    printf '%5d s  failed\n' $((SECONDS - start))
  fi
}

# provide NAME ADVICE COMMAND…: a stage that installs something; when it fails the advice is all that is said.
provide() {
  local name=$1 advice=$2
  shift 2
  attempt "$name" "$@"
  [ $outcome -eq 0 ] || give_up "$advice (The log is ${log#"$PWD/"}.)"
}

# produce NAME COMMAND…: a stage that builds something; when it fails the end of its log is shown.
produce() {
  attempt "$@"
  [ $outcome -ne 0 ] || return 0
  last_words >&2
  give_up "$1 failed; the whole log is ${log#"$PWD/"}."
}

# last_words: the end of the last stage's log, without cargo's account of what it compiles.
last_words() { grep -vE '^ +(Compiling|Checking|Downloaded|Downloading|Fresh|PASS) ' "$log" | tail -n 60 || true; }

# checksum PATH…: one number for the content of files and folders.
checksum() {
  find "$@" -type f -not -path '*/node_modules/*' -not -path '*/target/*' | LC_ALL=C sort | tr '\n' '\0' \
    | xargs -0 cksum | cksum
}

# fresh STAMP KEY: whether the stamp file holds the key.
fresh() { [ -f "$1" ] && [ "$(cat "$1")" = "$2" ]; }

# closing_line LOG…: adds up the tests that the logs report, in the words of any of our runners: cargo test, cargo
# nextest, Node's runner, and our own `N passed, N failed, N skipped`.
closing_line() {
  cat "$@" /dev/null | awk '
    function number_before(word,  i) { for (i = 2; i <= NF; i++) if ($i ~ "^" word "[,;]?$") return $(i - 1) + 0; return 0 }
    /^test result: / { passed += number_before("passed"); failed += number_before("failed"); skipped += number_before("ignored") }
    /^ *Summary \[/ { passed += number_before("passed"); failed += number_before("failed"); skipped += number_before("skipped") }
    /^(#|ℹ) pass [0-9]+$/ { passed += $3 }
    /^(#|ℹ) fail [0-9]+$/ { failed += $3 }
    /^(#|ℹ) (skipped|todo|cancelled) [0-9]+$/ { if ($2 == "cancelled") failed += $3; else skipped += $3 }
    /^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { passed += $1; failed += $3; skipped += $5 }
    END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }'
}
