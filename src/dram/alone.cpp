#include "dram/alone.h"

#include <bit>
#include <fmt/format.h>

#include "dram/audited.h"
#include "dram/command_files.h"
#include "dram/geometry.h"
#include "dram/specification.h"
#include "mem/request_pool.h"
#include "sim/error.h"
#include "sim/rates.h"

namespace heddle::dram {

namespace {

/// Refreshes go on whatever a scheduler does. No refresh, drain or wait of a policy takes as long as this many clocks.
constexpr u64 kPatience = 10'000'000;
constexpr u64 kLook = 4096;  // steps between looks at whether the run is to stop

class Runner final : private PeerPort {
  public:
    Runner(const MemorySettings& settings, const std::vector<StreamEntry>& stream,
           const AloneOptions& options)
        : settings_(settings),
          next_(stream.data()),
          end_(stream.data() + stream.size()),
          options_(options),
          channel_count_(settings.channels),
          bounded_(options.max_outstanding != ~u32{0}) {
        const auto specification = std::make_shared<const Specification>(settings);
        std::vector<audit::AuditDevice> devices;
        for (u32 k = 0; k < channel_count_ && (options.audit || !options.command_trace.empty()); ++k)
            devices.push_back(audit_device(settings, fmt::format("{} channel {}", settings.standard, k)));
        if (!options.command_trace.empty())
            files_ = std::make_unique<CommandFiles>(options.command_trace, devices);
        for (u32 k = 0; k < channel_count_; ++k) {
            channels_.emplace_back(specification, static_cast<u16>(k));
            channels_.back().connect(this);
            CommandObserver* observer = options.observer;
            if (options.audit) observer = audits_.emplace_back(std::make_unique<Audit>(devices[k])).get();
            if (files_ != nullptr) observer = files_->observer(k, observer);
            if (observer != nullptr) channels_.back().observe(observer);
        }
        result_.by_channel.resize(channel_count_);
        // Refresh begins with the run, not with a channel's first request.
        wake_.assign(channel_count_, Cycle{0});
        const u32 bytes = options.request_bytes != 0
                              ? options.request_bytes
                              : std::min(channels_[0].geometry().access_bytes, settings.line_bytes);
        if (bytes > settings.line_bytes)
            throw InputError(fmt::format("a request of {} bytes is longer than line_bytes {}", bytes,
                                         settings.line_bytes));
        sectors_ = static_cast<u8>((1u << ceil_div(bytes, 32)) - 1);
        result_.requests = stream.size();
        probes_[1].kind = RequestKind::write;
    }

    AloneResult run() {
        const bool simple = channel_count_ == 1 && options_.map == nullptr &&
                            options_.requests_per_clock == 1 && !bounded_ && !options_.step_every_cycle;
        return simple ? run_as<true>() : run_as<false>();
    }

  private:
    void broadcast(const Message& message, Cycle at) override {
        for (u32 k = 0; k < channel_count_; ++k) {
            if (k == message.source) continue;
            wake_[k] = std::min(wake_[k], channels_[k].deliver(message, at));
        }
    }

    /// kSimple: one channel, one request a clock, no bound, no needless steps.
    template <bool kSimple>
    AloneResult run_as() {
        Cycle now{0};
        bool room = next_ != end_ && room_for_next<kSimple>();
        for (u64 steps = 0; next_ != end_ || live_ != 0; ++steps) {
            if (steps % kLook == 0 && options_.interrupted != nullptr &&
                options_.interrupted->load(std::memory_order_relaxed))
                throw AloneInterrupted{};
            const bool accepted = offer<kSimple>(now, room);
            Cycle soonest = visit<kSimple>(0, now);
            if constexpr (!kSimple) {
                for (u32 k = 1; k < channel_count_; ++k) soonest = std::min(soonest, visit<kSimple>(k, now));
                // A later channel may have sent a message to an earlier one.
                for (u32 k = 0; k < channel_count_; ++k) soonest = std::min(soonest, wake_[k]);
            }
            if (next_ != end_) {
                // Room that appeared in this clock is offered a request in the next.
                room = room_for_next<kSimple>();
                const Cycle due = std::max(next_->not_before, now + 1);
                if (room) {
                    soonest = std::min(soonest, due);
                    if (accepted && due == now + 1) ++result_.injection_clocks;
                } else if (soonest != kNever && soonest > due) {
                    result_.blocked_clocks += soonest - due;  // these clocks are not visited
                }
            }
            if (soonest == kNever && live_ != 0)
                throw InvariantError("a DRAM channel sleeps with requests waiting");
            if (now > progress_ + kPatience && live_ != 0)
                throw InvariantError(fmt::format(
                    "none of {} waiting requests was served in {} clocks: DRAM scheduler '{}' offers none",
                    live_, kPatience, settings_.scheduler.name()));
            now = !kSimple && options_.step_every_cycle ? now + 1 : std::max(soonest, now + 1);
        }
        return finish();
    }

