// The command line of `heddle cc`: which words are sources, and to which step each option belongs.

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>

#include "cuda/compile.h"
#include "cuda/nvcc_options.h"
#include "cuda/toolkit.h"
#include "sim/error.h"

namespace heddle::cuda {
namespace {

using Words = std::vector<std::string>;
using Output = CompileJob::Output;
using Language = CompileJob::Language;

std::string_view extension(std::string_view path) {
    const std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
}

Words split_commas(const std::string& text) {
    Words out;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        std::string word = text.substr(at, comma - at);
        // nvcc lists quoted words too: -Xcompiler "\"-fPIC\"".
        if (word.size() >= 2 && (word[0] == '"' || word[0] == '\'') && word.back() == word[0])
            word = word.substr(1, word.size() - 2);
        if (!word.empty()) out.push_back(word);
        at = comma + 1;
    }
    return out;
}

/// The words of an options file: cut at blanks; quotes hold words together, a backslash takes the next character as it is.
Words read_options_file(const std::string& path) {
    std::ifstream in(path);
    if (!in) throw InputError("the options file '" + path + "' cannot be read");
    Words words;
    std::string word;
    bool started = false;
    char quote = 0;
    for (int c = in.get(); c != EOF; c = in.get()) {
        const char letter = static_cast<char>(c);
        if (letter == '\\' && quote != '\'' && in.peek() != EOF) {
            word += static_cast<char>(in.get());
            started = true;
        } else if (quote != 0) {
            if (letter == quote)
                quote = 0;
            else
                word += letter;
        } else if (letter == '"' || letter == '\'') {
            quote = letter;
            started = true;
        } else if (std::string_view(" \t\r\n").find(letter) != std::string_view::npos) {
            if (started) words.push_back(word);
            word.clear();
            started = false;
        } else {
            word += letter;
            started = true;
        }
    }
    if (quote != 0) throw InputError("the options file '" + path + "' ends inside quotes");
    if (started) words.push_back(word);
    return words;
}

/// Reads the words from left to right.
class Reader {
  public:
    CompileJob read(const Words& words) {
        take(words);
        finish();
        return std::move(job_);
    }

  private:
    void take(const Words& words) {
        for (std::size_t i = 0; i < words.size(); ++i) {
            const std::string& word = words[i];
            if (word.size() < 2 || word[0] != '-') {
                take_file(word);
                continue;
            }
            std::string value;
            bool has_value = false;
            if (const NvccOption* option = match(word, value, has_value)) {
                // A value of "-x" would be the next option's name; nvcc takes it as a value all the same.
                if (option->value == OptionValue::required && !has_value) {
                    if (i + 1 == words.size()) throw InputError(word + " needs a value");
                    value = words[++i];
                } else if (option->value == OptionValue::boolean && !has_value && i + 1 < words.size() &&
                           (words[i + 1] == "true" || words[i + 1] == "false")) {
                    value = words[++i];
                }
                take_option(*option, value);
            } else {
                take_unknown(word);
            }
        }
    }

    /// The option of nvcc that `word` is, with the value that stands in the word.
    static const NvccOption* match(const std::string& word, std::string& value, bool& has_value) {
        const bool is_long = word.starts_with("--");
        const std::string_view name = std::string_view(word).substr(is_long ? 2 : 1);
        const std::size_t equals = name.find('=');
        if (const NvccOption* option = find_nvcc_option(name.substr(0, equals))) {
            has_value = equals != std::string_view::npos;
            if (has_value) value = name.substr(equals + 1);
            if (!has_value || option->value != OptionValue::none) return option;
        }
        // -DN, -Ifolder, -lm, -O2, -oprog, -t4
        if (is_long || std::string_view("IDULlOotm").find(name[0]) == std::string_view::npos) return nullptr;
        const NvccOption* option = find_nvcc_option(name.substr(0, 1));
        const bool numeric = name[0] == 't' || name[0] == 'm' || name[0] == 'O';
        if (numeric && name.find_first_not_of(name[0] == 'O' ? "0123456789fastszgxm" : "0123456789", 1) !=
                           std::string_view::npos)
            return nullptr;
        has_value = true;
        value = name.substr(1);
        return option;
    }

    static bool is_true(const std::string& value) { return value.empty() || value == "true"; }

    static void append(Words& to, const Words& what) { to.insert(to.end(), what.begin(), what.end()); }

    /// The words that OpenMP, profiling and sanitizers want at the link too, as nvcc hands -Xcompiler to both.
    void take_host(const std::string& word) {
        job_.host_options.push_back(word);
        if (word.starts_with("-fopenmp") || word.starts_with("-fsanitize") || word == "-pthread" ||
            word == "-pg" || word == "--coverage" || word == "-fprofile-arcs")
            job_.link_inputs.push_back(word);
    }

