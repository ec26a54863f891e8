#pragma once
// What every workload shares: options, random numbers, device arrays, and the verdict of its self-check.
//
//     Arguments args("bfs", "breadth-first search", argc, argv);
//     const u32 n = args.count("vertices", "of the generated graph", {4096, 262'144, 4'194'304});
//     args.done();                                   // unknown options end the program here
//     DeviceArray<u32> d(values);                    // cudaMalloc and a copy; freed at the end
//     kernel<<<blocks(n, 256), 256>>>(d.data(), n);
//     must(cudaGetLastError());
//     Verdict verdict("bfs");
//     verdict.equal("level", d.host(), reference);
//     return verdict.exit_code();                    // 0 pass, 1 fail; prints which
//
// --size small|medium|large chooses among the three defaults of every option; each option alone can be given as well.
// Exit codes: 0 pass, 1 fail or a CUDA error, 2 bad arguments or input.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace workloads {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;

/// Ends the program: bad arguments or input.
[[noreturn]] inline void reject(const std::string& what) {
    std::fprintf(stderr, "%s\n", what.c_str());
    std::exit(2);
}

/// Ends the program, as std::terminate_handler, because of what the standard library throws: all of it comes from inputs
/// that are too large.
[[noreturn]] inline void reject_size() {
    try {
        if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
    } catch (const std::bad_alloc&) {
        reject("there is not enough memory for an input of this size");
    } catch (const std::length_error&) {
        reject("an input of this size is too large");
    } catch (...) {
    }
    std::abort();
}

/// Ends the program if a CUDA call failed.
inline void must(cudaError_t error, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: CUDA error: %s\n", file, line, cudaGetErrorString(error));
    std::exit(1);
}

/// xorshift64*: the same stream on every platform.
class Random {
  public:
    explicit Random(u64 seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {
        if (state_ == 0) state_ = 1;
        for (int i = 0; i < 4; ++i) next();  // neighbouring seeds grow apart
    }
    u64 next() {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return state_ * 0x2545F4914F6CDD1Du;
    }
    /// Uniform in [0, n), n > 0.
    u32 below(u32 n) { return static_cast<u32>(((next() >> 32) * n) >> 32); }
    /// Uniform in [0, 1).
    float unit() { return static_cast<float>(next() >> 40) / 16'777'216.0f; }
    float between(float low, float high) { return low + (high - low) * unit(); }

  private:
    u64 state_;
};

/// 0 to n-1 in random order.
inline std::vector<u32> random_permutation(u32 n, Random& random) {
    std::vector<u32> p(n);
    for (u32 i = 0; i < n; ++i) p[i] = i;
    for (u32 i = n; i > 1; --i) std::swap(p[i - 1], p[random.below(i)]);
    return p;
}

/// Values of an option for the three sizes.
template <class T>
struct Sizes {
    T small, medium, large;
};

class Arguments {
  public:
    Arguments(std::string name, std::string about, int argc, char** argv)
        : name_(std::move(name)), help_(name_ + ": " + std::move(about) + "\n") {
        std::set_terminate(reject_size);
        for (int i = 1; i < argc; ++i) {
            std::string word = argv[i];
            if (word.rfind("--", 0) != 0) fail("unknown argument '" + word + "'; options start with --");
            const auto equals = word.find('=');
            Given given;
            given.option = word.substr(2, equals == std::string::npos ? equals : equals - 2);
            if (given.option == "help") {
                wants_help_ = true;
                continue;
            }
            if (equals != std::string::npos)
                given.value = word.substr(equals + 1);
            else if (++i < argc)
                given.value = argv[i];
            else
                fail("--" + given.option + " needs a value");
            given_.push_back(given);
        }
        size_ = choice("size", "size of the default input", {"medium", "small", "large"});
        seed_ = count("seed", "seed of every random choice", Sizes<u64>{1, 1, 1}, u64{0});
    }

    u64 seed() const { return seed_; }

