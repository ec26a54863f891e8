// MASK's L2 bypass: a level of page walks that hits in L2 less often than data do goes around it.
// Source: Ausavarungnirun, PhD thesis, CMU 2017, ch. 6 (Ausavarungnirun et al., ASPLOS 2018).
//
// Choices: hit rates are those of the whole GPU in the previous epoch; data are reads and atomics of every class but
// page walks. A level that goes around L2 would never be seen to hit again, so the reads of one in `sample` lines, by a
// hash of their address, still use it. A level is not judged by fewer than `least_accesses`, nor by fewer of data.

#include <algorithm>

#include "cache/l2_hit_rates.h"
#include "cache/settings.h"
#include "mem/geometry.h"

namespace heddle {
namespace {

struct MaskBypassSettings {
    Cycle epoch;
    u32 sample = 64;
    u64 least_accesses = 100;
    std::vector<u32> always;
    static const config::Schema<MaskBypassSettings>& schema();
};

const config::Schema<MaskBypassSettings>& MaskBypassSettings::schema() {
    using S = MaskBypassSettings;
    static const auto s =
        config::Schema<S>("mask", "MASK: page-walk levels with a low hit rate bypass L2")
            .key("epoch", &S::epoch,
                 {.unit = config::Unit::cycles,
                  .clock = "core",
                  .def = "100000",
                  .min = "1",
                  .max = "1000000000000",
                  .about = "period; each level is judged by the hit rates of the previous one",
                  .source = "Ausavarungnirun, PhD thesis, CMU 2017, ch. 6"})
            .key("sample", &S::sample,
                 {.def = "64",
                  .min = "1",
                  .max = "1048576",
                  .power_of_two = true,
                  .about = "of a level that bypasses L2, one in this many lines still uses it; 1: all do",
                  .source = "choice: the source does not say how such a level comes back"})
            .key("least_accesses", &S::least_accesses,
                 {.def = "100",
                  .min = "1",
                  .about = "a level is judged only after this many accesses of its own, and as many of data",
                  .source = "choice: the source gives no minimum"})
            .key("always", &S::always,
                 {.def = "[]",
                  .min = "1",
                  .max = "7",
                  .about = "levels that bypass L2 whatever their hit rate, 1 = root",
                  .source =
                      "public simulator of MASK and Mosaic, whose static rule ([1, 2, 3]) counts levels from "
                      "the leaf, so that the upper ones bypass"});
    return s;
}

class MaskBypass final : public BypassPolicy {
  public:
    using Settings = MaskBypassSettings;
    MaskBypass(const Settings& settings, const CacheContext& context)
        : settings_(settings), rates_(*context.hit_rates) {
        for (const u32 level : settings.always) always_ |= 1u << level;
    }

    bool bypass(const Request& r, Cycle now) override {
        const u32 level = r.level;
        if (level == 0) return false;
        if ((always_ >> level & 1) != 0) return true;
        const u64 epoch = epoch_of(now);
        const L2HitRates::Count data = rates_.before(0, epoch), walks = rates_.before(level, epoch);
        if (std::min(data.accesses, walks.accesses) < settings_.least_accesses) return false;
        if (walks.hits * data.accesses >= data.hits * walks.accesses) return false;
        return !sampled(r);
    }
    void on_access(const Request& r, bool hit, Cycle now) override {
        rates_.access(r.level, hit, epoch_of(now));
    }

  private:
    u64 epoch_of(Cycle now) {
        if (now < begin_ || now - begin_ >= settings_.epoch.v) {
            epoch_ = now.v / settings_.epoch.v;
            begin_ = Cycle(epoch_ * settings_.epoch.v);
        }
        return epoch_;
    }
    bool sampled(const Request& r) const {
        const u64 mixed = line_number(r.line) * 0x9e3779b97f4a7c15ull;
        return (mixed >> 40 & (settings_.sample - 1)) == 0;
    }

    const Settings settings_;
    L2HitRates& rates_;
    u32 always_ = 0;  // bit n: level n
    Cycle begin_{0};
    u64 epoch_ = 0;
};

const bool registered =
    bypass_policies().add<MaskBypass>("mask", "page-walk levels that hit less often than data do",
                                      "Ausavarungnirun, PhD thesis, CMU 2017, ch. 6");

}  // namespace
}  // namespace heddle
