#pragma once
// The C++ form of marks and ranges for profilers (nvToolsExt.h): what programs write compiles, and does nothing.

#include <string>
#include <utility>

#include "nvToolsExt.h"

namespace nvtx3 {
inline namespace v1 {

struct argb {
    uint8_t alpha, red, green, blue;
    constexpr argb(uint8_t a, uint8_t r, uint8_t g, uint8_t b) : alpha(a), red(r), green(g), blue(b) {}
};
struct rgb {
    uint8_t red, green, blue;
    constexpr rgb(uint8_t r, uint8_t g, uint8_t b) : red(r), green(g), blue(b) {}
};
struct color {
    constexpr explicit color(uint32_t) {}
    constexpr color(argb) {}
    constexpr color(rgb) {}
};
struct category {
    constexpr explicit category(uint32_t) {}
};
struct payload {
    template <class T>
    constexpr explicit payload(T) {}
};
struct message {
    constexpr message(const char*) {}
    message(const std::string&) {}
    constexpr message(const wchar_t*) {}
    message(const std::wstring&) {}
};
class domain {
  public:
    struct global {};
    template <class D = global>
    static const domain& get() {
        static const domain d;
        return d;
    }
};
template <class D = domain::global>
struct registered_string_in : message {
    explicit registered_string_in(const char* text) : message(text) {}
    explicit registered_string_in(const std::string& text) : message(text) {}
    template <class M>
    static const registered_string_in& get() {
        static const registered_string_in r(M::message);
        return r;
    }
};
template <class D = domain::global>
struct named_category_in : category {
    named_category_in(uint32_t id, const char*) : category(id) {}
    template <class C>
    static const named_category_in& get() {
        static const named_category_in c(C::id, C::name);
        return c;
    }
};
struct event_attributes {
    template <class... Arguments>
    constexpr explicit event_attributes(const Arguments&...) {}
};

template <class D = domain::global>
class scoped_range_in {
  public:
    template <class... Arguments>
    explicit scoped_range_in(const Arguments&...) {}
    scoped_range_in(const scoped_range_in&) = delete;
    scoped_range_in& operator=(const scoped_range_in&) = delete;
    ~scoped_range_in() {}
};
template <class D = domain::global>
class unique_range_in {
  public:
    template <class... Arguments>
    explicit unique_range_in(const Arguments&...) {}
    unique_range_in(unique_range_in&&) = default;
    unique_range_in& operator=(unique_range_in&&) = default;
    ~unique_range_in() {}
};
struct range_handle {
    constexpr explicit operator bool() const { return false; }
};
template <class D = domain::global, class... Arguments>
inline range_handle start_range_in(const Arguments&...) {
    return {};
}
template <class D = domain::global>
inline void end_range_in(range_handle) {}
template <class D = domain::global, class... Arguments>
inline void mark_in(const Arguments&...) {}

using scoped_range = scoped_range_in<>;
using thread_range = scoped_range;
using unique_range = unique_range_in<>;
using registered_string = registered_string_in<>;
using named_category = named_category_in<>;
template <class... Arguments>
inline range_handle start_range(const Arguments&...) {
    return {};
}
inline void end_range(range_handle) {}
template <class... Arguments>
inline void mark(const Arguments&...) {}

}  // namespace v1
}  // namespace nvtx3

#define NVTX3_FUNC_RANGE() static_cast<void>(0)
#define NVTX3_FUNC_RANGE_IN(D) static_cast<void>(0)
#define NVTX3_FUNC_RANGE_IF(condition) static_cast<void>(0)
