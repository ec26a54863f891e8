#include <algorithm>
#include <array>

#include "ptx/lower.h"

namespace heddle::ptx {

namespace {

using L = Lowering;

// Sorted by name. Types (.u32 ...), state spaces (.global ...) and vectors (.v2, .v4) are not repeated here.
constexpr std::string_view kMemoryWords =
    "volatile relaxed acquire release weak mmio cta cluster gpu sys ca cg cs lu cv wb wt nc unified "
    "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate L2::cache_hint "
    "L2::64B L2::128B "
    "L2::256B L2::evict_last L2::evict_normal L2::evict_first shared::cta param::entry param::func";
constexpr std::string_view kSurfaceWords = "b p trap clamp zero 1d 2d 3d a1d a2d ca cg cs cv wb wt";
constexpr std::string_view kAtomicWords =
    "add min max and or xor exch cas inc dec relaxed acquire release acq_rel cta cluster gpu sys noftz "
    "shared::cta L2::cache_hint";

constexpr std::array kRows{
    OpcodeRow{"abs", &L::abs_neg, "ftz"},
    OpcodeRow{"activemask", &L::activemask, ""},
    OpcodeRow{"add", &L::add_sub, "rn rz rm rp ftz sat cc"},
    OpcodeRow{"addc", &L::extended, "cc"},
    OpcodeRow{"and", &L::bits_binary, ""},
    OpcodeRow{"applypriority", &L::nothing, "global L2::evict_normal"},
    OpcodeRow{"atom", &L::atomic, kAtomicWords},
    OpcodeRow{"bar", &L::barrier, "sync arrive red warp cta aligned popc and or"},
    OpcodeRow{"barrier", &L::barrier,
              "sync arrive red cta aligned popc and or cluster wait acquire release relaxed"},
    OpcodeRow{"bfe", &L::bit_field, ""},
    OpcodeRow{"bfi", &L::bit_field, ""},
    OpcodeRow{"bfind", &L::count_bits, "shiftamt"},
    OpcodeRow{"bmsk", &L::bit_field, "clamp wrap"},
    OpcodeRow{"bra", &L::branch, "uni"},
    OpcodeRow{"brev", &L::count_bits, ""},
    OpcodeRow{"brkpt", &L::nothing, ""},
    OpcodeRow{"brx", &L::branch_index, "idx uni"},
    OpcodeRow{"call", &L::call, "uni"},
    OpcodeRow{"clz", &L::count_bits, ""},
    OpcodeRow{"cnot", &L::unary, ""},
    OpcodeRow{"copysign", &L::copysign, ""},
    OpcodeRow{"cos", &L::special_function, "approx ftz"},
    OpcodeRow{"cp", &L::copy_async,
              "async ca cg commit_group wait_group wait_all shared shared::cta global L2::64B L2::128B "
              "L2::256B L2::cache_hint mbarrier arrive noinc"},
    OpcodeRow{
        "createpolicy", &L::create_policy,
        "fractional range cvt L2 global L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged"},
    OpcodeRow{"cvt", &L::cvt, "rn rz rm rp rna rni rzi rmi rpi ftz sat relu satfinite"},
    OpcodeRow{"cvta", &L::cvta, "to"},
    OpcodeRow{"discard", &L::nothing, "global L2"},
    OpcodeRow{"div", &L::div_rem, "rn rz rm rp ftz approx full"},
    OpcodeRow{"dp2a", &L::dot_product, "lo hi"},
    OpcodeRow{"dp4a", &L::dot_product, ""},
    OpcodeRow{"elect", &L::elect, "sync"},
    OpcodeRow{"ex2", &L::special_function, "approx ftz"},
    OpcodeRow{"exit", &L::exit, ""},
    OpcodeRow{"fence", &L::fence,
              "sc acq_rel acquire release cta cluster gpu sys mbarrier_init proxy alias async"},
    OpcodeRow{"fma", &L::fma, "rn rz rm rp ftz sat relu"},
    OpcodeRow{"fns", &L::bit_field, ""},
    OpcodeRow{"getctarank", &L::cluster_rank, "shared::cluster"},
    OpcodeRow{"griddepcontrol", &L::nothing, "launch_dependents wait"},
    OpcodeRow{"isspacep", &L::isspacep, "shared::cta shared::cluster param::entry"},
    OpcodeRow{"istypep", &L::not_executed, ""},
    OpcodeRow{"ld", &L::load, kMemoryWords},
    OpcodeRow{"ldmatrix", &L::ldmatrix, "sync aligned m8n8 x1 x2 x4 trans shared::cta"},
    OpcodeRow{"ldu", &L::load, kMemoryWords},
    OpcodeRow{"lg2", &L::special_function, "approx ftz"},
    OpcodeRow{"lop3", &L::lop3, ""},
    OpcodeRow{"mad", &L::mad, "rn rz rm rp ftz sat lo hi wide cc"},
    OpcodeRow{"mad24", &L::mad, "lo hi"},
    OpcodeRow{"madc", &L::extended, "lo hi cc"},
    OpcodeRow{"mapa", &L::cluster_address, "shared::cluster"},
    OpcodeRow{"match", &L::match, "any all sync"},
    OpcodeRow{"max", &L::min_max, "ftz NaN xorsign abs relu"},
    OpcodeRow{"mbarrier", &L::mbarrier,
              "init inval arrive arrive_drop test_wait try_wait expect_tx complete_tx pending_count parity "
              "noComplete shared::cta shared::cluster acquire release cta cluster relaxed"},
    OpcodeRow{"membar", &L::fence, "cta gl sys proxy alias"},
    OpcodeRow{"min", &L::min_max, "ftz NaN xorsign abs relu"},
    OpcodeRow{"mma", &L::matrix_multiply, "*"},
    OpcodeRow{"mov", &L::mov, ""},
    OpcodeRow{"movmatrix", &L::movmatrix, "sync aligned m8n8 trans"},
    OpcodeRow{"mul", &L::mul, "rn rz rm rp ftz sat lo hi wide"},
    OpcodeRow{"mul24", &L::mul, "lo hi"},
    OpcodeRow{"nanosleep", &L::nanosleep, ""},
    OpcodeRow{"neg", &L::abs_neg, "ftz"},
    OpcodeRow{"not", &L::unary, ""},
    OpcodeRow{"or", &L::bits_binary, ""},
    OpcodeRow{"pmevent", &L::nothing, "mask"},
    OpcodeRow{"popc", &L::count_bits, ""},
    OpcodeRow{"prefetch", &L::prefetch, "L1 L2 L2::evict_last L2::evict_normal"},
    OpcodeRow{"prefetchu", &L::prefetch, "L1"},
    OpcodeRow{"prmt", &L::prmt, "f4e b4e rc8 ecl ecr rc16"},
    OpcodeRow{"rcp", &L::special_function, "approx rn rz rm rp ftz"},
    OpcodeRow{"red", &L::atomic, kAtomicWords},
    OpcodeRow{"redux", &L::redux, "sync add min max and or xor"},
    OpcodeRow{"rem", &L::div_rem, ""},
    OpcodeRow{"ret", &L::ret, "uni"},
    OpcodeRow{"rsqrt", &L::special_function, "approx ftz"},
    OpcodeRow{"sad", &L::integer_binary, ""},
    OpcodeRow{"selp", &L::selp, ""},
    OpcodeRow{"set", &L::set, "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz"},
    OpcodeRow{"setmaxnreg", &L::nothing, "inc dec sync aligned"},
    OpcodeRow{"setp", &L::setp,
              "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz"},
    OpcodeRow{"shf", &L::funnel_shift, "l r clamp wrap"},
    OpcodeRow{"shfl", &L::shuffle, "sync up down bfly idx"},
    OpcodeRow{"shl", &L::shift, ""},
    OpcodeRow{"shr", &L::shift, ""},
    OpcodeRow{"sin", &L::special_function, "approx ftz"},
    OpcodeRow{"slct", &L::slct, "ftz"},
    OpcodeRow{"sqrt", &L::special_function, "approx rn rz rm rp ftz"},
    OpcodeRow{"st", &L::store, kMemoryWords},
    OpcodeRow{"stmatrix", &L::ldmatrix, "sync aligned m8n8 x1 x2 x4 trans shared::cta"},
    OpcodeRow{"sub", &L::add_sub, "rn rz rm rp ftz sat cc"},
    OpcodeRow{"subc", &L::extended, "cc"},
    OpcodeRow{"suld", &L::surface_access, kSurfaceWords},
    OpcodeRow{"suq", &L::texture_query, "width height depth channel_data_type channel_order"},
    OpcodeRow{"sured", &L::surface_reduction, "b p add min max and or trap clamp zero 1d 2d 3d a1d a2d"},
    OpcodeRow{"sust", &L::surface_access, kSurfaceWords},
    OpcodeRow{"szext", &L::bit_field, "clamp wrap"},
    OpcodeRow{"tanh", &L::special_function, "approx"},
    OpcodeRow{"testp", &L::testp, "finite infinite number notanumber normal subnormal"},
    OpcodeRow{"tex", &L::texture, "1d 2d 3d a1d a2d cube acube level base grad"},
    OpcodeRow{"tld4", &L::texture, "r g b a 2d a2d cube acube"},
    OpcodeRow{"trap", &L::trap, ""},
    OpcodeRow{"txq", &L::texture_query,
              "width height depth channel_data_type channel_order normalized_coords filter_mode addr_mode_0 "
              "addr_mode_1 addr_mode_2"},
    OpcodeRow{"vabsdiff2", &L::video, "add sat"},
    OpcodeRow{"vabsdiff4", &L::video, "add sat"},
    OpcodeRow{"vadd2", &L::video, "add sat"},
    OpcodeRow{"vadd4", &L::video, "add sat"},
    OpcodeRow{"vavrg2", &L::video, "add sat"},
    OpcodeRow{"vavrg4", &L::video, "add sat"},
    OpcodeRow{"vmax2", &L::video, "add sat"},
    OpcodeRow{"vmax4", &L::video, "add sat"},
    OpcodeRow{"vmin2", &L::video, "add sat"},
    OpcodeRow{"vmin4", &L::video, "add sat"},
    OpcodeRow{"vote", &L::warp_vote, "sync all any uni ballot"},
    OpcodeRow{"vset2", &L::video, "add eq ne lt le gt ge"},
    OpcodeRow{"vset4", &L::video, "add eq ne lt le gt ge"},
    OpcodeRow{"vsub2", &L::video, "add sat"},
    OpcodeRow{"vsub4", &L::video, "add sat"},
    OpcodeRow{"wgmma", &L::not_executed, "*"},
    OpcodeRow{"wmma", &L::wmma, "*"},
    OpcodeRow{"xor", &L::bits_binary, ""},
};

static_assert(std::is_sorted(kRows.begin(), kRows.end(),
                             [](const OpcodeRow& a, const OpcodeRow& b) { return a.name < b.name; }));

}  // namespace

const OpcodeRow* find_opcode(std::string_view name) {
    const auto at = std::lower_bound(kRows.begin(), kRows.end(), name,
                                     [](const OpcodeRow& row, std::string_view n) { return row.name < n; });
    return at != kRows.end() && at->name == name ? &*at : nullptr;
}

}  // namespace heddle::ptx
