# What the other stages need, installed when it is missing: the compiler's wasm target, the crates, the npm packages.

# need_tools: the three things that must be there before us.
need_tools() {
  command -v rustup >/dev/null || PATH=$HOME/.cargo/bin:$PATH
  command -v rustup >/dev/null || give_up "rustup is missing: install Rust from https://rustup.rs and run ./dev again."
  command -v cc >/dev/null || give_up "A C compiler is missing (cc, the linker of Rust programs): install gcc or clang and run ./dev again."
  command -v node >/dev/null || give_up "Node is missing: install Node 20 or newer and run ./dev again."
  command -v npm >/dev/null || give_up "npm is missing: install it beside Node and run ./dev again."
  local version
  version=$(node --version)
  version=${version#v}
  [ "${version%%.*}" -ge 20 ] || give_up "Node $version is too old: install Node 20 or newer and run ./dev again."
  rust_toolchain
}

# The compiler that rust-toolchain.toml names, with its components and the wasm target.
rust_toolchain() {
  local installed
  installed=$(RUSTUP_AUTO_INSTALL=0 rustup component list --installed 2>/dev/null || true)
  case "$installed" in
    *clippy*rust-std-wasm32-unknown-unknown*rustfmt*) return ;;
  esac
  provide "rust toolchain" \
    "rustup could not install the compiler named in rust-toolchain.toml: check the network, or update rustup with 'rustup self update', and run ./dev again." \
    rustup toolchain install --no-self-update
}

# crates FOLDER: downloads what the lock file of a crate names.
crates() {
  local stamp=.tools/crates-${1//[.\/]/_} key
  key=$(cksum <"$1/Cargo.lock")
  fresh "$stamp" "$key" && return
  provide "crates of ${1/#./handrail}" \
    "cargo could not download the crates that $1/Cargo.lock names: check the network or the proxy and run ./dev again." \
    cargo fetch --locked --manifest-path "$1/Cargo.toml"
  printf '%s\n' "$key" >"$stamp"
}

# npm_ci FOLDER: installs what its package-lock.json names. No install script of a package is run.
npm_ci() {
  local stamp=$1/node_modules/.installed key
  [ -f "$1/package-lock.json" ] || return 0
  key=$(cat "$1/package.json" "$1/package-lock.json" | cksum)
  fresh "$stamp" "$key" && return
  provide "npm packages of $1" \
    "npm could not install the packages that $1/package-lock.json names: check the network or the proxy and run ./dev again." \
    npm --prefix "$1" ci --ignore-scripts --no-audit --no-fund
  printf '%s\n' "$key" >"$stamp"
}

# python: a Python of our own with the packages that tests/faces/component/requirements.txt names, in .tools/venv.
python() {
  local wanted=tests/faces/component/requirements.txt stamp=.tools/venv/.installed key
  key=$(cksum <"$wanted")
  fresh "$stamp" "$key" && return
  command -v python3 >/dev/null || give_up "Python is missing: install Python 3.9 or newer (python3, with its venv module) and run ./dev again."
  provide "python packages" \
    "Python could not make .tools/venv with what $wanted names: install its venv module (on Debian: apt install python3-venv), check the network or the proxy, and run ./dev again." \
    python_packages "$wanted"
  printf '%s\n' "$key" >"$stamp"
}

python_packages() {
  rm -rf .tools/venv
  python3 -m venv .tools/venv
  .tools/venv/bin/pip install --disable-pip-version-check --only-binary :all: -r "$1"
}
