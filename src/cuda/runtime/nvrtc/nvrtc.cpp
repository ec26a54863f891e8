// libnvrtc: compiles by starting `heddle cc -ptx`, which is looked for beside this library.
//
// A name expression becomes a variable at the end of the source whose initial value is what the expression names. That makes
// clang instantiate it, and the PTX then says its lowered name; the variable's line is taken out of the PTX.

#include "cuda/include/nvrtc.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/child.h"
#include "cuda/undefined.h"
#include "sim/error.h"

namespace {

namespace fs = std::filesystem;
using heddle::cuda::ChildEnd;
using heddle::cuda::ChildOptions;
using heddle::cuda::run_child;
using heddle::cuda::TemporaryFolder;

constexpr std::string_view kVariable = "heddle_name_expression_";

struct Header {
    std::string name, text;
};

struct Program {
    std::string source, name;
    std::vector<Header> headers;
    std::vector<std::string> expressions;
    std::map<std::string, std::string> lowered;
    std::string ptx, log;
    bool compiled = false, link_time = false;
};

std::mutex mutex;
std::map<nvrtcProgram, std::unique_ptr<Program>> programs;

Program* find(nvrtcProgram handle) {
    const auto at = programs.find(handle);
    return at == programs.end() ? nullptr : at->second.get();
}

std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
}

/// The heddle that this library belongs to: beside it in a build folder, in PREFIX/bin of an installation.
std::string heddle_program() {
    Dl_info info;
    if (dladdr(reinterpret_cast<void*>(&find), &info) == 0) return "heddle";
    std::error_code error;
    const fs::path folder = fs::canonical(info.dli_fname, error).parent_path();
    for (const fs::path& p : {folder / "heddle", folder.parent_path().parent_path() / "bin" / "heddle"})
        if (fs::exists(p, error)) return p.string();
    return "heddle";
}

/// Options that NVRTC has and nvcc has not; nothing here depends on them.
bool is_own_option(std::string_view word) {
    constexpr std::array<std::string_view, 18> own{"extra-device-vectorization",
                                                   "modify-stack-limit",
                                                   "builtin-initializer-list",
                                                   "builtin-move-forward",
                                                   "device-int128",
                                                   "minimal",
                                                   "no-source-include",
                                                   "no-cache",
                                                   "gen-opt-lto",
                                                   "dlto",
                                                   "dlink-time-opt",
                                                   "version-ident",
                                                   "pch",
                                                   "create-pch",
                                                   "brief-diagnostics",
                                                   "split-compile",
                                                   "fast-compile",
                                                   "jump-table-density"};
    word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
    word = word.substr(0, word.find('='));
    return std::find(own.begin(), own.end(), word) != own.end();
}

std::string source_text(const Program& p, bool default_device) {
    std::string text = "#include <assert.h>\n";  // NVRTC has assert() of its own
    if (default_device) text += "#pragma clang force_cuda_host_device begin\n";
    text += "#line 1 \"" + p.name + "\"\n" + p.source + "\n";
    for (std::size_t k = 0; k < p.expressions.size(); ++k) {
        const std::string& e = p.expressions[k];
        const std::size_t first = e.find_first_not_of(" \t");
        const std::string address = first != std::string::npos && e[first] == '&' ? e : "&" + e;
        text += "#line 1 \"name expression\"\n__attribute__((used)) __device__ const void* " +
                std::string(kVariable) + std::to_string(k) + " = (const void*)(" + address + ");\n";
    }
    if (default_device) text += "#pragma clang force_cuda_host_device end\n";
    return text;
}

/// Reads the names from the variables' lines and takes these lines out. False if one is missing.
bool take_names(Program& p) {
    std::string kept;
    for (std::size_t begin = 0; begin < p.ptx.size();) {
        const std::size_t end = std::min(p.ptx.find('\n', begin), p.ptx.size() - 1) + 1;
        const std::string line = p.ptx.substr(begin, end - begin);
        begin = end;
        const std::size_t at = line.find(kVariable);
        const std::size_t equals = line.find('=');
        if (at == std::string::npos || equals == std::string::npos) {
            kept += line;
            continue;
        }
        const std::size_t number = std::stoul(line.substr(at + kVariable.size()));
        std::string name = line.substr(equals + 1);
        // "generic(name);" where the value is an address in another space.
        if (const std::size_t open = name.find('('); open != std::string::npos) name = name.substr(open + 1);
        std::string plain;
        for (const char c : name)
            if (heddle::cuda::is_ptx_name(c)) plain += c;
        p.lowered[p.expressions.at(number)] = plain;
    }
    p.ptx = kept;
    return p.lowered.size() == p.expressions.size();
}

