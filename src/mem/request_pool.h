#pragma once
// Storage of requests: stable addresses, an intrusive free list, no allocation once warm.

#include <memory>
#include <vector>

#include "mem/request.h"

namespace heddle {

class RequestPool {
  public:
    Request* take() {
        if (free_ == nullptr) grow();
        Request* r = free_;
        free_ = r->next;
        *r = Request{};
        ++live_;
        return r;
    }
    void give(Request* r) {
        r->next = free_;
        free_ = r;
        --live_;
    }
    /// Requests taken and not given back; 0 at the end of a run.
    u64 live() const { return live_; }

  private:
    static constexpr std::size_t kChunk = 1024;
    void grow() {
        chunks_.push_back(std::make_unique<Request[]>(kChunk));
        for (std::size_t k = kChunk; k-- > 0;) {
            chunks_.back()[k].next = free_;
            free_ = &chunks_.back()[k];
        }
    }

    std::vector<std::unique_ptr<Request[]>> chunks_;
    Request* free_ = nullptr;
    u64 live_ = 0;
};

}  // namespace heddle
