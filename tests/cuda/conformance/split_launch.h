#pragma once
// A launch in a header, its brackets apart.

static __global__ void answer(int* p) {
    *p = 42;
}
static inline void launch_in_header(int* p) {
    answer<<<1, 1>>>(p);
}
