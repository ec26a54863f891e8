#include "machine/host_copies.h"

#include <algorithm>
#include <limits>

namespace heddle {

using config::Schema;
using config::Unit;

const Schema<HostCopySettings>& HostCopySettings::schema() {
    using S = HostCopySettings;
    static const auto s =
        Schema<S>("host_copies", "what copies between the host and the devices cost")
            .one_of(
                "cost", &S::cost,
                {{"free", HostCopyCost::free, "they take no time"},
                 {"timed", HostCopyCost::timed, "each takes the time of its bytes"},
                 {"footprint", HostCopyCost::footprint,
                  "all device and managed memory is copied once, when it is allocated; the program's own "
                  "copies "
                  "are free"}},
                {.def = "free",
                 .about = "how long an application's kernels, and its end, wait for its copies",
                 .source = "Agarwal et al., HPCA 2015, sec. 3: the memcpy of legacy programs is a footprint"})
            .key("bandwidth", &S::bytes_per_s,
                 {.unit = Unit::bandwidth,
                  .def = "80GB/s",
                  .min = "1MB/s",
                  .about = "of copies",
                  .source = "Agarwal et al., HPCA 2015, sec. 3"});
    return s;
}

void HostCopies::copied(u8 app, const CopyEvent& copy, Cycle now) {
    const bool crosses = copy.kind == CopyKind::host_to_device || copy.kind == CopyKind::device_to_host;
    if (settings_.cost == HostCopyCost::timed && crosses) add(app, copy.bytes, now);
}

void HostCopies::allocated(u8 app, const AllocEvent& alloc, Cycle now) {
    if (settings_.cost == HostCopyCost::footprint && alloc.kind != AllocEvent::Kind::host)
        add(app, alloc.bytes, now);
}

void HostCopies::add(u8 app, u64 bytes, Cycle now) {
    if (app >= until_.size()) until_.resize(app + 1u);
    __extension__ using Wide = unsigned __int128;
    const Wide exact = (Wide{bytes} * hertz_ + settings_.bytes_per_s - 1) / settings_.bytes_per_s;
    const u64 cycles = exact > std::numeric_limits<u64>::max() / 4 ? std::numeric_limits<u64>::max() / 4
                                                                   : static_cast<u64>(exact);
    until_[app] = std::max(until_[app], now) + cycles;
    bytes_ += bytes;
    cycles_ += cycles;
}

}  // namespace heddle
