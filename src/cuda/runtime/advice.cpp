#include "cuda/runtime/advice.h"

#include <algorithm>
#include <map>
#include <set>

#include "cuda/runtime/batches.h"

using namespace heddle::cuda;
using heddle::PageHintEvent;
using heddle::u64;

namespace {

using Place = std::pair<cudaMemLocationType, int>;
constexpr Place kNowhere{cudaMemLocationTypeInvalid, cudaInvalidDeviceId};

struct Advice {
    bool read_mostly = false;
    Place preferred = kNowhere, prefetched = kNowhere;
    std::set<int> accessed_by;  // devices; the host is cudaCpuDeviceId
};
struct AdvisedRange {
    u64 end;
    Advice advice;
};
std::map<u64, AdvisedRange> advised;  // by the first byte; apart from one another

/// No range holds the byte and the one before it.
void split_at(u64 address) {
    auto at = advised.upper_bound(address);
    if (at == advised.begin()) return;
    --at;
    if (at->first == address || at->second.end <= address) return;
    advised[address] = at->second;
    at->second.end = address;
}

void change_advice(u64 begin, u64 end, const std::function<void(Advice&)>& change) {
    split_at(begin);
    split_at(end);
    for (u64 at = begin; at < end;) {
        auto here = advised.lower_bound(at);
        if (here == advised.end() || here->first != at) {
            const u64 next = here == advised.end() ? end : std::min(end, here->first);
            here = advised.emplace(at, AdvisedRange{next, {}}).first;
        }
        change(here->second.advice);
        at = here->second.end;
    }
}

/// Calls see(advice) for each part of the range.
void look_at_advice(u64 begin, u64 end, const std::function<void(const Advice&)>& see) {
    split_at(begin);
    split_at(end);
    for (u64 at = begin; at < end;) {
        const auto here = advised.lower_bound(at);
        if (here == advised.end() || here->first >= end) return see({});
        if (here->first != at) see({});
        see(here->second.advice);
        at = here->second.end;
    }
}

void check_place(const cudaMemLocation& l) {
    require(l.type >= cudaMemLocationTypeDevice && l.type <= cudaMemLocationTypeHostNumaCurrent);
    require(l.type != cudaMemLocationTypeDevice || l.id == 0, cudaErrorInvalidDevice);
}

void check_range(Runtime& r, const void* pointer, size_t bytes) {
    require(bytes != 0 && r.memory().accessible(reinterpret_cast<u64>(pointer), bytes));
}
void check_managed(Runtime& r, const void* pointer, size_t bytes) {
    check_range(r, pointer, bytes);
    require(r.memory().find(reinterpret_cast<u64>(pointer))->kind == heddle::ptx::MemoryKind::managed);
}

Place place_of(const cudaMemLocation& l) {
    return {l.type, l.type == cudaMemLocationTypeDevice || l.type == cudaMemLocationTypeHostNuma ? l.id : 0};
}
int device_of(const Place& p) {
    return p.first == cudaMemLocationTypeInvalid  ? cudaInvalidDeviceId
           : p.first == cudaMemLocationTypeDevice ? p.second
                                                  : cudaCpuDeviceId;
}

void advise(Advice& a, cudaMemoryAdvise advice, const Place& place) {
    switch (advice) {
        case cudaMemAdviseSetReadMostly:
        case cudaMemAdviseUnsetReadMostly:
            a.read_mostly = advice == cudaMemAdviseSetReadMostly;
            return;
        case cudaMemAdviseSetPreferredLocation:
            a.preferred = place;
            return;
        case cudaMemAdviseUnsetPreferredLocation:
            a.preferred = kNowhere;
            return;
        case cudaMemAdviseSetAccessedBy:
            a.accessed_by.insert(device_of(place));
            return;
        case cudaMemAdviseUnsetAccessedBy:
            a.accessed_by.erase(device_of(place));
            return;
    }
    throw CudaError{cudaErrorInvalidValue};
}

void prefetch(Runtime& r, const void* pointer, size_t bytes, const cudaMemLocation& to, cudaStream_t stream) {
    check_range(r, pointer, bytes);
    check_place(to);
    r.stream(stream);
    const u64 begin = reinterpret_cast<u64>(pointer);
    change_advice(begin, begin + bytes, [&](Advice& a) { a.prefetched = place_of(to); });
    r.record(PageHintEvent{PageHintEvent::Kind::prefetch, to.type != cudaMemLocationTypeDevice, begin, bytes,
                           r.stream(stream).number});
}

/// One value for all of the range, else what stands for none.
template <class Value>
Value of_all(u64 begin, u64 end, Value none, const std::function<Value(const Advice&)>& value) {
    bool first = true;
    Value all = none;
    look_at_advice(begin, end, [&](const Advice& a) {
        all = first || all == value(a) ? value(a) : none;
        first = false;
    });
    return all;
}

std::set<int> accessors_of_all(u64 begin, u64 end) {
    std::set<int> all;
    bool first = true;
    look_at_advice(begin, end, [&](const Advice& a) {
        if (first) all = a.accessed_by;
        std::erase_if(all, [&](int d) { return !a.accessed_by.contains(d); });
        first = false;
    });
    return all;
}

void range_attribute(Runtime& r, void* data, size_t bytes, cudaMemRangeAttribute attribute,
                     const void* pointer, size_t count) {
    require(data != nullptr && bytes != 0 && bytes % sizeof(int) == 0);
    check_managed(r, pointer, count);
    const u64 begin = reinterpret_cast<u64>(pointer), end = begin + count;
    const auto place = [&](Place Advice::*which) {
        return of_all<Place>(begin, end, kNowhere, [&](const Advice& a) { return a.*which; });
    };
    int* const out = static_cast<int*>(data);
    if (attribute == cudaMemRangeAttributeAccessedBy) {
        std::fill_n(out, bytes / sizeof(int), cudaInvalidDeviceId);
        std::size_t k = 0;
        for (const int device : accessors_of_all(begin, end))
            if (k < bytes / sizeof(int)) out[k++] = device;
        return;
    }
    require(bytes == sizeof(int));
    switch (attribute) {
        case cudaMemRangeAttributeReadMostly:
            *out = of_all<bool>(begin, end, false, [](const Advice& a) { return a.read_mostly; });
            return;
        case cudaMemRangeAttributePreferredLocation:
            *out = device_of(place(&Advice::preferred));
            return;
        case cudaMemRangeAttributeLastPrefetchLocation:
            *out = device_of(place(&Advice::prefetched));
            return;
        case cudaMemRangeAttributePreferredLocationType:
            *out = place(&Advice::preferred).first;
            return;
        case cudaMemRangeAttributePreferredLocationId:
            *out = place(&Advice::preferred).second;
            return;
        case cudaMemRangeAttributeLastPrefetchLocationType:
            *out = place(&Advice::prefetched).first;
            return;
        case cudaMemRangeAttributeLastPrefetchLocationId:
            *out = place(&Advice::prefetched).second;
            return;
        default:
            throw CudaError{cudaErrorInvalidValue};
    }
}

void check_ranges(Runtime& r, void* const* pointers, const size_t* sizes, size_t count,
                  unsigned long long flags) {
    require(pointers != nullptr && sizes != nullptr && count != 0 && flags == 0);
    for (size_t k = 0; k < count; ++k) check_managed(r, pointers[k], sizes[k]);
}

cudaError_t prefetch_batch(const char* name, void* const* pointers, const size_t* sizes, size_t count,
                           const cudaMemLocation* locations, const size_t* first, size_t location_count,
                           unsigned long long flags, cudaStream_t stream) {
    return call(name, [&](Runtime& r) {
        check_ranges(r, pointers, sizes, count, flags);
        require(locations != nullptr);
        check_lists(first, location_count, count);
        for (size_t k = 0, list = 0; k < count; ++k) {
            if (list + 1 < location_count && first[list + 1] == k) ++list;
            prefetch(r, pointers[k], sizes[k], locations[list], stream);
        }
    });
}

}  // namespace

