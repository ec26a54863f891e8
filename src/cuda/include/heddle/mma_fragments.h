#pragma once
// Fragments of matrices, their loads and stores (mma.h). A lane holds elements one after the other in the order of the
// fragment's layout, as src/ptx/matrix.h has it for wmma: lane l with S elements those from l * S on, from the start again
// where the fragments are larger than the matrix.

namespace nvcuda {
namespace wmma {
namespace heddle_details {

#define HEDDLE_WMMA static __device__ __forceinline__

/// How the program sees elements (Storage), and the bits of each in memory.
template <class T>
struct Kind {
    using Storage = T;
    static constexpr int bits = 8 * sizeof(T);
};
template <>
struct Kind<precision::tf32> {
    using Storage = float;
    static constexpr int bits = 32;
};
template <>
struct Kind<experimental::precision::s4> {
    using Storage = int;
    static constexpr int bits = 4;
};
template <>
struct Kind<experimental::precision::u4> {
    using Storage = unsigned;
    static constexpr int bits = 4;
};
template <>
struct Kind<experimental::precision::b1> {
    using Storage = unsigned;
    static constexpr int bits = 1;
};

template <class A, class B>
struct Same {
    static constexpr bool value = false;
};
template <class A>
struct Same<A, A> {
    static constexpr bool value = true;
};

template <class Use, int m, int n, int k, class T>
struct Size {
    static constexpr int rows = Same<Use, matrix_b>::value ? k : m,
                         columns = Same<Use, matrix_a>::value ? k : n;
    /// Elements a lane; A and B of halves are held twice where they are small.
    static constexpr int mine =
        Same<T, __half>::value && !Same<Use, accumulator>::value ? 16 : rows * columns / 32;
    static constexpr int stored =
        mine * Kind<T>::bits / (8 * static_cast<int>(sizeof(typename Kind<T>::Storage)));
};

HEDDLE_WMMA unsigned lane() {
    unsigned r;
    asm("mov.u32 %0, %%laneid;" : "=r"(r));
    return r;
}

/// Copies that are aligned to their size, up to 16 bytes each.
template <int bytes>
HEDDLE_WMMA void copy(void* to, const void* from) {
    if constexpr (bytes >= 16) {
        for (int k = 0; k < bytes / 16; ++k) static_cast<uint4*>(to)[k] = static_cast<const uint4*>(from)[k];
    } else if constexpr (bytes == 8) {
        *static_cast<uint2*>(to) = *static_cast<const uint2*>(from);
    } else if constexpr (bytes == 4) {
        *static_cast<unsigned*>(to) = *static_cast<const unsigned*>(from);
    } else {
        *static_cast<unsigned short*>(to) = *static_cast<const unsigned short*>(from);
    }
}

/// Calls visit(bytes from memory's start, bytes from the fragment's) for what lies side by side in both. `by_columns` is the order of
/// the fragment, `memory_by_columns` that of memory.
template <class S, int bits, bool by_columns, bool memory_by_columns, class Visit>
HEDDLE_WMMA void each_run(unsigned ldm, Visit visit) {
    constexpr int line = by_columns ? S::rows : S::columns;
    constexpr int run = by_columns != memory_by_columns ? 1 : S::mine < line ? S::mine : line;
    for (int k = 0; k < S::mine; k += run) {
        const unsigned at = (lane() * S::mine + k) % (S::rows * S::columns);
        const unsigned major = by_columns == memory_by_columns ? at / line : at % line;
        const unsigned minor = by_columns == memory_by_columns ? at % line : at / line;
        visit(static_cast<size_t>(major * ldm + minor) * bits / 8, k * bits / 8);
    }
}
template <class S, int bits, bool by_columns, bool memory_by_columns>
constexpr int run_bytes() {
    constexpr int line = by_columns ? S::rows : S::columns;
    return (by_columns != memory_by_columns ? 1 : S::mine < line ? S::mine : line) * bits / 8;
}
template <class S, int bits, bool by_columns, bool memory_by_columns>
HEDDLE_WMMA void load(void* fragment, const void* memory, unsigned ldm) {
    each_run<S, bits, by_columns, memory_by_columns>(ldm, [&](size_t from, int to) {
        copy<run_bytes<S, bits, by_columns, memory_by_columns>()>(static_cast<char*>(fragment) + to,
                                                                  static_cast<const char*>(memory) + from);
    });
}
template <class S, int bits, bool by_columns, bool memory_by_columns>
HEDDLE_WMMA void store(void* memory, const void* fragment, unsigned ldm) {
    each_run<S, bits, by_columns, memory_by_columns>(ldm, [&](size_t to, int from) {
        copy<run_bytes<S, bits, by_columns, memory_by_columns>()>(static_cast<char*>(memory) + to,
                                                                  static_cast<const char*>(fragment) + from);
    });
}

}  // namespace heddle_details

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment {
    using Size = heddle_details::Size<Use, m, n, k, T>;

  public:
    using element_type = T;
    using storage_element_type = typename heddle_details::Kind<T>::Storage;
    static constexpr int num_elements = Size::stored, num_storage_elements = Size::stored;
    __align__(16) storage_element_type x[Size::stored];
};

template <class Use, int m, int n, int k, class T, class Layout, class V>
HEDDLE_WMMA void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, const V& v) {
    for (auto& x : f.x) x = v;
}

template <class Use, int m, int n, int k, class T, class Layout, class P>
HEDDLE_WMMA void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& f, const P* p, unsigned ldm) {
    using S = heddle_details::Size<Use, m, n, k, T>;
    constexpr bool by_columns = heddle_details::Same<Layout, col_major>::value;
    heddle_details::load<S, heddle_details::Kind<T>::bits, by_columns, by_columns>(f.x, p, ldm);
    __syncwarp();
}
template <int m, int n, int k, class T>
HEDDLE_WMMA void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const T* p, unsigned ldm,
                                  layout_t layout) {
    using S = heddle_details::Size<accumulator, m, n, k, T>;
    if (layout == mem_row_major)
        heddle_details::load<S, 8 * sizeof(T), false, false>(f.x, p, ldm);
    else
        heddle_details::load<S, 8 * sizeof(T), false, true>(f.x, p, ldm);
    __syncwarp();
}
template <int m, int n, int k, class T>
HEDDLE_WMMA void store_matrix_sync(T* p, const fragment<accumulator, m, n, k, T>& f, unsigned ldm,
                                   layout_t layout) {
    using S = heddle_details::Size<accumulator, m, n, k, T>;
    __syncwarp();
    if (layout == mem_row_major)
        heddle_details::store<S, 8 * sizeof(T), false, false>(p, f.x, ldm);
    else
        heddle_details::store<S, 8 * sizeof(T), false, true>(p, f.x, ldm);
}

}  // namespace wmma
}  // namespace nvcuda