    void take_option(const NvccOption& option, const std::string& value) {
        const std::string name(option.short_name.empty() ? option.long_name : option.short_name);
        switch (option.use) {
            case OptionUse::both:
                for (const std::string& v : name == "D" ? Words{value} : split_commas(value))
                    append(job_.compile_options, {"-" + name, v});
                break;
            case OptionUse::host:
                take_host("-" + name);
                break;
            case OptionUse::link:
                for (const std::string& v : split_commas(value))
                    job_.link_inputs.push_back(std::string("-").append(name).append(v));
                break;
            case OptionUse::library:
                for (const std::string& v : split_commas(value)) take_library(v);
                break;
            case OptionUse::host_words:
                for (const std::string& v : split_commas(value)) take_host(v);
                break;
            case OptionUse::link_words:
                for (const std::string& v : split_commas(value)) append(job_.link_inputs, {"-Xlinker", v});
                break;
            case OptionUse::architecture:
                take_architecture(value);
                architecture_given_ = true;
                break;
            case OptionUse::code:
                if (!architecture_given_) take_architecture(value);
                break;
            default:
                take_mode(option, value);
        }
    }

    /// Options that set something of the job.
    void take_mode(const NvccOption& option, const std::string& value) {
        switch (option.use) {
            case OptionUse::standard:
                // The headers need C++11.
                job_.standard = value == "c++03" || value == "c++98" ? "gnu++11" : value;
                break;
            case OptionUse::language:
                take_language(value);
                break;
            case OptionUse::output:
                job_.output = value;
                break;
            case OptionUse::output_folder:
                job_.output_folder = value;
                break;
            case OptionUse::optimise:
                // The device half is always optimised, as nvcc does it.
                job_.host_options.push_back("-O" + value);
                break;
            case OptionUse::host_debug:
                job_.host_options.push_back("-g");
                break;
            case OptionUse::debug_device:
                append(job_.compile_options, {"-D__CUDACC_DEBUG__=1"});
                job_.device_options.push_back("-gline-directives-only");
                break;
            case OptionUse::line_info:
                job_.device_options.push_back("-gline-directives-only");
                break;
            case OptionUse::no_exceptions:
                job_.host_options.push_back("-fno-exceptions");
                break;
            case OptionUse::profile:
                take_host("-pg");
                break;
            case OptionUse::relaxed:
                append(job_.compile_options, {"-D__CUDACC_RELAXED_CONSTEXPR__=1"});
                break;
            case OptionUse::extended_lambda:
                append(job_.compile_options, {"-D__CUDACC_EXTENDED_LAMBDA__=1"});
                break;
            case OptionUse::default_stream:
                if (value != "legacy" && value != "null" && value != "per-thread")
                    throw InputError("-default-stream is legacy, null or per-thread, not '" + value + "'");
                if (value == "per-thread")
                    job_.compile_options.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
                break;
            case OptionUse::shared:
                job_.shared = true;
                break;
            case OptionUse::separate:
                job_.separate = is_true(value);
                break;
            case OptionUse::registers:
                take_registers(value);
                break;
            case OptionUse::dependencies:
                job_.host_options.push_back("-" + std::string(option.short_name));
                if (option.value == OptionValue::required) job_.host_options.push_back(value);
                break;
            case OptionUse::options_file:
                for (const std::string& path : split_commas(value)) take(read_options_file(path));
                break;
            default:
                take_tool(option, value);
        }
    }

    /// Options of arithmetic, warnings, phases and of the tool itself.
    void take_tool(const NvccOption& option, const std::string& value) {
        switch (option.use) {
            case OptionUse::fast_math:
                append(job_.compile_options, {"-D__USE_FAST_MATH__=1"});
                append(job_.device_options,
                       {"-fcuda-approx-transcendentals", "-fcuda-flush-denormals-to-zero"});
                divide_ = square_root_ = "0";
                break;
            case OptionUse::flush_denormals:
                if (is_true(value)) job_.device_options.push_back("-fcuda-flush-denormals-to-zero");
                break;
            case OptionUse::divide:
                divide_ = is_true(value) ? "2" : "1";
                break;
            case OptionUse::square_root:
                square_root_ = is_true(value) ? "1" : "0";
                break;
            case OptionUse::contract:
                if (!is_true(value)) job_.device_options.push_back("-ffp-contract=off");
                break;
            case OptionUse::warnings_off:
                job_.compile_options.push_back("-w");
                break;
            case OptionUse::werror:
                if (value.find("all-warnings") != std::string::npos)
                    job_.compile_options.push_back("-Werror");
                break;
            case OptionUse::phase:
                take_phase(option.long_name);
                break;
            case OptionUse::listing:
                job_.kind = option.long_name == "version" ? Output::version
                            : option.long_name == "help"  ? Output::help
                                                          : Output::architectures;
                if (option.long_name == "list-gpu-code") job_.architecture_words = "sm";
                break;
            case OptionUse::keep:
                if (job_.keep_folder.empty()) job_.keep_folder = ".";
                break;
            case OptionUse::cuda_path:
                job_.cuda_path = value;
                break;
            case OptionUse::keep_folder:
                job_.keep_folder = value;
                break;
            case OptionUse::dry_run:
                job_.dry_run = job_.verbose = true;
                break;
            case OptionUse::verbose:
                job_.verbose = true;
                break;
            case OptionUse::run_arguments:
                append(job_.run_arguments, split_commas(value));
                break;
            case OptionUse::ptxas:
                for (std::string word : split_commas(value)) {
                    while (word.starts_with('-')) word.erase(0, 1);
                    if (word.starts_with("maxrregcount=")) take_registers(word.substr(word.find('=') + 1));
                }
                break;
            case OptionUse::forward_unknown:
                forward_unknown_ = true;
                break;
            default:
                break;  // nothing here for it to act on
        }
    }

