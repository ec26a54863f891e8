#include "gpu/gpu.h"

#include <algorithm>
#include <fmt/format.h>

#include "sim/error.h"

namespace heddle {

namespace {

Router router_to(const GpuSettings& settings, const std::vector<ReachedMemory>& memories) {
    std::vector<RoutedMemory> routed;
    for (const ReachedMemory& m : memories)
        routed.push_back(
            {settings.address_map, static_cast<u32>(m.channels.size()), settings.l2.slices_per_channel});
    return Router(routed);
}

}  // namespace

Gpu::Gpu(const std::string& name, const GpuSettings& settings, const Clock& clock, const GpuWiring& wiring)
    : Domain(clock, settings.sms + router_to(settings, wiring.memories).ports() + 3),
      name_(name),
      settings_(settings),
      owner_(*wiring.owner),
      device_(wiring.device),
      router_(router_to(settings, wiring.memories)),
      requests_(settings.crossbar, Crossbar::Carries::requests, settings.sms, router_.ports(), agenda(), 0,
                settings.sms),
      responses_(settings.crossbar, Crossbar::Carries::responses, router_.ports(), settings.sms, agenda(),
                 settings.sms, 0),
      dispatcher_(settings, sms_, *wiring.owner, *this, dispatcher_part(), wiring.device) {
    for (const ReachedMemory& memory : wiring.memories)
        for (const ReachedChannel& channel : memory.channels) groups_.push_back(channel.groups);
    if (settings.translation.on()) build_translation(*wiring.pressure);
    if (wiring.moves != nullptr) build_moves(wiring);
    build_slices(wiring);
    build_sms(wiring);
}

void Gpu::build_translation(TranslationPressure& pressure) {
    TranslationWiring w;
    w.agenda = &agenda();
    w.part = translation_part();
    w.first_slice_part = slice_part(0);
    w.pool = &pool_;
    w.router = &router_;
    w.device = device_;
    // Walks do not come through the crossbar, but go through L2's pipeline as data do.
    w.l2_front = Cycle(std::max<u64>(settings_.l2.front_latency.v, 1) - 1);
    w.sms = settings_.sms;
    w.warps = settings_.sm.warps;
    w.pressure = &pressure;
    translation_ = std::make_unique<Translation>(settings_.translation, w);
}

void Gpu::build_moves(const GpuWiring& wiring) {
    PageMovesWiring w;
    w.agenda = &agenda();
    w.part = moves_part();
    w.first_slice_part = slice_part(0);
    w.pool = &pool_;
    w.router = &router_;
    w.device = device_;
    for (const ReachedMemory& m : wiring.memories) w.links.push_back(m.link);
    w.traffic = wiring.moves->traffic;
    w.translation = translation_.get();
    moves_ =
        std::make_unique<PageMoves>(wiring.moves->settings, wiring.moves->policy, wiring.moves->places, w);
    translation_->moves(moves_.get());
}

void Gpu::build_slices(const GpuWiring& wiring) {
    for (u32 s = 0; s < router_.ports(); ++s) {
        const Router::Port& at = router_.port(s);
        const ReachedMemory& memory = wiring.memories[at.memory];
        SliceWiring w;
        w.requests = &requests_;
        w.responses = &responses_;
        w.pool = &pool_;
        w.router = &router_;
        w.device = device_;
        w.groups = groups_[at.flat_channel];
        w.walker = translation_ ? translation_->reader() : nullptr;
        w.walks_first = settings_.translation.walker.first_at_l2;
        w.link = memory.link;
        w.copier = moves_.get();
        w.home = moves_.get();
        w.hit_rates = &hit_rates_;
        w.footprint = &footprint_;
        w.index = s;
        w.memory_latency = settings_.memory_latency;
        w.granule_sectors = static_cast<u8>(std::clamp<u32>(memory.access_bytes / kSectorBytes, 1, kSectors));
        slices_.push_back(std::make_unique<Slice>(settings_.l2, w, *this, slice_part(s)));
        memory.channels[at.channel].port->attach(*slices_.back());
        if (translation_) translation_->attach(slices_.back().get());
        if (moves_) moves_->attach(slices_.back().get());
    }
}

void Gpu::build_sms(const GpuWiring& wiring) {
    for (u32 s = 0; s < settings_.sms; ++s) {
        SmWiring w;
        w.requests = &requests_;
        w.responses = &responses_;
        w.pool = &pool_;
        w.router = &router_;
        w.device = device_;
        w.memory = wiring.linear;
        w.translation = translation_.get();
        w.load_stats = &load_stats_;
        w.owner = this;
        w.index = static_cast<u16>(s);
        w.miss_queue = settings_.crossbar.output_queue;
        w.wants_groups =
            std::any_of(groups_.begin(), groups_.end(), [](const auto* g) { return g != nullptr; });
        w.wants_busiest_words = settings_.l2.same_word_interval.v != 0;
        sms_.push_back(std::make_unique<Sm>(settings_.sm, settings_.l1, w));
    }
}

void Gpu::check(const Share& share, const std::string& application) const {
    if (share.sms == 0 || share.first_sm + u64{share.sms} > settings_.sms)
        throw InputError(fmt::format("{} is assigned SMs {} to {}, but {} has {} SMs", application,
                                     share.first_sm, share.first_sm + u64{share.sms} - 1, name_,
                                     settings_.sms));
    if (settings_.split_l2_ways && share.parts > settings_.l2.ways)
        throw InputError(fmt::format("{}.split_l2_ways: L2 has only {} ways for {} applications", name_,
                                     settings_.l2.ways, share.parts));
    for (u32 m = 0; settings_.split_channels && m < router_.memories(); ++m)
        if (const u32 channels = router_.channels_of(m); channels % share.parts != 0)
            throw InputError(
                fmt::format("{}.split_channels: {} channels cannot be divided among {} applications", name_,
                            channels, share.parts));
}

void Gpu::start(std::span<const Share> shares, Processes* processes) {
    const u32 parts = shares.empty() ? 1 : shares.front().parts;
    if (settings_.split_channels) router_.divide(parts);
    std::vector<u64> ways;
    std::vector<FillApp> apps;
    for (std::size_t a = 0; a < shares.size(); ++a) {
        const Share& share = shares[a];
        apps.push_back({static_cast<u8>(a), share.first_sm, share.sms});
        if (!settings_.split_l2_ways || parts == 1) continue;
        auto below = [](u64 n) { return n >= 64 ? ~u64{0} : (u64{1} << n) - 1; };
        const u64 all = settings_.l2.ways;
        ways.push_back(below(all * (share.part + 1) / parts) & ~below(all * share.part / parts));
    }
    if (translation_) translation_->start(*processes, apps);
    if (moves_) moves_->start(*processes);
    for (auto& slice : slices_) slice->applications(static_cast<u32>(shares.size()), ways);
}

void Gpu::trace(LifetimeObserver* lifetimes) {
    for (auto& sm : sms_) sm->trace(lifetimes);
    for (auto& slice : slices_) slice->trace(lifetimes);
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
        } else if (part == dispatcher + 1) {
            agenda().wake(part, translation_->step(now));
        } else {
            agenda().wake(part, moves_->step(now));
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
        if (waiters[k].device == device_)
            edge_signalled(waiters[k], now);
        else
            owner_.edge_signalled(waiters[k], device_, now);
        waiters.erase(waiters.begin() + static_cast<std::ptrdiff_t>(k));
    }
}

