#include "system/gpu.h"

#include <algorithm>
#include <fmt/format.h>

#include "dram/geometry.h"
#include "dram/specification.h"
#include "sim/error.h"

namespace heddle {

Gpu::Gpu(const std::string& name, const GpuSettings& settings, const dram::MemorySettings& memory,
         const Clock& core, const Clock& dram)
    : name_(name),
      settings_(settings),
      memory_settings_(memory),
      core_(core),
      dram_(dram),
      channels_(memory.channels),
      map_(settings.address_map, channels_, settings.l2.slices_per_channel),
      core_agenda_(settings.sms + channels_ * settings.l2.slices_per_channel + 2),
      dram_agenda_(channels_),
      requests_(settings.crossbar, Crossbar::Carries::requests, settings.sms,
                channels_ * settings.l2.slices_per_channel, core_agenda_, 0, settings.sms),
      responses_(settings.crossbar, Crossbar::Carries::responses, channels_ * settings.l2.slices_per_channel,
                 settings.sms, core_agenda_, settings.sms, 0),
      memory_bytes_(channels_ * dram::resolve(memory).geometry.capacity()),
      signals_(partitions_, core_, dram_, dram_agenda_),
      last_kernel_(settings.sms),
      may_take_(settings.sms, kNever) {
    const u32 per_channel = settings.l2.slices_per_channel;
    if (settings.translation.on()) {
        TranslationWiring wiring;
        wiring.agenda = &core_agenda_;
        wiring.part = settings.sms + channels_ * per_channel + 1;
        wiring.first_slice_part = settings.sms;
        wiring.pool = &pool_;
        wiring.map = &map_;
        wiring.slices_per_channel = per_channel;
        // Walks do not come through the crossbar, but go through L2's pipeline as data do.
        wiring.l2_front = Cycle(std::max<u64>(settings.l2.front_latency.v, 1) - 1);
        wiring.sms = settings.sms;
        wiring.warps = settings.sm.warps;
        translation_ = std::make_unique<Translation>(settings.translation, wiring);
    }
    const auto specification = std::make_shared<const dram::Specification>(memory);
    for (u32 c = 0; c < channels_; ++c) {
        dram::Channel channel(specification, static_cast<u16>(c),
                              translation_ ? &translation_->pressure() : nullptr);
        const bool groups = channel.wants_groups();
        const u32 granule =
            std::max<u32>(1, static_cast<u32>(channel.geometry().access_bytes / kSectorBytes));
        partitions_.push_back(std::make_unique<Partition>(std::move(channel), core_, dram_, core_agenda_,
                                                          slice_part(c * per_channel), dram_agenda_, c));
        for (u32 k = 0; k < per_channel; ++k) {
            SliceWiring wiring;
            wiring.requests = &requests_;
            wiring.responses = &responses_;
            wiring.pool = &pool_;
            wiring.map = &map_;
            wiring.groups = groups ? partitions_[c].get() : nullptr;
            wiring.walker = translation_.get();
            wiring.walks_first = settings.translation.walker.first_at_l2;
            wiring.hit_rates = &hit_rates_;
            wiring.footprint = &footprint_;
            wiring.index = c * per_channel + k;
            wiring.channel = static_cast<u16>(c);
            wiring.slice = static_cast<u8>(k);
            wiring.memory_latency = settings.memory_latency;
            wiring.granule_sectors = static_cast<u8>(std::min(granule, kSectors));
            slices_.push_back(std::make_unique<Slice>(settings.l2, wiring));
            partitions_[c]->attach(slices_.back().get());
            if (translation_) translation_->attach(slices_.back().get());
        }
    }
    for (u32 s = 0; s < settings.sms; ++s) {
        SmWiring wiring;
        wiring.requests = &requests_;
        wiring.responses = &responses_;
        wiring.pool = &pool_;
        wiring.map = &map_;
        wiring.memory = &memory_;
        wiring.translation = translation_.get();
        wiring.load_stats = &load_stats_;
        wiring.owner = this;
        wiring.index = static_cast<u16>(s);
        wiring.channels = channels_;
        wiring.slices_per_channel = per_channel;
        wiring.miss_queue = settings.crossbar.output_queue;
        wiring.wants_groups = partitions_[0]->channel().wants_groups();
        wiring.wants_busiest_words = settings.l2.same_word_interval.v != 0;
        sms_.push_back(std::make_unique<Sm>(settings.sm, settings.l1, wiring));
    }
}

void Gpu::add(std::unique_ptr<StreamSource> source, Reopen again, const Share& share) {
    Share s = share;
    if (s.sms == 0) s.sms = settings_.sms - std::min(s.first_sm, settings_.sms);
    if (s.sms == 0 || s.first_sm + u64{s.sms} > settings_.sms)
        throw InputError(fmt::format("{} shall run on SMs {} to {}, but {} has {} SMs", source->name(),
                                     s.first_sm, s.first_sm + u64{s.sms} - 1, name_, settings_.sms));
    if (settings_.split_l2_ways && s.parts > settings_.l2.ways)
        throw InputError(fmt::format("{}.split_l2_ways: L2 has {} ways for {} applications", name_,
                                     settings_.l2.ways, s.parts));
    if (settings_.split_channels && channels_ % s.parts != 0)
        throw InputError(fmt::format("{}.split_channels: {} channels can't be divided among {} applications",
                                     name_, channels_, s.parts));
    const u8 id = static_cast<u8>(apps_.size());
    memory_.place(id, s.part, s.parts);
    apps_.push_back(std::make_unique<Application>(std::move(source), std::move(again), id, s));
    accounts_.emplace_back();
    ++running_apps_;
}

void Gpu::start() {
    const u32 parts = apps_.empty() ? 1 : apps_.front()->share().parts;
    if (settings_.split_channels)
        map_ = AddressMap(settings_.address_map, channels_, settings_.l2.slices_per_channel, parts);
    std::vector<u64> ways;
    if (settings_.split_l2_ways && parts > 1) {
        auto below = [](u64 n) { return n >= 64 ? ~u64{0} : (u64{1} << n) - 1; };
        const u64 all = settings_.l2.ways;
        for (const auto& app : apps_)
            ways.push_back(below(all * (app->share().part + 1) / parts) &
                           ~below(all * app->share().part / parts));
    }
    if (translation_) {
        std::vector<TranslationApp> told;
        for (const auto& app : apps_)
            told.push_back(
                {app->name(), {app->id(), app->share().first_sm, app->share().sms}, app->share().part});
        translation_->start(told, settings_.split_channels ? parts : 1);
    }
    for (auto& slice : slices_) slice->applications(static_cast<u32>(apps_.size()), ways);
    for (auto& p : partitions_) p->channel().applications(static_cast<u32>(apps_.size()));
    core_agenda_.wake(dispatcher_part(), Cycle(1));
    // Refresh begins with the run, not with a channel's first request.
    for (u32 c = 0; c < channels_; ++c) dram_agenda_.wake(c, Cycle(1));
    signals_.start();
}

void Gpu::trace(LifetimeObserver* lifetimes) {
    for (auto& sm : sms_) sm->trace(lifetimes);
    for (auto& slice : slices_) slice->trace(lifetimes);
    for (auto& p : partitions_) p->trace(lifetimes);
}

Tick Gpu::next() const {
    const Cycle c = core_agenda_.next(), d = dram_agenda_.next();
    const Tick core = c == kNever ? Tick(~u64{0}) : core_.tick(c);
    const Tick dram = d == kNever ? Tick(~u64{0}) : dram_.tick(d);
    return std::min(core, dram);
}

void Gpu::run_next() {
    // At the same instant the memory goes first: the order is fixed, and messages take at least a cycle anyway.
    const Cycle c = core_agenda_.next(), d = dram_agenda_.next();
    if (d != kNever && (c == kNever || dram_.tick(d) <= core_.tick(c)))
        run_dram(d);
    else
        run_core(c);
}

void Gpu::run_core(Cycle now) {
    now_ = now;
    const u32 sms = settings_.sms, dispatcher = dispatcher_part();
    core_agenda_.run(now, [&](u32 part) {
        if (part < sms) {
            const Cycle next = sms_[part]->step(now);
            core_agenda_.wake(part, next);
        } else if (part < dispatcher) {
            step_slice(part - sms, now);
        } else if (part == dispatcher) {
            dispatch(now);
        } else {
            core_agenda_.wake(part, translation_->step(now));
        }
    });
}

void Gpu::step_slice(u32 s, Cycle now) {
    Slice& slice = *slices_[s];
    core_agenda_.wake(slice_part(s), slice.step(now));
    const Cycle due = slice.take_new_outgoing();
    if (due == kNever) return;
    const u32 channel = s / settings_.l2.slices_per_channel;
    partitions_[channel]->outgoing(s % settings_.l2.slices_per_channel);
    dram_agenda_.wake(channel, std::max(dram_.at_or_after(core_.tick(due)), dram_.after(core_.tick(now))));
}

void Gpu::run_dram(Cycle now) {
    dram_now_ = now;
    if (now >= signals_.epoch_end()) signals_.end_epoch(apps_, now);
    dram_agenda_.run(now, [&](u32 channel) { dram_agenda_.wake(channel, partitions_[channel]->step(now)); });
}

// -- dispatch

void Gpu::start_kernels(Cycle now) {
    for (auto& app : apps_) {
        start_kernels_of(*app, now);
        if (!app->finished() || app->frozen() != nullptr) continue;
        app->freeze(totals(*app));
        --running_apps_;
        ended_ = std::max(ended_, now);
    }
    // Those that have finished run on beside the others until the last of them has.
    for (auto& app : apps_)
        if (running_apps_ != 0 && app->finished() && app->launch_again()) start_kernels_of(*app, now);
}

void Gpu::start_kernels_of(Application& app, Cycle now) {
    while (app.running() < settings_.concurrent_kernels) {
        KernelRun* kernel = app.next_kernel(*this);
        if (kernel == nullptr) break;
        const KernelInfo& info = kernel->info();
        std::string why;
        const u64 fit = Sm::occupancy(settings_.sm, info, &why);
        if (fit == 0) throw InputError(fmt::format("{}: {}", info.place, why));
        if (info.cooperative && fit * app.share().sms < info.cta_count())
            throw InputError(fmt::format("{}: cooperative kernel {} has {} CTAs, its {} SMs hold {} at once",
                                         info.place, info.name, info.cta_count(), app.share().sms,
                                         fit * app.share().sms));
        kernel->launched = now + settings_.launch_latency.v;
        running_.push_back(kernel);
        std::fill(may_take_.begin(), may_take_.end(), now);
        if (kernel->launched > now) core_agenda_.wake(dispatcher_part(), kernel->launched);
    }
}

void Gpu::halt() {
    halted_ = true;
    for (auto& sm : sms_) sm->halt();
}

/// Starts one CTA on the SM if a kernel has one that fits. False if none does.
bool Gpu::dispatch_to(u32 s, Cycle now) {
    Sm& sm = *sms_[s];
    for (KernelRun* kernel : running_) {
        if (kernel->exhausted || kernel->launched > now || !apps_[kernel->app]->owns(s) ||
            !sm.fits(kernel->info()))
            continue;
        if (last_kernel_[s] != kernel) {
            sm.begin_kernel(*kernel, now);
            last_kernel_[s] = kernel;
        }
        if (!kernel->stream->next_cta(sm.next_cta(*kernel))) {
            // A filter has cut the kernel short, perhaps when all its CTAs had ended.
            kernel->exhausted = true;
            if (kernel->ctas_done == kernel->ctas_started) kernel_done(*kernel, now);
            continue;
        }
        if (kernel->ctas_started++ == 0) {
            // It overlaps others of its application from here on.
            if (apps_[kernel->app]->running() > 1) settle_kernels_of(*apps_[kernel->app]);
            kernel->first_cta = now;
        }
        if (kernel->ctas_started == kernel->info().cta_count()) kernel->exhausted = true;
        sm.launch(*kernel, now);
        core_agenda_.wake(s, now + 1);
        return true;
    }
    return false;
}

void Gpu::dispatch(Cycle now) {
    if (halted_) return;
    // What an SM told in this very cycle is heard in the next, whether or not there is anything else to do now.
    while (!ended_kernels_.empty() && ended_kernels_.front().first <= now)
        end_kernel(*ended_kernels_.pop().second, now);
    start_kernels(now);
    for (const KernelRun* k : running_)
        if (k->launched == now) std::fill(may_take_.begin(), may_take_.end(), now);
    // One CTA an SM a cycle, from the SM after the last one served.
    bool more = false;
    const u32 n = settings_.sms;
    u32 s = next_sm_;
    for (u32 k = 0; k < n; ++k, s = s + 1 == n ? 0 : s + 1) {
        if (may_take_[s] > now) continue;
        if (dispatch_to(s, now))
            more = true;
        else
            may_take_[s] = kNever;
    }
    next_sm_ = n == 1 ? 0 : (next_sm_ + 1) % n;
    if (more) core_agenda_.wake(dispatcher_part(), now + 1);
}

void Gpu::cta_done(u16 sm, KernelRun& kernel, Cycle now) {
    may_take_[sm] = std::min(may_take_[sm], now + 1);
    if (kernel.exhausted && kernel.ctas_done == kernel.ctas_started) kernel_done(kernel, now);
    core_agenda_.wake(dispatcher_part(), now + 1);
}

void Gpu::kernel_done(KernelRun& kernel, Cycle now) {
    ended_kernels_.push({now + 1, &kernel});
    core_agenda_.wake(dispatcher_part(), now + 1);
}

void Gpu::end_kernel(KernelRun& kernel, Cycle now) {
    kernel.ended = now;
    settle_kernels_of(*apps_[kernel.app]);
    kernel.retire();
    running_.erase(std::find(running_.begin(), running_.end(), &kernel));
    apps_[kernel.app]->kernel_ended(kernel);
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
        core_agenda_.wake(waiters[k].sm, now + 1);
        waiters.erase(waiters.begin() + static_cast<std::ptrdiff_t>(k));
    }
}

