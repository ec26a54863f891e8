#include "dram/scheduler/silver_turns.h"

#include <algorithm>

namespace heddle::dram {

u32 silver_quota(std::span<const TranslationPressure::App> pressure, u32 count, u32 app, u32 most) {
    auto product = [&](u32 a) {
        return a < pressure.size() ? u64{pressure[a].walks} * pressure[a].stalled_warps : 0;
    };
    u64 sum = 0;
    for (u32 a = 0; a < count; ++a) sum += product(a);
    return static_cast<u32>(sum == 0 ? most / count : most * product(app) / sum);
}

u32 SilverTurns::quota_of(u32 app) const {
    if (pressure_ == nullptr) return silver_quota({}, count_, app, most_);
    return silver_quota(pressure_->apps, count_, app, most_);
}

void SilverTurns::arrives(u8 app, Cycle now) {
    applications(app + 1u);
    if (left_ == 0) {
        owner_ = static_cast<u8>(count_ - 1);
        pass(now);
        return;
    }
    // Of a time in which nobody came no more than one round is told apart.
    for (u32 k = 0; k < count_ && app != owner_ && now - last_ >= idle_limit_; ++k) {
        ++lost_;
        pass(last_ + idle_limit_);
    }
    if (app != owner_ && now - last_ >= idle_limit_) last_ = now;
}

void SilverTurns::insert(Cycle now) {
    last_ = now;
    if (--left_ == 0) pass(now);
}

void SilverTurns::begin(u32 app, Cycle now) {
    owner_ = static_cast<u8>(app);
    left_ = std::max(1u, quota_of(app));
    last_ = now;
    ++begun_;
    if (app >= shares_.size()) shares_.resize(app + 1u);
    shares_[app].quotas += left_;
    ++shares_[app].turns;
}

/// To the next application with a quota. Where there are more applications than requests to share out none may have
/// one: then each gets a turn of one request.
void SilverTurns::pass(Cycle now) {
    auto after = [this](u32 app) { return app + 1 == count_ ? 0 : app + 1; };
    u32 next = after(owner_);
    for (u32 k = 0; k < count_ && quota_of(next) == 0; ++k) next = after(next);
    begin(next, now);
}

}  // namespace heddle::dram
