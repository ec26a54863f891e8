#pragma once
// One L2 slice: crossbar port -> front pipeline -> bank queues -> lookup -> response, or miss to the DRAM channel and
// fill. Core clock. A request that cannot proceed waits where it is and holds back those behind it.
//
// Reads of page walks come from the walker beside L2, straight to their bank, or out of the crossbar as data do. They take
// their turn with data (first with `walker.first_at_l2`) and return to the walker. They are lines like any other, counted
// separately.

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cache/cache.h"
#include "link/link.h"
#include "mem/footprint.h"
#include "mem/home_observer.h"
#include "mem/lifetime_observer.h"
#include "mem/memory_client.h"
#include "mem/request_observer.h"
#include "mem/request_pool.h"
#include "mem/router.h"
#include "noc/crossbar.h"
#include "sim/ring.h"
#include "sim/stall_clock.h"

namespace heddle {

struct SliceStats {
    u64 reads = 0, read_hits = 0, read_merges = 0, read_misses = 0;
    u64 writes = 0, write_hits = 0;
    u64 atomics = 0, atomic_hits = 0;
    u64 read_sectors = 0, read_sector_hits = 0, write_sectors = 0, atomic_lanes = 0;
    u64 bypassed = 0;
    u64 fetches = 0, fetched_sectors = 0;           // requests sent to DRAM, and what they bring
    u64 write_backs = 0, written_back_sectors = 0;  // evictions and write-through traffic
    u64 copy_reads = 0, copy_writes = 0;            // lines of pages that move
    u64 stall_mshr_cycles = 0, stall_merge_cycles = 0, stall_line_cycles = 0;
    u64 stall_dram_queue_cycles = 0, stall_reply_queue_cycles = 0;
    u64 queue_wait_cycles = 0;  // from the crossbar to the lookup, summed over requests
};

/// One application's part of it.
struct SliceAppStats {
    // Lines, reads and atomics; what joins a miss is neither. Misses: and writes that fetch (WriteMiss::fetch).
    u64 reads = 0, hits = 0, misses = 0;
    u64 writes = 0;  // lines
    u64 read_sectors = 0, read_sector_hits = 0, write_sectors = 0;

    void merge(const SliceAppStats& other) {
        reads += other.reads;
        hits += other.hits;
        misses += other.misses;
        writes += other.writes;
        read_sectors += other.read_sectors;
        read_sector_hits += other.read_sector_hits;
        write_sectors += other.write_sectors;
    }
};

/// What the reads of page walks of one level met.
struct WalkReadStats {
    u64 reads = 0, hits = 0, merges = 0, misses = 0, bypassed = 0;
};

/// Where a walk's read found its page-table entry.
enum class WalkSource : u8 { l2_hit, l2_merge, dram };

/// The page walker, as a slice sees it.
class WalkReader {
  public:
    virtual ~WalkReader() = default;
    /// The entry is available at `at`, later than now. The request belongs to the walker again.
    virtual void walk_read(Request* request, WalkSource source, Cycle at, Cycle now) = 0;
};

/// What copies pages, as a slice sees it.
class PageCopier {
  public:
    virtual ~PageCopier() = default;
    /// A line has been read, or its write is in DRAM. The request belongs to the copier again.
    virtual void copied(Request* request, Cycle now) = 0;
};

/// The slice's connections, given once.
struct SliceWiring {
    Crossbar* requests = nullptr;
    Crossbar* responses = nullptr;
    RequestPool* pool = nullptr;
    const Router* router = nullptr;
    GroupObserver* groups = nullptr;  // null: none wants to know
    WalkReader* walker = nullptr;     // null: none sends it walks
    bool walks_first = false;         // before data at their bank
    Link* link = nullptr;             // between the crossbar and here; null: there is none
    PageCopier* copier = nullptr;     // null: no pages move
    HomeObserver* home = nullptr;     // null: none
    L2HitRates* hit_rates = nullptr;  // of the GPU, for policies
    Footprint* footprint = nullptr;   // of the GPU
    u8 device = 0;                    // whose L2 it is
    u32 index = 0;                    // number of the slice: its port of the router and of both crossbars
    Cycle memory_latency;             // fixed path to the DRAM controller
    u8 granule_sectors = 1;           // sectors that one DRAM burst brings
};

class Slice final : public MemoryClient {
  public:
    /// It is part `part` of its GPU's domain.
    Slice(const L2Settings& settings, const SliceWiring& wiring, Domain& gpu, u32 part);