    void take_phase(std::string_view name) {
        static const std::map<std::string_view, Output> kinds{
            {"link", Output::program},
            {"lib", Output::archive},
            {"device-link", Output::device_link},
            {"device-c", Output::objects},
            {"device-w", Output::objects},
            {"compile", Output::objects},
            {"ptx", Output::ptx},
            {"cubin", Output::ptx},
            {"fatbin", Output::ptx},
            {"preprocess", Output::preprocessed},
            {"cuda", Output::intermediate},
            {"generate-dependencies", Output::dependencies},
            {"generate-nonsystem-dependencies", Output::dependencies},
            {"run", Output::run},
        };
        const auto at = kinds.find(name);
        if (at == kinds.end())
            throw InputError("heddle cc has no --" + std::string(name) +
                             ": clang cannot produce such a file");
        job_.kind = at->second;
        if (name == "device-c") job_.separate = true;
        if (name == "generate-dependencies") job_.host_options.push_back("-M");
        if (name == "generate-nonsystem-dependencies") job_.host_options.push_back("-MM");
        if (name == "cubin" || name == "fatbin") job_.ptx_extension = "." + std::string(name);
    }

    void take_registers(const std::string& value) {
        if (value.empty() || value.size() > 6 || value.find_first_not_of("0123456789") != std::string::npos)
            throw InputError("-maxrregcount needs a number, not '" + value + "'");
        job_.registers = static_cast<unsigned>(std::stoul(value));
    }

    void take_language(const std::string& value) {
        static const std::map<std::string_view, Language> languages{
            {"cu", Language::cuda}, {"c++", Language::cpp}, {"c", Language::c}};
        const auto at = languages.find(value);
        if (at == languages.end()) throw InputError("-x is cu, c++ or c, not '" + value + "'");
        language_ = at->second;
        language_given_ = true;
    }

    /// "sm_90a", "compute_75", "arch=compute_80,code=[sm_80,compute_80]", "native": the highest that it names. clang 14
    /// knows sm_35 to sm_86 of those that anything runs on.
    void take_architecture(const std::string& text) {
        int number = 0;
        for (std::size_t at = text.find('_'); at != std::string::npos; at = text.find('_', at + 1)) {
            const std::size_t end = std::min(text.find_first_not_of("0123456789", at + 1), text.size());
            if (end > at + 1 && end - at <= 5)
                number = std::max(number, std::stoi(text.substr(at + 1, end - at - 1)));
        }
        if (number == 0) {
            if (text.find("native") == std::string::npos && text.find("all") == std::string::npos)
                throw InputError("'" + text +
                                 "' names no architecture; expected one such as sm_80 "
                                 "(heddle cc --list-gpu-arch lists them)");
            number = 70;  // native, all, all-major
        }
        if (architecture_named_) number = std::max(number, std::stoi(job_.named_architecture));
        architecture_named_ = true;
        constexpr std::array known{35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86};
        int best = known[0];
        for (const int k : known)
            if (k <= number) best = k;
        job_.architecture = "sm_" + std::to_string(best);
        job_.named_architecture = std::to_string(std::max(number, best));
    }

    void take_library(const std::string& name) {
        // The runtime is linked in any case, and has the driver API; of device code there is nothing left to link.
        constexpr std::array<std::string_view, 6> own{"cudart",    "cudart_static", "cuda",
                                                      "cudadevrt", "culibos",       "nvToolsExt"};
        if (std::find(own.begin(), own.end(), name) != own.end()) return;
        const ToolkitLibrary* const library = find_toolkit_library(name);
        if (library != nullptr)
            job_.link_inputs.push_back("-l:" + std::string(library->file));
        else  // clang's OpenMP has a library of its own, which does for what g++ compiles too.
            job_.link_inputs.push_back(name == "gomp" ? "-fopenmp" : "-l" + name);
    }

