# The program modules: each is the crate built with one feature, and a factory of instances around it.

# program NAME STACK_BYTES [CARGO_OPTION…]: builds the module of a program into pkg/programs, where the package has it.
program() {
  local name=$1 stack=$2 out=pkg/programs remap="" source
  shift 2
  for source in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/; do
    remap="$remap${remap:+, }'--remap-path-prefix=$source='"
  done
  # An instance has at most 256 MiB (SH-40); a stack that is used up is a crash, which costs that one command. The
  # flags stand here and not behind the command, where those of .cargo/config.toml would come after them and win.
  local link="'-Clink-arg=--max-memory=268435456', '-Clink-arg=-zstack-size=$stack'"
  cargo rustc --locked --lib --crate-type cdylib --profile wasm --no-default-features --features "program-$name" \
    --target $wasm_target --config "target.$wasm_target.rustflags = [$remap, $link]" "$@"
  mkdir -p "$out"
  pkg/bindgen/target/debug/wbg --target no-modules --no-typescript --out-dir "$out" --out-name "$name" \
    "target/$wasm_target/wasm/handrail.wasm"
  node pkg/bindgen/node_modules/.bin/wasm-opt -Oz --strip-debug --strip-producers \
    "$out/${name}_bg.wasm" -o "$out/${name}_bg.wasm"
  node scripts/factory.mjs "$out/$name.js" "$out/$name.mjs"
  rm "$out/$name.js"
}

# fresh_program NAME STACK_BYTES [CARGO_OPTION…]: the same as a stage, unless nothing that goes into it has changed. An
# interpreter takes minutes, so this looks at the sources of this program only and not at those of the whole crate.
fresh_program() {
  local name=$1 key
  key=$(checksum src/lib.rs src/program/*.rs src/program/random "src/program/$name" src/protocol/limits.rs \
    src/face/mod.rs src/face/js_program.rs "src/face/program_$name.rs" Cargo.toml Cargo.lock .cargo rust-toolchain.toml \
    scripts/programs.sh scripts/factory.mjs pkg/bindgen)
  fresh ".tools/program-$name" "$key" && [ -f "pkg/programs/$name.mjs" ] && return
  bindgen_tools
  crates .
  rm -f ".tools/program-$name"
  produce "program $name" program "$@"
  printf '%s\n' "$key" >".tools/program-$name"
}

build_shell() { fresh_program shell 4194304; }

build_javascript() { fresh_program javascript 16777216; }
