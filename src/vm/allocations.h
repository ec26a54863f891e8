#pragma once
// What programs have allocated: the ranges of their address spaces that belong together.

#include <map>
#include <optional>
#include <vector>

#include "trace/stream.h"
#include "vm/page.h"

namespace heddle {

class Allocations {
  public:
    struct Range {
        VirtAddr begin, end;
        AllocEvent::Kind kind = AllocEvent::Kind::device;
    };

    void add(u8 app, const AllocEvent& a) {
        if (app >= apps_.size()) apps_.resize(app + 1u);
        apps_[app][a.address] = a;
    }
    void remove(u8 app, u64 address) {
        if (app >= apps_.size()) return;
        const auto at = apps_[app].find(address);
        if (at == apps_[app].end()) return;
        prefer(app, {PageHintEvent::Kind::no_wish, false, address, at->second.bytes});
        apps_[app].erase(at);
    }
    /// The allocation that an address belongs to, if one is known.
    std::optional<Range> find(u8 app, VirtAddr address) const {
        if (app >= apps_.size()) return {};
        auto at = apps_[app].upper_bound(address.v);
        if (at == apps_[app].begin()) return {};
        const AllocEvent& a = (--at)->second;
        if (address.v - a.address >= a.bytes) return {};
        return Range{VirtAddr(a.address), VirtAddr(a.address + a.bytes), a.kind};
    }
    /// A program's wish for a range of addresses, which replaces those before.
    void prefer(u8 app, const PageHintEvent& hint) {
        if (app >= wishes_.size()) wishes_.resize(app + 1u);
        auto& wishes = wishes_[app];
        const u64 begin = hint.address, end = hint.address + hint.bytes;
        split(wishes, begin);
        split(wishes, end);
        wishes.erase(wishes.lower_bound(begin), wishes.lower_bound(end));
        if (hint.kind == PageHintEvent::Kind::prefer) wishes[begin] = {end, hint.to_host};
    }
    /// Whether the program prefers the host's memory for the address, or the GPU's; nothing: it has no wish.
    std::optional<bool> prefers_host(u8 app, VirtAddr address) const {
        if (app >= wishes_.size()) return {};
        auto at = wishes_[app].upper_bound(address.v);
        if (at == wishes_[app].begin() || (--at)->second.end <= address.v) return {};
        return at->second.host;
    }

  private:
    struct Wish {
        u64 end = 0;
        bool host = false;
    };
    using Wishes = std::map<u64, Wish>;  // by address; ranges are apart

    /// No range holds the address and the one before it.
    static void split(Wishes& wishes, u64 address) {
        auto at = wishes.lower_bound(address);
        if (at == wishes.begin()) return;
        --at;
        if (at->second.end <= address) return;
        wishes[address] = at->second;
        at->second.end = address;
    }

    std::vector<std::map<u64, AllocEvent>> apps_;  // by address
    std::vector<Wishes> wishes_;
};

}  // namespace heddle
