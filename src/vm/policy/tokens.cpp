// TLB-fill tokens of MASK: only walks of warps that hold a token fill the L2 TLB, others its bypass cache.
// Source: Ausavarungnirun, PhD thesis, CMU 2017, ch. 6 (Ausavarungnirun et al., ASPLOS 2018).
//
// Each application has so many tokens, one a warp. In its first epoch all its warps fill. At that epoch's end it gets
// `initial` of its warps (those active in the epoch, over its SMs). At the end of each later one its miss rate in the L2
// TLB is compared with that of the epoch before: more than `dead_band` points worse, and it loses `step` of its warps in
// tokens, so much better, and it gains them; 1 token to all of its warps. Choices: an epoch without lookups changes
// nothing and is not an epoch; a walk fills if any warp that waits for it holds a token; the tokens are spread over the
// application's SMs evenly, and in an SM the lowest warps hold them.
//
// `rule: hill-climb` is what the public simulator does where it differs from the text: tokens are a share of the warps
// that were active, from none to all; a worse miss rate adds `step`, a better one takes it; there is no dead band; while
// the miss rate of the epoch before is at most `floor` all warps fill; and warps rank by (SM, warp) over all SMs of the
// application, active ones only.

#include <algorithm>
#include <bit>

#include "config/schema.h"
#include "vm/fill_policy.h"

namespace heddle {

namespace {

constexpr u64 kOne = 1'000'000;  // of a ratio

enum class TokenRule : u8 { thesis, hill_climb };
enum class TokenSpread : u8 { even, in_order };

struct TokenSettings {
    TokenRule rule = TokenRule::thesis;
    u32 initial = 800'000, step = 100'000, dead_band = 20'000, floor = 100'000;
    TokenSpread spread = TokenSpread::even;
    static const config::Schema<TokenSettings>& schema();
};

constexpr const char* kThesis = "Ausavarungnirun, PhD thesis, CMU 2017, ch. 6";
constexpr const char* kSimulator = "public simulator of MASK and Mosaic";

const config::Schema<TokenSettings>& TokenSettings::schema() {
    using S = TokenSettings;
    using config::Unit;
    static const auto s =
        config::Schema<S>("tokens", "MASK: warps with tokens fill the L2 TLB")
            .one_of(
                "rule", &S::rule,
                {{"thesis", TokenRule::thesis, "a higher miss rate takes tokens away, a lower one adds some"},
                 {"hill-climb", TokenRule::hill_climb,
                  "as in the public simulator: a higher miss rate adds tokens, a lower one takes some away"}},
                {.def = "thesis", .about = "how an epoch changes the number of tokens", .source = kThesis})
            .key("initial", &S::initial,
                 {.unit = Unit::ratio,
                  .def = "0.8",
                  .min = "0",
                  .max = "1",
                  .about = "tokens after the first epoch, as a share of the application's warps",
                  .source = kThesis})
            .key("step", &S::step,
                 {.unit = Unit::ratio,
                  .def = "0.1",
                  .min = "0",
                  .max = "1",
                  .about = "tokens that an epoch adds or takes away, as a share of the application's warps; "
                           "at least 1",
                  .source = "choice: the thesis gives none; this is the public simulator's"})
            .key("dead_band", &S::dead_band,
                 {.unit = Unit::ratio,
                  .def = "0.02",
                  .min = "0",
                  .max = "1",
                  .about = "change of the miss rate, in points, up to which the number of tokens stays "
                           "(rule: thesis)",
                  .source = kThesis})
            .key("floor", &S::floor,
                 {.unit = Unit::ratio,
                  .def = "0.1",
                  .min = "0",
                  .max = "1",
                  .about = "miss rate up to which every walk fills (rule: hill-climb)",
                  .source = kSimulator})
            .one_of(
                "spread", &S::spread,
                {{"even", TokenSpread::even, "every SM has the same number, held by its lowest warps"},
                 {"in-order", TokenSpread::in_order, "all warps of the first SM, then those of the next"}},
                {.def = "even",
                 .about = "which warps hold the tokens (rule: thesis)",
                 .source = "choice: the thesis says the lowest warp ids"});
    return s;
}

/// The lowest n bits.
u64 lowest(u64 n) {
    return n >= 64 ? ~u64{0} : (u64{1} << n) - 1;
}
/// The lowest n bits that are set in `from`.
u64 lowest_of(u64 from, u64 n) {
    u64 taken = 0;
    for (; n != 0 && from != 0; --n, from &= from - 1) taken |= from & (~from + 1);
    return taken;
}

class Tokens final : public TlbFillPolicy {
  public:
    using Settings = TokenSettings;
    Tokens(const Settings& settings, const FillContext& context)
        : settings_(settings), warps_per_sm_(context.warps_per_sm), holders_(context.sms, ~u64{0}) {}

