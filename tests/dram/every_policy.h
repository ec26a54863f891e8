#pragma once
// The property that must hold for every standard under every scheduler and page policy: no command breaks a rule (the
// independent auditor), each request is done exactly once, and every clock of the data buses is accounted for.

#include <functional>

#include "all_kinds.h"
#include "dram/audited.h"
#include "dram/scheduler.h"

namespace heddle::dram {

struct PolicyCase {
    std::string scheduler;
    MemorySettings settings;
    std::string name() const { return scheduler + " " + name_of(settings); }
};

/// Every standard x scheduler x page policy. The refresh modes of a standard take turns, so that each meets every page
/// policy and scheduler somewhere.
inline std::vector<PolicyCase> every_policy() {
    std::vector<PolicyCase> cases;
    for (const Standard& standard : standards()) {
        std::vector<MemorySettings> kinds;  // by refresh mode, then page policy
        for (const MemorySettings& s : all_kinds())
            if (s.standard == standard.name && s.refresh != RefreshMode::off) kinds.push_back(s);
        const std::size_t modes = kinds.size() / 3;
        std::size_t turn = 0;
        for (const auto& [scheduler, entry] : schedulers().entries()) {
            for (std::size_t page = 0; page < 3; ++page, ++turn) {
                PolicyCase c{std::string(scheduler), kinds[turn % modes * 3 + page]};
                // Quanta short enough for many rankings in a run.
                const bool quanta = scheduler == "atlas" || scheduler == "tcm";
                c.settings.scheduler = schedulers().choose(scheduler, quanta ? "quantum: 20000" : "");
                cases.push_back(std::move(c));
            }
        }
    }
    return cases;
}

struct PolicyOutcome {
    std::string wrong;  // empty: the property holds
    u64 commands = 0;
    AloneResult result;
};

inline PolicyOutcome outcome_of(const PolicyCase& c, const std::vector<StreamEntry>& stream) {
    Audit audit(c.settings, c.name());
    AloneOptions options;
    options.observer = &audit;
    PolicyOutcome o;
    o.result = run_alone(c.settings, stream, options);
    o.commands = audit.auditor().commands();
    const Statistics& t = o.result.total;
    try {
        audit.finish(Cycle(o.result.cycles));
    } catch (const InvariantError& broken) {
        o.wrong = broken.what();
        return o;
    }
    const Geometry g = resolve(c.settings).geometry;
    u64 bus = 0, writes = 0;
    for (u64 clocks : t.bus_cycles) bus += clocks;
    for (const StreamEntry& e : stream) writes += e.write;
    if (t.writes != writes || t.reads + t.forwarded_reads != stream.size() - writes)
        o.wrong = "requests were lost or done twice";
    else if (t.read_latency.count() != t.reads || t.write_latency.count() != t.writes)
        o.wrong = "not every request has a latency";
    else if (t.read_bytes != t.read_bursts * g.access_bytes ||
             t.written_bytes != t.write_bursts * g.access_bytes)
        o.wrong = "bytes are not bursts";
    else if (bus != o.result.cycles * g.pseudo_channels)
        o.wrong = "clocks of the data bus are missing";
    return o;
}

}  // namespace heddle::dram
