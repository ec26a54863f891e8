#pragma once
// Sees the requests that pass a station, where somebody wants to (dumps). A station without one pays a predictable
// branch.

#include "mem/request.h"

namespace heddle {

class RequestObserver {
  public:
    virtual ~RequestObserver() = default;
    /// The station has taken the request at `now` of its clock; its fields are those with which it came.
    virtual void passed(const Request& request, Cycle now) = 0;
};

}  // namespace heddle
