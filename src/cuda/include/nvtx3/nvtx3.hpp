#pragma once
// The C++ form of marks and ranges (nvToolsExt.h): an object's life is a range.

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
class color {
  public:
    constexpr explicit color(uint32_t argb) : value_(argb) {}
    constexpr color(argb c)
        : value_(uint32_t{c.alpha} << 24 | uint32_t{c.red} << 16 | uint32_t{c.green} << 8 | c.blue) {}
    constexpr color(rgb c) : color(argb(255, c.red, c.green, c.blue)) {}
    constexpr uint32_t get_value() const { return value_; }
    constexpr nvtxColorType_t get_type() const { return NVTX_COLOR_ARGB; }

  private:
    uint32_t value_;
};
class category {
  public:
    using id_type = uint32_t;
    constexpr explicit category(id_type id) : id_(id) {}
    constexpr id_type get_id() const { return id_; }

  private:
    id_type id_;
};
class payload {
  public:
    using value_type = nvtxEventAttributes_v2::payload_t;
    template <class T>
    explicit payload(T value) {
        set(value);
    }
    value_type get_value() const { return value_; }
    nvtxPayloadType_t get_type() const { return type_; }

  private:
    void set(double v) { type_ = NVTX_PAYLOAD_TYPE_DOUBLE, value_.dValue = v; }
    void set(float v) { type_ = NVTX_PAYLOAD_TYPE_FLOAT, value_.fValue = v; }
    void set(int32_t v) { type_ = NVTX_PAYLOAD_TYPE_INT32, value_.iValue = v; }
    void set(uint32_t v) { type_ = NVTX_PAYLOAD_TYPE_UNSIGNED_INT32, value_.uiValue = v; }
    template <class T>
    void set(T v) {
        type_ = T(-1) < T(0) ? NVTX_PAYLOAD_TYPE_INT64 : NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
        value_.ullValue = static_cast<uint64_t>(v);
    }
    nvtxPayloadType_t type_ = NVTX_PAYLOAD_UNKNOWN;
    value_type value_ = {};
};

/// What a range is called. Text is not copied, except of a registered string.
class message {
  public:
    using value_type = nvtxMessageValue_t;
    message(const char* text) : type_(NVTX_MESSAGE_TYPE_ASCII) { value_.ascii = text; }
    message(const std::string& text) : message(text.c_str()) {}
    message(std::string&&) = delete;
    message(const wchar_t* text) : type_(NVTX_MESSAGE_TYPE_UNICODE) { value_.unicode = text; }
    message(const std::wstring& text) : message(text.c_str()) {}
    message(std::wstring&&) = delete;
    message(nvtxStringHandle_t text) : type_(NVTX_MESSAGE_TYPE_REGISTERED) { value_.registered = text; }
    value_type get_value() const { return value_; }
    nvtxMessageType_t get_type() const { return type_; }

  private:
    nvtxMessageType_t type_;
    value_type value_;
};

/// By a type with a member `name`.
class domain {
  public:
    struct global {};
    domain(const domain&) = delete;
    domain& operator=(const domain&) = delete;

    template <class D = global>
    static const domain& get() {
        static const domain d(static_cast<const D*>(nullptr));
        return d;
    }
    operator nvtxDomainHandle_t() const { return handle_; }

  private:
    explicit domain(const global*) {}
    template <class D>
    explicit domain(const D*) : handle_(create(D::name)) {}
    static nvtxDomainHandle_t create(const char* name) { return nvtxDomainCreateA(name); }
    static nvtxDomainHandle_t create(const wchar_t* name) { return nvtxDomainCreateW(name); }

    nvtxDomainHandle_t handle_ = nullptr;
};

template <class D = domain::global>
class registered_string_in : public message {
  public:
    explicit registered_string_in(const char* text)
        : message(nvtxDomainRegisterStringA(domain::get<D>(), text)) {}
    explicit registered_string_in(const std::string& text) : registered_string_in(text.c_str()) {}
    explicit registered_string_in(const wchar_t* text)
        : message(nvtxDomainRegisterStringW(domain::get<D>(), text)) {}
    explicit registered_string_in(const std::wstring& text) : registered_string_in(text.c_str()) {}
    template <class M>
    static const registered_string_in& get() {
        static const registered_string_in r(M::message);
        return r;
    }
    nvtxStringHandle_t get_handle() const { return get_value().registered; }
};
template <class D = domain::global>
class named_category_in : public category {
  public:
    named_category_in(id_type id, const char* name) : category(id) {
        nvtxDomainNameCategoryA(domain::get<D>(), id, name);
    }
    named_category_in(id_type id, const wchar_t* name) : category(id) {
        nvtxDomainNameCategoryW(domain::get<D>(), id, name);
    }
    template <class C>
    static const named_category_in& get() {
        static const named_category_in c(C::id, C::name);
        return c;
    }
};

