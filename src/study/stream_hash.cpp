#include "study/stream_hash.h"

#include <array>
#include <map>
#include <optional>

#include "study/sha256.h"

namespace heddle::study {
namespace {

constexpr std::string_view kStreamHead = "heddle stream 1\n";

/// Collects small pieces, because each call of the hash function costs more than they do.
class HashedBytes {
  public:
    template <class T>
    void put(T value) {
        for (std::size_t k = 0; k < sizeof value; ++k)
            buffer_[used_++] = static_cast<char>(static_cast<u64>(value) >> (8 * k));
        if (used_ + kSlack > buffer_.size()) flush();
    }
    void text(std::string_view bytes) {
        flush();
        sum_.add(bytes);
    }
    std::string hex() {
        flush();
        return sum_.hex();
    }

  private:
    static constexpr std::size_t kSlack = sizeof(u64);
    void flush() {
        sum_.add({buffer_.data(), used_});
        used_ = 0;
    }

    Sha256 sum_;
    std::array<char, std::size_t{1} << 16> buffer_{};
    std::size_t used_ = 0;
};

/// Host memory that the program has, by address.
class HostPlaces {
  public:
    void add(u64 address, u64 bytes) { live_[address] = {bytes, next_++}; }
    void remove(u64 address) { live_.erase(address); }
    bool none() const { return live_.empty(); }
    /// An address that does not depend on where the system has put the allocation.
    u64 place(u64 address) const {
        auto it = live_.upper_bound(address);
        if (it == live_.begin()) return address;
        --it;
        const u64 distance = address - it->first;
        return distance < it->second.bytes ? u64{1} << 63 | it->second.number << 40 | distance : address;
    }

  private:
    struct Allocation {
        u64 bytes = 0, number = 0;
    };
    std::map<u64, Allocation> live_;
    u64 next_ = 0;
};

class KernelHash {
  public:
    KernelHash(HashedBytes& out, KernelStream& kernel, const HostPlaces& host)
        : out_(out), kernel_(kernel), host_(host) {}

    void add() {
        const KernelInfo& info = kernel_.info();
        out_.put('L');
        for (const Dim3 d : {info.grid, info.block})
            for (const u32 v : {d.x, d.y, d.z}) out_.put(v);
        out_.put(info.shared_bytes);
        out_.put(info.registers);
        out_.put(info.stream);
        out_.put(info.warp_lanes);
        out_.put(info.cooperative);
        const auto cta = kernel_.make_cta();
        while (kernel_.next_cta(*cta)) {
            out_.put('C');
            for (const u32 v : {cta->index.x, cta->index.y, cta->index.z}) out_.put(v);
            for (u32 w = 0; w < cta->ranges.size(); ++w) {
                WarpCursor cursor = cta->cursor(w, info);
                for (DynInst inst; cursor.next(inst);) instruction(inst);
                out_.put('W');
            }
        }
        out_.put('E');
    }

  private:
    void instruction(const DynInst& inst) {
        out_.put('I');
        if (inst.static_index >= numbers_.size()) numbers_.resize(inst.static_index + 1);
        auto& number = numbers_[inst.static_index];
        const bool first = !number;
        if (first) number = known_++;
        out_.put(*number);
        if (first) fixed_part(kernel_.static_insts()[inst.static_index]);
        out_.put(inst.mask);
        out_.put(inst.has_edge);
        if (inst.has_edge) out_.put(inst.edge);
        addresses(inst);
    }

    void fixed_part(const StaticInst& s) {
        out_.put(s.pc);
        for (const u16 r : s.dst) out_.put(r);
        for (const u16 r : s.src) out_.put(r);
        out_.put(static_cast<u8>(s.op));
        out_.put(static_cast<u8>(s.mem));
        out_.put(static_cast<u8>(s.space));
        for (const u8 v : {s.access_bytes, static_cast<u8>(s.bypass_l1), s.barrier_id, s.barrier_warps,
                           static_cast<u8>(s.barrier_arrive_only), s.dst_width, static_cast<u8>(s.async_role),
                           s.async_keep})
            out_.put(v);
    }

    /// Which form a source has chosen must not matter, so the form is chosen anew.
    void addresses(const DynInst& inst) {
        std::array<u64, kMaxLanes> lanes{};
        std::size_t n = 0;
        for_each_address(inst, [&](int, u64 address) { lanes[n++] = address; });
        if (!host_.none())
            for (std::size_t k = 0; k < n; ++k) lanes[k] = host_.place(lanes[k]);
        if (n == 0) return out_.put(u8{0});
        const u64 step = n > 1 ? lanes[1] - lanes[0] : 0;
        bool even = true, near = true;
        for (std::size_t k = 1; k < n; ++k) {
            const u64 difference = lanes[k] - lanes[k - 1];
            even &= difference == step;
            near &= static_cast<u64>(static_cast<i64>(static_cast<i32>(difference))) == difference;
        }
        out_.put(even ? u8{1} : near ? u8{2} : u8{3});
        out_.put(lanes[0]);
        if (even) return out_.put(step);
        for (std::size_t k = 1; k < n; ++k)
            if (near)
                out_.put(static_cast<u32>(lanes[k] - lanes[k - 1]));
            else
                out_.put(lanes[k]);
    }

    HashedBytes& out_;
    KernelStream& kernel_;
    const HostPlaces& host_;
    std::vector<std::optional<u32>> numbers_;  // by static index
    u32 known_ = 0;
};

class ProgramHash {
  public:
    std::string of(StreamSource& source) {
        out_.text(kStreamHead);
        for (ProgramEvent event; source.next(event);) std::visit([this](auto& e) { add(e); }, event);
        return out_.hex();
    }

  private:
    void add(LaunchEvent& launch) { KernelHash(out_, *launch.kernel, host_).add(); }
    void add(const CopyEvent& copy) {
        out_.put('c');
        out_.put(static_cast<u8>(copy.kind));
        for (const u64 v : {host_.place(copy.destination), host_.place(copy.source), copy.bytes, copy.stream})
            out_.put(v);
    }
    void add(const AllocEvent& alloc) {
        if (alloc.kind == AllocEvent::Kind::host) host_.add(alloc.address, alloc.bytes);
        out_.put('a');
        out_.put(static_cast<u8>(alloc.kind));
        for (const u64 v : {host_.place(alloc.address), alloc.bytes}) out_.put(v);
    }
    void add(const FreeEvent& freed) {
        out_.put('f');
        out_.put(host_.place(freed.address));
        host_.remove(freed.address);
    }
    void add(const SyncEvent& sync) {
        out_.put('s');
        out_.put(static_cast<u8>(sync.kind));
        for (const u64 v : {sync.stream, sync.event}) out_.put(v);
    }

    void add(const PageHintEvent& hint) {
        out_.put('h');
        out_.put(static_cast<u8>(hint.kind));
        out_.put(static_cast<u8>(hint.to_host));
        out_.put(host_.place(hint.address));
        for (const u64 v : {hint.bytes, hint.stream}) out_.put(v);
    }

    HashedBytes out_;
    HostPlaces host_;
};

}  // namespace

std::string stream_hash(StreamSource& source) {
    // On the heap: its buffer is large.
    return std::make_unique<ProgramHash>()->of(source);
}

std::string workload_hash(const std::vector<std::string>& streams) {
    if (streams.size() == 1) return streams.front();
    std::string lines;
    for (const std::string& stream : streams) lines += stream + '\n';
    return sha256(lines);
}

}  // namespace heddle::study
