#include "cuda/compile.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <unistd.h>

#include "cuda/asm_escapes.h"
#include "cuda/child.h"
#include "cuda/installed_toolkit.h"
#include "cuda/launch_syntax.h"
#include "cuda/local_names.h"
#include "cuda/packages.h"
#include "cuda/precompiled.h"
#include "cuda/register_limit.h"
#include "cuda/toolkit.h"
#include "cuda/undefined.h"
#include "sim/build.h"
#include "sim/error.h"
#include "sim/output_file.h"

namespace heddle::cuda {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;
using Output = CompileJob::Output;
using Language = CompileJob::Language;
using Source = CompileJob::Source;

/// The version of nvcc that programs see.
constexpr const char* kMajor = "12";
constexpr const char* kMinor = "0";
constexpr const char* kBuild = "140";

std::string include_folder() {
    return shipped_folder("include", "src/cuda/include");
}

std::string find_clang() {
    for (const char* name : {"clang++-14", "clang++"})
        if (std::string path = find_on_path(name); !path.empty()) return path;
    throw InputError("compiling CUDA needs clang, which is not installed: apt-get install clang");
}

void append(Words& to, const Words& what) {
    to.insert(to.end(), what.begin(), what.end());
}

class Compiler {
  public:
    explicit Compiler(const CompileJob& job) : job_(job), clang_(find_clang()) {
        if (!job.cuda_path.empty()) installed_ = installed_toolkit(job.cuda_path);
    }

    bool run() {
        if (job_.verbose) describe();
        for (const Source& source : job_.sources)
            if (!job_.dry_run && !fs::exists(source.path))
                throw InputError("there is no file '" + source.path + "'");
        if (job_.kind == Output::device_link) return device_link();
        Words objects;
        for (std::size_t k = 0; k < job_.sources.size(); ++k)
            if (!compile_source(job_.sources[k], k, objects)) return false;
        switch (job_.kind) {
            case Output::program:
                return link(objects, job_.output.empty() ? (job_.shared ? "a.so" : "a.out") : job_.output);
            case Output::archive:
                return archive(objects);
            case Output::run:
                return run_program(objects);
            default:
                return true;
        }
    }

  private:
    /// What nvcc -v says first. CMake reads the toolkit's place, its includes and libraries from these lines.
    void describe() const {
        const std::string top = fs::path(job_.toolkit.empty() ? library_folder() : job_.toolkit).string();
        const char* path = std::getenv("PATH");
        std::fprintf(stderr, "#$ _NVVM_BRANCH_=nvvm\n#$ TOP=%s\n#$ PATH=%s\n", top.c_str(), path ? path : "");
        std::fprintf(stderr, "#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n", top.c_str());
        std::fprintf(stderr, "#$ INCLUDES=-I%s\n",
                     (installed_ ? installed_->path + "/include" : include_folder()).c_str());
        std::fprintf(stderr, "#$ LIBRARIES=%s\n", library_words().c_str());
    }

    std::string library_words() const {
        return "-L" + (job_.toolkit.empty() ? library_folder() : job_.toolkit + "/lib64");
    }

    bool start(const Words& command, const std::string& note = "", const ChildOptions& options = {}) const {
        if (job_.verbose) {
            std::string line = "#$ ";
            for (const std::string& w : command)
                line += (line.size() > 3 ? " " : "") +
                        (w.find_first_of(" \"'()$") == std::string::npos ? w : "\"" + w + "\"");
            std::fprintf(stderr, "%s%s\n", line.c_str(), note.c_str());
        }
        if (job_.dry_run) return true;
        const ChildEnd end = run_child(command, options);
        return end.code == 0 && end.signal == 0;
    }

    /// A compilation of `files`, which reads the texts in place of the files. If it ends because a library of headers is not
    /// installed, or because of assembly that only nvcc reads, or because clang can't use parsed headers, that is mended and
    /// the compilation runs again.
    bool compile_source_file(const Words& command, const Words& files, FileTexts texts,
                             const std::string& note = "") const {
        bool parsed = !installed_ && !job_.dry_run;
        ChildOptions options;
        options.error_file = folder_.path() + "/said";
        std::string last;
        while (true) {
            Words c = parsed ? with_precompiled_runtime(command, include_folder()) : command;
            append(c, files);
            if (job_.dry_run) return start(c, note);
            if (isatty(STDERR_FILENO) != 0) c.push_back("-fcolor-diagnostics");
            append(c, overlay(texts));
            const bool good = start(c, note, options);
            const std::string said = read(options.error_file);
            if (!good) {
                const std::string plain = without_colours(said);
                const MissingHeader missing = missing_header(plain);
                if (!missing.package.empty() && missing.package != last) {
                    install(missing);
                    last = missing.package;
                    continue;
                }
                if (mend_escapes(plain, texts)) continue;
                if (parsed && blames_precompiled(plain)) {
                    parsed = false;
                    continue;
                }
            }
            std::fputs(said.c_str(), stderr);
            return good;
        }
    }

