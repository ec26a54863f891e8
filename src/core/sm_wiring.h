#pragma once
// What an SM is connected to.

#include "core/kernel_run.h"
#include "core/sm_stats.h"
#include "mem/request_pool.h"
#include "mem/router.h"
#include "noc/crossbar.h"
#include "vm/address_space.h"

namespace heddle {

class Translation;

/// What an SM reports to the machine it is part of. Calls come during step().
class SmOwner {
  public:
    virtual ~SmOwner() = default;
    virtual void cta_done(u16 sm, KernelRun& kernel, Cycle now) = 0;
    /// An edge's signal has been performed: wakes the kernel's waiting warps (through Sm::edge_signalled).
    virtual void signalled(KernelRun& kernel, u32 edge, Cycle now) = 0;
    /// All lines of a load that belong to a channel have their outcome in L1, and `requests` (not 0) of them went
    /// there. Called only if wants_groups.
    virtual void load_complete(u16 sm, u32 load, u32 channel, u32 requests, Cycle now) = 0;
};

struct SmWiring {
    Crossbar* requests = nullptr;
    Crossbar* responses = nullptr;
    RequestPool* pool = nullptr;
    const Router* router = nullptr;
    LinearMemory* memory = nullptr;
    LoadStats* load_stats = nullptr;
    SmOwner* owner = nullptr;
    Translation* translation = nullptr;  // null: none, addresses are placed by `memory`
    u16 index = 0;
    u8 device = 0;
    u32 miss_queue = 8;  // requests between L1 and the crossbar port, besides those in its pipeline
    bool wants_groups = false;
    bool wants_busiest_words = false;  // of atomics
};

}  // namespace heddle
