#pragma once
// The last node of every design: page-table entries as reads of L2, and where it misses of DRAM. Where the walker stands
// beside L2 they do not come through the crossbar; otherwise they leave the SM whose access missed as its own misses do,
// and only the answer takes no way. Core clock.

#include <vector>

#include "cache/slice.h"
#include "vm/node.h"
#include "vm/settings.h"
#include "vm/translation_stats.h"
#include "vm/walk_port.h"

namespace heddle {

/// Where page tables are read.
struct TableReaderWiring {
    RequestPool* pool = nullptr;
    const Router* router = nullptr;
    u8 device = 0;
    std::vector<Slice*> slices;  // by port
    u32 first_slice_part = 0;    // of the agenda
    Cycle l2_front;              // to a slice's banks, beyond the cycle in which a read is made
    std::vector<WalkPort*> sms;  // by number
};

class TableReader final : public TranslationNode, public WalkReader {
  public:
    /// Questions' numbers (PageMiss::from) are below 256, and each has one read at a time.
    TableReader(const TranslationNodeContext& context, const TableReaderWiring& wiring)
        : TranslationNode(context),
          settings_(context.settings->walker),
          wiring_(wiring),
          counts_(*context.counts),
          agenda_(*context.agenda) {}

    void walk_read(Request* request, WalkSource source, Cycle at, Cycle now) override;
    void check() const override;
    /// Reads that came through the crossbar.
    u64 sent_by_sms() const { return sent_by_sms_; }

  private:
    static constexpr u32 kReads = 256;  // Origin::slot names them
    void miss(const PageMiss& m, Cycle now) override;

    const WalkerSettings settings_;
    const TableReaderWiring& wiring_;
    TranslationCounts& counts_;
    Agenda& agenda_;
    std::array<PageMiss, kReads> reads_;
    u64 sent_by_sms_ = 0;
};

}  // namespace heddle
