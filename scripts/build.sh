# The modules, the package and the runners of the conformance cases.

wasm_target=wasm32-unknown-unknown

# The two tools that make a module out of what cargo builds: wbg (wasm-bindgen) and wasm-opt, both pinned.
bindgen_tools() {
  npm_ci pkg/bindgen
  local stamp=.tools/bindgen key
  key=$(checksum pkg/bindgen/Cargo.lock pkg/bindgen/src rust-toolchain.toml)
  fresh "$stamp" "$key" && [ -x pkg/bindgen/target/debug/wbg ] && return
  crates pkg/bindgen
  produce "bindgen tool" cargo build --locked --manifest-path pkg/bindgen/Cargo.toml
  printf '%s\n' "$key" >"$stamp"
}

# module FEATURES FOLDER: builds the core with these features, with its JavaScript and types.
module() {
  local features=$1 out=$2 remap="" source
  # The paths of this machine's crate sources would end up in the module, in the places of its panics.
  for source in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/; do
    remap="$remap${remap:+, }'--remap-path-prefix=$source='"
  done
  cargo rustc --locked --lib --crate-type cdylib --profile wasm --features "$features" --target $wasm_target \
    --config "target.$wasm_target.rustflags = [$remap]"
  rm -rf "$out"
  pkg/bindgen/target/debug/wbg --target web --out-dir "$out" --out-name handrail \
    "target/$wasm_target/wasm/handrail.wasm"
  node pkg/bindgen/node_modules/.bin/wasm-opt -Oz --strip-debug --strip-producers \
    "$out/handrail_bg.wasm" -o "$out/handrail_bg.wasm"
  [ "$features" != js ] || node scripts/instances.mjs "$out/handrail.js"
}

# fresh_module NAME FEATURES FOLDER: the same as a stage, unless nothing that goes into it has changed.
fresh_module() {
  local name=$1 out=$3 key
  key=$(checksum src Cargo.toml Cargo.lock .cargo rust-toolchain.toml scripts/build.sh pkg/bindgen)
  fresh ".tools/$name" "$key" && [ -f "$out/handrail_bg.wasm" ] && return
  bindgen_tools
  crates .
  rm -f ".tools/$name"
  produce "$name" module "$2" "$out"
  printf '%s\n' "$key" >".tools/$name"
}

build_core() { fresh_module "core module" js pkg/wasm; }

# The core with the entry for single functions. It is never part of the package.
build_testing_core() {
  fresh_module "testing module" js,testing target/testing-wasm
  # Where no package.json says so, an older Node takes a .js file for CommonJS.
  printf '{"type": "module"}\n' >target/testing-wasm/package.json
}

# The npm package, ready to be packed. Its compilation is the strict check of its types.
build_package() {
  build_core
  build_shell
  build_javascript
  npm_ci pkg
  local key
  key=$(checksum pkg/src pkg/wasm pkg/package.json pkg/package-lock.json pkg/tsconfig.json README.md LICENSE-* \
    Cargo.lock scripts/build.sh scripts/notices.mjs)
  fresh .tools/package "$key" && [ -d pkg/dist ] && return
  rm -f .tools/package
  produce "package" package
  printf '%s\n' "$key" >.tools/package
}

package() {
  rm -rf pkg/dist
  npm --prefix pkg run build
  cp README.md LICENSE-MIT LICENSE-APACHE pkg/
  node scripts/notices.mjs
}

build_cases_native() {
  crates .
  produce "native runner of the cases" cargo build --locked --features testing --example vectors
}

# The simulation is a package of its own: optimised, and without what the tests of the crate need beside it.
build_simulation() {
  crates tests/simulation
  produce "simulation program" cargo build --locked --release --manifest-path tests/simulation/Cargo.toml \
    --target-dir target/simulation
}

run_simulation() { target/simulation/release/simulation "$@"; }

build_cases_node() {
  build_testing_core
  build_package
}

build_cases_chromium() {
  build_cases_node
  npm_ci tests
  chromium
}

run_cases_native() { cargo run --quiet --locked --features testing --example vectors -- "$1"; }

run_cases_node() { node tests/faces/node/vectors.mjs "$1"; }

run_cases_chromium() { node tests/faces/browser/vectors.mjs "$1"; }

# The types that both sides of the border share, from the crate into the package. With --check nothing is written.
shared_types() { cargo run --quiet --locked --features testing --example types | node scripts/types.mjs "$@"; }
