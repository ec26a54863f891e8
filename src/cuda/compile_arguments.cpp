// The command line of `heddle cc`: which words are sources, and to which step each option belongs.

#include <algorithm>
#include <array>
#include <string_view>

#include "cuda/compile.h"
#include "sim/error.h"

namespace heddle::cuda {
namespace {

using Words = std::vector<std::string>;

enum class Use {
    both,          // of both halves
    host,          // of the host half
    link,          // of the linker
    dropped,       // without a meaning here
    host_value,    // -Xcompiler A,B: A and B are the host compiler's
    link_value,    // -Xlinker A
    architecture,  // -arch=sm_XX
};

struct ValueOption {
    std::string_view name;
    Use use;
};

/// Options whose value is the next word, or stands behind "=" or the name itself.
constexpr std::array kWithValue{
    ValueOption{"-I", Use::both},
    ValueOption{"-D", Use::both},
    ValueOption{"-U", Use::both},
    ValueOption{"-isystem", Use::both},
    ValueOption{"-iquote", Use::both},
    ValueOption{"-include", Use::both},
    ValueOption{"-Xclang", Use::both},
    ValueOption{"-mllvm", Use::both},
    ValueOption{"-MF", Use::host},
    ValueOption{"-MT", Use::host},
    ValueOption{"-MQ", Use::host},
    ValueOption{"-Xcompiler", Use::host_value},
    ValueOption{"--compiler-options", Use::host_value},
    ValueOption{"-L", Use::link},
    ValueOption{"-l", Use::link},
    ValueOption{"-T", Use::link},
    ValueOption{"-rpath", Use::link},
    ValueOption{"-Xlinker", Use::link_value},
    ValueOption{"-arch", Use::architecture},
    ValueOption{"--gpu-architecture", Use::architecture},
    ValueOption{"--cuda-gpu-arch", Use::architecture},
    ValueOption{"-gencode", Use::dropped},
    ValueOption{"--generate-code", Use::dropped},
    ValueOption{"-code", Use::dropped},
    ValueOption{"-ccbin", Use::dropped},
    ValueOption{"-x", Use::dropped},
    ValueOption{"-Xptxas", Use::dropped},
    ValueOption{"-Xnvlink", Use::dropped},
    ValueOption{"-maxrregcount", Use::dropped},
    ValueOption{"--maxrregcount", Use::dropped},
    ValueOption{"-cudart", Use::dropped},
    ValueOption{"--cudart", Use::dropped},
    ValueOption{"-diag-suppress", Use::dropped},
    ValueOption{"-t", Use::dropped},
    ValueOption{"--threads", Use::dropped},
};

/// nvcc's switches without a meaning here, by their beginning.
constexpr std::array<std::string_view, 12> kDropped{"--generate-line-info",
                                                    "-G",
                                                    "--device-debug",
                                                    "-rdc=",
                                                    "--relocatable-device-code",
                                                    "-dlink",
                                                    "--expt-",
                                                    "-expt-",
                                                    "--extended-lambda",
                                                    "-extended-lambda",
                                                    "-Wno-deprecated-gpu-targets",
                                                    "--ptxas-options"};

std::string_view extension(std::string_view path) {
    const std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
}

void split_commas(const std::string& text, Words& out) {
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        if (comma > at) out.push_back(text.substr(at, comma - at));
        at = comma + 1;
    }
}

/// clang 14 knows sm_20 to sm_86.
std::string known_architecture(const std::string& text) {
    std::string digits = text.substr(std::min(text.find('_'), text.size() - 1) + 1);
    while (!digits.empty() && (digits.back() < '0' || digits.back() > '9')) digits.pop_back();
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
        return "sm_70";  // native, all
    const int number = std::stoi(digits.substr(0, 4));
    constexpr std::array known{35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86};
    int best = known[0];
    for (const int k : known)
        if (k <= number) best = k;
    return "sm_" + std::to_string(best);
}

void take_value(CompileJob& job, const ValueOption& option, const std::string& value, bool joined) {
    const std::string name(option.name);
    auto put = [&](Words& out) {
        if (joined) {
            out.push_back(name + value);
        } else {
            out.push_back(name);
            out.push_back(value);
        }
    };
    switch (option.use) {
        case Use::both:
            return put(job.compile_options);
        case Use::host:
            return put(job.host_options);
        case Use::link:
            if (name == "-l" &&
                (value == "cudart" || value == "cudart_static" || value == "cuda" || value == "cudadevrt"))
                return;
            return put(job.link_inputs);
        case Use::host_value:
            return split_commas(value, job.host_options);
        case Use::link_value:
            job.link_inputs.push_back("-Wl," + value);
            return;
        case Use::architecture:
            job.architecture = known_architecture(value);
            return;
        case Use::dropped:
            return;
    }
}

/// The option that `word` is or begins with, and what stands behind its name. A short name may have its value joined.
const ValueOption* find_value_option(const std::string& word, std::string& value, bool& has_value,
                                     bool& joined) {
    for (const ValueOption& option : kWithValue) {
        if (!word.starts_with(option.name)) continue;
        const std::string rest = word.substr(option.name.size());
        has_value = !rest.empty();
        joined = has_value && option.name.size() == 2;
        if (has_value && !joined && rest[0] != '=') continue;
        value = joined || !has_value ? rest : rest.substr(1);
        return &option;
    }
    return nullptr;
}

void take_switch(CompileJob& job, const std::string& word) {
    if (word == "-c" || word == "-dc") {
        job.kind = CompileJob::Output::objects;
    } else if (word == "-ptx" || word == "--ptx") {
        job.kind = CompileJob::Output::ptx;
    } else if (word == "-v" || word == "--verbose") {
        job.verbose = true;
    } else if (word == "-use_fast_math" || word == "--use_fast_math") {
        job.compile_options.push_back("-fcuda-approx-transcendentals");
        job.compile_options.push_back("-fcuda-flush-denormals-to-zero");
    } else if (word.starts_with("-Wl,") || word == "-shared" || word == "-static" || word == "-pthread" ||
               word == "-rdynamic") {
        job.link_inputs.push_back(word);
        if (word == "-pthread") job.host_options.push_back(word);
    } else if (std::any_of(kDropped.begin(), kDropped.end(), [&](auto d) { return word.starts_with(d); })) {
    } else if (word.starts_with("-O") || word == "-g" || word.starts_with("-march=") ||
               word.starts_with("-mtune=") || word.starts_with("-fPI") || word.starts_with("-fsanitize") ||
               word.starts_with("-fopenmp") || word.starts_with("-MM") || word == "-MD" || word == "-MP") {
        // The device half is always optimised, as nvcc does it.
        job.host_options.push_back(word);
        if (word.starts_with("-fsanitize") || word.starts_with("-fopenmp")) job.link_inputs.push_back(word);
    } else {
        job.compile_options.push_back(word);
    }
}

void take_file(CompileJob& job, const std::string& word) {
    const std::string_view kind = extension(word);
    constexpr std::array<std::string_view, 5> host{"cpp", "cc", "cxx", "c", "C"};
    if (kind == "cu") {
        job.sources.push_back({word, true});
    } else if (std::find(host.begin(), host.end(), kind) != host.end()) {
        job.sources.push_back({word, false});
    } else if (kind == "o" || kind == "a" || kind == "so" || word.find(".so.") != std::string::npos) {
        job.link_inputs.push_back(word);
    } else {
        throw InputError("'" + word +
                         "' is neither a source (.cu, .cpp, .cc, .cxx, .c) nor an object (.o, .a, .so)");
    }
}

}  // namespace

CompileJob parse_compile_arguments(const Words& arguments) {
    CompileJob job;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& word = arguments[i];
        auto next = [&](const std::string& name) -> const std::string& {
            if (i + 1 == arguments.size()) throw InputError(name + " needs a value");
            return arguments[++i];
        };
        if (word.size() < 2 || word[0] != '-') {
            take_file(job, word);
            continue;
        }
        if (word.starts_with("-o")) {
            job.output = word.size() > 2 ? word.substr(2) : next("-o");
            continue;
        }
        if (word == "-lineinfo") continue;  // no library
        std::string value;
        bool has_value = false, joined = false;
        if (const ValueOption* option = find_value_option(word, value, has_value, joined)) {
            if (!has_value) value = next(word);
            take_value(job, *option, value, joined);
        } else {
            take_switch(job, word);
        }
    }
    if (job.sources.empty() && job.link_inputs.empty())
        throw InputError("what shall it compile? heddle cc FILE.cu... -o PROGRAM");
    if (job.kind != CompileJob::Output::program && !job.output.empty() && job.sources.size() > 1)
        throw InputError("-o names one file, but there are " + std::to_string(job.sources.size()) +
                         " sources to compile");
    return job;
}

}  // namespace heddle::cuda