    template <bool kSimple>
    bool room_for_next() const {
        if (!kSimple && live_ >= options_.max_outstanding) return false;
        return channels_[kSimple ? 0 : place(next_->address).channel].can_accept(probes_[next_->write]);
    }
    Place place(u64 address) const {
        if (options_.map != nullptr) return options_.map->place(PhysAddr(address));
        if (channel_count_ == 1) return {0, 0, PhysAddr(address)};
        const u64 block = options_.interleave_bytes;
        return {static_cast<u32>(address / block % channel_count_), 0,
                PhysAddr(address / block / channel_count_ * block + address % block)};
    }

    /// Offers what the front end has at `now`; whether anything was taken.
    template <bool kSimple>
    bool offer(Cycle now, bool room) {
        bool accepted = false;
        for (u32 k = 0; k < (kSimple ? 1 : options_.requests_per_clock); ++k) {
            if (next_ == end_ || next_->not_before > now) return accepted;
            if (k > 0) room = room_for_next<kSimple>();
            if (!room) {
                ++result_.blocked_clocks;
                return accepted;
            }
            const StreamEntry& e = *next_++;
            Request* r = pool_.take();
            r->line = PhysAddr(e.address);
            const Place at = kSimple ? Place{0, 0, PhysAddr(e.address)} : place(e.address);
            r->local = at.local;
            r->sectors = sectors_;
            r->kind = e.write ? RequestKind::write : RequestKind::read;
            r->origin.unit = Origin::kNoUnit;
            r->app = e.app;
            const u32 c = kSimple ? 0 : at.channel;
            result_.by_channel[c].queue.add(channels_[c].waiting());
            wake_[c] = std::min(wake_[c], channels_[c].accept(r, now));
            ++live_;
            accepted = true;
            progress_ = now;
        }
        return accepted;
    }

    /// Steps a channel if it must be, takes what is complete; when it must be visited next.
    template <bool kSimple>
    Cycle visit(u32 k, Cycle now) {
        if (wake_[k] <= now || (!kSimple && options_.step_every_cycle)) wake_[k] = channels_[k].step(now);
        while (const auto* done = channels_[k].completion()) {
            // A completion needs no visit of its own, unless it lets the next request or the whole run go.
            if (done->at > now) {
                if ((!kSimple && bounded_) || next_ == end_) return std::min(wake_[k], done->at);
                break;
            }
            if (!done->request->is_write()) result_.read_cycles = std::max(result_.read_cycles, done->at.v);
            result_.cycles = std::max(result_.cycles, done->at.v);
            pool_.give(done->request);
            channels_[k].pop_completion();
            --live_;
            progress_ = now;
        }
        return wake_[k];
    }

    AloneResult finish() {
        result_.channels = channel_count_;
        result_.clock_hz = channels_[0].clock_hz();
        result_.access_bytes = channels_[0].geometry().access_bytes;
        for (auto& audit : audits_) {
            if (!result_.audit) result_.audit.emplace();
            audit->finish(std::max(Cycle(result_.cycles), audit->last_command()), *result_.audit);
        }
        if (files_ != nullptr) files_->finish(Cycle(result_.cycles));
        const Resolved resolved = resolve(settings_);
        result_.currents = find_currents(resolved);
        for (u32 k = 0; k < channel_count_; ++k) {
            Channel& c = channels_[k];
            add_counters(result_.policy, c.policy_counters());
            const Statistics& s = result_.by_channel[k].counts = c.statistics(Cycle(result_.cycles));
            result_.total.merge(s);
            if (result_.currents != nullptr) result_.energy += energy_of(s, resolved, *result_.currents);
        }
        result_.peak_bytes_per_s = resolved.peak_bytes_per_s() * channel_count_;
        result_.heading = describe(resolved, channel_count_);
        return result_;
    }

    const MemorySettings& settings_;
    const StreamEntry *next_, *end_;
    const AloneOptions options_;
    const u32 channel_count_;
    const bool bounded_;
    std::vector<Channel> channels_;
    std::vector<std::unique_ptr<Audit>> audits_;
    std::unique_ptr<CommandFiles> files_;
    std::vector<Cycle> wake_;
    RequestPool pool_;
    u8 sectors_ = 1;
    u64 live_ = 0;
    Cycle progress_;                 // when a request was last taken or completed
    std::array<Request, 2> probes_;  // a read and a write
    AloneResult result_;
};

}  // namespace

u64 AloneResult::bytes_per_s() const {
    if (cycles == 0) return 0;
    return bandwidth(total.read_bytes + total.written_bytes, cycles, clock_hz).in(1);
}

u64 memory_bytes(const MemorySettings& settings) {
    return resolve(settings).geometry.capacity() * settings.channels;
}

AloneResult run_alone(const MemorySettings& settings, const std::vector<StreamEntry>& stream,
                      const AloneOptions& options) {
    return Runner(settings, stream, options).run();
}

}  // namespace heddle::dram
