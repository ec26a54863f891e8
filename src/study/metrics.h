#pragma once
// Figures of merit of several applications on one machine (Jog et al., MEMSYS 2015; Snavely and Tullsen, ASPLOS 2000;
// Luo et al., ISPASS 2001; Eyerman and Eeckhout, IEEE Micro 2008).
//
// `together` is each application's IPC beside the others, `alone` its IPC with the same SMs and nothing else running;
// speedup_i = together_i / alone_i, slowdown_i = 1 / speedup_i.

#include <span>
#include <vector>

namespace heddle::study {

/// Instruction throughput: the sum of the IPCs.
double throughput(std::span<const double> together);
/// Sum of the speed-ups; n applications that do not slow each other down have n.
double weighted_speedup(std::span<const double> together, std::span<const double> alone);
/// 1 / sum of the slowdowns, as Jog et al. print it. (Others multiply by the number of applications.)
double harmonic_speedup(std::span<const double> together, std::span<const double> alone);
/// Average normalised turnaround time, in the same form: the sum of the slowdowns. (Others divide by their number.)
double antt(std::span<const double> together, std::span<const double> alone);
/// The largest slowdown.
double unfairness(std::span<const double> together, std::span<const double> alone);

/// Of positive values; NaN if one is not, or there are none.
double geometric_mean(std::span<const double> values);
double mean(std::span<const double> values);

}  // namespace heddle::study
