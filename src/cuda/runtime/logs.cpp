#include "cuda/runtime/logs.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <deque>
#include <map>

#include "cuda/runtime/driver.h"

using namespace heddle::cuda;

namespace {

struct LogCallback {
    cudaLogsCallback_t function;
    void* data;
};

constexpr std::size_t kLogsKept = 100, kLogBytes = 25600;
constexpr const char* kLogsLeftOut = "[Heddle] earlier messages are left out\n";

struct Logs {
    std::deque<std::string> lines;  // the newest ones
    unsigned begun = 0;             // number of the first of them
    std::map<unsigned, LogCallback> callbacks;
    unsigned next_callback = 1;

    unsigned end() const { return begun + static_cast<unsigned>(lines.size()); }
};
Logs& logs() {
    static auto* const all = new Logs;  // calls may fail when other statics have gone
    return *all;
}

/// The lines from the iterator on, the newest that fit; what is left out is said first. The iterator is at the end then.
std::string take_logs(unsigned* iterator, std::size_t room) {
    const Logs& l = logs();
    const unsigned from = iterator == nullptr ? l.begun : *iterator;
    require(from <= l.end());
    std::string text;
    unsigned first = l.end();
    while (first > std::max(from, l.begun) && text.size() + l.lines[first - 1 - l.begun].size() <= room)
        text.insert(0, l.lines[--first - l.begun]);
    if (first > from && first < l.end()) {
        while (text.size() + std::strlen(kLogsLeftOut) > room && !text.empty())
            text.erase(0, text.find('\n') + 1);
        if (!text.empty()) text.insert(0, kLogsLeftOut);
    }
    require(first < l.end() || from >= l.end());
    if (iterator != nullptr) *iterator = l.end();
    return text;
}

void dump_to_file(unsigned* iterator, const char* path, unsigned flags) {
    require(path != nullptr && flags == 0);
    const std::string text = take_logs(iterator, kLogsKept * kLogBytes);
    std::FILE* const f = std::fopen(path, "w");
    require(f != nullptr);
    const bool good = std::fwrite(text.data(), 1, text.size(), f) == text.size();
    require(std::fclose(f) == 0 && good);
}

void dump_to_memory(unsigned* iterator, char* buffer, size_t* size, unsigned flags) {
    require(buffer != nullptr && size != nullptr && *size != 0 && flags == 0);
    const std::size_t room = std::min(*size, kLogBytes) - 1;
    *size = 0;
    const std::string text = take_logs(iterator, room);
    std::memcpy(buffer, text.c_str(), text.size() + 1);
    *size = text.size();
}

void register_callback(cudaLogsCallback_t callback, void* data, CUlogsCallbackEntry_st** handle) {
    require(callback != nullptr);
    Logs& l = logs();
    l.callbacks[l.next_callback] = {callback, data};
    if (handle != nullptr) *handle = reinterpret_cast<CUlogsCallbackEntry_st*>(heddle::u64{l.next_callback});
    ++l.next_callback;
}

void unregister_callback(CUlogsCallbackEntry_st* handle) {
    require(logs().callbacks.erase(static_cast<unsigned>(reinterpret_cast<heddle::u64>(handle))) != 0);
}

void current_log(unsigned* iterator, unsigned flags) {
    require(iterator != nullptr && flags == 0);
    *iterator = logs().end();
}

}  // namespace

namespace heddle::cuda {

void add_log(cudaLogLevel level, const std::string& text) {
    Logs& l = logs();
    l.lines.push_back("[Heddle][" + std::string(level == cudaLogLevelError ? "E" : "W") + "] " + text + "\n");
    if (l.lines.size() > kLogsKept) {
        l.lines.pop_front();
        ++l.begun;
    }
    const auto callbacks = l.callbacks;  // one may take itself away
    std::string copy = text;
    for (const auto& [number, c] : callbacks) c.function(c.data, level, copy.data(), copy.size());
}

}  // namespace heddle::cuda

extern "C" {

cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t callback, void* data,
                                     cudaLogsCallbackHandle* handle) {
    return call_without_context("cudaLogsRegisterCallback",
                                [&](Runtime&) { register_callback(callback, data, handle); });
}
cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle handle) {
    return call_without_context("cudaLogsUnregisterCallback", [&](Runtime&) { unregister_callback(handle); });
}
cudaError_t cudaLogsCurrent(cudaLogIterator* iterator, unsigned int flags) {
    return call_without_context(
        "cudaLogsCurrent", [&](Runtime&) { current_log(iterator, flags); }, true);
}
cudaError_t cudaLogsDumpToFile(cudaLogIterator* iterator, const char* path, unsigned int flags) {
    return call_without_context(
        "cudaLogsDumpToFile", [&](Runtime&) { dump_to_file(iterator, path, flags); }, true);
}
cudaError_t cudaLogsDumpToMemory(cudaLogIterator* iterator, char* buffer, size_t* size, unsigned int flags) {
    return call_without_context(
        "cudaLogsDumpToMemory", [&](Runtime&) { dump_to_memory(iterator, buffer, size, flags); }, true);
}

CUresult cuLogsRegisterCallback(CUlogsCallback callback, void* data, CUlogsCallbackHandle* handle) {
    return driver_call("cuLogsRegisterCallback", [&](Runtime&) {
        register_callback(reinterpret_cast<cudaLogsCallback_t>(callback), data, handle);
    });
}
CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle handle) {
    return driver_call("cuLogsUnregisterCallback", [&](Runtime&) { unregister_callback(handle); });
}
CUresult cuLogsCurrent(CUlogIterator* iterator, unsigned int flags) {
    return driver_call(
        "cuLogsCurrent", [&](Runtime&) { current_log(iterator, flags); }, true);
}
CUresult cuLogsDumpToFile(CUlogIterator* iterator, const char* path, unsigned int flags) {
    return driver_call(
        "cuLogsDumpToFile", [&](Runtime&) { dump_to_file(iterator, path, flags); }, true);
}
CUresult cuLogsDumpToMemory(CUlogIterator* iterator, char* buffer, size_t* size, unsigned int flags) {
    return driver_call(
        "cuLogsDumpToMemory", [&](Runtime&) { dump_to_memory(iterator, buffer, size, flags); }, true);
}

}  // extern "C"