void Gpu::load_complete(u16 sm, u32 load, u32 channel, u32 requests, Cycle now) {
    partitions_[channel]->expect({sm, load}, requests, now);
}

void Gpu::copied(u8 app, const CopyEvent& copy) {
    if (copy.kind != CopyKind::host_to_device || copy.bytes == 0) return;
    if (copy.bytes - 1 > ~copy.destination)
        throw InputError(fmt::format("a copy of {} bytes to {:#x} reaches past the end of the address space",
                                     copy.bytes, copy.destination));
    largest_copy_ = std::max(largest_copy_, copy.bytes);
    const u64 last = copy.destination + copy.bytes - 1;
    // Of what does not fit into the memory, and then into L2, only the end can still be there.
    const auto start = [&](u64 capacity) {
        return copy.bytes > capacity ? last - capacity : copy.destination;
    };
    // With translation the copy is what uses its pages first.
    const u32 page = translation_ ? page_shift(settings_.translation.page_size) : Footprint::kPageShift;
    for (u64 p = start(memory_bytes_) >> page; p <= last >> page; ++p)
        footprint_.touch(placed(app, VirtAddr(p << page)));
    if (!settings_.l2.fill_on_host_copy) return;
    const u64 first = start(2 * settings_.l2.size_bytes * slices_.size());
    for (u64 line = first >> kLineShift; line <= last >> kLineShift; ++line) {
        const PhysAddr at = placed(app, VirtAddr(line << kLineShift));
        const Place place = map_.place(at);
        slices_[place.channel * settings_.l2.slices_per_channel + place.slice]->warm(at, app);
    }
}

