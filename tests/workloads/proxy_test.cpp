// Workloads after the CUDA SDK, SHOC, Parboil, Rodinia, ISPASS 2009, MUMmerGPU and proxy applications: variants,
// published results, options that make no sense.

#include <gtest/gtest.h>

#include "built.h"
#include "workload_program.h"

namespace heddle {
namespace {

TEST(ProxyWorkloads, EveryVariantAndOddSizePassesItsSelfCheck) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers";
    for (const auto& [name, options] : {std::pair{"3ds", "--width 33 --height 9 --depth 5 --steps 3"},
                                        {"3ds", "--variant plain --width 33 --height 9 --depth 5"},
                                        {"cns", "--side 5 --steps 2"},
                                        {"comd", "--lattice 6 --steps 3"},
                                        {"cons", "--width 129 --height 67"},
                                        {"fft", "--points 4096 --batch 3"},
                                        {"fft", "--points 16 --batch 9"},
                                        {"fft", "--variant global --points 1024 --batch 5"},
                                        {"fwt", "--log-elements 12 --filter 5"},
                                        {"histo", "--rows 10 --columns 7 --spread 100"},
                                        {"histo", "--variant global"},
                                        {"jpeg", "--width 72 --height 40 --quality 100"},
                                        {"lib", "--paths 100 --maturity 40"},
                                        {"lps", "--width 33 --height 5 --depth 3 --iterations 4"},
                                        {"lud", "--side 70"},
                                        {"lulesh", "--side 3 --start 0 --steps 5"},
                                        {"minife", "--side 1 --length 1"},
                                        {"minife", "--side 3 --length 5 --iterations 40"},
                                        {"mum", "--length 60 --least 5 --errors 100 --queries 500"},
                                        {"nn", "--dense warp"},
                                        {"pathfinder", "--columns 1 --rows 300 --together 127"},
                                        {"pathfinder", "--columns 1000 --rows 20 --together 1"},
                                        {"qtc", "--clusters 1000"},
                                        {"ray", "--scene constant --spheres 20 --width 65 --height 33"},
                                        {"reduction", "--variant sequential --elements 70001"},
                                        {"reduction", "--variant interleaved --elements 1"},
                                        {"scan", "--variant tree --elements 70001"},
                                        {"scp", "--elements 1500 --vectors 9 --ctas 2"},
                                        {"trd", "--variant vector --elements 70001 --repeats 2"},
                                        {"xsbench", "--nuclides 1 --gridpoints 2 --lookups 1000"}}) {
        const Said said = workload_says(name, std::string("--size small ") + options);
        EXPECT_TRUE(said.code == 0 && said.has(": PASS (")) << name << ' ' << options << '\n' << said.text;
    }
}

TEST(ProxyWorkloads, HistoCountsInWhatSharedMemoryTheMachineHas) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers";
    // kepler-its has 16 KiB, room for 8,192 bins of 16 bits.
    const Ended run = heddle_run({"run", "histo", "-m", "kepler-its", "--size", "small"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.out.find("histo: PASS ("), std::string::npos) << run.out;
}

TEST(ProxyWorkloads, LuleshEndsWithThePublishedStepsAndEnergyAtTheOrigin) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers";
    // README of LULESH 2.0, table of results: size 5, 72 iterations, 7.853665e+03.
    const Said said = workload_says("lulesh", "--side 5 --start 0 --steps 1000");
    EXPECT_TRUE(said.has("125 elements, 72 steps, energy at the origin 7.853665e+03")) << said.text;
    EXPECT_EQ(said.code, 0) << said.text;
}

TEST(ProxyWorkloads, MumReadsFasta) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers";
    const TemporaryFolder folder;
    // 11 + 9 bases; N is none.
    const std::string file = folder.write("r.fa", ">one\nACGTNacgtAC\nG\n>two\nTTTTACGTA\n");
    const Said said =
        workload_says("mum", "--input '" + file + "' --length 8 --least 4 --errors 0 --queries 10");
    // Every one of 5 places of 10 exact reads matches.
    EXPECT_TRUE(said.has("mum: 20 bases, ") && said.has(" 10 queries, 50 matches\nmum: PASS")) << said.text;
}

TEST(ProxyWorkloads, OptionsThatMakeNoSenseAreNamedAndEndTheProgramWith2) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers";
    struct Case {
        const char *name, *options, *message;
    };
    for (const Case& c :
         {Case{"3ds", "--variant fast", "3ds: --variant: 'fast' is not one of marching|plain"},
          Case{"cns", "--side 3", "cns: --side: at least 4"},
          Case{"comd", "--lattice 4", "comd: --lattice: at least 5"},
          Case{"cons", "--height 262141", "cons: --height: at most 262140"},
          Case{"fft", "--points 12", "fft: --points must be a power of two"},
          Case{"fft", "--points 8192", "fft: --points: at most 4096, or --variant global"},
          Case{"fwt", "--filter 1048577", "fwt: --filter: there are more elements than in the data"},
          Case{"histo", "--spread 101", "histo: --spread: at most 100"},
          Case{"jpeg", "--width 12", "jpeg: --width must be a multiple of 8"},
          Case{"lib", "--maturity 7", "lib: --maturity: an even number, at most 40"},
          Case{"lps", "--width 1 --height 262141 --depth 1", "lps: --height: at most 262140"},
          Case{"lud", "--side 65537", "lud: --side: at most 65536"},
          Case{"lulesh", "--side 1", "lulesh: --side: at least 2"},
          Case{"minife", "--side 401", "minife: --side: at most 400"},
          Case{"mum", "--least 26", "mum: --least: queries have 25 bases"},
          Case{"mum", "--input /nowhere", "/nowhere: cannot be read"},
          Case{"nn", "--images 65536", "nn: --images: at most 65535"},
          Case{"pathfinder", "--together 128", "pathfinder: --together: at most 127"},
          Case{"qtc", "--points 40 --neighbours 40", "qtc: --neighbours: fewer than points"},
          Case{"ray", "--spheres 257", "ray: --spheres: at most 256"},
          Case{"reduction", "--variant fast", "reduction: --variant: 'fast' is not one of"},
          Case{"scan", "--elements 0", "scan: --elements: at least 1"},
          Case{"scp", "--vectors -1", "scp: --vectors: '-1' is not a whole number in range"},
          Case{"xsbench", "--nuclides 65536", "xsbench: --nuclides squared times --gridpoints: at most"}}) {
        const Said said = workload_says(c.name, c.options);
        EXPECT_EQ(said.code, 2) << c.name << ' ' << c.options;
        EXPECT_TRUE(said.has(c.message)) << said.text;
    }
}

}  // namespace
}  // namespace heddle
