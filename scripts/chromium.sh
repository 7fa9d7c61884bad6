# The browser of the tests that run in one.

# chromium: finds a Chromium, or installs Debian's, and puts its path into CHROMIUM.
chromium() {
  local name found advice
  if [ -n "${CHROMIUM:-}" ]; then
    found=$(type -P "$CHROMIUM") || give_up "CHROMIUM=$CHROMIUM is no program: name a Chromium there, or unset it."
    export CHROMIUM=$found
    return
  fi
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    found=$(type -P "$name") || continue
    export CHROMIUM=$found
    return
  done
  advice="Chromium is missing: install it (on Debian: apt install chromium), or name one with CHROMIUM=…, and run ./dev again."
  [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null || give_up "$advice"
  provide "chromium" "$advice" apt_install chromium
  export CHROMIUM=/usr/bin/chromium
}

# chromedriver: finds what Rust's tests drive a Chromium with, or installs Debian's, and puts its path into CHROMEDRIVER.
chromedriver() {
  local found advice
  found=$(type -P "${CHROMEDRIVER:-chromedriver}") || true
  if [ -z "$found" ]; then
    [ -z "${CHROMEDRIVER:-}" ] || give_up "CHROMEDRIVER=$CHROMEDRIVER is no program: name a chromedriver there, or unset it."
    advice="chromedriver is missing: install it (on Debian: apt install chromium-driver), or name one with CHROMEDRIVER=…, and run ./dev again."
    [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null || give_up "$advice"
    provide "chromedriver" "$advice" apt_install chromium-driver
    found=/usr/bin/chromedriver
  fi
  export CHROMEDRIVER=$found
}

# apt_install PACKAGE: installs a package of Debian.
apt_install() {
  export DEBIAN_FRONTEND=noninteractive
  # A fresh machine has no list of packages yet, an old one has a stale list.
  apt-get install -y --no-install-recommends "$1" || { apt-get update && apt-get install -y --no-install-recommends "$1"; }
}