    /// A whole number of at least `least`.
    template <class T>
    T count(const std::string& option, const std::string& about, Sizes<T> sizes, T least = 1) {
        const T standard = by_size(sizes);
        describe(option, "N", about, std::to_string(standard));
        const std::string* text = take(option);
        if (text == nullptr) return standard;
        char* end = nullptr;
        const unsigned long long value = std::strtoull(text->c_str(), &end, 10);
        if (text->empty() || *end != 0 || (*text)[0] == '-' || value > static_cast<u64>(T(-1)) / 2)
            fail("--" + option + ": '" + *text + "' is not a whole number in range");
        if (value < least) fail("--" + option + ": at least " + std::to_string(least));
        return static_cast<T>(value);
    }

    /// One of the words; the first one if not given.
    std::string choice(const std::string& option, const std::string& about,
                       const std::vector<std::string>& words) {
        std::string all;
        for (const std::string& w : words) all += (all.empty() ? "" : "|") + w;
        describe(option, all, about, words[0]);
        const std::string* text = take(option);
        if (text == nullptr) return words[0];
        for (const std::string& w : words)
            if (w == *text) return w;
        fail("--" + option + ": '" + *text + "' is not one of " + all);
    }

    /// Any text, such as the name of a file; empty if not given.
    std::string text(const std::string& option, const std::string& shape, const std::string& about) {
        describe(option, shape, about, "none");
        const std::string* text = take(option);
        return text == nullptr ? std::string() : *text;
    }

    /// Every option has been asked for: help, and what nobody asked for.
    void done() const {
        if (wants_help_) {
            std::fputs(help_.c_str(), stdout);
            std::exit(0);
        }
        for (const Given& g : given_)
            if (!g.taken) fail("unknown option --" + g.option + "; --help shows all");
    }

    [[noreturn]] void fail(const std::string& what) const { reject(name_ + ": " + what); }

  private:
    struct Given {
        std::string option, value;
        bool taken = false;
    };

    template <class T>
    T by_size(const Sizes<T>& sizes) const {
        return size_ == "small" ? sizes.small : size_ == "large" ? sizes.large : sizes.medium;
    }
    void describe(const std::string& option, const std::string& value, const std::string& about,
                  const std::string& standard) {
        std::string left = "  --" + option + " " + value;
        left.resize(std::max<std::size_t>(left.size() + 2, 26), ' ');
        help_ += left + about + " (" + standard + ")\n";
    }
    const std::string* take(const std::string& option) {
        const std::string* value = nullptr;
        for (Given& g : given_) {
            if (g.option != option) continue;
            g.taken = true;
            value = &g.value;
        }
        return value;
    }

    std::string name_, help_, size_;
    std::vector<Given> given_;
    u64 seed_ = 1;
    bool wants_help_ = false;
};

/// Device memory that all arrays together hold, now and at most.
struct Footprint {
    u64 now = 0, most = 0;

