#pragma once
// What the programs that test cuSOLVER share.

#include <vector>

#include "library.h"

/// A column-major matrix in managed memory.
template <typename D>
struct Matrix {
    using T = typename Host<D>::Type;
    int rows, columns, ld;
    D* device;
    T* host;
    Matrix(int m, int n, int extra)
        : rows(m),
          columns(n),
          ld(m + extra),
          device(managed<D>(static_cast<size_t>(ld) * n)),
          host(reinterpret_cast<T*>(device)) {
        for (size_t i = 0; i < static_cast<size_t>(ld) * n; ++i) randomise(host[i]);
    }
    ~Matrix() { cudaFree(device); }
    Matrix(const Matrix&) = delete;
    T& at(int i, int j) { return host[i + static_cast<size_t>(j) * ld]; }
    std::vector<T> values() const { return {host, host + static_cast<size_t>(ld) * columns}; }
};