    /// Does what is possible at `now`; the cycle of the next possible work (kNever: until woken).
    Cycle step(Cycle now);

    /// Sees each request that comes out of the crossbar; null: none.
    void observe(RequestObserver* observer) { observer_ = observer; }
    /// Sees what happens to the data here, in place of the one in the wiring.
    void observe_home(HomeObserver* home) { wiring_.home = home; }
    HomeObserver* home_observer() const { return wiring_.home; }
    /// The observer of traced requests.
    void trace(LifetimeObserver* lifetimes) { lifetimes_ = lifetimes; }

    bool waits_for_memory_room() const override;
    void from_memory(Request* request, Cycle at) override {
        cache_.prefetch(set_index(*request), number(*request));
        // A response from one of several data buses may be known later and arrive earlier.
        fills_.push_by_time({at, request});
    }

    /// A read of a page walk arrives at `at`; the slice must be stepped then.
    void walk(Request* request, Cycle at) { walks_.push_by_time({at, request}); }

    /// A line of a page that moves is to be read or written at `at`; the slice must be stepped then. What the cache has of it goes
    /// back to memory before it is read.
    void copy(Request* request, Cycle at) { copies_.push_by_time({at, request}); }

    /// A host copy wrote this line to memory through L2.
    void warm(PhysAddr line, u8 app);
    bool quiet() const;
    const SliceStats& stats() const { return stats_; }
    /// Before the run: how many applications there are, and the ways of each (empty: all ways are everyone's).
    void applications(u32 count, const std::vector<u64>& ways) {
        app_stats_.resize(count);
        cache_.divide(ways);
    }
    const SliceAppStats& stats(u8 app) const { return app_stats_[app]; }
    /// Reads of page walks; level 1 is the root's.
    const WalkReadStats& walk_stats(u32 level) const { return walk_stats_[level]; }
    static constexpr u32 kWalkLevels = 8;
    const Cache<Request*>& cache() const { return cache_; }
    /// Lines with sectors that have not been written back.
    u64 dirty_lines() const;
    /// Requests held, for diagnosis.
    u32 waiting_in_banks() const;

  private:
    struct Timed {
        Cycle at;
        Request* request = nullptr;
    };
    struct Bank {
        Ring<Timed> queue;
        Ring<Timed> walks;  // reads of page walks
        /// Whose head has its turn. Without `walks_first` that is the one that came first; data, if both did at once.
        Ring<Timed>& next(bool walks_first) {
            return !walks.empty() && (walks_first || queue.empty() || walks.front().at < queue.front().at)
                       ? walks
                       : queue;
        }
        std::vector<Cycle> port_free;
        StallClock stall;
        /// Words on which atomics have acted lately, and until when they do; by the word's number.
        struct ActiveWord {
            PhysAddr word;
            Cycle until{0};
        };
        std::array<ActiveWord, 16> active_words;
    };

