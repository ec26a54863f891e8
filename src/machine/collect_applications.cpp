#include "machine/collect_applications.h"

#include <algorithm>
#include <map>
#include <utility>

#include "cache/slice_counters.h"
#include "core/sm_counters.h"
#include "dram/counters.h"
#include "dram/geometry.h"
#include "machine/collect_translation.h"
#include "machine/counter_list.h"
#include "machine/ranges.h"

namespace heddle {

namespace {

constexpr std::size_t kHotLoads = 10;

class ApplicationCollector {
  public:
    ApplicationCollector(const Machine& machine, RunRecord& record) : machine_(machine), record_(record) {}

    void run() {
        for (const auto& app : machine_.applications()) {
            AppRecord& a = record_.apps.emplace_back();
            a.name = app->name();
            a.launches = app->launches();
            a.first_sm = app->share().first_sm;
            a.sms = app->share().sms;
            counters(a, machine_.totals(*app));
            for (const auto& k : app->kernels()) {
                k->retire();  // of a run that was cut off, some have not been
                kernel(a, *k);
            }
            a.ranges = ranges_in_time(*app, machine_.now());
        }
        for (const auto& [opcode, n] : unknown_) record_.unknown_opcodes.push_back({opcode, n});
        for (auto& [key, site] : sites_) record_.hot_loads.push_back(site);
        std::stable_sort(record_.hot_loads.begin(), record_.hot_loads.end(),
                         [](const auto& a, const auto& b) { return a.wait_cycles > b.wait_cycles; });
        if (record_.hot_loads.size() > kHotLoads) record_.hot_loads.resize(kHotLoads);
    }

  private:
    void counters(AppRecord& app, const AppTotals& t) const {
        const CounterList list(app.counters, {});
        list.add(kSmAppCounters, t.sm);
        list.add(kSliceAppCounters, t.l2);
        list.add(dram::kAppCounters, t.dram);
        for (const dram::PolicyCounter& c : t.scheduler)
            list.add(std::string("dram.scheduler.") + c.name, c.unit, c.value);
        app.scheduler_windows = windows(t.scheduler);
        collect_translation(machine_, t, app);
        if (const std::optional<u64> energy = energy_of(t)) list.add("dram.energy", "pJ", *energy);
    }

    /// Of all memories; none unless the currents of each are known.
    std::optional<u64> energy_of(const AppTotals& t) const {
        u64 sum = 0;
        for (std::size_t m = 0; m < t.memories.size(); ++m) {
            const dram::Resolved resolved = dram::resolve(machine_.memories()[m]->settings());
            const dram::Currents* currents = dram::find_currents(resolved);
            if (currents == nullptr) return std::nullopt;
            sum += dram::energy_of(t.memories[m], resolved, *currents).total();
        }
        return sum;
    }

    static std::optional<SchedulerWindowsRecord> windows(const std::vector<dram::PolicyCounter>& counters) {
        using enum dram::CounterMeaning;
        const auto value = [&](dram::CounterMeaning meaning) {
            const dram::PolicyCounter* c = dram::find(counters, meaning);
            return c == nullptr ? 0 : c->value;
        };
        if (dram::find(counters, dram::CounterMeaning::windows) == nullptr) return std::nullopt;
        return SchedulerWindowsRecord{value(dram::CounterMeaning::windows), value(first_windows),
                                      value(window_bytes), value(mpki_windows), value(mpki_sum)};
    }

    void kernel(AppRecord& app, const KernelRun& k) {
        KernelRecord& r = app.kernels.emplace_back();
        r.name = k.info().name;
        r.index = k.index;
        r.ctas = k.ctas_done;
        r.warp_instructions = k.warp_instructions;
        r.thread_instructions = k.thread_instructions;
        r.memory = k.memory;
        r.shared = k.shared;
        if (k.first_cta != kNever) {
            r.start_cycle = k.first_cta.v;
            r.cycles = (k.ended == kNever ? machine_.now() : k.ended) - k.first_cta;
            app.cycles = std::max(app.cycles, r.start_cycle + r.cycles);
        }
        app.warp_instructions += r.warp_instructions;
        app.thread_instructions += r.thread_instructions;
        for (const auto& [pc, site] : k.finished_sites) {
            r.loads += site.executions;
            r.load_latency_cycles += site.latency_cycles;
            HotLoadRecord& h = sites_[{r.name, pc}];
            h.kernel = r.name;
            h.pc = pc;
            h.executions += site.executions;
            h.requests += site.requests;
            h.wait_cycles += site.wait_cycles;
        }
        for (const auto& [opcode, n] : k.unknown_opcodes) unknown_[opcode] += n;
        for (const std::string& w : k.warnings)
            if (std::find(record_.warnings.begin(), record_.warnings.end(), w) == record_.warnings.end())
                record_.warnings.push_back(w);
    }

    const Machine& machine_;
    RunRecord& record_;
    std::map<std::pair<std::string, u64>, HotLoadRecord> sites_;  // by kernel and PC
    std::map<std::string, u64> unknown_;
};

}  // namespace

void collect_applications(const Machine& machine, RunRecord& record) {
    ApplicationCollector(machine, record).run();
}

}  // namespace heddle