    static Footprint& instance() {
        static Footprint footprint;
        return footprint;
    }
    void add(u64 bytes) {
        now += bytes;
        most = now > most ? now : most;
    }
};

/// An array in device memory.
template <class T>
class DeviceArray {
  public:
    explicit DeviceArray(std::size_t n) : size_(n) {
        must(cudaMalloc(&data_, bytes()));
        Footprint::instance().add(bytes());
    }
    explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) { set(values); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    ~DeviceArray() {
        cudaFree(data_);
        Footprint::instance().now -= bytes();
    }

    T* data() { return data_; }
    std::size_t size() const { return size_; }
    void clear(int byte = 0) { must(cudaMemset(data_, byte, bytes())); }
    void set(const std::vector<T>& values) {
        must(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
    void set(T value, std::size_t at) {
        must(cudaMemcpy(data_ + at, &value, sizeof(T), cudaMemcpyHostToDevice));
    }
    std::vector<T> host() const {
        std::vector<T> out(size_);
        must(cudaMemcpy(out.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
        return out;
    }
    T host(std::size_t at) const {
        T out;
        must(cudaMemcpy(&out, data_ + at, sizeof(T), cudaMemcpyDeviceToHost));
        return out;
    }
    void swap(DeviceArray& other) {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
    }

  private:
    // Never an empty allocation: a pointer that kernels may get.
    std::size_t bytes() const { return (size_ == 0 ? 1 : size_) * sizeof(T); }
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

/// CTAs of `threads` threads that hold `n` threads.
inline u32 blocks(u64 n, u32 threads) {
    return static_cast<u32>((n + threads - 1) / threads);
}

/// What the self-check found. The first difference is kept; the rest is counted.
class Verdict {
  public:
    explicit Verdict(std::string name) : name_(std::move(name)) {}

    template <class T>
    void equal(const std::string& what, const std::vector<T>& got, const std::vector<T>& expected) {
        if (!same_size(what, got.size(), expected.size())) return;
        for (std::size_t i = 0; i < got.size(); ++i)
            if (got[i] != expected[i])
                differs(element(what, i), std::to_string(got[i]), std::to_string(expected[i]));
        compared_ += got.size();
    }
    template <class T>
    void equal(const std::string& what, T got, T expected) {
        if (got != expected) differs(what, std::to_string(got), std::to_string(expected));
        ++compared_;
    }
    /// |got - expected| <= relative * |expected| + absolute, and finite.
    void near(const std::string& what, const std::vector<float>& got, const std::vector<float>& expected,
              float relative, float absolute) {
        if (!same_size(what, got.size(), expected.size())) return;
        for (std::size_t i = 0; i < got.size(); ++i)
            if (!(std::fabs(got[i] - expected[i]) <= relative * std::fabs(expected[i]) + absolute))
                differs(element(what, i), std::to_string(got[i]), std::to_string(expected[i]));
        compared_ += got.size();
    }
    /// The same in double precision.
    void near(const std::string& what, const std::vector<double>& got, const std::vector<double>& expected,
              double relative, double absolute) {
        if (!same_size(what, got.size(), expected.size())) return;
        for (std::size_t i = 0; i < got.size(); ++i)
            if (!(std::fabs(got[i] - expected[i]) <= relative * std::fabs(expected[i]) + absolute))
                differs(element(what, i), digits(got[i]), digits(expected[i]));
        compared_ += got.size();
    }
    void near(const std::string& what, std::size_t i, float got, float expected, float tolerance) {
        if (!(std::fabs(got - expected) <= tolerance))
            differs(element(what, i), std::to_string(got), std::to_string(expected));
        ++compared_;
    }
    void holds(const std::string& what, bool truth) {
        if (!truth) differs(what, "false", "true");
        ++compared_;
    }

    /// Prints "NAME: PASS ..." or "NAME: FAIL ..."; 0 or 1.
    int exit_code() const {
        if (differences_ == 0) {
            std::printf("%s: PASS (%llu values compared, %llu bytes of device memory)\n", name_.c_str(),
                        static_cast<unsigned long long>(compared_),
                        static_cast<unsigned long long>(Footprint::instance().most));
            return 0;
        }
        std::printf("%s: FAIL: %s (%llu differences)\n", name_.c_str(), first_.c_str(),
                    static_cast<unsigned long long>(differences_));
        return 1;
    }

  private:
    static std::string element(const std::string& what, std::size_t i) {
        return what + "[" + std::to_string(i) + "]";
    }
    /// All that a double has, since differences may be small.
    static std::string digits(double value) {
        char text[32];
        std::snprintf(text, sizeof text, "%.17g", value);
        return text;
    }
    bool same_size(const std::string& what, std::size_t got, std::size_t expected) {
        if (got != expected) differs("number of " + what, std::to_string(got), std::to_string(expected));
        return got == expected;
    }
    void differs(const std::string& what, const std::string& got, const std::string& expected) {
        if (differences_++ == 0) first_ = what + " is " + got + ", expected " + expected;
    }

    std::string name_, first_;
    u64 compared_ = 0, differences_ = 0;
};

}  // namespace workloads
