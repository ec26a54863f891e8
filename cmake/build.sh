#!/usr/bin/env bash
# build.sh PRESET [TARGET...]: configures build/PRESET if needed and brings the targets up to date, quietly.
# On a terminal a line shows how far it is; if it fails, the compiler's words are shown.
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
preset="$1"
shift
build="$root/build/$preset"
log="$(mktemp)"
trap 'rm -f "$log"' EXIT
fail() { cat "$log" >&2; echo "heddle: building ($preset) failed" >&2; exit 2; }
mkdir -p "$root/build"
# Two commands started at once must not build into one folder together.
exec 9>"$root/build/$preset.lock"
flock 9
# A copied checkout has a build that belongs to the one that it was copied from.
of="$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt" 2>/dev/null || true)"
[ -z "$of" ] || [ "$of" = "$root" ] || rm -rf "$build/CMakeCache.txt" "$build/CMakeFiles" "$build/build.ninja"
if [ ! "$build/build.ninja" -nt "$root/CMakePresets.json" ]; then
    [ -t 2 ] && printf 'heddle: configuring (%s)\r' "$preset" >&2
    (cd "$root" && cmake --preset "$preset") >"$log" 2>&1 || fail
fi
if [ -t 2 ]; then
    NINJA_STATUS='%f/%t ' ninja -C "$build" "$@" 2>&1 | tee "$log" | while IFS= read -r line; do
        [[ $line =~ ^([0-9]+/[0-9]+)\  ]] && printf '\rheddle: building (%s) %s   ' "$preset" "${BASH_REMATCH[1]}" >&2
    done || true
    [ "${PIPESTATUS[0]}" = 0 ] || fail
    printf '\r\033[K' >&2
else
    ninja -C "$build" "$@" >"$log" 2>&1 || fail
fi
