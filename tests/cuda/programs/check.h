// What the test programs share: a program is a set of cases, each named by its argument; a case checks itself.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(condition)                                                                 \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            std::exit(9);                                                                \
        }                                                                                \
    } while (0)
#define OK(call) CHECK((call) == cudaSuccess)

struct Case {
    const char* name;
    void (*run)();
};

inline int run_case(const Case* cases, std::size_t count, int argc, char** argv) {
    for (std::size_t k = 0; k < count; ++k)
        if (argc > 1 && std::strcmp(cases[k].name, argv[1]) == 0) {
            cases[k].run();
            std::printf("%s done\n", argv[1]);
            return 0;
        }
    std::fprintf(stderr, "no such case\n");
    return 8;
}
