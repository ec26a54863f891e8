#include "machine/machine.h"

#include <algorithm>
#include <fmt/format.h>

#include "dram/geometry.h"
#include "sim/error.h"

namespace heddle {

/// What pages that move hear of memories.
class Machine::Traffic final : public MemoryTraffic {
  public:
    explicit Traffic(const Machine& machine) : machine_(machine) {}
    u64 bytes(u32 memory) const override {
        const MemoryNode& node = *machine_.memories_[memory];
        return node.moved_bytes(machine_.now_of(node));
    }

  private:
    const Machine& machine_;
};

/// What the schedulers of one memory hear of applications.
class Machine::Signals final : public ApplicationCounters {
  public:
    Signals(const Machine& machine, u32 memory) : machine_(machine), memory_(memory) {}
    u32 application_count() const override { return static_cast<u32>(machine_.applications().size()); }
    u64 instructions(u32 app) const override {
        return machine_.applications()[app]->work().thread_instructions;
    }
    u64 misses(u32 app, u32 channel) const override {
        u64 n = 0;
        for (const auto& gpu : machine_.gpus_) n += gpu->misses(app, memory_, channel);
        return n;
    }

  private:
    const Machine& machine_;
    u32 memory_;
};

namespace {

ReachedMemory access_to(MemoryNode& memory) {
    ReachedMemory access;
    access.access_bytes = memory.access_bytes();
    for (const auto& p : memory.partitions())
        access.channels.push_back({p.get(), memory.wants_groups() ? p.get() : nullptr});
    return access;
}

PlacementContext places_in(const MachineSettings& settings,
                           const std::vector<std::unique_ptr<MemoryNode>>& memories) {
    PlacementContext places;
    for (const auto& m : memories) {
        const bool own = std::any_of(settings.gpus.begin(), settings.gpus.end(),
                                     [&](const auto& gpu) { return gpu.second.memory == m->name(); });
        places.memories.push_back(
            {m->name(), !own, m->bytes(), dram::resolve(m->settings()).peak_bytes_per_s() * m->channels()});
    }
    return places;
}

/// Clocks of the given frequencies whose ticks are the same.
std::vector<Clock> clocks_of(const std::vector<u64>& hertz) {
    const u64 common = common_clock_hertz(hertz);
    std::vector<Clock> clocks;
    for (u64 h : hertz) clocks.emplace_back(h, common / h);
    return clocks;
}

}  // namespace

Machine::Machine(const MachineSettings& settings, std::unique_ptr<CtaPlacement> placement,
                 std::vector<PageAccesses> profile)
    : traffic_(std::make_unique<Traffic>(*this)),
      pressure_(settings.gpus.size()),
      launcher_(gpus_, *this, std::move(placement)),
      host_copies_(settings.host_copies, settings.gpus.empty() ? 1 : settings.gpus.begin()->second.clock_hz) {
    if (settings.gpus.empty()) the_gpu(settings, settings.about.value_or(""));
    const std::vector<std::string> names = reached_memories(settings);
    std::vector<u64> hertz;
    for (const std::string& name : names) hertz.push_back(dram::resolve(settings.memories.at(name)).clock_hz);
    for (const auto& [name, gpu] : settings.gpus) hertz.push_back(gpu.clock_hz);
    const std::vector<Clock> clocks = clocks_of(hertz);

    // At the same instant memories go first: the order is fixed, and messages take at least one cycle anyway.
    GpuWiring wiring;
    for (std::size_t m = 0; m < names.size(); ++m) {
        // A memory hears how applications suffer from translation on the first of the GPUs that call it theirs.
        const TranslationPressure* pressure = nullptr;
        std::size_t g = 0;
        for (const auto& [name, gpu] : settings.gpus) {
            if (gpu.memory == names[m] && gpu.translation.on() && pressure == nullptr)
                pressure = &pressure_[g];
            ++g;
        }
        memories_.push_back(
            std::make_unique<MemoryNode>(names[m], settings.memories.at(names[m]), clocks[m], pressure));
        signals_.emplace_back(*this, static_cast<u32>(m));
        engine_.add(*memories_.back());
        wiring.memories.push_back(access_to(*memories_.back()));
    }
    wiring.linear = &linear_;
    wiring.owner = &launcher_;
    placement_ = {settings.placement, places_in(settings, memories_)};
    places_pages_ = settings.gpus.size() == 1 && memories_.size() > 1;
    const PageMovesDescription moves{settings.page_moves, settings.migration, placement_.context,
                                     traffic_.get()};
    // Only where pages begin does anybody ask the profile.
    placement_.context.profile = std::move(profile);
    // How many requests of a load go to each channel is counted when it is issued.
    for (const auto& memory : memories_)
        if (settings.migration.name() != "none" && memory->wants_groups())
            throw InputError(
                fmt::format("migration: pages cannot move where a DRAM scheduler serves a load's requests "
                            "together (memories.{}.scheduler: {})",
                            memory->name(), memory->settings().scheduler.name()));
    // A page profile counts accesses where pages stay, too.
    if (places_pages_) wiring.moves = &moves;
    if (places_pages_ && settings.gpus.begin()->second.split_channels)
        throw InputError(
            "split_channels: channels of several memories cannot be divided among applications, whose pages "
            "lie "
            "in all of them");
    for (const auto& [name, gpu] : settings.gpus) {
        const std::size_t g = gpus_.size();
        wiring.pressure = &pressure_[g];
        wiring.device = static_cast<u8>(g);
        for (std::size_t m = 0; m < names.size(); ++m)
            wiring.memories[m].link = link_of(settings, name, names[m], clocks[names.size() + g]);
        gpus_.push_back(std::make_unique<Gpu>(name, gpu, clocks[names.size() + g], wiring));
        engine_.add(*gpus_.back());
        if (gpu.translation.on() != home().settings().translation.on())
            throw InputError(fmt::format("{} and {}: either all GPUs of a machine translate or none", name,
                                         home().name()));
    }
}

/// Null: the GPU reaches the memory directly.
Link* Machine::link_of(const MachineSettings& settings, const std::string& gpu, const std::string& memory,
                       const Clock& clock) {
    for (const auto& [name, link] : settings.links)
        if (link.from == gpu && link.to == memory)
            return links_.emplace_back(std::make_unique<Link>(name, link, clock)).get();
    return nullptr;
}

Machine::~Machine() = default;

void Machine::add(std::unique_ptr<StreamSource> source, Reopen again, const Share& share) {
    Share s = share;
    const u32 sms = home().settings().sms;
    if (s.sms == 0) s.sms = sms - std::min(s.first_sm, sms);
    for (const auto& gpu : gpus_) gpu->check(s, source->name());
    const u8 id = static_cast<u8>(applications().size());
    linear_.place(id, s.part, s.parts);
    launcher_.add(std::make_unique<Application>(std::move(source), std::move(again), id, s));
    accounts_.emplace_back();
}

void Machine::start() {
    std::vector<Share> shares;
    std::vector<FrameOwner> owners;
    for (const auto& app : applications()) {
        shares.push_back(app->share());
        owners.push_back({app->name(), app->share().part});
    }
    const GpuSettings& settings = home().settings();
    const u32 parts = settings.split_channels && !shares.empty() ? shares.front().parts : 1;
    if (settings.translation.on())
        processes_ = std::make_unique<Processes>(settings.translation, owners, parts,
                                                 static_cast<u32>(memories_.size()),
                                                 places_pages_ ? &placement_ : nullptr);
    for (auto& gpu : gpus_) gpu->start(shares, processes_.get());
    for (std::size_t m = 0; m < memories_.size(); ++m) memories_[m]->start(signals_[m], clock());
}

void Machine::halt() {
    for (auto& gpu : gpus_) gpu->halt();
    stop_moves();
}

void Machine::stop_moves() {
    if (PageMoves* moves = home().moves()) moves->halt();
}

void Machine::copied(u8 app, const CopyEvent& copy) {
    host_copies_.copied(app, copy, now());
    if (copy.kind != CopyKind::host_to_device || copy.bytes == 0) return;
    if (copy.bytes - 1 > ~copy.destination)
        throw InputError(fmt::format("a copy of {} bytes to {:#x} reaches past the end of the address space",
                                     copy.bytes, copy.destination));
    largest_copy_ = std::max(largest_copy_, copy.bytes);
    const u64 last = copy.destination + copy.bytes - 1;
    // Of a copy that does not fit into the memory, and then into L2, only the end can still be there.
    const auto start = [&](u64 capacity) {
        return copy.bytes > capacity ? last - capacity : copy.destination;
    };
    // With translation the copy is what uses its pages first.
    const GpuSettings& settings = home().settings();
    const u32 page = processes_ ? page_shift(settings.translation.page_size) : Footprint::kPageShift;
    for (u64 p = start(memory_bytes()) >> page; p <= last >> page; ++p)
        copied_.touch(placed(app, VirtAddr(p << page)));
    if (!settings.l2.fill_on_host_copy) return;
    const u64 first = start(2 * settings.l2.size_bytes * home().slices().size());
    for (u64 line = first >> kLineShift; line <= last >> kLineShift; ++line)
        home().warm(placed(app, VirtAddr(line << kLineShift)), app);
}

void Machine::allocated(u8 app, const AllocEvent& alloc) {
    if (processes_) processes_->allocations().add(app, alloc);
    host_copies_.allocated(app, alloc, now());
}

/// With one memory there is nothing to choose.
void Machine::hinted(u8 app, const PageHintEvent& hint) {
    if (!places_pages_ || hint.bytes == 0 || hint.bytes - 1 > ~hint.address) return;
    if (hint.kind != PageHintEvent::Kind::prefetch) processes_->allocations().prefer(app, hint);
    home().moves()->hinted(app, hint, now());
}

void Machine::freed(u8 app, u64 address, u64 bytes) {
    if (!processes_) return;
    processes_->allocations().remove(app, address);
    if (PageMoves* moves = home().moves()) moves->freed(app, VirtAddr(address), bytes);
    const u64 pages = processes_->unmap(app, VirtAddr(address), bytes);
    for (auto& gpu : gpus_) gpu->translation()->unmapped(app, VirtAddr(address), bytes, pages, now_of(*gpu));
}

u64 Machine::used_bytes() const {
    u64 allocated = 0;
    for (const auto& app : applications())
        if (__builtin_add_overflow(allocated, app->peak_device_bytes(), &allocated)) return ~u64{0};
    Footprint touched = copied_;
    for (const auto& gpu : gpus_) touched.merge(gpu->footprint());
    return std::max({allocated, touched.bytes(), largest_copy_});
}

u64 Machine::memory_bytes() const {
    u64 n = 0;
    for (const auto& m : memories_) n += m->bytes();
    return n;
}

// -- how far it is

Cycle Machine::drained() const {
    Cycle last = now();
    const auto until = [&](const Domain& part) {
        last = std::max(last, clock().at_or_after(part.clock().tick(part.now())));
    };
    for (const auto& memory : memories_) until(*memory);
    for (const auto& gpu : gpus_) until(*gpu);
    return last;
}

u64 Machine::thread_instructions() const {
    u64 n = 0;
    for (const auto& gpu : gpus_) n += gpu->thread_instructions();
    return n;
}

u64 Machine::progress() const {
    u64 n = 0;
    for (const auto& gpu : gpus_) n += gpu->progress();
    for (const auto& memory : memories_) n += memory->accepted_reads() + memory->accepted_writes();
    return n;
}

bool Machine::quiet() const {
    const auto is_quiet = [](const auto& part) { return part->quiet(); };
    return std::all_of(gpus_.begin(), gpus_.end(), is_quiet) &&
           std::all_of(memories_.begin(), memories_.end(), is_quiet);
}

void Machine::check_conservation() const {
    for (const auto& gpu : gpus_) gpu->check_conservation();
    for (std::size_t m = 0; m < memories_.size(); ++m) {
        Gpu::Sent sent;
        for (const auto& gpu : gpus_) {
            const Gpu::Sent more = gpu->sent_to(static_cast<u32>(m));
            sent.reads += more.reads;
            sent.writes += more.writes;
        }
        const auto agree = [&](const char* what, u64 a, const char* other, u64 b) {
            if (a != b)
                throw InvariantError(fmt::format("conservation: {} ({}) differ from {} accepted by DRAM ({})",
                                                 what, a, other, b));
        };
        agree("fetches of L2", sent.reads, "reads", memories_[m]->accepted_reads());
        agree("writes of L2", sent.writes, "writes", memories_[m]->accepted_writes());
    }
    if (!quiet())
        throw InvariantError("conservation: work is still in flight at the end of the run:\n" + describe());
}

std::string Machine::describe() const {
    std::string text;
    for (const auto& app : applications()) text += app->describe();
    for (const KernelRun* k : launcher_.running())
        text += fmt::format("  kernel {} ({}): {} of {} CTAs done, {} started\n", k->index, k->info().name,
                            k->ctas_done, k->info().cta_count(), k->ctas_started);
    for (const auto& gpu : gpus_) {
        const std::string waits = gpu->describe();
        if (gpus_.size() > 1 && !waits.empty()) text += fmt::format("  on {}:\n", gpu->name());
        text += waits;
    }
    for (const auto& memory : memories_)
        for (u32 c = 0; c < memory->channels(); ++c)
            if (const u64 n = memory->partitions()[c]->channel().waiting(); n != 0)
                text += fmt::format("  {} channel {}: {} requests wait\n",
                                    memories_.size() > 1 ? memory->name() : "DRAM", c, n);
    return text;
}

}  // namespace heddle
