#pragma once
// Counters and the names that they have in a run's record. A struct of counters has tables of fields beside it; whoever
// makes a record walks them, so that a counter is named in one place.
//
//     inline constexpr Field<SmStats> kSmCounters[] = {
//         {"loads", "warp instructions", counted<&SmStats::loads>},
//         {"wait_memory", "warp cycles", counted<&SmStats::warp_cycles, WarpState::memory>},
//     };

#include <functional>
#include <type_traits>

#include "sim/histogram.h"
#include "sim/types.h"

namespace heddle {

template <class Stats>
struct Field {
    const char* name;
    const char* unit;
    u64 (*read)(const Stats&);
};

namespace detail {
template <class Member>
struct OwnerOf;
template <class Member, class Owner>
struct OwnerOf<Member Owner::*> {
    using Type = Owner;
};
}  // namespace detail

/// Reads a counter: a member, or what a member function returns; of an array the item at `Index`; of a histogram the
/// sum of its values.
template <auto Member, auto... Index>
u64 counted(const typename detail::OwnerOf<decltype(Member)>::Type& stats) {
    const auto& value = std::invoke(Member, stats);
    if constexpr (sizeof...(Index) != 0)
        return value[(static_cast<std::size_t>(Index), ...)];
    else if constexpr (std::is_same_v<decltype(value), const Histogram&>)
        return value.sum();
    else
        return value;
}

}  // namespace heddle