    void take_fills(Cycle now);
    void answer(Cycle now);
    void answer_over_link(Cycle now);
    void access_banks(Cycle now);
    /// How long an atomic holds its port, where operations on one word follow each other slowly.
    Cycle pace_atomic(Bank& bank, PhysAddr word, u64 lanes, Cycle held, Cycle now) const;
    void receive(Cycle now);
    void take_over_link(Cycle now);
    Request* from_link(Cycle now, Cycle* whole);
    void take_copies(Cycle now);
    void copied(Request* r, Cycle now);
    void take_walks(Cycle now);
    Lookup look_up(Request* r, Cycle now);
    bool read_for_walk(Request* r, Cycle now);
    void answer_walks(Cycle now);
    Bank& bank_of(const Request& r) { return banks_[settings_.banks == 1 ? 0 : number(r) % settings_.banks]; }
    void bypass(Request* r, Cycle now);
    void bypass_counted(Request* r, Cycle at);
    bool would_hit(const Request& r) const;
    bool passed_by(Request* r, Cycle now);
    Cycle next(Cycle now, Cycle pumped) const;
    Cycle next_of_extras(Cycle at, Cycle now) const;

    bool access(Request* r, Cycle now, Cycle& held);
    bool read(Request* r, Cycle now);
    bool write(Request* r, Cycle now);
    void tell_read(const Request& r, const Lookup& found, Cycle now);
    void performed(Request* r, Cycle now);
    void see_performed(const Request& r, Cycle now) {
        if (wiring_.home != nullptr) [[unlikely]]
            wiring_.home->performed(r, now);
    }
    void fetch(Request* r, u8 sectors, Cycle now);
    void leave(const Cache<Request*>::Evicted& evicted, Cycle now);
    void forward_write(const Request& r, Cycle now);
    void send_down(Request* r, Cycle now) {
        wiring_.footprint->touch(r->line);
        if (wiring_.home != nullptr) [[unlikely]]
            wiring_.home->sent_down(*r, now);
        send_to_memory(r, now + wiring_.memory_latency.v);
    }
    bool reply_room() const { return hits_.size() + answers_.size() < reply_limit_; }
    bool stall(u64& counter) {
        stalled_on_ = &counter;
        return false;
    }
    void tell(const Request& r, RequestStep step, Cycle at) {
        if (r.traced) [[unlikely]]
            lifetimes_->step(r, step, at);
    }
    u32 number(const Request& r) const { return line_number(r.line); }
    u64 set_index(const Request& r) const { return lines_.slice_line(r.local); }

    L2Settings settings_;
    SliceWiring wiring_;
    const AddressMap& lines_;  // how this slice's lines are numbered
    Cache<Request*> cache_;
    std::unique_ptr<InsertionPolicy> insertion_;
    std::unique_ptr<BypassPolicy> bypass_;
    std::vector<Bank> banks_;
    u32 first_bank_ = 0;
    Cycle banks_at_ = kNever;  // when a bank that is not blocked may next look up
    bool blocked_ = false;     // some bank is
    u32 queue_limit_;          // of a bank's queue with its share of the front pipeline
    Ring<Timed> walks_;        // on their way here
    std::vector<Request*> answered_walks_;
    const bool extras_;  // it has a link, or pages move
    Ring<Timed> copies_;
    u64 copies_in_memory_ = 0;
    Ring<Timed> coming_, going_;  // on the link
    u32 link_room_;               // each way
    Ring<Timed> fills_;
    Ring<Timed> hits_;        // answers by time
    Ring<Request*> answers_;  // answers of fills
    u32 to_memory_limit_;
    u32 reply_limit_;
    u64 bypassed_waiting_ = 0;              // bypassing reads that are in DRAM
    Request* at_port_ = nullptr;            // received, but its bank queue is full
    bool goes_around_ = false;              // the bypass policy's answer for at_port_
    std::optional<bool> walk_goes_around_;  // likewise for the first of walks_, once it has been asked
    u64* stalled_on_ = nullptr;
    RequestObserver* observer_ = nullptr;
    LifetimeObserver* lifetimes_ = nullptr;
    SliceStats stats_;
    std::vector<SliceAppStats> app_stats_;
    std::array<WalkReadStats, kWalkLevels> walk_stats_;
};

}  // namespace heddle