void Gpu::edge_signalled(const KernelRun::EdgeWaiter& waiter, Cycle at) {
    sms_[waiter.sm]->edge_signalled(waiter.warp, at);
    agenda().wake(waiter.sm, at + 1);
}

void Gpu::load_complete(u16 sm, u32 load, u32 channel, u32 requests, Cycle now) {
    if (groups_[channel] != nullptr)
        groups_[channel]->expect({sm, 0, device_}, load, requests, clock().tick(now));
}

u64 Gpu::misses(u32 app, u32 memory, u32 channel) const {
    const u32 flat = router_.first_channel_of(memory) + channel, first = router_.first_port_of(flat);
    u64 n = 0;
    for (u32 k = 0; k < router_.slices_of(flat); ++k)
        n += slices_[first + k]->stats(static_cast<u8>(app)).misses;
    return n;
}

Gpu::Sent Gpu::sent_to(u32 memory) const {
    Sent sent;
    for (u32 s = 0; s < slices_.size(); ++s) {
        if (router_.port(s).memory != memory) continue;
        const SliceStats& slice = slices_[s]->stats();
        sent.reads += slice.fetches + slice.copy_reads;
        sent.writes += slice.write_backs + slice.copy_writes;
    }
    return sent;
}

void Gpu::settle() {
    for (auto& sm : sms_) sm->settle(now());
}

u64 Gpu::progress() const {
    u64 n = requests_.packets() + responses_.packets();
    for (const auto& sm : sms_) n += sm->stats().warp_instructions;
    return n;
}

bool Gpu::quiet() const {
    const bool halted = dispatcher_.halted();
    return std::all_of(sms_.begin(), sms_.end(),
                       [halted](const auto& s) { return halted ? s->drained() : s->quiet(); }) &&
           std::all_of(slices_.begin(), slices_.end(), [](const auto& s) { return s->quiet(); }) &&
           requests_.empty() && responses_.empty() && pool_.live() == 0 &&
           (!translation_ || translation_->quiet()) && (!moves_ || moves_->quiet());
}

}  // namespace heddle
