#include "cuda/compile.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cuda/child.h"
#include "sim/build.h"
#include "sim/error.h"

namespace heddle::cuda {
namespace {

using Words = std::vector<std::string>;

std::string find_clang() {
    for (const char* name : {"clang++-14", "clang++"})
        if (std::string path = find_on_path(name); !path.empty()) return path;
    throw InputError("compiling CUDA needs clang, which is not installed: apt-get install clang");
}

class Compiler {
  public:
    explicit Compiler(const CompileJob& job) : job_(job), clang_(find_clang()) {}

    bool run() {
        for (const CompileJob::Source& source : job_.sources)
            if (!std::filesystem::exists(source.path))
                throw InputError("there is no file '" + source.path + "'");
        Words objects;
        for (std::size_t k = 0; k < job_.sources.size(); ++k)
            if (!compile_source(job_.sources[k], k, objects)) return false;
        return job_.kind != CompileJob::Output::program || link(objects);
    }

  private:
    bool start(const Words& command) const {
        if (job_.verbose) {
            std::string line;
            for (const std::string& w : command) line += (line.empty() ? "" : " ") + w;
            std::fprintf(stderr, "%s\n", line.c_str());
        }
        const ChildEnd end = run_child(command);
        return end.code == 0 && end.signal == 0;
    }

    static void append(Words& to, const Words& what) { to.insert(to.end(), what.begin(), what.end()); }

    bool has_standard() const {
        return std::any_of(
            job_.compile_options.begin(), job_.compile_options.end(),
            [](const std::string& o) { return o.starts_with("-std=") || o.starts_with("--std="); });
    }

    /// Of every CUDA compilation. The SDK's version decides how clang launches kernels: by cudaLaunchKernel.
    Words cuda_command() const {
        Words c{clang_,
                "-x",
                "cuda",
                "-nocudainc",
                "-nocudalib",
                "--cuda-path=/nonexistent",
                "-Wno-unknown-cuda-version",
                "-Xclang",
                "-target-sdk-version=11.2",
                "-isystem",
                checkout("src/cuda/include"),
                "-include",
                "cuda_runtime.h"};
        if (!has_standard()) c.push_back("-std=c++17");
        append(c, job_.compile_options);
        return c;
    }

    bool device(const std::string& source, const std::string& ptx) const {
        Words c = cuda_command();
        append(c, {"--cuda-device-only", "-S", "-O3", "--cuda-gpu-arch=" + job_.architecture, "-Xclang",
                   "-target-feature", "-Xclang", job_.architecture < "sm_80" ? "+ptx64" : "+ptx72", source,
                   "-o", ptx});
        return start(c);
    }

    bool host(const CompileJob::Source& source, const std::string& ptx, const std::string& object) const {
        Words c;
        if (source.cuda) {
            c = cuda_command();
            // The device half has shown the warnings.
            append(c, {"--cuda-host-only", "-w", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", ptx});
        } else {
            c = {clang_};
            if (source.path.ends_with(".c")) append(c, {"-x", "c"});
            append(c, {"-isystem", checkout("src/cuda/include")});
            if (!has_standard() && !source.path.ends_with(".c")) c.push_back("-std=c++17");
            append(c, job_.compile_options);
        }
        c.push_back("-O2");
        append(c, job_.host_options);
        append(c, {"-c", source.path, "-o", object});
        return start(c);
    }

    bool compile_source(const CompileJob::Source& source, std::size_t number, Words& objects) const {
        const std::string base = folder_.path() + "/" + std::to_string(number);
        const std::string stem = std::filesystem::path(source.path).stem().string();
        auto output = [&](const char* extension) {
            return job_.output.empty() ? stem + extension : job_.output;
        };
        if (job_.kind == CompileJob::Output::ptx) {
            if (!source.cuda)
                throw InputError("'" + source.path + "' is no CUDA source; only those become PTX");
            return device(source.path, output(".ptx"));
        }
        // The registration code refers to the PTX by the file's own bytes, so its name does not matter.
        const std::string ptx = base + ".ptx";
        if (source.cuda && !device(source.path, ptx)) return false;
        const std::string object = job_.kind == CompileJob::Output::objects ? output(".o") : base + ".o";
        objects.push_back(object);
        return host(source, ptx, object);
    }

    bool link(const Words& objects) const {
        const std::string libraries = program_folder();
        Words c{clang_};
        // A runtime that is built with sanitizers needs theirs first in the program.
        if (const std::string first = sanitizer_library(); !first.empty())
            append(c, {"-Wl,--no-warnings", "-Wl,--no-as-needed", first,
                       "-Wl,-rpath," + std::filesystem::path(first).parent_path().string()});
        append(c, objects);
        append(c, job_.link_inputs);
        append(c, {"-L" + libraries, "-l:libcudart.so.12", "-Wl,-rpath," + libraries, "-o",
                   job_.output.empty() ? std::string("a.out") : job_.output});
        return start(c);
    }

    const CompileJob& job_;
    std::string clang_;
    TemporaryFolder folder_;
};

}  // namespace

bool compile(const CompileJob& job) {
    return Compiler(job).run();
}

}  // namespace heddle::cuda
