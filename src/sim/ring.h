#pragma once
// First-in first-out queue on a flat power-of-two buffer; grows when full and never shrinks.

#include <utility>
#include <vector>

#include "sim/types.h"

namespace heddle {

template <class T>
class Ring {
  public:
    bool empty() const { return head_ == tail_; }
    u32 size() const { return tail_ - head_; }
    T& front() { return slots_[head_ & mask_]; }
    const T& front() const { return slots_[head_ & mask_]; }
    T& back() { return slots_[(tail_ - 1) & mask_]; }
    /// The k-th element from the front.
    T& operator[](u32 k) { return slots_[(head_ + k) & mask_]; }
    const T& operator[](u32 k) const { return slots_[(head_ + k) & mask_]; }
    void push(T value) { push_slot() = std::move(value); }
    /// The new last element, to be filled in: it holds whatever was there before. For small structs on hot paths, which
    /// compilers otherwise build on the stack in narrow stores and copy with a wide load that has to wait for them.
    T& push_slot() {
        if (size() == room_) grow();
        return slots_[tail_++ & mask_];
    }
    /// Of elements with a time `at`, in its order: behind all that are not later. Quick where most come in order.
    void push_by_time(T value) {
        push(std::move(value));
        settle_last();
    }
    /// Moves the last element to its place by time.
    void settle_last() {
        u32 k = size() - 1;
        if (k == 0 || !((*this)[k - 1].at > (*this)[k].at)) return;
        T last = std::move((*this)[k]);
        do {
            (*this)[k] = std::move((*this)[k - 1]);
            --k;
        } while (k > 0 && (*this)[k - 1].at > last.at);
        (*this)[k] = std::move(last);
    }
    T pop() { return std::move(slots_[head_++ & mask_]); }
    void clear() { head_ = tail_ = 0; }

  private:
    void grow() {
        std::vector<T> bigger(slots_.empty() ? 8 : slots_.size() * 2);
        const u32 n = size();
        for (u32 k = 0; k < n; ++k) bigger[k] = std::move((*this)[k]);
        slots_ = std::move(bigger);
        room_ = static_cast<u32>(slots_.size());
        mask_ = room_ - 1;
        head_ = 0;
        tail_ = n;
    }

    std::vector<T> slots_;
    u32 head_ = 0, tail_ = 0, mask_ = 0;
    u32 room_ = 0;  // of slots_: a vector has to divide to tell
};

}  // namespace heddle
