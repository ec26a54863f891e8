#pragma once
// What other.cu has for device.cu; plain.cpp is compiled as C++.

int from_other_file(int v);
void fault_in_other_file();
int doubled(int v);

#if defined(__CUDACC__)
static inline __device__ int scaled(int v) {
    return v * 3;
}
#endif