namespace heddle::cuda {

cudaMemLocation location_of(int device) {
    return {device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
            device == cudaCpuDeviceId ? 0 : device};
}

void forget_advice(u64 begin, u64 end) {
    if (advised.empty()) return;
    split_at(begin);
    split_at(end);
    advised.erase(advised.lower_bound(begin), advised.lower_bound(end));
}

}  // namespace heddle::cuda

extern "C" {

cudaError_t cudaMemAdvise_v2(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                             cudaMemLocation location) {
    return call("cudaMemAdvise", [&](Runtime& r) {
        check_range(r, pointer, bytes);
        // Of these four the place means nothing.
        if (advice >= cudaMemAdviseSetPreferredLocation && advice != cudaMemAdviseUnsetPreferredLocation)
            check_place(location);
        const u64 begin = reinterpret_cast<u64>(pointer);
        change_advice(begin, begin + bytes, [&](Advice& a) { advise(a, advice, place_of(location)); });
        using Kind = PageHintEvent::Kind;
        if (advice == cudaMemAdviseSetPreferredLocation)
            r.record(PageHintEvent{Kind::prefer, location.type != cudaMemLocationTypeDevice, begin, bytes});
        else if (advice == cudaMemAdviseUnsetPreferredLocation)
            r.record(PageHintEvent{Kind::no_wish, false, begin, bytes});
    });
}
cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, size_t bytes, cudaMemLocation location, unsigned int,
                                    cudaStream_t stream) {
    return call("cudaMemPrefetchAsync", [&](Runtime& r) { prefetch(r, pointer, bytes, location, stream); });
}
cudaError_t cudaMemPrefetchBatchAsync(void** pointers, size_t* sizes, size_t count,
                                      cudaMemLocation* locations, size_t* first, size_t location_count,
                                      unsigned long long flags, cudaStream_t stream) {
    return prefetch_batch("cudaMemPrefetchBatchAsync", pointers, sizes, count, locations, first,
                          location_count, flags, stream);
}
// What a program discards may hold anything until it is written; here it keeps what it holds.
cudaError_t cudaMemDiscardBatchAsync(void** pointers, size_t* sizes, size_t count, unsigned long long flags,
                                     cudaStream_t stream) {
    return call("cudaMemDiscardBatchAsync", [&](Runtime& r) {
        check_ranges(r, pointers, sizes, count, flags);
        r.stream(stream);
    });
}
cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void** pointers, size_t* sizes, size_t count,
                                                cudaMemLocation* locations, size_t* first,
                                                size_t location_count, unsigned long long flags,
                                                cudaStream_t stream) {
    return prefetch_batch("cudaMemDiscardAndPrefetchBatchAsync", pointers, sizes, count, locations, first,
                          location_count, flags, stream);
}
cudaError_t cudaMemRangeGetAttribute(void* data, size_t bytes, cudaMemRangeAttribute attribute,
                                     const void* pointer, size_t count) {
    return call("cudaMemRangeGetAttribute",
                [&](Runtime& r) { range_attribute(r, data, bytes, attribute, pointer, count); });
}
cudaError_t cudaMemRangeGetAttributes(void** data, size_t* bytes, cudaMemRangeAttribute* attributes,
                                      size_t attribute_count, const void* pointer, size_t count) {
    return call("cudaMemRangeGetAttributes", [&](Runtime& r) {
        require(data != nullptr && bytes != nullptr && attributes != nullptr && attribute_count != 0);
        for (size_t k = 0; k < attribute_count; ++k)
            range_attribute(r, data[k], bytes[k], attributes[k], pointer, count);
    });
}

}  // extern "C"
