// Threshold migration with range expansion and bandwidth balancing: Agarwal, Nellans, O'Connor, Keckler, Wenisch, "Unlocking
// Bandwidth for GPUs in CC-NUMA Systems", HPCA 2015.
//
// Threshold N (sec. 4): a page is a candidate at its Nth access in DRAM; for N = 1 when the GPU first translates it.
// Range expansion M (sec. 5): with a candidate go the M pages around it in its allocation, M/2 on each side, clipped at the
// allocation's ends; the furthest first, of two as far the higher one first, the candidate last.
// Balancing (sec. 6): every period the GPU memory's share of all traffic, over the last four periods, is compared with its
// share of the bandwidth, f*: below f* - margin pages move at full rate, up to f* at half, above it none starts.
// Choices: the spec's reading of "5 %" as 0.05 of all traffic; half rate is half as many at a time.

#include <algorithm>
#include <array>

#include "config/schema.h"
#include "vm/migration_policy.h"

namespace heddle {

MigrationPoint& migration_policies() {
    static MigrationPoint point("page migration policy");
    return point;
}

namespace {

constexpr const char* kNuma = "Agarwal et al., HPCA 2015";
constexpr u64 kOne = 1'000'000;  // of a ratio

struct ThresholdSettings {
    u64 threshold = 0;
    u32 range = 0;
    bool balance = false;
    Cycle period;
    u32 margin = 0;
};

/// The same keys with the defaults of a policy.
template <class S>
const config::Schema<S>& threshold_schema(const char* name, const char* range, const char* balance) {
    using config::Unit;
    static const auto s =
        config::Schema<S>(name, "pages move when the GPU has accessed them often enough")
            .key("threshold", &S::threshold,
                 {.def = "1",
                  .min = "1",
                  .max = "1000000000",
                  .about = "accesses in DRAM after which a page moves; 1: its first translation for the GPU",
                  .source = kNuma})
            .key("range", &S::range,
                 {.def = range,
                  .max = "65536",
                  .about = "pages around it in its allocation that move with it",
                  .source = kNuma})
            .key("balance", &S::balance,
                 {.def = balance,
                  .about = "slow down and stop as the GPU's memory nears its share of the bandwidth",
                  .source = kNuma})
            .key("period", &S::period,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "10000",
                  .min = "1",
                  .max = "1000000000",
                  .about = "of the measurement of bandwidths",
                  .source = kNuma})
            .key("margin", &S::margin,
                 {.unit = Unit::ratio,
                  .def = "5%",
                  .max = "100%",
                  .about = "of all traffic below the share at which half the pages move at a time",
                  .source = kNuma})
            .check("range", [](const S& t) {
                return t.range % 2 != 0 ? "must be even: half of the pages are on each side" : "";
            });
    return s;
}

struct MoveThreshold : ThresholdSettings {
    static const config::Schema<MoveThreshold>& schema() {
        return threshold_schema<MoveThreshold>("threshold", "0", "false");
    }
};
struct MoveCombined : ThresholdSettings {
    static const config::Schema<MoveCombined>& schema() {
        return threshold_schema<MoveCombined>("th-re-bwb", "128", "true");
    }
};

template <class S>
class ThresholdMigration final : public MigrationPolicy {
  public:
    using Settings = S;
    ThresholdMigration(const S& s, const MigrationContext& c)
        : settings_(s), context_(c), allowed_(c.at_once) {}

    bool on_translation(PageKey) override { return settings_.threshold == 1; }
    bool on_touch(PageKey, u64 touches) override { return touches == settings_.threshold; }

    void expand(u64 page, PageRange allocation, std::vector<u64>& to) override {
        for (u64 far = settings_.range / 2; far != 0; --far) {
            if (page + far < allocation.end) to.push_back(page + far);
            if (page >= allocation.first + far) to.push_back(page - far);
        }
        to.push_back(page);
    }

    Cycle period() const override { return settings_.balance ? settings_.period : Cycle(0); }
    u32 allowed() const override { return allowed_; }

    void bandwidth(std::span<const u64> bytes) override {
        Period& now = periods_[next_++ % periods_.size()];
        now = {};
        for (std::size_t m = 0; m < bytes.size(); ++m)
            (context_.places.memories[m].host ? now.host : now.device) += bytes[m];
        u64 device = 0, all = 0;
        for (const Period& p : periods_) {
            device += p.device;
            all += p.device + p.host;
        }
        allowed_ = rate(device, all);
    }

  private:
    struct Period {
        u64 device = 0, host = 0;
    };

    u32 rate(u64 device, u64 all) const {
        const u32 full = context_.at_once;
        if (all == 0) return full;
        u64 own = 0, both = 0;
        for (const PlaceOfPages& p : context_.places.memories) {
            own += p.host ? 0 : p.bytes_per_s;
            both += p.bytes_per_s;
        }
        // Exactly, in integers: device/all against own/both, and against that less the margin.
        using Wide = __int128;
        const Wide share = static_cast<Wide>(device) * both, target = static_cast<Wide>(all) * own;
        if (share > target) return 0;
        // Bytes of four periods and bytes a second are below 2^48 each, so the product of all stays within 128 bits.
        const Wide less = target * kOne - static_cast<Wide>(all) * both * settings_.margin;
        return share * kOne < less ? full : std::max<u32>(full / 2, 1);
    }

    S settings_;
    MigrationContext context_;
    u32 allowed_;
    std::array<Period, 4> periods_{};
    u64 next_ = 0;
};

class StayWhereTheyAre final : public MigrationPolicy {
  public:
    explicit StayWhereTheyAre(const MigrationContext&) {}
};

const bool threshold_migration_registered =
    migration_policies().add<StayWhereTheyAre>("none", "pages stay where they were placed", kNuma) &&
    migration_policies().add<ThresholdMigration<MoveThreshold>>(
        "threshold", "a page moves at its Nth access; range expansion and balancing as options", kNuma) &&
    migration_policies().add<ThresholdMigration<MoveCombined>>(
        "th-re-bwb", "threshold 1, range expansion 128 and bandwidth balancing", kNuma);

}  // namespace
}  // namespace heddle
