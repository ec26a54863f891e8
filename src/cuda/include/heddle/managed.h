#pragma once
// Managed variables: the runtime learns in which section of the program they are before they are registered.

#if !defined(__CUDA_ARCH__)
extern "C" {
void __cudaManagedSectionHeddle(const char* begin, const char* end);
// The linker's, where a section of that name exists.
extern const char __start_heddle_managed[] __attribute__((weak, visibility("hidden")));
extern const char __stop_heddle_managed[] __attribute__((weak, visibility("hidden")));
}
static __attribute__((constructor(101))) void heddle_managed_section() {
    if (__start_heddle_managed != nullptr)
        __cudaManagedSectionHeddle(__start_heddle_managed, __stop_heddle_managed);
}
#endif
