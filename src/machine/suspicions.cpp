#include "machine/suspicions.h"

#include <fmt/format.h>

#include "machine/machine.h"

namespace heddle {
namespace {

std::string counted(u64 n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

/// SMs that applications may use and that never got a CTA.
std::string idle_sms(const Machine& machine) {
    u64 idle = 0, shared = 0;
    for (const auto& gpu : machine.gpus())
        for (u32 s = 0; s < gpu->sms().size(); ++s) {
            bool owned = false;
            for (const auto& app : machine.applications()) owned |= app->owns(s);
            shared += owned;
            idle += owned && gpu->sms()[s]->stats().ctas == 0;
        }
    if (idle == 0) return {};
    return fmt::format("{} of {} never got a CTA: the input is too small to fill the GPU", idle,
                       counted(shared, "SM"));
}

/// A line of L2 that stays dirty is DRAM traffic that no counter has.
std::string dirty_lines(const Machine& machine) {
    constexpr u64 kTold = 20;  // from one 20th of the traffic on
    u64 dirty = 0, moved = 0;
    for (const auto& gpu : machine.gpus())
        for (const auto& slice : gpu->slices()) {
            dirty += slice->dirty_lines();
            moved += slice->stats().fetched_sectors + slice->stats().written_back_sectors;
        }
    if (dirty == 0 || dirty * kSectors * kTold < moved) return {};
    return fmt::format("{} dirty in L2 at the end; DRAM traffic does not include writing them back",
                       counted(dirty, "line") + (dirty == 1 ? " is" : " are"));
}

}  // namespace

std::vector<std::string> suspicions(const Machine& machine, const RunRecord& record) {
    std::vector<std::string> out;
    const auto tell = [&out](std::string line) {
        if (!line.empty()) out.push_back(std::move(line));
    };
    for (const auto& app : machine.applications())
        for (std::string& line : app->warnings()) tell(std::move(line));
    if (!record.partial) tell(idle_sms(machine));
    u64 threadless = 0;
    for (const AppRecord& app : record.apps) {
        if (app.kernels.empty()) tell(fmt::format("{} launched no kernel", app.name));
        for (const KernelRecord& k : app.kernels)
            threadless += k.warp_instructions != 0 && k.thread_instructions == 0;
    }
    if (threadless != 0)
        tell(fmt::format("{} executed no thread: no lane is active in any instruction",
                         counted(threadless, "kernel")));
    u64 null_page = 0, misaligned = 0;
    for (const auto& gpu : machine.gpus())
        for (const auto& sm : gpu->sms()) {
            null_page += sm->stats().null_page_accesses;
            misaligned += sm->stats().misaligned_accesses;
        }
    if (null_page != 0)
        tell(fmt::format("{} in the first 4 KiB of the address space, where no program has data",
                         counted(null_page, "memory instruction")));
    if (misaligned != 0)
        tell(fmt::format("{} with an address that is not a multiple of the access size: a GPU would fault",
                         counted(misaligned, "memory instruction")));
    tell(dirty_lines(machine));
    return out;
}

}  // namespace heddle
