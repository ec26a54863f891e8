#pragma once
// Distribution of an integer quantity: exact below 64, then 32 buckets an octave (under 3.2 % wide).

#include <bit>
#include <vector>

#include "sim/types.h"

namespace heddle {

class Histogram {
  public:
    void add(u64 value) {
        const std::size_t k = bucket(value);
        if (k >= buckets_.size()) [[unlikely]]
            grow(k + 1);
        ++buckets_[k];
        ++count_;
        sum_ += value;
        if (value < min_) min_ = value;
        if (value > max_) max_ = value;
    }
    void merge(const Histogram& other) {
        if (buckets_.size() < other.buckets_.size()) buckets_.resize(other.buckets_.size());
        for (std::size_t k = 0; k < other.buckets_.size(); ++k) buckets_[k] += other.buckets_[k];
        count_ += other.count_;
        sum_ += other.sum_;
        if (other.count_ == 0) return;
        if (other.min_ < min_) min_ = other.min_;
        if (other.max_ > max_) max_ = other.max_;
    }
    u64 count() const { return count_; }
    u64 sum() const { return sum_; }
    u64 min() const { return count_ == 0 ? 0 : min_; }
    u64 max() const { return max_; }
    /// Largest value of the bucket in which the given share (per mille) of all values is reached, at most max().
    u64 quantile(u32 per_mille) const {
        if (count_ == 0) return 0;
        const u64 rank = ceil_div(count_ * per_mille, 1000);
        u64 seen = 0;
        for (std::size_t k = 0; k < buckets_.size(); ++k) {
            seen += buckets_[k];
            if (seen >= rank && seen > 0) return upper(k) < max_ ? upper(k) : max_;
        }
        return max_;
    }

  private:
    // Out of line so that `add` is small enough to be inlined.
    [[gnu::noinline]] void grow(std::size_t size) { buckets_.resize(size); }
    static std::size_t bucket(u64 v) {
        if (v < 64) return static_cast<std::size_t>(v);
        const u32 octave = static_cast<u32>(std::bit_width(v)) - 6;
        return 32 * octave + static_cast<std::size_t>(v >> octave);
    }
    static u64 upper(std::size_t k) {
        if (k < 64) return k;
        const u64 octave = k / 32 - 1;
        return ((k % 32 + 33) << octave) - 1;
    }

    std::vector<u64> buckets_;  // up to the largest value met
    u64 count_ = 0, sum_ = 0, min_ = ~u64{0}, max_ = 0;
};

}  // namespace heddle
