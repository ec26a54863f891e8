// The oracle of Agarwal et al., HPCA 2015, sec. 3: with the accesses of each page known beforehand, the hottest pages lie in
// the GPU's memory, as few as make its share of all accesses at least its share of the bandwidth; the others in the host's.

#include <fmt/format.h>
#include <optional>
#include <unordered_set>

#include "config/schema.h"
#include "sim/error.h"
#include "vm/page_profile.h"
#include "vm/placement_policy.h"

namespace heddle {
namespace {

struct OracleSettings {
    std::optional<std::string> profile;

    static const config::Schema<OracleSettings>& schema() {
        static const auto s =
            config::Schema<OracleSettings>("oracle", "pages placed by how often they will be accessed")
                .key("profile", &OracleSettings::profile,
                     {.about = "file that `heddle run --page-profile` wrote of the same program with the "
                               "same arguments"});
        return s;
    }
};

class OraclePlacement final : public PlacementPolicy {
  public:
    using Settings = OracleSettings;
    OraclePlacement(const OracleSettings& s, const PlacementContext& c)
        : gpu_(c.first(false)), host_(c.first(true)), profile_(s.profile.value_or("")) {
        std::vector<PageAccesses> pages = s.profile ? read_page_profile(*s.profile) : c.profile;
        if (pages.empty() && !s.profile)
            throw InputError("placement: oracle needs a page profile (oracle.profile)");
        sort_by_accesses(pages);
        __extension__ using Wide = unsigned __int128;
        u64 all = 0, sum = 0;
        for (const PageAccesses& p : pages) all += p.accesses;
        const u64 device = c.memories[gpu_].bytes_per_s, both = device + c.memories[host_].bytes_per_s;
        for (const PageAccesses& p : pages) {
            known_.insert(key(p.app, p.page));
            if (Wide{sum} * both >= Wide{all} * device) continue;
            sum += p.accesses;
            hot_.insert(key(p.app, p.page));
        }
    }

    u32 memory_of(const NewPage& page) override {
        const u64 first = page.page.address().v >> kFrameShift;
        const u64 end = first + frames_of(page.page.size());
        bool hot = false, known = false;
        for (u64 p = first; p < end && !hot; ++p) {
            known = known || known_.contains(key(page.page.app(), p));
            hot = hot_.contains(key(page.page.app(), p));
        }
        // Pages that never leave the caches are in no profile, nor are many that a copy has only filled; but none of those that
        // the GPU uses first being in a file is a mistake.
        const bool asks = !profile_.empty() && page.toucher == Toucher::gpu;
        asked_ += asks;
        found_ += asks && known;
        if (asks && asked_ == 64 && found_ == 0 && !known_.empty())
            throw InputError(
                fmt::format("{}: none of the first 64 pages of this run is in the page profile: was it "
                            "made with the same program and arguments?",
                            profile_));
        return hot ? gpu_ : host_;
    }

  private:
    static u64 key(u8 app, u64 page) { return page << 8 | app; }

    u32 gpu_, host_;
    std::string profile_;
    std::unordered_set<u64> known_, hot_;
    u64 asked_ = 0, found_ = 0;
};

const bool oracle_placement_registered = placement_policies().add<OraclePlacement>(
    "oracle", "the hottest pages of a profile in the GPU's memory, up to its share of the bandwidth",
    "Agarwal et al., HPCA 2015, sec. 3");

}  // namespace

bool needs_page_profile(const config::Choice& placement) {
    return placement.name() == "oracle" && !page_profile_of(placement);
}

std::optional<std::string> page_profile_of(const config::Choice& placement) {
    const auto* settings = placement.settings<OracleSettings>("oracle");
    if (placement.name() != "oracle" || settings == nullptr) return {};
    return settings->profile;
}

}  // namespace heddle
