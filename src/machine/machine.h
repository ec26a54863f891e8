#pragma once
// A machine as it is built from its description: any number of memories and of GPUs in front of them, each a clock domain of
// its own, and what belongs to no device: processes and where their data lie, programs (machine/launcher.h), accounts. It
// builds, starts and stops the parts, and sees to it that what they have counted agrees.
//
//     Launcher ──> Gpu, Gpu, ... ──> MemoryNode, MemoryNode, ...
//                   each GPU reaches each memory; a physical address names the memory
//
// Times that concern the machine as a whole are cycles of the first GPU.

#include <memory>
#include <string>
#include <vector>

#include "gpu/gpu.h"
#include "link/link.h"
#include "machine/kernel_account.h"
#include "machine/launcher.h"
#include "machine/settings.h"
#include "memory/memory_node.h"

namespace heddle {

class Machine final : private LauncherOwner {
  public:
    /// Memories that no GPU reaches are left out. `profile`: how often the programs access their pages, for placement:
    /// oracle. Throws InputError if the machine has no GPU, or if its parts do not fit each other.
    explicit Machine(const MachineSettings& settings,
                     std::unique_ptr<CtaPlacement> placement = std::make_unique<AllOnFirst>(),
                     std::vector<PageAccesses> profile = {});
    ~Machine() override;

    /// `again` null: it runs once. `share` is of every GPU. Throws InputError if it does not fit one.
    void add(std::unique_ptr<StreamSource> source, Reopen again, const Share& share);
    void start();
    /// Nothing new is issued or started; what is in flight still arrives.
    void halt();
    /// No further page begins to move.
    void stop_moves();

    /// The order of everything that happens.
    const Engine& engine() const { return engine_; }
    const std::vector<std::unique_ptr<MemoryNode>>& memories() const { return memories_; }
    const std::vector<std::unique_ptr<Gpu>>& gpus() const { return gpus_; }
    const std::vector<std::unique_ptr<Link>>& links() const { return links_; }
    const HostCopies& host_copies() const { return host_copies_; }
    /// The GPU to which programs launch, and the memory that it names as its own.
    Gpu& home() const { return *gpus_.front(); }
    MemoryNode& home_memory() const { return *memories_.front(); }
    const Clock& clock() const { return home().clock(); }
    Cycle now() const { return home().now(); }
    /// The same time in another domain's cycles.
    Cycle now_of(const Domain& domain) const { return domain.clock().at_or_after(clock().tick(now())); }
    /// When the last thing happened anywhere.
    Cycle drained() const;

    const std::vector<std::unique_ptr<Application>>& applications() const { return launcher_.applications(); }
    /// Null without translation.
    const Processes* processes() const { return processes_.get(); }
    /// Every application has finished once.
    bool finished() const { return launcher_.finished(); }
    /// Some are running again.
    bool repeats() const { return !launcher_.running().empty(); }
    Cycle ended() const { return launcher_.ended(); }

    u64 thread_instructions() const;
    /// Grows with everything that counts as progress: instructions, responses, DRAM requests.
    u64 progress() const;
    /// Nothing is in flight anywhere.
    bool quiet() const;
    /// Throws InvariantError unless everything that was sent was answered and the parts agree.
    void check_conservation() const;
    /// Who waits for whom.
    std::string describe() const;

    /// What has been counted for an application up to now, or until it first ended.
    AppTotals totals(const Application& app) const override;
    /// Attributes what has been counted since the last kernel's end to the kernels that it belongs to; call before the
    /// result.
    void settle_kernels();
    /// Accounts for resident warps up to now (for a run that was cut short).
    void settle();
    /// Device memory that the run has used so far, and what there is.
    u64 used_bytes() const;
    u64 memory_bytes() const;

  private:
    class Signals;
    class Traffic;

    Link* link_of(const MachineSettings& settings, const std::string& gpu, const std::string& memory,
                  const Clock& clock);

    void allocated(u8 app, const AllocEvent& alloc) override;
    Cycle copies_until(const Application& app) const override { return host_copies_.until(app.id()); }
    void copied(u8 app, const CopyEvent& copy) override;
    void hinted(u8 app, const PageHintEvent& hint) override;
    void freed(u8 app, u64 address, u64 bytes) override;
    void settle_kernels_of(const Application& app) override;
    MemoryCounts memory_counts(const Application& app) const;
    /// Where the host finds an address.
    PhysAddr placed(u8 app, VirtAddr address) {
        return processes_ ? processes_->translate(app, address, Toucher::host)
                          : linear_.translate(app, address);
    }

    Engine engine_;
    std::unique_ptr<Traffic> traffic_;
    Placement placement_;
    bool places_pages_ = false;  // in one of several memories
    std::vector<std::unique_ptr<Link>> links_;
    LinearMemory linear_;
    std::vector<TranslationPressure> pressure_;  // by GPU
    std::vector<std::unique_ptr<MemoryNode>> memories_;
    std::vector<std::unique_ptr<Gpu>> gpus_;
    std::vector<Signals> signals_;          // by memory
    std::unique_ptr<Processes> processes_;  // with translation, from the start of a run
    Launcher launcher_;
    std::vector<KernelAccount> accounts_;  // by application
    HostCopies host_copies_;
    Footprint copied_;  // by the host
    u64 largest_copy_ = 0;
};

}  // namespace heddle
