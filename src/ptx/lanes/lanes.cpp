#include "ptx/lanes/lanes.h"

namespace heddle::ptx {

namespace {

bool have_avx2() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
#else
    return false;
#endif
}

/// In a function: modules may be parsed by the constructors of a program's static objects.
bool& wide() {
    static bool on = have_avx2();
    return on;
}

}  // namespace

void use_wide_vectors(bool on) {
    wide() = on && have_avx2();
}

Handler find_handler(const HandlerKey& key) {
    using Finder = Handler (*)(const HandlerKey&);
    static constexpr std::array<Finder, 5> kBase{base::find_integer, base::find_float, base::find_convert,
                                                 base::find_move, base::find_memory};
    static constexpr std::array<Finder, 5> kWide{avx2::find_integer, avx2::find_float, avx2::find_convert,
                                                 avx2::find_move, avx2::find_memory};
    static constexpr std::array<Finder, 6> kOnce{find_atomic,  find_crosslane, find_library,
                                                 find_texture, find_matrix,    find_service};
    for (Finder find : wide() ? kWide : kBase)
        if (Handler h = find(key)) return h;
    for (Finder find : kOnce)
        if (Handler h = find(key)) return h;
    return nullptr;
}

}  // namespace heddle::ptx
