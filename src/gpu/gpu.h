#pragma once
// One GPU, its parts only: SMs, the two crossbars, the L2 slices in front of every memory that it reaches, translation, and
// the dispatcher, in one clock. The memories, the processes and the programs are the machine's.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cache/l2_hit_rates.h"
#include "cache/slice.h"
#include "core/sm.h"
#include "gpu/dispatcher.h"
#include "gpu/settings.h"
#include "gpu/share.h"
#include "mem/reached_memory.h"
#include "vm/page_moves.h"
#include "vm/translation.h"

namespace heddle {

/// How the pages of a GPU's applications move between memories.
struct PageMovesDescription {
    PageMovesSettings settings;
    config::Choice policy;
    PlacementContext places;
    const MemoryTraffic* traffic = nullptr;
};

struct GpuWiring {
    std::vector<ReachedMemory>
        memories;  // all of the machine, in the order of their numbers in physical addresses
    LinearMemory* linear = nullptr;           // places data where there is no translation
    TranslationPressure* pressure = nullptr;  // where translation tells how applications suffer from it
    KernelOwner* owner = nullptr;
    const PageMovesDescription* moves = nullptr;  // null: no pages move
    u8 device = 0;                                // its number in the machine
};

class Gpu final : public Domain, private SmOwner {
  public:
    /// Throws InputError if the description does not hold.
    Gpu(const std::string& name, const GpuSettings& settings, const Clock& clock, const GpuWiring& wiring);

    /// InputError if an application's share does not fit the GPU.
    void check(const Share& share, const std::string& application) const;
    /// Before the first cycle: what each application gets. `processes` where there is translation.
    void start(std::span<const Share> shares, Processes* processes);
    /// Nothing new is issued or started; what is in flight still arrives.
    void halt();

    Dispatcher& dispatcher() { return dispatcher_; }
    /// A warp here waited for an edge that has been signalled; it knows from `at` on.
    void edge_signalled(const KernelRun::EdgeWaiter& waiter, Cycle at);
    /// The host has written this line through L2.
    void warm(PhysAddr line, u8 app) { slices_[router_.route(line).port]->warm(line, app); }

    u64 thread_instructions() const { return load_stats_.thread_instructions; }
    /// Grows with everything that counts as progress: instructions, requests, responses.
    u64 progress() const;
    /// Nothing is in flight in it.
    bool quiet() const;
    /// InvariantError unless everything that was sent was answered and the levels agree.
    void check_conservation() const;
    /// Who waits for whom: SMs, translation, L2.
    std::string describe() const;

    /// Memory instructions issued from now on are reported to the observer; null: to none.
    void trace(LifetimeObserver* lifetimes);
    /// Accounts for resident warps up to now (for a run that was cut short).
    void settle();

    // -- of one memory, for its schedulers and for what must agree with it
    /// An application's lines that missed in the slices in front of a channel.
    u64 misses(u32 app, u32 memory, u32 channel) const;
    struct Sent {
        u64 reads = 0, writes = 0;
    };
    Sent sent_to(u32 memory) const;

    // -- for the result
    const std::string& name() const { return name_; }
    const GpuSettings& settings() const { return settings_; }
    const std::vector<std::unique_ptr<Sm>>& sms() const { return sms_; }
    const std::vector<std::unique_ptr<Slice>>& slices() const { return slices_; }
    const LoadStats& load_stats() const { return load_stats_; }
    const Router& router() const { return router_; }
    const Footprint& footprint() const { return footprint_; }
    /// Null without translation.
    const Translation* translation() const { return translation_.get(); }
    Translation* translation() { return translation_.get(); }
    /// Null where no pages move.
    const PageMoves* moves() const { return moves_.get(); }
    PageMoves* moves() { return moves_.get(); }
    const Crossbar& requests() const { return requests_; }
    const Crossbar& responses() const { return responses_; }

  private:
    void run(Cycle now) override;
    void step_slice(u32 s, Cycle now);
    void build_translation(TranslationPressure& pressure);
    void build_moves(const GpuWiring& wiring);
    void build_slices(const GpuWiring& wiring);
    void build_sms(const GpuWiring& wiring);

    void cta_done(u16 sm, KernelRun& kernel, Cycle now) override;
    void signalled(KernelRun& kernel, u32 edge, Cycle now) override;
    void load_complete(u16 sm, u32 load, u32 channel, u32 requests, Cycle now) override;

    // Parts of the domain, in the order in which they are stepped: SMs, slices, dispatcher, translation, moving pages.
    u32 slice_part(u32 slice) const { return settings_.sms + slice; }
    u32 dispatcher_part() const { return slice_part(router_.ports()); }
    u32 translation_part() const { return dispatcher_part() + 1; }
    u32 moves_part() const { return translation_part() + 1; }

    std::string name_;
    GpuSettings settings_;
    KernelOwner& owner_;
    u8 device_;
    Router router_;
    RequestPool pool_;
    LoadStats load_stats_;
    Crossbar requests_, responses_;
    std::vector<std::unique_ptr<Sm>> sms_;
    L2HitRates hit_rates_;
    Footprint footprint_;
    std::vector<std::unique_ptr<Slice>> slices_;
    std::vector<GroupObserver*> groups_;  // by channel, flat over the memories
    std::unique_ptr<Translation> translation_;
    std::unique_ptr<PageMoves> moves_;
    Dispatcher dispatcher_;
};

}  // namespace heddle
