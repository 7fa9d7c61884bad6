# ./dev test: every check, the quick ones first, up to the first that fails. The last line counts the tests of all
# runners; a stage that counts none is a pass or a failure of the whole.

[ $# -eq 0 ] || [ "$1" = --update-ratchets ] || give_up "./dev test knows only --update-ratchets."

counted=()
ahead=""

# finish STATUS: the time and the sum.
finish() {
  [ -z "$ahead" ] || kill -- "-$ahead" 2>/dev/null || true
  printf 'total %d s\n' "$SECONDS"
  closing_line ${counted[@]+"${counted[@]}"}
  exit "$1"
}

# give_up SENTENCE: whatever ends a test run early ends it with the sum, and is one failure itself.
give_up() {
  printf '%s\n' "$1"
  if ! closing_line "$log" | grep -q ' [1-9][0-9]* failed'; then
    echo '0 passed, 1 failed, 0 skipped' >"$logs/failed-stage.log"
    counted+=("$logs/failed-stage.log")
  fi
  finish 1
}

# check NAME COMMAND…: a stage that tests something.
check() {
  attempt "$@"
  counted+=("$log")
  [ $outcome -ne 0 ] || return 0
  last_words
  give_up "$1 failed; the whole log is ${log#"$PWD/"}."
}

formatting() {
  cargo fmt --check
  cargo fmt --check --manifest-path pkg/bindgen/Cargo.toml
  cargo fmt --check --manifest-path tests/simulation/Cargo.toml
}

# The public verdicts on JSON Schema, where they stand beside the checkout; cases of our own are in the repository.
schema_suite=../shared/suites/json-schema
if [ -z "${HANDRAIL_JSON_SCHEMA_SUITE:-}" ] && [ -d "$schema_suite" ]; then
  HANDRAIL_JSON_SCHEMA_SUITE=$(cd "$schema_suite" && pwd)
  export HANDRAIL_JSON_SCHEMA_SUITE
fi

rust_tests() {
  if command -v cargo-nextest >/dev/null; then
    cargo nextest run --locked --features testing --no-fail-fast
    cargo test --locked --features testing --doc
  else
    cargo test --locked --features testing --no-fail-fast
  fi
}

# The tests of `wasm-pack test --headless --chrome`. The runner is the one that the package is built with.
rust_tests_in_chromium() {
  CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER=$PWD/pkg/bindgen/target/debug/wbg-test-runner \
    cargo test --locked --target $wasm_target --lib
}

# The modules take minutes of one core each, so they are built beside the checks that need none of them. What fails here
# is built again where it is needed, and says why there.
modules() {
  build_shell
  build_javascript
  build_core
  build_testing_core
  build_component
  build_javascript_component
}

build_ahead() {
  bindgen_tools
  npm_ci pkg/component
  # A group of its own, so that it can be ended with the run.
  set -m
  modules >"$logs/modules.log" 2>&1 </dev/null &
  ahead=$!
  set +m
}

# await_modules: the checks from here on need them, and a quiet machine.
await_modules() {
  wait "$ahead" || true
  ahead=""
}

crates .
npm_ci pkg
npm_ci tests
build_ahead
check "formatting" formatting
check "dependencies" node tests/dependencies.mjs
check "types" shared_types --check
# The face of the core and those of the programs exclude each other, so each set of features is looked at by itself.
check "clippy" cargo clippy --locked --all-targets --features js,testing -- -D warnings
check "clippy wasm" cargo clippy --locked --lib --features js --target $wasm_target -- -D warnings
check "clippy component" cargo clippy --locked --lib --features component --target $wasm_target -- -D warnings
check "clippy component javascript" cargo clippy --locked --lib --profile test --no-default-features --features component-javascript -- -D warnings
check "clippy shell" cargo clippy --locked --lib --profile test --no-default-features --features program-shell -- -D warnings
check "clippy shell wasm" cargo clippy --locked --lib --no-default-features --features program-shell --target $wasm_target -- -D warnings
check "clippy javascript" cargo clippy --locked --lib --profile test --no-default-features --features program-javascript -- -D warnings
check "clippy javascript wasm" cargo clippy --locked --lib --no-default-features --features program-javascript --target $wasm_target -- -D warnings
check "rust tests" rust_tests
build_simulation
check "rust tests of the shell" cargo test --locked --no-default-features --features program-shell --lib program::
check "rust tests of javascript" cargo test --locked --no-default-features --features program-javascript --lib program::
build_cases_native
check "cases native" run_cases_native tests/vectors
await_modules
check "simulation" run_simulation --seeds 20000
check "simulation mutants" run_simulation --mutants
build_package
build_testing_core
check "package tests" npm --prefix pkg test
check "shell tests" node --test tests/faces/node/shell-program.test.mjs
check "javascript tests" node --test tests/faces/node/javascript-program.test.mjs
check "cases node" run_cases_node tests/vectors
build_cases_chromium
check "cases chromium" run_cases_chromium tests/vectors
chromedriver
check "rust tests in chromium" rust_tests_in_chromium
check "browser tests" node --test tests/faces/browser/*.test.mjs
build_cases_component
build_javascript_component
check "component tests" component_tests
check "component javascript tests" javascript_component_tests
check "cases component" run_cases_component tests/vectors
check "packed package" node --test tests/package/package.test.mjs
check "readme examples" node tests/readme.mjs
check "scenarios" node tests/scenarios.mjs "${counted[@]}"
check "ratchets" node tests/ratchets.mjs ${1:+--update}
grep -h '^note: ' "${counted[@]}" || true
finish 0
