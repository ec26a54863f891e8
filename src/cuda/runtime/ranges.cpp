// Marks and ranges (nvtx3/nvToolsExt.h): the program's names for its parts. They go into the recording and take no time.

#include "cuda/runtime/runtime.h"

namespace heddle::cuda {

namespace {

std::string text_or_nothing(const char* text) {
    return text == nullptr ? std::string() : std::string(text);
}

}  // namespace

/// The number of a range, from 1; 0 where nothing is recorded.
u64 Runtime::start_range(const char* domain, const char* name, u32 color) {
    if (!recording()) return 0;
    ranges_.push_back({text_or_nothing(name), text_or_nothing(domain), color, false, launches_, kOpenRange});
    return ranges_.size();
}

void Runtime::end_range(u64 number) {
    if (!recording() || number == 0 || number > ranges_.size()) return;
    ProgramRange& range = ranges_[number - 1];
    if (range.launches == kOpenRange) range.launches = launches_ - range.first_launch;
}

int Runtime::push_range(const char* domain, const char* name, u32 color) {
    const u64 number = start_range(domain, name, color);
    if (number == 0) return kNoRanges;
    auto& open = pushed_[{std::this_thread::get_id(), text_or_nothing(domain)}];
    open.push_back(number);
    return static_cast<int>(open.size()) - 1;
}

int Runtime::pop_range(const char* domain) {
    auto& open = pushed_[{std::this_thread::get_id(), text_or_nothing(domain)}];
    if (open.empty()) return kNoRanges;
    end_range(open.back());
    open.pop_back();
    return static_cast<int>(open.size());
}

void Runtime::mark(const char* domain, const char* name, u32 color) {
    if (recording())
        ranges_.push_back({text_or_nothing(name), text_or_nothing(domain), color, true, launches_, 0});
}

/// A range that is still open ends with the program.
void Runtime::hand_over_ranges() {
    for (u64 k = 0; k < ranges_.size(); ++k) {
        end_range(k + 1);
        recorder_->add(std::move(ranges_[k]));
    }
    ranges_.clear();
}

}  // namespace heddle::cuda

extern "C" {

/// What nvtx3/nvToolsExt.h calls. 0: mark; 1: start, which sets *number; 2: end of *number; 3: push; 4: pop. Returns the depth
/// of push and pop.
int __cudaHeddleRange(int what, unsigned long long* number, const char* domain, const char* name,
                      unsigned color);
int __cudaHeddleRange(int what, unsigned long long* number, const char* domain, const char* name,
                      unsigned color) {
    int depth = heddle::cuda::Runtime::kNoRanges;
    heddle::cuda::call_without_context(
        "nvtx",
        [&](heddle::cuda::Runtime& r) {
            switch (what) {
                case 0:
                    return r.mark(domain, name, color);
                case 1:
                    *number = r.start_range(domain, name, color);
                    return;
                case 2:
                    return r.end_range(*number);
                case 3:
                    depth = r.push_range(domain, name, color);
                    return;
                default:
                    depth = r.pop_range(domain);
            }
        },
        true);
    return depth;
}

}  // extern "C"
