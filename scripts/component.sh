# The components: the crate built with the feature `component` and made a component of the worlds in wit/.

# component NAME FOLDER STACK_BYTES CARGO_OPTION…: builds a component, and JavaScript of it, into a folder.
component() {
  local name=$1 out=$2 stack=$3 remap="" source
  shift 3
  for source in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/; do
    remap="$remap${remap:+, }'--remap-path-prefix=$source='"
  done
  cargo rustc --locked --lib --crate-type cdylib --profile wasm --target $wasm_target \
    --config "target.$wasm_target.rustflags = [$remap, '-Clink-arg=-zstack-size=$stack']" "$@"
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
  produce "component" component handrail target/component 1048576 --features component
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