u64 Gpu::used_bytes() const {
    u64 allocated = 0;
    for (const auto& app : apps_)
        if (__builtin_add_overflow(allocated, app->peak_device_bytes(), &allocated)) return ~u64{0};
    return std::max({allocated, footprint_.bytes(), largest_copy_});
}

void Gpu::freed(u8 app, u64 address, u64 bytes) {
    if (translation_) translation_->unmap(app, VirtAddr(address), bytes, now_);
}

// -- the end

AppTotals Gpu::totals(const Application& app) {
    if (app.frozen() != nullptr) return *app.frozen();
    AppTotals t;
    t.at = now_;
    for (u32 s = app.share().first_sm; s < app.share().first_sm + app.share().sms; ++s)
        t.sm.merge(sms_[s]->stats());
    for (const auto& slice : slices_) t.l2.merge(slice->stats(app.id()));
    if (translation_) {
        for (u32 s = app.share().first_sm; s < app.share().first_sm + app.share().sms; ++s)
            t.l1_tlb.merge(translation_->l1(static_cast<u16>(s)).stats);
        t.tlb = translation_->stats(app.id());
        translation_->fill_policy().report_app(app.id(), t.fill);
    }
    const Cycle dram = std::max(dram_now_, dram_.at_or_after(core_.tick(now_)));
    for (const auto& p : partitions_) {
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
    for (const auto& p : partitions_) {
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
    // Of an application that runs again beside others, the first run counts.
    if (app.frozen() != nullptr && apps_.size() > 1) return;
    std::vector<KernelRun*> ran;
    for (KernelRun* k : running_)
        if (k->app == app.id() && k->first_cta != kNever) ran.push_back(k);
    accounts_[app.id()].settle(memory_counts(app), ran);
}

void Gpu::settle_kernels() {
    for (const auto& app : apps_) settle_kernels_of(*app);
}

std::vector<dram::PolicyCounter> Gpu::policy_counters() const {
    std::vector<dram::PolicyCounter> sum;
    for (const auto& p : partitions_) dram::add_counters(sum, p->channel().policy_counters());
    return sum;
}

void Gpu::settle() {
    for (auto& sm : sms_) sm->settle(now_);
}

u64 Gpu::progress() const {
    u64 n = requests_.packets() + responses_.packets();
    for (const auto& sm : sms_) n += sm->stats().warp_instructions;
    for (const auto& p : partitions_) n += p->accepted_reads() + p->accepted_writes();
    return n;
}

bool Gpu::quiet() const {
    const bool halted = halted_;
    return std::all_of(sms_.begin(), sms_.end(),
                       [halted](const auto& s) { return halted ? s->drained() : s->quiet(); }) &&
           std::all_of(slices_.begin(), slices_.end(), [](const auto& s) { return s->quiet(); }) &&
           std::all_of(partitions_.begin(), partitions_.end(), [](const auto& p) { return p->quiet(); }) &&
           requests_.empty() && responses_.empty() && pool_.live() == 0 &&
           (!translation_ || translation_->quiet());
}

}  // namespace heddle
