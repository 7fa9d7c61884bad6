# The components: the crate built with the feature `component` and made a component of the worlds in wit/.

# component NAME FOLDER RUST_FLAGS CARGO_OPTION…: builds a component, and JavaScript of it, into a folder.
component() {
  local name=$1 out=$2 flags=$3 remap="" source
  shift 3
  for source in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/; do
    remap="$remap${remap:+, }'--remap-path-prefix=$source='"
  done
  cargo rustc --locked --lib --crate-type cdylib --profile wasm --target $wasm_target \
    --config "target.$wasm_target.rustflags = [$remap${flags:+, $flags}]" "$@"
  mkdir -p "$out"
  node pkg/bindgen/node_modules/.bin/wasm-opt -Oz --strip-debug --strip-producers \
    "target/$wasm_target/wasm/handrail.wasm" -o "$out/$name.wasm"
  node pkg/component/component.mjs "$out/$name.wasm" "$out" "$name"
  rm "$out/$name.wasm"
}

# build_component: the runtime, for hosts of components.
build_component() {
  local stamp=.tools/component key
  key=$(checksum src wit Cargo.toml Cargo.lock .cargo rust-toolchain.toml scripts/component.sh pkg/component)
  fresh "$stamp" "$key" && [ -f target/component/handrail.component.wasm ] && return
  npm_ci pkg/bindgen
  npm_ci pkg/component
  crates .
  rm -f "$stamp"
  produce "component" component handrail target/component "" --features component
  printf '%s\n' "$key" >"$stamp"
}

# build_javascript_component: the JavaScript program. Its bounds are those of its module in scripts/programs.sh; its
# randomness comes from the seed of its request, which getrandom has to be told here.
build_javascript_component() {
  local stamp=.tools/component-javascript key flags
  key=$(checksum src/lib.rs src/program/*.rs src/program/random src/program/javascript src/protocol/limits.rs \
    src/face/mod.rs src/face/program_component.rs wit Cargo.toml Cargo.lock .cargo rust-toolchain.toml \
    scripts/component.sh pkg/component)
  fresh "$stamp" "$key" && [ -f target/component-javascript/javascript.component.wasm ] && return
  npm_ci pkg/bindgen
  npm_ci pkg/component
  crates .
  rm -f "$stamp"
  flags="'-Clink-arg=--max-memory=268435456', '-Clink-arg=-zstack-size=16777216', '--cfg=getrandom_backend=\"custom\"'"
  produce "component javascript" component javascript target/component-javascript "$flags" --no-default-features \
    --features component-javascript
  printf '%s\n' "$key" >"$stamp"
}

build_cases_component() {
  build_component
  build_package
  python
}

# In Node, through what jco makes of the component; then the same again in wasmtime, from what Node recorded.
run_cases_component() {
  local status=0
  node tests/faces/component/vectors.mjs "$1" || status=1
  replay transcript.jsonl || status=1
  return $status
}

# replay TRANSCRIPT: repeats in wasmtime what was recorded in Node.
replay() { .tools/venv/bin/python tests/faces/component/replay.py "target/component/$1"; }

component_tests() {
  node --test tests/faces/component/session.test.mjs
  replay session.jsonl
}

# The tests of the JavaScript module, with the component in its place.
javascript_component_tests() { PROGRAMS_AS=component node --test tests/faces/node/javascript-program.test.mjs; }
