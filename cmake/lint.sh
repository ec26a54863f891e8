#!/usr/bin/env bash
# clang-tidy on the sources that differ from the last state known to be checked (origin's main if there is one,
# else the previous commit; the previous one too if that state is this one), at most LINT_LIMIT of them.
set -euo pipefail
cd "$(dirname "$0")/.."
base="$(git rev-parse --verify --quiet origin/main || git rev-parse --verify --quiet HEAD~1 || true)"
[ "$base" != "$(git rev-parse HEAD)" ] || base="$(git rev-parse --verify --quiet HEAD~1 || true)"
[ -n "$base" ] || exit 0
mapfile -t files < <(git diff --name-only --diff-filter=d "$base" -- 'src/*.cpp' | head -n "${LINT_LIMIT:-12}")
[ ${#files[@]} -eq 0 ] && exit 0
# Of a build that compiles each file alone.
cmake --preset asan -B build/lint -DHEDDLE_UNITY=OFF >/dev/null
printf '%s\n' "${files[@]}" | xargs -P 2 -n 2 clang-tidy -p build/lint --quiet
