#include "cuda/device.h"

#include <charconv>

#include "sim/error.h"

namespace heddle::cuda {
namespace {

/// Calls visit(name, reference) for each number.
template <class Description, class Visit>
void for_each_number(Description& d, Visit visit) {
    visit("clock_hz", d.clock_hz);
    visit("memory_clock_hz", d.memory_clock_hz);
    visit("memory_bus_bits", d.memory_bus_bits);
    visit("memory_bytes", d.memory_bytes);
    visit("l2_bytes", d.l2_bytes);
    visit("sms", d.limits.sms);
    visit("threads_per_sm", d.limits.threads_per_sm);
    visit("warps_per_sm", d.limits.warps_per_sm);
    visit("ctas_per_sm", d.limits.ctas_per_sm);
    visit("registers_per_sm", d.limits.registers_per_sm);
    visit("register_granule", d.limits.register_granule);
    visit("shared_per_sm", d.limits.shared_per_sm);
    visit("shared_per_cta", d.limits.shared_per_cta);
    visit("reserved_shared_per_cta", d.limits.reserved_shared_per_cta);
    visit("threads_per_cta", d.limits.threads_per_cta);
}

}  // namespace

std::string DeviceDescription::text() const {
    std::string out = "name=" + name;
    for_each_number(*this, [&](const char* key, u64 value) {
        out += ';';
        out += key;
        out += '=';
        out += std::to_string(value);
    });
    return out;
}

DeviceDescription DeviceDescription::from_text(const std::string& text) {
    DeviceDescription d;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = text.find(';', at);
        if (end == std::string::npos) end = text.size();
        const std::size_t equals = text.find('=', at);
        const std::string key = text.substr(at, std::min(equals, end) - at);
        bool known = key == "name" && equals < end;
        if (known) d.name = text.substr(equals + 1, end - equals - 1);
        for_each_number(d, [&](const char* name, auto& value) {
            if (key != name || equals >= end) return;
            const auto [stop, error] = std::from_chars(text.data() + equals + 1, text.data() + end, value);
            known = error == std::errc{} && stop == text.data() + end;
        });
        if (!known)
            throw InputError(std::string(kDeviceVariable) + ": '" + text.substr(at, end - at) +
                             "' does not describe a device");
        at = end + 1;
    }
    return d;
}

}  // namespace heddle::cuda