nvrtcResult compile(Program& p, int count, const char* const* options) {
    const TemporaryFolder folder;
    const fs::path top = folder.path();
    bool default_device = false;
    std::vector<std::string> words{heddle_program(),     "cc", "-ptx",
                                   "-D__CUDACC_RTC__=1", "-I", (top / "include").string()};
    p.link_time = false;
    for (int k = 0; k < count; ++k) {
        const std::string word = options[k];
        if (word == "-dlto" || word == "--dlto" || word == "--dlink-time-opt") p.link_time = true;
        if (word == "-default-device" || word == "--device-as-default-execution-space")
            default_device = true;
        else if (!is_own_option(word))
            words.push_back(word);
    }
    fs::create_directories(top / "include");
    for (const Header& h : p.headers) {
        const fs::path path = (top / "include" / h.name).lexically_normal();
        fs::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << h.text;
    }
    std::ofstream(top / "program.cu", std::ios::binary) << source_text(p, default_device);
    words.insert(words.end(), {(top / "program.cu").string(), "-o", (top / "program.ptx").string()});

    ChildOptions to_log;
    to_log.output_to_error = true;
    to_log.error_file = (top / "log").string();
    const ChildEnd end = run_child(words, to_log);
    p.log = read(top / "log");
    if (end.code != 0 || end.signal != 0) {
        // Without compiling, only the options can be wrong.
        words.emplace_back("--dryrun");
        return run_child(words, to_log).code == 0 ? NVRTC_ERROR_COMPILATION : NVRTC_ERROR_INVALID_OPTION;
    }
    p.ptx = read(top / "program.ptx");
    return take_names(p) ? NVRTC_SUCCESS : NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

nvrtcResult copy_out(const std::string& text, size_t* bytes, char* out) {
    if (bytes != nullptr) *bytes = text.size() + 1;
    if (out != nullptr) std::memcpy(out, text.c_str(), text.size() + 1);
    return bytes == nullptr && out == nullptr ? NVRTC_ERROR_INVALID_INPUT : NVRTC_SUCCESS;
}

nvrtcResult get_ptx(nvrtcProgram handle, size_t* bytes, char* out) {
    const std::lock_guard lock(mutex);
    const Program* p = find(handle);
    if (p == nullptr || p->ptx.empty()) return NVRTC_ERROR_INVALID_PROGRAM;
    return copy_out(p->ptx, bytes, out);
}

/// What nvJitLink takes: PTX, of programs that ask for more than code of their own.
nvrtcResult get_link_time_code(nvrtcProgram handle, size_t* bytes, char* out) {
    const std::lock_guard lock(mutex);
    const Program* p = find(handle);
    if (p == nullptr || p->ptx.empty() || !p->link_time) return NVRTC_ERROR_INVALID_PROGRAM;
    return copy_out(p->ptx, bytes, out);
}

nvrtcResult get_log(nvrtcProgram handle, size_t* bytes, char* out) {
    const std::lock_guard lock(mutex);
    const Program* p = find(handle);
    return p == nullptr ? NVRTC_ERROR_INVALID_PROGRAM : copy_out(p->log, bytes, out);
}

constexpr std::array kArchitectures{50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};

}  // namespace

