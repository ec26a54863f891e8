#pragma once
// Handlers are compiled twice from the same source (*.inc): for the baseline instruction set and for AVX2.
// Each pair of files FAMILY_base.cpp, FAMILY_avx2.cpp includes the source inside the namespace of its
// instruction set. Nothing but IEEE operations and integer arithmetic is used, without contraction, so both
// give the same bits.

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "ptx/approximate.h"
#include "ptx/memory.h"
#include "ptx/numeric.h"
#include "ptx/operation.h"
#include "ptx/record.h"
#include "ptx/warp.h"

namespace heddle::ptx {

namespace base {
Handler find_integer(const HandlerKey& key);
Handler find_float(const HandlerKey& key);
Handler find_convert(const HandlerKey& key);
Handler find_move(const HandlerKey& key);
Handler find_memory(const HandlerKey& key);
}  // namespace base

namespace avx2 {
Handler find_integer(const HandlerKey& key);
Handler find_float(const HandlerKey& key);
Handler find_convert(const HandlerKey& key);
Handler find_move(const HandlerKey& key);
Handler find_memory(const HandlerKey& key);
}  // namespace avx2

/// Not worth a second compilation.
Handler find_atomic(const HandlerKey& key);
Handler find_crosslane(const HandlerKey& key);
Handler find_library(const HandlerKey& key);
Handler find_texture(const HandlerKey& key);
Handler find_matrix(const HandlerKey& key);
Handler find_service(const HandlerKey& key);

}  // namespace heddle::ptx
