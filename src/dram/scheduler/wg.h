#pragma once
// WG: of the complete groups, the one that its channel can finish soonest (shortest job first), and its extensions
// WG-M, WG-Bw and WG-W, each of which includes the one before. Source: Chatterjee et al., SC 2014.

#include "dram/scheduler/merb.h"
#include "dram/scheduler/warp_groups.h"

namespace heddle::dram {

/// What the requests of a group in one bank are worth together.
enum class BankScore : u8 { sum, maximum };

struct WgSettings : WarpGroupSettings {
    u64 age_max = 10'000;
    BankScore bank_score = BankScore::sum;
    static const config::Schema<WgSettings>& schema();
};
template <class S>
config::Schema<S> wg_keys(config::Schema<S> schema) {
    return warp_group_keys(std::move(schema))
        .key("age_max", &S::age_max,
             {.unit = config::Unit::cycles,
              .clock = "dram",
              .def = "10000",
              .min = "1",
              .about = "age after which a complete group has score 0, so that no group starves",
              .source = "choice; the paper has no aging"})
        .one_of("bank_score", &S::bank_score,
                {{"sum", BankScore::sum,
                  "1 or 3 for each request, in the order of service: the time to serve them all"},
                 {"maximum", BankScore::maximum, "the 1 or 3 of the request that takes longest"}},
                {.def = "sum",
                 .about = "what a group's requests in one bank add to the bank's queue score; the group's "
                          "score is the largest of its banks' in either case",
                 .source = "choice; Chatterjee et al., SC 2014, say maximum, but their bank table holds the "
                           "time to drain the group's part of a bank"});
}

/// Score of a group: the most, over its banks, of the bank's queue score and 1 (row hit) or 3 for each of the group's
/// requests there in the order in which they would be sent (or for the worst of them: `bank_score`).
class Wg : public WarpGroups {
  public:
    using Settings = WgSettings;
    Wg(const WgSettings& settings, const SchedulerContext& context)
        : WarpGroups(settings, context),
          age_max_(settings.age_max),
          bank_score_(settings.bank_score),
          estimates_(context.settings.read_queue) {}

    struct Estimate {
        u16 score = 0;
        u16 hits = 0;
    };
    /// Of a group with waiting members, before what peers say and age; score 0 if there is no such group.
    Estimate estimate(GroupKey key) const;
    /// With what peers have said.
    u16 coordinated_score(GroupKey key) const;
    void report(std::vector<PolicyCounter>& to) const override;

  protected:
    Estimate estimate_of(u16 g) const;
    static u16 coordinated(const Group& g, u16 score) {
        return std::min<u16>(static_cast<u16>(score - std::min(score, g.subtrahend)), g.cap);
    }
    /// Whether complete groups of one request go first now (WG-W).
    virtual bool units_first() const { return false; }
    virtual bool is_unit(const Group& group) const { return group.members == 1; }
    u16 select(Cycle now) final;
    u64 units_selected() const { return units_; }
    /// Of the group selected last.
    Estimate selected_estimate() const { return selected_; }

  private:
    static constexpr u32 kMostScore = 0xffff;  // 16 bits, saturating
    struct Sum : Estimate {
        u32 bank = ~u32{0};
        u32 part = 0;
    };
    /// One more read of the group, in arrival order within its bank.
    void add(Sum& sum, const QueueEntry& e, u32 bank, u32 queue, u32 open) const {
        if (sum.bank != bank) {
            sum.bank = bank;
            sum.part = queue;
        }
        const bool miss = e.tag != 0 && e.row != open;
        const u32 own = miss ? kMiss : kHit;
        sum.part = bank_score_ == BankScore::sum ? sum.part + own : std::max(sum.part, queue + own);
        sum.hits = static_cast<u16>(sum.hits + !miss);
        sum.score = static_cast<u16>(std::max<u32>(sum.score, std::min(sum.part, kMostScore)));
    }
    void estimate_all();

