#pragma once
// The row sorter of a throughput-optimized controller: the waiting requests of each bank, by row, and which of them
// goes next. Source: Chatterjee et al., SC 2014, the GMC baseline.
//
// A bank has a limited number of entries, one per row. A request whose row has no entry while all are in use stays
// unsorted. It enters, in arrival order, when it matches an entry or an entry becomes free (choice).

#include "dram/bank_mask.h"
#include "dram/scheduler/entry_list.h"
#include "sim/types.h"

namespace heddle::dram {

class RowStreams {
  public:
    /// `rows`: entries of a bank. `age_threshold`: clocks after which the oldest request of a bank goes first.
    RowStreams(u32 banks, u32 rows, u64 age_threshold, u32 max_streak)
        : rows_(rows),
          age_threshold_(age_threshold),
          max_streak_(max_streak),
          lists_(banks),
          streams_(banks) {}

    /// Takes a request whose bank, row and time of arrival are set.
    void add(Request* request);
    /// The request of a bank that goes next, taken out. `last_row`: the row last scheduled in the bank; `streak`:
    /// requests sent in a row to it, set to 0 where the streak has come to its end.
    Request* take(u32 bank, Cycle now, u32 last_row, u32& streak);

    /// Takes out the requests of a bank for which `chosen` is true, in arrival order, and hands each to `to`.
    template <class Chosen, class To>
    void take_all(u32 bank, Chosen chosen, To to) {
        EntryList& list = lists_[bank];
        for (u32 k = 0; list.begin() + k != list.end();) {
            const QueueEntry& e = list.begin()[k];
            Request* request = e.request;
            if (!chosen(*request)) {
                ++k;
                continue;
            }
            const bool sorted = e.tag != 0;
            list.erase(list.begin() + k);
            if (sorted) leave(bank, request->row);
            to(request);
        }
        if (list.empty()) banks_.clear(bank);
    }

    /// Banks with a request.
    const BankMask& banks() const { return banks_; }
    bool wants(u32 bank, u32 row) const;
    /// When the oldest request arrived; kNever if none waits.
    Cycle oldest() const;

  private:
    struct Stream {
        u32 row = 0;
        u32 requests = 0;
    };
    bool sort(u32 bank, QueueEntry& entry);
    void leave(u32 bank, u32 row);

    const u32 rows_;
    const u64 age_threshold_;
    const u32 max_streak_;
    BankMask banks_;
    std::vector<EntryList> lists_;              // by bank, in arrival order; tag 1: sorted
    std::vector<std::vector<Stream>> streams_;  // by bank
};

}  // namespace heddle::dram
