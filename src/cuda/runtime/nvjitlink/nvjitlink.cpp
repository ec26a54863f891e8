// libnvJitLink: PTX texts one behind the other, as cuLinkComplete gives them. Loading them is what joins them.

#include "cuda/include/nvJitLink.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

#include "cuda/fatbin.h"

struct nvJitLink {
    std::string text, log;
    bool complete = false;
};

namespace {

namespace cuda = heddle::cuda;

std::string ptx_of(const void* data, size_t bytes) {
    heddle::u32 magic = 0;
    if (bytes >= cuda::kContainerHeader) std::memcpy(&magic, data, sizeof magic);
    if (magic == cuda::kContainerMagic) {
        const std::span<const std::byte> container(static_cast<const std::byte*>(data), bytes);
        return cuda::choose_ptx(cuda::read_container(container)).text;
    }
    // Text may end before the bytes do, and need not end with a zero.
    const std::string_view all(static_cast<const char*>(data), bytes);
    return std::string(all.substr(0, all.find('\0')));
}

nvJitLinkResult refuse(nvJitLinkHandle handle, nvJitLinkResult result, const char* name,
                       const std::string& why) {
    handle->log += std::string(name == nullptr ? "input" : name) + ": " + why + "\n";
    return result;
}

nvJitLinkResult copy_log(const std::string& log, size_t* bytes, char* out) {
    if (bytes != nullptr) *bytes = log.empty() ? 0 : log.size() + 1;
    if (out != nullptr) std::memcpy(out, log.c_str(), log.size() + 1);
    return bytes == nullptr && out == nullptr ? NVJITLINK_ERROR_INVALID_INPUT : NVJITLINK_SUCCESS;
}
nvJitLinkResult copy_linked(nvJitLinkHandle handle, size_t* bytes, void* out) {
    if (handle == nullptr || !handle->complete || (bytes == nullptr && out == nullptr))
        return NVJITLINK_ERROR_INVALID_INPUT;
    if (bytes != nullptr) *bytes = handle->text.size() + 1;
    if (out != nullptr) std::memcpy(out, handle->text.c_str(), handle->text.size() + 1);
    return NVJITLINK_SUCCESS;
}

}  // namespace

extern "C" {

nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle* handle, uint32_t option_count, const char** options) {
    if (handle == nullptr || (option_count > 0 && options == nullptr)) return NVJITLINK_ERROR_INVALID_INPUT;
    bool has_architecture = false;
    for (uint32_t k = 0; k < option_count; ++k) {
        const std::string_view option = options[k] == nullptr ? "" : options[k];
        if (option.empty() || option.front() != '-') return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
        has_architecture = has_architecture || option.starts_with("-arch=");
    }
    if (!has_architecture) return NVJITLINK_ERROR_MISSING_ARCH;
    *handle = new nvJitLink;
    return NVJITLINK_SUCCESS;
}
nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle* handle) {
    if (handle == nullptr || *handle == nullptr) return NVJITLINK_ERROR_INVALID_INPUT;
    delete *handle;
    *handle = nullptr;
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle handle, nvJitLinkInputType type, const void* data,
                                 size_t bytes, const char* name) {
    if (handle == nullptr || data == nullptr || bytes == 0 || handle->complete)
        return NVJITLINK_ERROR_INVALID_INPUT;
    if (type == NVJITLINK_INPUT_NONE) return NVJITLINK_ERROR_INVALID_INPUT;
    try {
        const std::string text = ptx_of(data, bytes);
        if (text.find(".version") == std::string::npos)
            return refuse(handle, NVJITLINK_ERROR_UNRECOGNIZED_INPUT, name, "there is no PTX in it");
        handle->text += text + "\n";
        return NVJITLINK_SUCCESS;
    } catch (const std::exception& error) {
        return refuse(handle, NVJITLINK_ERROR_UNRECOGNIZED_INPUT, name, error.what());
    }
}
nvJitLinkResult nvJitLinkAddFile(nvJitLinkHandle handle, nvJitLinkInputType type, const char* file) {
    if (handle == nullptr || file == nullptr) return NVJITLINK_ERROR_INVALID_INPUT;
    std::ifstream in(file, std::ios::binary);
    if (!in) return refuse(handle, NVJITLINK_ERROR_INVALID_INPUT, file, "can't be read");
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    return nvJitLinkAddData(handle, type, bytes.data(), bytes.size(), file);
}
nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle handle) {
    if (handle == nullptr || handle->complete || handle->text.empty()) return NVJITLINK_ERROR_INVALID_INPUT;
    handle->complete = true;
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle, size_t* bytes) {
    return copy_linked(handle, bytes, nullptr);
}
nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, void* cubin) {
    return copy_linked(handle, nullptr, cubin);
}
nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle handle, size_t* bytes) {
    return copy_linked(handle, bytes, nullptr);
}
nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle handle, char* ptx) {
    return copy_linked(handle, nullptr, ptx);
}
nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle handle, size_t* bytes) {
    return handle == nullptr ? NVJITLINK_ERROR_INVALID_INPUT : copy_log(handle->log, bytes, nullptr);
}
nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle handle, char* log) {
    return handle == nullptr ? NVJITLINK_ERROR_INVALID_INPUT : copy_log(handle->log, nullptr, log);
}
nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle handle, size_t* bytes) {
    return handle == nullptr ? NVJITLINK_ERROR_INVALID_INPUT : copy_log("", bytes, nullptr);
}
nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle handle, char* log) {
    return handle == nullptr ? NVJITLINK_ERROR_INVALID_INPUT : copy_log("", nullptr, log);
}
nvJitLinkResult nvJitLinkVersion(unsigned int* major, unsigned int* minor) {
    if (major == nullptr || minor == nullptr) return NVJITLINK_ERROR_INVALID_INPUT;
    *major = 12;
    *minor = 0;
    return NVJITLINK_SUCCESS;
}

}  // extern "C"
