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
  provide "chromium" "$advice" install_chromium
  export CHROMIUM=/usr/bin/chromium
}

install_chromium() {
  export DEBIAN_FRONTEND=noninteractive
  # A fresh machine has no list of packages yet, an old one has a stale list.
  apt-get install -y --no-install-recommends chromium || { apt-get update && apt-get install -y --no-install-recommends chromium; }
}
