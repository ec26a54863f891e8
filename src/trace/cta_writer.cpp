#include "trace/cta_writer.h"

namespace heddle {

CtaWriter::CtaWriter(CtaStream& out, const KernelInfo& kernel)
    : out_(out), lanes_(kernel.warp_lanes), threads_(kernel.block.count()) {}

void CtaWriter::begin(Dim3 index) {
    out_.index = index;
    out_.words.clear();
    out_.ranges.clear();
    out_.chunked = false;
}

void CtaWriter::begin_warp() {
    const u64 first = u64{lanes_} * out_.ranges.size();
    const u64 lanes = threads_ <= first ? 0 : threads_ - first < lanes_ ? threads_ - first : lanes_;
    full_ = lanes >= 64 ? ~u64{0} : (u64{1} << lanes) - 1;
    const u32 at = static_cast<u32>(out_.words.size());
    out_.ranges.emplace_back(at, at);
}

void CtaWriter::end_warp() {
    out_.ranges.back().second = static_cast<u32>(out_.words.size());
}

void CtaWriter::edge(EdgeKind kind, u32 number) {
    has_edge_ = true;
    edge_ = number << 1 | static_cast<u32>(kind);
}

void CtaWriter::head(u32 static_index, u64 mask, AddressForm form) {
    const bool full = mask == full_;
    out_.words.push_back(static_index | u32{full} << 22 | static_cast<u32>(form) << 23 |
                         u32{has_edge_} << 25);
    if (!full) {
        out_.words.push_back(static_cast<u32>(mask));
        if (lanes_ > 32) out_.words.push_back(static_cast<u32>(mask >> 32));
    }
    if (has_edge_) out_.words.push_back(edge_);
    has_edge_ = false;
}

void CtaWriter::add(u32 static_index, u64 mask) {
    head(static_index, mask, AddressForm::none);
}

void CtaWriter::add_strided(u32 static_index, u64 mask, u64 base, i32 stride) {
    if (mask == 0) return add(static_index, mask);
    head(static_index, mask, AddressForm::strided);
    out_.words.push_back(static_cast<u32>(base));
    out_.words.push_back(static_cast<u32>(base >> 32));
    out_.words.push_back(static_cast<u32>(stride));
}

void CtaWriter::add(u32 static_index, u64 mask, std::span<const u64> addresses) {
    if (addresses.empty()) return add(static_index, mask);
    bool strided = true, narrow = true;
    const i64 stride = addresses.size() > 1 ? static_cast<i64>(addresses[1] - addresses[0]) : 0;
    for (std::size_t k = 1; k < addresses.size(); ++k) {
        const i64 delta = static_cast<i64>(addresses[k] - addresses[k - 1]);
        strided &= delta == stride;
        narrow &= delta == static_cast<i32>(delta);
    }
    if (strided && narrow) return add_strided(static_index, mask, addresses[0], static_cast<i32>(stride));
    head(static_index, mask, narrow ? AddressForm::deltas : AddressForm::absolute);
    auto put = [&](u64 value) {
        out_.words.push_back(static_cast<u32>(value));
        out_.words.push_back(static_cast<u32>(value >> 32));
    };
    if (!narrow) {
        for (u64 a : addresses) put(a);
        return;
    }
    put(addresses[0]);
    for (std::size_t k = 1; k < addresses.size(); ++k)
        out_.words.push_back(static_cast<u32>(addresses[k] - addresses[k - 1]));
}

}  // namespace heddle