    const u64 age_max_;
    const BankScore bank_score_;
    std::vector<Sum> estimates_;  // by group
    Estimate selected_;
    u64 aged_ = 0, units_ = 0;
};

/// How a peer's lower score acts on that of a group.
enum class PeerScore : u8 { subtrahend, cap };

struct WgMSettings : WgSettings {
    u64 message_latency = 3;
    PeerScore peer_score = PeerScore::subtrahend;
    bool remember_unmatched = false;
    static const config::Schema<WgMSettings>& schema();
};
template <class S>
config::Schema<S> wg_m_keys(config::Schema<S> schema) {
    return wg_keys(std::move(schema))
        .key("message_latency", &S::message_latency,
             {.unit = config::Unit::cycles,
              .clock = "dram",
              .def = "3",
              .min = "1",
              .max = "1000000000",
              .about =
                  "latency of a message to the other controllers: 32 bits over a 16-bit link, plus one clock",
              .source = "choice; width: Chatterjee et al., SC 2014"})
        .one_of("peer_score", &S::peer_score,
                {{"subtrahend", PeerScore::subtrahend,
                  "the group's score falls to it now; the difference stays subtracted from what the score "
                  "becomes"},
                 {"cap", PeerScore::cap, "the group's score never exceeds it again"}},
                {.def = "subtrahend",
                 .about = "what a score from a peer does that is lower than the group's own",
                 .source = "Chatterjee et al., SC 2014: the score is decreased by the difference, and "
                           "increased by what is scheduled later"})
        .key("remember_unmatched", &S::remember_unmatched,
             {.def = "false",
              .about = "keep the last 64 messages about loads of which no read has arrived yet",
              .source = "choice; Chatterjee et al., SC 2014, drop them"});
}

/// Controllers tell each other which load they serve and how soon it will be finished there: it need not be sooner
/// elsewhere, but should not be much later.
class WgM : public Wg {
  public:
    using Settings = WgMSettings;
    WgM(const WgMSettings& settings, const SchedulerContext& context)
        : Wg(settings, context),
          latency_(settings.message_latency),
          peer_score_(settings.peer_score),
          remember_(settings.remember_unmatched),
          peers_(context.settings.channels > 1) {}

    void on_message(const Message& message, Cycle now) final;
    bool messages_wait() const final { return true; }
    void report(std::vector<PolicyCounter>& to) const override;

  private:
    void selected(u16 group, Cycle now) final;
    void began(u16 group) final;
    void hear(u16 group, u16 score);

    static constexpr u32 kRemembered = 64;
    struct Unmatched {
        u64 key = kAlone;
        u16 score = 0xffff;
    };
    const u64 latency_;
    const PeerScore peer_score_;
    const bool remember_, peers_;
    std::array<Unmatched, kRemembered> unmatched_{};
    u32 next_unmatched_ = 0;
    u64 sent_ = 0, matched_ = 0, used_ = 0;
};

struct WgBwSettings : WgMSettings {
    u32 bursts_per_request = 0;
    static const config::Schema<WgBwSettings>& schema();
};
template <class S>
config::Schema<S> wg_bw_keys(config::Schema<S> schema) {
    return wg_m_keys(std::move(schema))
        .key("bursts_per_request", &S::bursts_per_request,
             {.def = "0",
              .max = "31",
              .about = "column commands that a row hit counts against MERB; 0: as many as it takes; 1: as "
                       "the paper counts",
              .source = "choice"});
}

/// A row miss waits until its bank has had enough row hits for the data bus to stay busy during its precharge and
/// activate, or there are none; one or two left over go with them.
class WgBw : public WgM {
  public:
    using Settings = WgBwSettings;
    WgBw(const WgBwSettings& settings, const SchedulerContext& context)
        : WgM(settings, context), bursts_per_request_(settings.bursts_per_request), merb_(context.resolved) {}

    u32 hit_count(u32 bank) const { return bank_[bank].hits; }
    void report(std::vector<PolicyCounter>& to) const override;

  private:
    QueueEntry* next_in(u32 bank) final;
    void sent(const Request& request, bool hit, Cycle now) final;
    u32 busy_banks() const;

    static constexpr u32 kMost = 31;    // of a 5-bit counter
    static constexpr u32 kOrphans = 2;  // hits that go before a miss although there were enough
    struct Bank {
        u32 hits = 0;     // column commands to the open row, its first request not counted
        u32 orphans = 0;  // sent before the miss that waits
    };
    const u32 bursts_per_request_;
    const Merb merb_;
    std::array<Bank, kMaxBanks> bank_{};
    u64 postponements_ = 0, orphans_ = 0, given_up_ = 0;
};

}  // namespace heddle::dram