    static std::string read(const std::string& path) {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    /// Files whose assembly clang does not read get another text. False: there is none, or it has been mended before.
    static bool mend_escapes(const std::string& said, FileTexts& texts) {
        std::map<std::string, std::vector<SourcePlace>> by_file;
        for (const SourcePlace& place : unknown_escapes(said))
            by_file[fs::absolute(place.file).lexically_normal().string()].push_back(place);
        bool changed = false;
        for (const auto& [file, places] : by_file) {
            const auto at = texts.find(file);
            const std::string before = at == texts.end() ? read(file) : at->second;
            std::string after = double_escapes(before, places);
            if (after == before) continue;
            changed = true;
            texts[file] = std::move(after);
        }
        return changed;
    }

    /// The options with which clang reads the texts in place of the files.
    Words overlay(const FileTexts& texts) const {
        if (texts.empty()) return {};
        const std::string path = folder_.path() + "/overlay";
        FileTexts replaced;  // by the files that hold the texts
        for (const auto& [file, text] : texts) {
            std::string by = path + std::to_string(replaced.size());
            write_file(by, text, "a source");
            replaced.emplace(file, std::move(by));
        }
        write_file(path, overlay_text(replaced), "a source");
        return {"-ivfsoverlay", path};
    }

    /// Of every C and C++ compilation.
    Words common(Language language) const {
        Words c{clang_, "-D__NVCC__=1",
                "-D__CUDACC_VER_MAJOR__=" + (installed_ ? installed_->major : std::string(kMajor)),
                "-D__CUDACC_VER_MINOR__=" + (installed_ ? installed_->minor : std::string(kMinor)),
                std::string("-D__CUDACC_VER_BUILD__=") + (installed_ ? "0" : kBuild),
                // What g++ and nvcc take, and options of g++ that clang has no use for.
                "-Wno-reserved-user-defined-literal", "-Wno-c++11-narrowing", "-Wno-register",
                "-Wno-unknown-warning-option", "-Qunused-arguments"};
        if (!installed_)
            append(c, {"-isystem", include_folder()});
        else if (language != Language::cuda)
            append(c, installed_->host_options());
        if (language != Language::c) c.push_back("-std=" + job_.standard);
        append(c, job_.compile_options);
        return c;
    }

    /// Of every CUDA compilation. The SDK's version decides how clang launches kernels: by cudaLaunchKernel.
    Words cuda_command(const Source& source) const {
        Words c = common(Language::cuda);
        append(c, installed_ ? installed_->cuda_options()
                             : Words{"-nocudainc", "--cuda-path=/nonexistent", "-include", "cuda_runtime.h"});
        append(
            c,
            {"-x", "cuda", "-nocudalib", "-Wno-unknown-cuda-version", "-Xclang", "-target-sdk-version=11.2",
             // libcu++ names variadic functions that nothing calls.
             "-Xclang", "-fcuda-allow-variadic-functions",
             // Programs hand variables that no one has set to shuffles, whose other lanes have; clang would take it
             // that no lane is one of those.
             "-Xclang", "-disable-noundef-analysis",
             "-D__CUDA_ARCH_LIST__=" + job_.named_architecture + "0"});
        if (job_.separate)
            // Both halves must call what only this file sees by the same names.
            append(c,
                   {"-fgpu-rdc",
                    "-cuid=" + std::to_string(std::hash<std::string>{}(fs::absolute(source.path).string()))});
        return c;
    }

    /// The source and its headers where launches are written in a way that clang does not read.
    FileTexts launch_texts(const Source& source, Half half) const {
        if (job_.dry_run || source.language != Language::cuda) return {};
        // Launches in device code become calls of Heddle's headers, which are not there with others.
        return sources_with_other_launches(source.path, include_folders(), installed_ ? Half::host : half);
    }

    Words include_folders() const {
        Words out;
        const Words& options = job_.compile_options;
        for (std::size_t k = 0; k + 1 < options.size(); ++k)
            if (options[k] == "-I" || options[k] == "-isystem" || options[k] == "-iquote")
                out.push_back(options[k + 1]);
        return out;
    }

    bool device(const Source& source, const std::string& ptx) const {
        Words c = cuda_command(source);
        append(c, {"--cuda-device-only", "-S", "-O3", "--cuda-gpu-arch=" + job_.architecture, "-Xclang",
                   "-target-feature", "-Xclang", job_.architecture < "sm_80" ? "+ptx64" : "+ptx72"});
        // Programs choose code by the architecture they are compiled for, which may be one that clang does not know.
        append(c, {"-U__CUDA_ARCH__", "-D__CUDA_ARCH__=" + job_.named_architecture + "0"});
        append(c, job_.device_options);
        // CMake reads the architecture from nvcc's line for cicc.
        if (!compile_source_file(c, {source.path, "-o", ptx}, launch_texts(source, Half::device),
                                 " -arch compute_" + job_.named_architecture))
            return false;
        if (!job_.dry_run) change_ptx(ptx);
        return true;
    }

    /// Makes what clang wrote what was asked for.
    void change_ptx(const std::string& path) const {
        const bool other_target = job_.architecture != "sm_" + job_.named_architecture;
        if (!other_target && !job_.separate && job_.registers == 0) return;
        const std::string written = read(path);
        std::string text = other_target ? with_named_target(written) : written;
        if (job_.separate) text = with_local_names(text);
        if (job_.registers != 0) text = with_register_limit(text, job_.registers);
        if (text != written) write_file(path, text, "the PTX");
    }

    /// The PTX says what it was compiled for, not what clang took it for: CUB asks the runtime and must hear the same as
    /// its kernels did.
    std::string with_named_target(std::string ptx) const {
        const std::string target = "\n.target " + job_.architecture;
        if (const std::size_t at = ptx.find(target); at != std::string::npos)
            ptx.replace(at, target.size(), "\n.target sm_" + job_.named_architecture);
        return ptx;
    }

    Words host_command(const Source& source) const {
        Words c;
        if (source.language == Language::cuda) {
            c = cuda_command(source);
            // The device half has shown the warnings.
            append(c, {"--cuda-host-only", "-w"});
        } else {
            c = common(source.language);
            append(c, {"-x", source.language == Language::c ? "c" : "c++"});
        }
        c.push_back("-O2");
        append(c, job_.host_options);
        if (job_.shared) c.push_back("-fPIC");
        return c;
    }

    bool host(const Source& source, const std::string& ptx, const std::string& object) const {
        Words files{"-c", source.path, "-o", object};
        if (source.language == Language::cuda)
            append(files, {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", ptx});
        if (!compile_source_file(host_command(source), files, launch_texts(source, Half::host))) return false;
        return source.language != Language::cuda || !job_.separate || job_.dry_run || relocatable(object);
    }

    /// Relocatable code registers itself through a function of its own name, which nvlink writes for each file. The
    /// runtime has one that does for all.
    bool relocatable(const std::string& object) const {
        Words names{"objcopy"};
        const std::string listing = folder_.path() + "/undefined";
        const ChildEnd end = run_child({"sh", "-c", "nm -u \"$0\" > \"$1\"", object, listing});
        if (end.code != 0 || end.signal != 0) return false;
        std::ifstream in(listing);
        for (std::string word; in >> word;)
            if (word.starts_with("__cudaRegisterLinkedBinary"))
                append(names, {"--redefine-sym", word + "=__cudaRegisterRelocatableHeddle"});
        names.push_back(object);
        return names.size() == 2 || start(names);
    }

    std::string output_of(const std::string& stem, const char* extension) const {
        if (!job_.output.empty()) return job_.output;
        return job_.output_folder.empty() ? stem + extension : job_.output_folder + "/" + stem + extension;
    }

    bool compile_source(const Source& source, std::size_t number, Words& objects) const {
        const std::string base = folder_.path() + "/" + std::to_string(number);
        const std::string stem = fs::path(source.path).stem().string();
        const bool cuda = source.language == Language::cuda;
        if (job_.kind == Output::ptx) {
            if (!cuda)
                throw InputError("'" + source.path +
                                 "' is not a CUDA source; only CUDA sources compile to PTX");
            return device(source, output_of(stem, job_.ptx_extension.c_str()));
        }
        const bool intermediate = job_.kind == Output::intermediate;
        if (job_.kind == Output::preprocessed || job_.kind == Output::dependencies || intermediate) {
            Words c = host_command(source);
            if (job_.kind != Output::dependencies) c.push_back("-E");
            c.push_back(source.path);
            const std::string output = intermediate ? output_of(stem, ".cu.cpp.ii") : job_.output;
            if (!output.empty()) append(c, {"-o", output});
            append(c, overlay(launch_texts(source, Half::host)));
            return start(c);
        }
        // The registration code refers to the PTX by the file's own bytes, so its name does not matter.
        const std::string ptx =
            job_.keep_folder.empty() ? base + ".ptx" : job_.keep_folder + "/" + stem + ".ptx";
        if (cuda && !device(source, ptx)) return false;
        const std::string object = job_.kind == Output::objects ? output_of(stem, ".o") : base + ".o";
        objects.push_back(object);
        return host(source, ptx, object);
    }

    bool device_link() const {
        const std::string empty = folder_.path() + "/empty.c";
        write_file(empty, "typedef int heddle_nothing_to_link;\n", "a source");
        return start({clang_, "-x", "c", "-fPIC", "-c", empty, "-o",
                      job_.output.empty() ? std::string("a_dlink.o") : job_.output});
    }

    bool archive(const Words& objects) const {
        Words c{"ar", "rcs", job_.output.empty() ? std::string("a.a") : job_.output};
        append(c, objects);
        for (const std::string& input : job_.link_inputs)
            if (input.ends_with(".o")) c.push_back(input);
        std::error_code error;
        if (!job_.dry_run) fs::remove(c[2], error);
        return start(c);
    }

    bool link(const Words& objects, const std::string& output) const {
        const std::string libraries = library_folder();
        for (const ToolkitLibrary& l : toolkit_libraries()) {
            const bool wanted = std::find(job_.link_inputs.begin(), job_.link_inputs.end(),
                                          "-l:" + std::string(l.file)) != job_.link_inputs.end();
            if (wanted && !fs::exists(libraries + "/" + std::string(l.file)))
                throw InputError("lib" + std::string(l.name) + " is not built: cmake --build " + libraries +
                                 " --target cuda_libraries");
        }
        Words c{job_.toolkit.empty() ? clang_ : job_.toolkit + "/bin/heddle-link"};
        if (job_.shared) c.push_back("-shared");
        append(c, first_link_words());
        append(c, objects);
        append(c, job_.link_inputs);
        c.push_back(library_words());
        // By nvcc's names within its folder: from them CMake knows what to link with what nvcc compiles.
        if (job_.toolkit.empty() || installed_)
            c.push_back(libraries + "/" + (installed_ ? installed_->runtime() : "libcudart.so.12"));
        else
            append(c, {"-lcudadevrt", "-lcudart_static"});
        append(c, {"-Wl,-rpath," + libraries, "-ldl", "-lrt", "-lpthread", "-o", output});
        if (!start(c)) return false;
        if (!job_.dry_run) check_device_code(output);
        return true;
    }

    /// Throws InputError, and leaves no program, if a device function is missing.
    static void check_device_code(const std::string& program) {
        std::vector<std::string> missing;
        try {
            missing = undefined_functions(extract_ptx(program));
        } catch (const InputError&) {
            return;  // no device code
        }
        if (missing.empty()) return;
        std::error_code error;
        fs::remove(program, error);
        std::string text;
        for (const std::string& name : missing)
            text += (text.empty() ? "" : "\n") + std::string("undefined device function '") + name +
                    "': no file of the program defines it (files that use each other's need -rdc=true)";
        throw InputError(text);
    }

    bool run_program(const Words& objects) const {
        const std::string program = folder_.path() + "/a.out";
        if (!link(objects, program)) return false;
        Words c{program};
        append(c, job_.run_arguments);
        return start(c);
    }

    const CompileJob& job_;
    std::string clang_;
    std::optional<InstalledToolkit> installed_;  // --cuda-path
    TemporaryFolder folder_;
};

void print_version() {
    std::printf(
        "nvcc: NVIDIA (R) Cuda compiler driver\n"
        "Heddle %s in its place, with clang\n"
        "Cuda compilation tools, release %s.%s, V%s.%s.%s\n",
        heddle_version().c_str(), kMajor, kMinor, kMajor, kMinor, kBuild);
}

}  // namespace

std::vector<std::string> first_link_words() {
    const std::string first = sanitizer_library();
    if (first.empty()) return {};
    return {"-Wl,--no-warnings", "-Wl,--no-as-needed", first,
            "-Wl,-rpath," + fs::path(first).parent_path().string()};
}

bool compile(const CompileJob& job) {
    if (job.kind == Output::version) {
        print_version();
        return true;
    }
    if (job.kind == Output::architectures) {
        for (const char* number :
             {"50", "52", "53", "60", "61", "62", "70", "72", "75", "80", "86", "87", "89", "90"})
            std::printf("%s_%s\n", job.architecture_words.c_str(), number);
        return true;
    }
    return Compiler(job).run();
}

}  // namespace heddle::cuda
