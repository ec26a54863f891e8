#pragma once
// Copies by all threads of a group: asynchronous from global to shared memory from sm_80 on, plain elsewhere.

#include "../cooperative_groups.h"
#include "../cuda_pipeline_primitives.h"

#if defined(__CUDA__)

namespace cooperative_groups {

namespace heddle_details {

template <unsigned Width, class Group>
static __device__ void copy_by(const Group& group, char* to, const char* from, size_t bytes) {
    for (size_t at = group.thread_rank() * Width; at < bytes; at += group.size() * Width)
        __pipeline_memcpy_async(to + at, from + at, Width);
}
template <class Group>
static __device__ void copy_bytes(const Group& group, void* to_, const void* from_, size_t bytes) {
    char* const to = static_cast<char*>(to_);
    const char* const from = static_cast<const char*>(from_);
    if (__isShared(to) && __isGlobal(from)) {
        const size_t odd = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes;
        if (odd % 16 == 0) {
            copy_by<16>(group, to, from, bytes);
            return __pipeline_commit();
        }
        if (odd % 8 == 0) {
            copy_by<8>(group, to, from, bytes);
            return __pipeline_commit();
        }
        if (odd % 4 == 0) {
            copy_by<4>(group, to, from, bytes);
            return __pipeline_commit();
        }
    }
    for (size_t at = group.thread_rank(); at < bytes; at += group.size()) to[at] = from[at];
    __pipeline_commit();
}

}  // namespace heddle_details

template <class Group, class T, class Bytes>
static __device__ void memcpy_async(const Group& group, T* to, const T* from, const Bytes& bytes) {
    heddle_details::copy_bytes(group, to, from, static_cast<size_t>(bytes));
}
/// As many elements as both places hold.
template <class Group, class T, class ToCount, class FromCount>
static __device__ void memcpy_async(const Group& group, T* to, const ToCount& to_count, const T* from,
                                    const FromCount& from_count) {
    const size_t a = static_cast<size_t>(to_count), b = static_cast<size_t>(from_count);
    heddle_details::copy_bytes(group, to, from, (a < b ? a : b) * sizeof(T));
}

/// Until all copies (all but the last Stages) of the group are there.
template <class Group>
static __device__ void wait(const Group& group) {
    __pipeline_wait_prior(0);
    group.sync();
}
template <unsigned Stages, class Group>
static __device__ void wait_prior(const Group& group) {
    __pipeline_wait_prior(Stages);
    group.sync();
}

}  // namespace cooperative_groups
#endif
