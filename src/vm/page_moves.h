#pragma once
// Moves pages from the host's memory to the GPU's while kernels run: the software runtime of Agarwal et al., HPCA 2015,
// sec. 4, as a part of the GPU's domain.
//
//     candidate ──> queue ──> [shootdown] ──> writes drain ──> copy, line by line ──> page table ──> writes go on
//
// A page that moves can be read where it was until its page-table entry changes, and is written by nobody meanwhile: writes
// wait at the SMs' MMUs, and the copy begins when those that had left before have been performed at their slices. A line is
// read past L2, which gives up what it has of it first, and written to the new place past L2, where nothing is held of it:
// frames that a page has left are not used again.
//
// The GPU knows a page from the first translation after its last shootdown on. Moving such a page costs `stall` cycles without
// lookups, at its beginning; at its end if the GPU gets to know it while it is copied.

#include <array>
#include <deque>
#include <memory>
#include <unordered_set>
#include <vector>

#include "cache/slice.h"
#include "mem/home_observer.h"
#include "vm/migration_policy.h"
#include "vm/page_moves_settings.h"
#include "vm/page_profile.h"
#include "vm/process.h"

namespace heddle {

class Translation;

/// Bytes that the channels of a memory have moved since the start of the run.
class MemoryTraffic {
  public:
    virtual ~MemoryTraffic() = default;
    virtual u64 bytes(u32 memory) const = 0;
};

struct PageMovesWiring {
    Agenda* agenda = nullptr;
    u32 part = 0, first_slice_part = 0;
    RequestPool* pool = nullptr;
    const Router* router = nullptr;
    u8 device = 0;
    std::vector<Link*> links;  // by memory; null: reached directly
    const MemoryTraffic* traffic = nullptr;
    Translation* translation = nullptr;
};

struct PageMoveStats {
    u64 candidates = 0;  // pages that entered the queue
    u64 moved = 0;
    u64 shootdowns = 0;  // of pages that moved; the others were unknown to the GPU
    u64 stall_cycles = 0;
    u64 freed = 0;        // by the program while they were copied
    u64 no_room = 0;      // candidates for which the GPU's memory had none
    u64 bytes = 0;        // copied
    u64 held_writes = 0;  // lines whose write waited for a page
};

class PageMoves final : public PageCopier, public HomeObserver {
  public:
    PageMoves(const PageMovesSettings& settings, const config::Choice& policy, const PlacementContext& places,
              const PageMovesWiring& wiring);

    void attach(Slice* slice) { slices_.push_back(slice); }
    /// Before the first access.
    void start(Processes& processes);
    /// No further page begins to move.
    void halt() {
        halted_ = true;
        queue_.clear();
    }
    /// Does what is due; the next cycle with something to do.
    Cycle step(Cycle now);

    // -- from the MMUs
    /// A write to the page, or what comes behind one, has to wait at the MMU: it asks Translation, which asks again when the
    /// page has moved.
    bool closed(PageKey page) const { return !closed_.empty() && closed_.contains(page.v); }
    void held_write() { ++stats_.held_writes; }
    /// The program wants these pages somewhere: those in the host's memory that it wants in the GPU's enter the queue.
    void hinted(u8 app, const PageHintEvent& hint, Cycle now);
    /// The program has freed these pages.
    void freed(u8 app, VirtAddr first, u64 bytes);
    /// An SM has the page's translation for a line that it sends, which may be a write.
    void translated(PageKey page, Mapping mapping, bool writes, Cycle now);

    // -- from the slices
    void copied(Request* request, Cycle now) override;
    void performed(const Request& request, Cycle now) override;
    void sent_down(const Request& request, Cycle now) override;
    void filled(const Request&, Cycle) override {}

    bool quiet() const { return moves_.empty(); }
    std::string describe() const;
    /// InvariantError unless every write that left an MMU has been performed and every copy is complete.
    void check_conservation() const;
    const PageMoveStats& stats() const { return stats_; }
    u64 queued() const { return queue_.size(); }
    /// Accesses in DRAM of each page that the GPU has used.
    std::vector<PageAccesses> profile() const;

  private:
    /// A page that the GPU has used, by its frame.
    struct State {
        PageKey page;
        u64 touches = 0;
        u32 writes = 0;      // translated and not yet performed
        bool known = false;  // to the GPU
        bool host = false;   // it lies in a host's memory
        bool freed = false;  // by the program
    };
    struct Move {
        PageKey page;
        u32 from = 0, to = 0;  // frames
        Cycle ready;           // the stall is over
        u32 lines = 0;         // copied
        bool copying = false, paid = false, freed = false;
    };
    struct Candidate {
        PageKey page;
        Cycle at;
    };

    State& state_of(u32 frame);
    State& state_of(PageKey page, Mapping mapping);
    State& state_of(PhysAddr line);
    void trigger(PageKey page, Cycle now);
    void choose(PageKey page, Cycle now);
    PageRange range_of(PageKey page) const;
    u32 free_places() const;
    void start_next(Cycle now);
    void start_move(PageKey page, Mapping mapping, u32 to, Cycle now);
    void shoot_down(Move& move, Cycle now);
    bool begins(const Move& move, Cycle now);
    void copy(Move& move, Cycle now);
    Move& move_of(const Request& line);
    void send(Request* r, u32 frame, u32 line, LinkDirection direction, Cycle now);
    void finish(Move& move, Cycle now);
    void measure(Cycle now);
    u32 page_bytes() const { return 1u << page_shift(size_); }
    u32 lines_of_page() const { return page_bytes() / kLineBytes; }
    void wake(Cycle at) { wiring_.agenda->wake(wiring_.part, at); }

    PageMovesSettings settings_;
    PlacementContext places_;
    PageMovesWiring wiring_;
    std::unique_ptr<MigrationPolicy> policy_;
    u32 device_memory_;
    bool halted_ = false;
    std::vector<Slice*> slices_;
    Processes* processes_ = nullptr;
    PageSize size_ = PageSize::small;

    // By frame, 512 to a block. Frames are as dense as pages are.
    std::vector<std::unique_ptr<std::array<State, 512>>> states_;
    std::deque<Candidate> queue_;
    std::unordered_set<u64> chosen_;  // pages that are in the queue, move, or have moved
    std::unordered_set<u64> closed_;  // that move
    std::vector<Move> moves_;
    Cycle stalled_until_{0};
    Cycle measured_at_ = kNever;
    std::vector<u64> bytes_before_;
    PageMoveStats stats_;
};

}  // namespace heddle
