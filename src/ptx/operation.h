#pragma once
// The vocabulary of internal operations, and how a handler for one is found.

#include "ptx/code.h"
#include "ptx/types.h"

namespace heddle::ptx {

enum class Operation : u8 {
    // integer and bits
    add,
    sub,
    mul_lo,
    mul_hi,
    mul_wide,
    mad_lo,
    mad_hi,
    mad_wide,
    mul24_lo,
    mul24_hi,
    mad24_lo,
    mad24_hi,
    sad,
    div,
    rem,
    abs,
    neg,
    min,
    max,
    add_sat,
    sub_sat,
    mad_hi_sat,
    add_cc,
    addc,
    sub_cc,
    subc,
    mad_lo_cc,
    mad_hi_cc,
    madc_lo,
    madc_hi,
    popc,
    clz,
    bfind,
    bfind_shift,
    brev,
    bfe,
    bfi,
    bmsk_clamp,
    bmsk_wrap,
    fns,
    szext_clamp,
    szext_wrap,
    dp4a,
    dp2a_lo,
    dp2a_hi,
    and_,
    or_,
    xor_,
    not_,
    cnot,
    lop3,
    shl,
    shr,
    shf_l_clamp,
    shf_l_wrap,
    shf_r_clamp,
    shf_r_wrap,
    prmt,
    video,  // sub: Video and Compare, sub2: VideoFlags
    // predicates
    pred_and,
    pred_or,
    pred_xor,
    pred_not,
    pred_mov,
    // floating point
    fma,
    rcp,
    sqrt,
    rsqrt,
    sin,
    cos,
    lg2,
    ex2,
    tanh,
    copysign,
    testp,
    min_nan,
    max_nan,
    min_xorsign,
    max_xorsign,
    rcp_approx_ftz_high,  // rcp.approx.ftz.f64: 20 bits of mantissa in the high word
    rsqrt_approx_ftz_high,
    library1,
    library2,
    library3,  // __nv_* functions of one, two, three arguments; sub: Library
    // moving
    mov,
    select,
    slct,
    setp,
    set,
    cvt,
    pack,
    unpack,
    special,
    local_address,
    // memory
    load,
    store,
    atomic,
    copy_async,
    prefetch,
    isspacep,
    cvta_shared_to,
    cvta_to_shared,
    cvta_local_to,
    cvta_to_local,
    texture,
    texture_query,
    surface_address,  // sub: SurfaceBounds, sub2: 1 for a store, count: bytes
    matrix,           // multiplication: see lanes/matrix.cpp
    // across lanes
    vote_all,
    vote_any,
    vote_uni,
    vote_ballot,
    activemask,
    match_any,
    match_all,
    redux,
    shfl,
    elect,
    // services
    nothing,
    vprintf,
    assertfail,
    malloc,
    free,
    device_launch,
    device_wait,
    device_parameters,
    count_
};

enum class Compare : u8 { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
enum class Round : u8 { rn, rz, rm, rp, rna };
enum class Atomic : u8 {
    add,
    min,
    max,
    and_,
    or_,
    xor_,
    exch,
    cas,
    inc,
    dec,
    // of mbarrier objects
    mbarrier_init,      // for b arrivals
    mbarrier_arrive,    // b of them, and c more bytes are to come
    mbarrier_drop,      // the same, and b fewer from the next phase on
    mbarrier_complete,  // c bytes have come
};
enum class Shuffle : u8 { up, down, bfly, idx };
enum class Geometry : u8 { d1, d2, d3, a1d, a2d, cube, acube };
/// What an access outside a surface does.
enum class SurfaceBounds : u8 { trap, clamp, zero };
/// How a fetch finds its texels: op.count of a texture operation. From gather on: the component.
enum TextureFetch : u8 { kFetchPlain, kFetchLevel, kFetchGradient, kFetchGather };
enum class Video : u8 { add, sub, absdiff, avrg, min, max, set };
enum VideoFlags : u8 { kVideoSum = 1, kVideoSaturated = 2, kVideoSigned = 4 };

struct HandlerKey {
    Operation op{};
    Type type = Type::none;
    Type from = Type::none;  // cvt: source; set: operands; load/store: register
    Round round = Round::rn;
    bool ftz = false, sat = false, approx = false, to_integer = false, relu = false;
    u8 sub = 0;                       // Compare, Atomic, Shuffle, ... by op
    MemSpace space = MemSpace::none;  // memory: none is generic
    u8 count = 1;                     // memory: vector elements
};

/// Null if there is no such operation on such a type. Chooses AVX2 code if the machine has it; the bits are
/// the same.
Handler find_handler(const HandlerKey& key);

/// For tests: forces the baseline (false) or the best (true) code for handlers found from now on.
void use_wide_vectors(bool on);

}  // namespace heddle::ptx
