#!/usr/bin/env bash
# Installs the Debian packages that building and testing Heddle need, if one is missing.
#   setup.sh          what a build needs
#   setup.sh tests    and what the checks need besides
set -euo pipefail
packages=(g++ cmake ninja-build ccache pkg-config libfmt-dev libyaml-dev libcli11-dev nlohmann-json3-dev
          libzstd-dev liblzma-dev zlib1g-dev libbz2-dev liblz4-dev libsqlite3-dev libssl-dev libjs-chart.js clang
          libomp-dev libgtest-dev libbenchmark-dev)
if [ "${1:-}" = tests ]; then
    packages+=(libthrust-dev libcub-dev libcu++-dev clang-format clang-tidy libclang-rt-dev python3 xz-utils zstd git make chromium)
fi
missing=()
for package in "${packages[@]}"; do
    state="$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)"
    [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
run=()
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "heddle: missing packages: ${missing[*]} (root or sudo is needed to install them)" >&2; exit 2; }
    run=(sudo env DEBIAN_FRONTEND=noninteractive)
fi
echo "heddle: installing ${missing[*]}" >&2
log="$(mktemp)"
export DEBIAN_FRONTEND=noninteractive
if ! { "${run[@]}" apt-get update && "${run[@]}" apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "heddle: the packages could not be installed (log: $log)" >&2
    exit 2
fi
rm -f "$log"