extern "C" {

const char* nvrtcGetErrorString(nvrtcResult result) {
    switch (result) {
        case NVRTC_SUCCESS:
            return "NVRTC_SUCCESS";
        case NVRTC_ERROR_OUT_OF_MEMORY:
            return "NVRTC_ERROR_OUT_OF_MEMORY";
        case NVRTC_ERROR_PROGRAM_CREATION_FAILURE:
            return "NVRTC_ERROR_PROGRAM_CREATION_FAILURE";
        case NVRTC_ERROR_INVALID_INPUT:
            return "NVRTC_ERROR_INVALID_INPUT";
        case NVRTC_ERROR_INVALID_PROGRAM:
            return "NVRTC_ERROR_INVALID_PROGRAM";
        case NVRTC_ERROR_INVALID_OPTION:
            return "NVRTC_ERROR_INVALID_OPTION";
        case NVRTC_ERROR_COMPILATION:
            return "NVRTC_ERROR_COMPILATION";
        case NVRTC_ERROR_BUILTIN_OPERATION_FAILURE:
            return "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE";
        case NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION:
            return "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION";
        case NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION:
            return "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION";
        case NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID:
            return "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID";
        case NVRTC_ERROR_INTERNAL_ERROR:
            return "NVRTC_ERROR_INTERNAL_ERROR";
        case NVRTC_ERROR_TIME_FILE_WRITE_FAILED:
            return "NVRTC_ERROR_TIME_FILE_WRITE_FAILED";
    }
    return "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int* major, int* minor) {
    if (major == nullptr || minor == nullptr) return NVRTC_ERROR_INVALID_INPUT;
    *major = 12;
    *minor = 0;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
    if (count == nullptr) return NVRTC_ERROR_INVALID_INPUT;
    *count = static_cast<int>(kArchitectures.size());
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int* architectures) {
    if (architectures == nullptr) return NVRTC_ERROR_INVALID_INPUT;
    std::copy(kArchitectures.begin(), kArchitectures.end(), architectures);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name, int header_count,
                               const char* const* headers, const char* const* include_names) {
    if (program == nullptr || source == nullptr || header_count < 0 ||
        (header_count > 0 && (headers == nullptr || include_names == nullptr)))
        return NVRTC_ERROR_INVALID_INPUT;
    auto made = std::make_unique<Program>();
    made->source = source;
    made->name = name == nullptr || *name == 0 ? "default_program" : name;
    for (int k = 0; k < header_count; ++k) made->headers.push_back({include_names[k], headers[k]});
    const std::lock_guard lock(mutex);
    *program = reinterpret_cast<nvrtcProgram>(made.get());
    programs[*program] = std::move(made);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
    const std::lock_guard lock(mutex);
    if (program == nullptr || programs.erase(*program) == 0) return NVRTC_ERROR_INVALID_PROGRAM;
    *program = nullptr;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int option_count, const char* const* options) {
    const std::lock_guard lock(mutex);
    Program* const p = find(program);
    if (p == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
    if (option_count < 0 || (option_count > 0 && options == nullptr)) return NVRTC_ERROR_INVALID_INPUT;
    p->compiled = true;
    p->ptx.clear();
    p->lowered.clear();
    try {
        return compile(*p, option_count, options);
    } catch (const std::exception& error) {
        p->log = error.what();
        return NVRTC_ERROR_INTERNAL_ERROR;
    }
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* bytes) {
    return get_ptx(program, bytes, nullptr);
}
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* text) {
    return get_ptx(program, nullptr, text);
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* bytes) {
    return get_ptx(program, bytes, nullptr);
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* image) {
    return get_ptx(program, nullptr, image);
}
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram program, size_t* bytes) {
    return get_link_time_code(program, bytes, nullptr);
}
nvrtcResult nvrtcGetLTOIR(nvrtcProgram program, char* code) {
    return get_link_time_code(program, nullptr, code);
}
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* bytes) {
    return get_log(program, bytes, nullptr);
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* text) {
    return get_log(program, nullptr, text);
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression) {
    const std::lock_guard lock(mutex);
    Program* const p = find(program);
    if (p == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
    if (expression == nullptr) return NVRTC_ERROR_INVALID_INPUT;
    if (p->compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    if (std::find(p->expressions.begin(), p->expressions.end(), expression) == p->expressions.end())
        p->expressions.emplace_back(expression);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** name) {
    const std::lock_guard lock(mutex);
    const Program* const p = find(program);
    if (p == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
    if (expression == nullptr || name == nullptr) return NVRTC_ERROR_INVALID_INPUT;
    if (!p->compiled) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    const auto at = p->lowered.find(expression);
    if (at == p->lowered.end()) return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
    *name = at->second.c_str();
    return NVRTC_SUCCESS;
}

}  // extern "C"