    void applications(std::span<const FillApp> apps) override {
        for (const FillApp& a : apps) {
            if (a.app >= apps_.size()) apps_.resize(a.app + 1u);
            apps_[a.app].where = a;
        }
    }

    void on_access(u8 app, bool hit, Cycle) override {
        Rate& rate = apps_[app].present;
        ++rate.accesses;
        rate.misses += !hit;
    }

    bool fills(u8 app, std::span<const FillRequester> requesters, Cycle) override {
        App& a = apps_[app];
        for (const FillRequester& r : requesters) {
            if ((r.warps & holders_[r.sm]) == 0) continue;
            ++a.filled;
            return true;
        }
        ++a.kept_out;
        return false;
    }

    void end_epoch(std::span<const u64> active, Cycle) override {
        for (App& a : apps_) {
            if (a.present.accesses == 0) continue;
            a.warps = 0;
            for (u32 sm = a.where.first_sm; sm < a.where.first_sm + a.where.sms; ++sm)
                a.warps += static_cast<u32>(std::popcount(active[sm]));
            if (settings_.rule == TokenRule::thesis)
                decide(a);
            else
                climb(a, active);
            ++a.epochs;
            a.before = std::exchange(a.present, Rate{});
        }
    }

    void report_app(u8 app, std::vector<CounterRecord>& to) const override {
        const App& a = apps_[app];
        to.push_back({"tokens", "tokens", a.tokens});
        to.push_back({"warps", "warps", a.warps});
        to.push_back({"epochs", "epochs", a.epochs});
        to.push_back({"tokens_added", "epochs", a.added});
        to.push_back({"tokens_taken", "epochs", a.taken});
        to.push_back({"walks_filled", "walks", a.filled});
        to.push_back({"walks_kept_out", "walks", a.kept_out});
    }

  private:
    struct Rate {
        u64 accesses = 0, misses = 0;
        /// Whether the miss rate is above that of `other` by more than `points`.
        bool above(const Rate& other, u64 points) const {
            using Wide = __int128;
            const Wide difference = Wide{misses} * other.accesses - Wide{other.misses} * accesses;
            return difference * kOne > Wide{points} * accesses * other.accesses;
        }
    };
    struct App {
        FillApp where;
        Rate present, before;
        u64 tokens = 0, warps = 0;  // of the last epoch with lookups
        u64 share = 0;              // of warps, in millionths (rule: hill-climb)
        u64 epochs = 0, added = 0, taken = 0;
        u64 filled = 0, kept_out = 0;
    };

    void decide(App& a) {
        const u64 step = std::max<u64>(1, a.warps * settings_.step / kOne);
        if (a.epochs == 0) {
            a.tokens = a.warps * settings_.initial / kOne;
        } else if (a.present.above(a.before, settings_.dead_band)) {
            a.tokens -= std::min(step, a.tokens);
            ++a.taken;
        } else if (a.before.above(a.present, settings_.dead_band)) {
            a.tokens += step;
            ++a.added;
        }
        a.tokens = std::clamp<u64>(a.tokens, 1, std::max<u64>(1, a.warps));
        hand_out(a);
    }

    void hand_out(const App& a) {
        u64 left = a.tokens;
        for (u32 k = 0; k < a.where.sms; ++k) {
            u64 here = a.tokens / a.where.sms + (k < a.tokens % a.where.sms);
            if (settings_.spread == TokenSpread::in_order) here = std::min<u64>(left, warps_per_sm_);
            left -= here;
            holders_[a.where.first_sm + k] = lowest(here);
        }
    }

    void climb(App& a, std::span<const u64> active) {
        if (a.epochs == 0) {
            a.share = settings_.initial;
        } else if (a.present.above(a.before, 0)) {
            a.share = std::min<u64>(kOne, a.share + settings_.step);
            ++a.added;
        } else if (a.before.above(a.present, 0)) {
            a.share -= std::min<u64>(a.share, settings_.step);
            ++a.taken;
        }
        a.tokens = a.warps * a.share / kOne;
        const bool all = !a.present.above({kOne, settings_.floor}, 0);
        u64 left = a.tokens;
        for (u32 sm = a.where.first_sm; sm < a.where.first_sm + a.where.sms; ++sm) {
            const u64 here = lowest_of(active[sm], left);
            left -= static_cast<u64>(std::popcount(here));
            holders_[sm] = all ? ~u64{0} : here;
        }
    }

    const Settings settings_;
    const u32 warps_per_sm_;
    std::vector<u64> holders_;  // by SM, bit w: its warp slot w holds a token
    std::vector<App> apps_;
};

const bool registered = tlb_fill_policies().add<Tokens>(
    "tokens", "only walks of warps that hold a token fill the L2 TLB; others fill its bypass cache",
    "Ausavarungnirun, PhD thesis, CMU 2017, ch. 6");

}  // namespace
}  // namespace heddle
