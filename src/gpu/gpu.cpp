#include "gpu/gpu.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/error.h"

namespace heddle {

namespace {

Router router_of(const GpuSettings& settings, const MemoryNode& memory) {
    return Router({{settings.address_map, memory.channels(), settings.l2.slices_per_channel}});
}

}  // namespace

Gpu::Gpu(const std::string& name, const GpuSettings& settings, const Clock& clock, MemoryNode& memory,
         TranslationPressure& pressure, u8 device)
    : Domain(clock, settings.sms + router_of(settings, memory).ports() + 2),
      name_(name),
      settings_(settings),
      memory_(memory),
      device_(device),
      router_(router_of(settings, memory)),
      requests_(settings.crossbar, Crossbar::Carries::requests, settings.sms, router_.ports(), agenda(), 0,
                settings.sms),
      responses_(settings.crossbar, Crossbar::Carries::responses, router_.ports(), settings.sms, agenda(),
                 settings.sms, 0),
      dispatcher_(settings, sms_, *this, *this, settings.sms + router_.ports()) {
    if (settings.translation.on()) {
        TranslationWiring wiring;
        wiring.agenda = &agenda();
        wiring.part = translation_part();
        wiring.first_slice_part = settings.sms;
        wiring.pool = &pool_;
        wiring.router = &router_;
        wiring.device = device;
        // Walks do not come through the crossbar, but go through L2's pipeline as data do.
        wiring.l2_front = Cycle(std::max<u64>(settings.l2.front_latency.v, 1) - 1);
        wiring.sms = settings.sms;
        wiring.warps = settings.sm.warps;
        wiring.pressure = &pressure;
        translation_ = std::make_unique<Translation>(settings.translation, wiring);
    }
    const u32 granule = std::clamp<u32>(memory.access_bytes() / kSectorBytes, 1, kSectors);
    for (u32 s = 0; s < router_.ports(); ++s) {
        Partition& partition = *memory.partitions()[router_.port(s).channel];
        SliceWiring wiring;
        wiring.requests = &requests_;
        wiring.responses = &responses_;
        wiring.pool = &pool_;
        wiring.router = &router_;
        wiring.device = device;
        wiring.groups = memory.wants_groups() ? &partition : nullptr;
        wiring.walker = translation_ ? translation_->reader() : nullptr;
        wiring.walks_first = settings.translation.walker.first_at_l2;
        wiring.hit_rates = &hit_rates_;
        wiring.footprint = &footprint_;
        wiring.index = s;
        wiring.memory_latency = settings.memory_latency;
        wiring.granule_sectors = static_cast<u8>(granule);
        slices_.push_back(std::make_unique<Slice>(settings.l2, wiring, *this, slice_part(s)));
        partition.attach(*slices_.back());
        if (translation_) translation_->attach(slices_.back().get());
    }
    for (u32 s = 0; s < settings.sms; ++s) {
        SmWiring wiring;
        wiring.requests = &requests_;
        wiring.responses = &responses_;
        wiring.pool = &pool_;
        wiring.router = &router_;
        wiring.device = device;
        wiring.memory = &linear_;
        wiring.translation = translation_.get();
        wiring.load_stats = &load_stats_;
        wiring.owner = this;
        wiring.index = static_cast<u16>(s);
        wiring.miss_queue = settings.crossbar.output_queue;
        wiring.wants_groups = memory.wants_groups();
        wiring.wants_busiest_words = settings.l2.same_word_interval.v != 0;
        sms_.push_back(std::make_unique<Sm>(settings.sm, settings.l1, wiring));
    }
}

void Gpu::add(std::unique_ptr<StreamSource> source, Reopen again, const Share& share) {
    Share s = share;
    if (s.sms == 0) s.sms = settings_.sms - std::min(s.first_sm, settings_.sms);
    if (s.sms == 0 || s.first_sm + u64{s.sms} > settings_.sms)
        throw InputError(fmt::format("{} is assigned SMs {} to {}, but {} has {} SMs", source->name(),
                                     s.first_sm, s.first_sm + u64{s.sms} - 1, name_, settings_.sms));
    if (settings_.split_l2_ways && s.parts > settings_.l2.ways)
        throw InputError(fmt::format("{}.split_l2_ways: L2 has only {} ways for {} applications", name_,
                                     settings_.l2.ways, s.parts));
    if (settings_.split_channels && memory_.channels() % s.parts != 0)
        throw InputError(fmt::format("{}.split_channels: {} channels cannot be divided among {} applications",
                                     name_, memory_.channels(), s.parts));
    const u8 id = static_cast<u8>(applications().size());
    linear_.place(id, s.part, s.parts);
    dispatcher_.add(std::make_unique<Application>(std::move(source), std::move(again), id, s));
    accounts_.emplace_back();
}

void Gpu::start() {
    const auto& apps = applications();
    const u32 parts = apps.empty() ? 1 : apps.front()->share().parts;
    if (settings_.split_channels) router_.divide(parts);
    std::vector<u64> ways;
    if (settings_.split_l2_ways && parts > 1) {
        auto below = [](u64 n) { return n >= 64 ? ~u64{0} : (u64{1} << n) - 1; };
        const u64 all = settings_.l2.ways;
        for (const auto& app : apps)
            ways.push_back(below(all * (app->share().part + 1) / parts) &
                           ~below(all * app->share().part / parts));
    }
    if (translation_) {
        std::vector<FrameOwner> owners;
        std::vector<FillApp> shares;
        for (const auto& app : apps) {
            owners.push_back({app->name(), app->share().part});
            shares.push_back({app->id(), app->share().first_sm, app->share().sms});
        }
        processes_ =
            std::make_unique<Processes>(settings_.translation, owners, settings_.split_channels ? parts : 1);
        translation_->start(*processes_, shares);
    }
    for (auto& slice : slices_) slice->applications(application_count(), ways);
    memory_.start(*this, clock());
}

void Gpu::trace(LifetimeObserver* lifetimes) {
    for (auto& sm : sms_) sm->trace(lifetimes);
    for (auto& slice : slices_) slice->trace(lifetimes);
    memory_.trace(lifetimes);
}

void Gpu::run(Cycle now) {
    const u32 sms = settings_.sms, dispatcher = dispatcher_part();
    agenda().run(now, [&](u32 part) {
        if (part < sms) {
            const Cycle next = sms_[part]->step(now);
            agenda().wake(part, next);
        } else if (part < dispatcher) {
            step_slice(part - sms, now);
        } else if (part == dispatcher) {
            dispatcher_.step(now);
        } else {
            agenda().wake(part, translation_->step(now));
        }
    });
}

void Gpu::step_slice(u32 s, Cycle now) {
    agenda().wake(slice_part(s), slices_[s]->step(now));
    slices_[s]->announce(now);
}

void Gpu::halt() {
    dispatcher_.halt();
    for (auto& sm : sms_) sm->halt();
}

void Gpu::cta_done(u16 sm, KernelRun& kernel, Cycle now) {
    dispatcher_.cta_done(sm, kernel, now);
}

void Gpu::signalled(KernelRun& kernel, u32 edge, Cycle now) {
    if (edge >= kernel.signalled.size()) kernel.signalled.resize(edge + 1);
    kernel.signalled[edge] = true;
    auto& waiters = kernel.edge_waiters;
    for (std::size_t k = 0; k < waiters.size();) {
        if (waiters[k].edge != edge) {
            ++k;
            continue;
        }
        sms_[waiters[k].sm]->edge_signalled(waiters[k].warp, now);
        agenda().wake(waiters[k].sm, now + 1);
        waiters.erase(waiters.begin() + static_cast<std::ptrdiff_t>(k));
    }
}

void Gpu::load_complete(u16 sm, u32 load, u32 channel, u32 requests, Cycle now) {
    memory_.partitions()[channel]->expect({Origin{sm, 0, device_}.flat_unit(), load}, requests,
                                          clock().tick(now));
}

void Gpu::copied(u8 app, const CopyEvent& copy) {
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
    const u32 page = translation_ ? page_shift(settings_.translation.page_size) : Footprint::kPageShift;
    for (u64 p = start(memory_.bytes()) >> page; p <= last >> page; ++p)
        footprint_.touch(placed(app, VirtAddr(p << page)));
    if (!settings_.l2.fill_on_host_copy) return;
    const u64 first = start(2 * settings_.l2.size_bytes * slices_.size());
    for (u64 line = first >> kLineShift; line <= last >> kLineShift; ++line) {
        const PhysAddr at = placed(app, VirtAddr(line << kLineShift));
        slices_[router_.route(at).port]->warm(at, app);
    }
}

u64 Gpu::used_bytes() const {
    u64 allocated = 0;
    for (const auto& app : applications())
        if (__builtin_add_overflow(allocated, app->peak_device_bytes(), &allocated)) return ~u64{0};
    return std::max({allocated, footprint_.bytes(), largest_copy_});
}

void Gpu::freed(u8 app, u64 address, u64 bytes) {
    if (translation_) translation_->unmap(app, VirtAddr(address), bytes, now());
}

// -- the end

AppTotals Gpu::totals(const Application& app) const {
    if (app.frozen() != nullptr) return *app.frozen();
    AppTotals t;
    t.at = now();
    for (u32 s = app.share().first_sm; s < app.share().first_sm + app.share().sms; ++s)
        t.sm.merge(sms_[s]->stats());
    for (const auto& slice : slices_) t.l2.merge(slice->stats(app.id()));
    if (translation_) {
        for (u32 s = app.share().first_sm; s < app.share().first_sm + app.share().sms; ++s)
            t.l1_tlb.merge(translation_->l1(static_cast<u16>(s)).stats);
        t.tlb = translation_->stats(app.id());
        translation_->fill_policy().report_app(app.id(), t.fill);
    }
    const Cycle dram = std::max(memory_.now(), memory_.clock().at_or_after(clock().tick(now())));
    for (const auto& p : memory_.partitions()) {
        const auto& apps = p->channel().statistics(dram).apps;
        if (app.id() < apps.size()) t.dram.merge(apps[app.id()]);
        dram::add_counters(t.scheduler, p->channel().policy_counters(app.id()));
    }
    return t;
}

MemoryCounts Gpu::memory_counts(const Application& app) const {
    MemoryCounts t;
    for (u32 s = app.share().first_sm; s < app.share().first_sm + app.share().sms; ++s) {
        const SmStats& sm = sms_[s]->stats();
        for (std::size_t k = 0; k < t.warp_cycles.size(); ++k) t.warp_cycles[k] += sm.warp_cycles[k];
        t.load_lines += sm.load_requests;
        t.store_lines += sm.store_requests;
        t.l1_read_sectors += sm.l1_read_sectors;
        t.l1_read_sector_hits += sm.l1_read_sector_hits;
        t.l1_stall_cycles +=
            sm.stall_mshr_cycles + sm.stall_merge_cycles + sm.stall_line_cycles + sm.stall_port_cycles;
    }
    for (const auto& slice : slices_) {
        const SliceAppStats& l2 = slice->stats(app.id());
        t.l2_reads += l2.reads;
        t.l2_hits += l2.hits;
        t.l2_misses += l2.misses;
        t.l2_writes += l2.writes;
        t.l2_read_sectors += l2.read_sectors;
        t.l2_read_sector_hits += l2.read_sector_hits;
        t.l2_write_sectors += l2.write_sectors;
    }
    for (const auto& p : memory_.partitions()) {
        const dram::AppCounts dram = p->channel().counts(app.id());
        t.dram_reads += dram.reads;
        t.dram_writes += dram.writes;
        t.dram_read_bytes += dram.read_bytes;
        t.dram_write_bytes += dram.written_bytes;
        t.dram_activates += dram.activates;
        t.dram_read_latency_clocks += dram.latency_cycles;
        t.row_hits += dram.rows[static_cast<std::size_t>(dram::RowOutcome::hit)];
        t.row_misses += dram.rows[static_cast<std::size_t>(dram::RowOutcome::miss)];
        t.row_conflicts += dram.rows[static_cast<std::size_t>(dram::RowOutcome::conflict)];
    }
    return t;
}

void Gpu::settle_kernels_of(const Application& app) {
    // For an application that runs again beside others, the first run counts.
    if (app.frozen() != nullptr && applications().size() > 1) return;
    std::vector<KernelRun*> ran;
    for (KernelRun* k : dispatcher_.running())
        if (k->app == app.id() && k->first_cta != kNever) ran.push_back(k);
    accounts_[app.id()].settle(memory_counts(app), ran);
}

void Gpu::settle_kernels() {
    for (const auto& app : applications()) settle_kernels_of(*app);
}

u32 Gpu::application_count() const {
    return static_cast<u32>(applications().size());
}

u64 Gpu::instructions(u32 app) const {
    return applications()[app]->work().thread_instructions;
}

u64 Gpu::misses(u32 app, u32 channel) const {
    const u32 first = router_.first_port_of(channel);
    u64 n = 0;
    for (u32 k = 0; k < router_.slices_of(channel); ++k)
        n += slices_[first + k]->stats(static_cast<u8>(app)).misses;
    return n;
}

void Gpu::settle() {
    for (auto& sm : sms_) sm->settle(now());
}

u64 Gpu::progress() const {
    u64 n = requests_.packets() + responses_.packets();
    for (const auto& sm : sms_) n += sm->stats().warp_instructions;
    return n + memory_.accepted_reads() + memory_.accepted_writes();
}

bool Gpu::quiet() const {
    const bool halted = dispatcher_.halted();
    return std::all_of(sms_.begin(), sms_.end(),
                       [halted](const auto& s) { return halted ? s->drained() : s->quiet(); }) &&
           std::all_of(slices_.begin(), slices_.end(), [](const auto& s) { return s->quiet(); }) &&
           memory_.quiet() && requests_.empty() && responses_.empty() && pool_.live() == 0 &&
           (!translation_ || translation_->quiet());
}

}  // namespace heddle