    /// What nvcc does not know is clang's, or the host compiler's if the program says so.
    void take_unknown(const std::string& word) {
        constexpr std::array<std::string_view, 11> host{"-march=",    "-mtune=",  "-fPI",     "-fpi",
                                                        "-fsanitize", "-fopenmp", "-pthread", "-g",
                                                        "-mavx",      "-msse",    "-mfma"};
        constexpr std::array<std::string_view, 7> link{"-Wl,",    "-static", "-rdynamic", "-nostdlib",
                                                       "-no-pie", "-pie",    "-T"};
        constexpr std::array<std::string_view, 5> both{"-W", "-f", "-std", "-nostdinc", "-pedantic"};
        auto among = [&](const auto& list) {
            return std::any_of(list.begin(), list.end(), [&](auto b) { return word.starts_with(b); });
        };
        if (among(link))
            job_.link_inputs.push_back(word);
        else if (among(host) || forward_unknown_)
            take_host(word);
        else if (among(both) || word.starts_with("-Xclang") || word.starts_with("-mllvm"))
            job_.compile_options.push_back(word);
        else
            throw InputError("unknown option '" + word + "' (heddle cc --help lists them)");
    }

    void take_file(const std::string& word) {
        const std::string_view kind = extension(word);
        if (language_given_) {
            job_.sources.push_back({word, language_});
        } else if (kind == "cu" || kind == "cuh" || kind == "ptx") {
            if (kind == "ptx")
                throw InputError("'" + word + "': heddle cc compiles sources; a program loads PTX by itself");
            job_.sources.push_back({word, Language::cuda});
        } else if (kind == "cpp" || kind == "cc" || kind == "cxx" || kind == "C" || kind == "c++") {
            job_.sources.push_back({word, Language::cpp});
        } else if (kind == "c") {
            job_.sources.push_back({word, Language::c});
        } else if (kind == "o" || kind == "a" || kind == "so" || kind == "obj" || kind == "lo" ||
                   word.find(".so.") != std::string::npos) {
            job_.link_inputs.push_back(word);
        } else {
            throw InputError("'" + word +
                             "' is neither a source (.cu, .cpp, .cc, .cxx, .c) nor an object (.o, .a, .so)");
        }
    }

    /// A Makefile's -I/usr/local/cuda/include: where a toolkit is installed its headers would come before Heddle's, and clang
    /// can't read them without the rest of the toolkit. --cuda-path asks for them.
    void leave_out_installed_headers() {
        Words kept;
        for (std::size_t k = 0; k < job_.compile_options.size(); ++k) {
            const std::string& word = job_.compile_options[k];
            if ((word == "-I" || word == "-isystem") && k + 1 < job_.compile_options.size() &&
                is_installed_include(job_.compile_options[k + 1]))
                ++k;
            else
                kept.push_back(word);
        }
        job_.compile_options = std::move(kept);
    }

    static bool is_installed_include(const std::filesystem::path& folder) {
        std::error_code error;  // a folder that can't be read is none
        return std::filesystem::exists(folder / "cuda_runtime.h", error) &&
               std::filesystem::exists(folder / "crt" / "host_config.h", error) &&
               !std::filesystem::exists(folder / "heddle" / "device.h", error);
    }

    void finish() {
        if (job_.cuda_path.empty()) leave_out_installed_headers();
        if (!divide_.empty()) append(job_.device_options, {"-mllvm", "-nvptx-prec-divf32=" + divide_});
        if (!square_root_.empty())
            append(job_.device_options, {"-mllvm", "-nvptx-prec-sqrtf32=" + square_root_});
        if (job_.separate) job_.compile_options.push_back("-D__CUDACC_RDC__=1");
        if (job_.kind == Output::version || job_.kind == Output::help || job_.kind == Output::architectures)
            return;
        if (job_.sources.empty() && job_.link_inputs.empty())
            throw InputError("missing source: heddle cc FILE.cu... -o PROGRAM");
        const bool one_each =
            job_.kind == Output::objects || job_.kind == Output::ptx || job_.kind == Output::intermediate;
        if (one_each && !job_.output.empty() && job_.sources.size() > 1)
            throw InputError("-o names one file, but there are " + std::to_string(job_.sources.size()) +
                             " sources to compile");
    }

    CompileJob job_;
    Language language_ = Language::cuda;
    std::string divide_, square_root_;
    bool language_given_ = false, architecture_given_ = false, architecture_named_ = false;
    bool forward_unknown_ = false;
};

}  // namespace

CompileJob parse_compile_arguments(const Words& arguments) {
    return Reader().read(arguments);
}

}  // namespace heddle::cuda
