#include "machine/request_dump.h"

#include <fmt/format.h>

#include "dram/geometry.h"

namespace heddle {

namespace {

std::string heading(const MemoryNode& memory, const char* what) {
    return fmt::format("{} of {} ({}): 0xADDRESS READ|WRITE CYCLE, physical addresses, clocks of {} Hz", what,
                       memory.name(), dram::describe(dram::resolve(memory.settings()), memory.channels()),
                       memory.clock().hertz());
}

}  // namespace

/// One slice (its clock is the core's), or one channel.
class RequestDump::Station final : public RequestObserver {
  public:
    Station(RequestDump& dump, dram::StreamWriter& to, u32 channel, bool core_clock)
        : dump_(dump), to_(to), channel_(channel), core_clock_(core_clock) {}
    void passed(const Request& r, Cycle now) override {
        const Cycle at = core_clock_ ? dump_.memory_.clock().at_or_after(dump_.gpu_.clock().tick(now)) : now;
        if (!r.is_write()) dump_.write(to_, channel_, r, false, at);
        if (r.kind != RequestKind::read) dump_.write(to_, channel_, r, true, at);
    }

  private:
    RequestDump& dump_;
    dram::StreamWriter& to_;
    u32 channel_;
    bool core_clock_;
};

RequestDump::RequestDump(const Machine& machine, const std::string& path)
    : gpu_(machine.home()),
      memory_(machine.home_memory()),
      dram_(path, heading(memory_, "DRAM requests")),
      l2_(path + ".l2", heading(memory_, "L2 requests")) {
    const dram::Geometry g = dram::resolve(memory_.settings()).geometry;
    access_bytes_ = g.access_bytes;
    channel_bytes_ = g.capacity();
    const auto station = [&](dram::StreamWriter& to, std::size_t channel, bool core_clock) {
        stations_.push_back(std::make_unique<Station>(*this, to, static_cast<u32>(channel), core_clock));
        return stations_.back().get();
    };
    for (std::size_t c = 0; c < memory_.partitions().size(); ++c)
        memory_.partitions()[c]->observe(station(dram_, c, false));
    for (u32 s = 0; s < gpu_.slices().size(); ++s)
        gpu_.slices()[s]->observe(station(l2_, gpu_.router().port(s).flat_channel, true));
}

RequestDump::~RequestDump() {
    for (auto& p : memory_.partitions()) p->observe(nullptr);
    for (auto& s : gpu_.slices()) s->observe(nullptr);
}

void RequestDump::write(dram::StreamWriter& to, u32 channel, const Request& r, bool write, Cycle at) {
    const u32 sectors = r.sectors != 0 ? r.sectors : 1u;
    const u32 bytes = std::min<u32>(access_bytes_, kLineBytes);
    for (u32 offset = 0; offset < kLineBytes; offset += bytes) {
        const u32 first = offset / kSectorBytes, last = (offset + bytes - 1) / kSectorBytes;
        const u32 mask = ((2u << last) - 1) & ~((1u << first) - 1);
        if ((sectors & mask) == 0) continue;
        u64 local = r.local.v + offset;
        if (local >= channel_bytes_) {
            local %= channel_bytes_;
            ++wrapped_;
        }
        to.write(gpu_.router().address(channel, PhysAddr(local)).v, write, at);
    }
}

void RequestDump::finish() {
    dram_.finish();
    l2_.finish();
}

}  // namespace heddle