/// A message, a color, a category and a payload, in any order; of each the first counts.
class event_attributes {
  public:
    using value_type = nvtxEventAttributes_t;
    event_attributes() {
        attributes_.version = NVTX_VERSION;
        attributes_.size = static_cast<uint16_t>(sizeof attributes_);
    }
    template <class... Rest>
    explicit event_attributes(const color& c, const Rest&... rest) : event_attributes(rest...) {
        attributes_.color = c.get_value();
        attributes_.colorType = c.get_type();
    }
    template <class... Rest>
    explicit event_attributes(const category& c, const Rest&... rest) : event_attributes(rest...) {
        attributes_.category = c.get_id();
    }
    template <class... Rest>
    explicit event_attributes(const payload& p, const Rest&... rest) : event_attributes(rest...) {
        attributes_.payload = p.get_value();
        attributes_.payloadType = p.get_type();
    }
    template <class... Rest>
    explicit event_attributes(const message& m, const Rest&... rest) : event_attributes(rest...) {
        attributes_.message = m.get_value();
        attributes_.messageType = m.get_type();
    }
    const value_type* get() const { return &attributes_; }

  private:
    value_type attributes_ = {};
};

template <class D = domain::global>
class scoped_range_in {
  public:
    scoped_range_in() : scoped_range_in(event_attributes()) {}
    explicit scoped_range_in(const event_attributes& event) {
        nvtxDomainRangePushEx(domain::get<D>(), event.get());
    }
    template <class First, class... Rest>
    explicit scoped_range_in(const First& first, const Rest&... rest)
        : scoped_range_in(event_attributes(first, rest...)) {}
    scoped_range_in(const scoped_range_in&) = delete;
    scoped_range_in& operator=(const scoped_range_in&) = delete;
    ~scoped_range_in() { nvtxDomainRangePop(domain::get<D>()); }
};

struct range_handle {
    using value_type = nvtxRangeId_t;
    constexpr explicit range_handle(value_type id = 0) : id_(id) {}
    constexpr explicit operator bool() const { return id_ != 0; }
    constexpr value_type get_value() const { return id_; }

  private:
    value_type id_;
};
inline bool operator==(range_handle a, range_handle b) {
    return a.get_value() == b.get_value();
}
inline bool operator!=(range_handle a, range_handle b) {
    return !(a == b);
}
template <class D = domain::global>
inline range_handle start_range_in(const event_attributes& event) {
    return range_handle(nvtxDomainRangeStartEx(domain::get<D>(), event.get()));
}
template <class D = domain::global, class First, class... Rest>
inline range_handle start_range_in(const First& first, const Rest&... rest) {
    return start_range_in<D>(event_attributes(first, rest...));
}
template <class D = domain::global>
inline void end_range_in(range_handle range) {
    nvtxDomainRangeEnd(domain::get<D>(), range.get_value());
}
template <class... Arguments>
inline range_handle start_range(const Arguments&... arguments) {
    return start_range_in<domain::global>(arguments...);
}
inline void end_range(range_handle range) {
    end_range_in<domain::global>(range);
}

template <class D = domain::global>
class unique_range_in {
  public:
    unique_range_in() : unique_range_in(event_attributes()) {}
    explicit unique_range_in(const event_attributes& event) : range_(start_range_in<D>(event)) {}
    template <class First, class... Rest>
    explicit unique_range_in(const First& first, const Rest&... rest)
        : unique_range_in(event_attributes(first, rest...)) {}
    unique_range_in(unique_range_in&& other) noexcept : range_(std::exchange(other.range_, range_handle())) {}
    unique_range_in& operator=(unique_range_in&& other) noexcept {
        const range_handle next = std::exchange(other.range_, range_handle());
        if (range_) end_range_in<D>(range_);
        range_ = next;
        return *this;
    }
    ~unique_range_in() {
        if (range_) end_range_in<D>(range_);
    }

  private:
    range_handle range_;
};

template <class D = domain::global>
inline void mark_in(const event_attributes& event) {
    nvtxDomainMarkEx(domain::get<D>(), event.get());
}
template <class D = domain::global, class First, class... Rest>
inline void mark_in(const First& first, const Rest&... rest) {
    mark_in<D>(event_attributes(first, rest...));
}
template <class... Arguments>
inline void mark(const Arguments&... arguments) {
    mark_in<domain::global>(arguments...);
}

using scoped_range = scoped_range_in<>;
using thread_range = scoped_range;
using unique_range = unique_range_in<>;
using registered_string = registered_string_in<>;
using named_category = named_category_in<>;

/// A range if the condition holds.
template <class D = domain::global>
class heddle_range_if {
  public:
    heddle_range_if(bool condition, const char* name) : condition_(condition) {
        if (condition_) nvtxDomainRangePushEx(domain::get<D>(), event_attributes(name).get());
    }
    heddle_range_if(const heddle_range_if&) = delete;
    ~heddle_range_if() {
        if (condition_) nvtxDomainRangePop(domain::get<D>());
    }

  private:
    bool condition_;
};

}  // namespace v1
}  // namespace nvtx3

#define NVTX3_FUNC_RANGE() const ::nvtx3::v1::scoped_range nvtx3_function_range(__func__)
#define NVTX3_FUNC_RANGE_IN(D) const ::nvtx3::v1::scoped_range_in<D> nvtx3_function_range(__func__)
#define NVTX3_FUNC_RANGE_IF(condition) \
    const ::nvtx3::v1::heddle_range_if<> nvtx3_function_range((condition), __func__)
#define NVTX3_FUNC_RANGE_IF_IN(D, condition) \
    const ::nvtx3::v1::heddle_range_if<D> nvtx3_function_range((condition), __func__)
