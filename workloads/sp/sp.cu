// sp: survey propagation for random 3-SAT (Braunstein, Mezard, Zecchina 2005; LonestarGPU): every clause sends each of
// its variables the probability of a warning, computed from what the variable's other clauses sent; the most biased
// variables are then fixed, the formula shrinks, and again. One thread a clause or a variable; a clause gathers the
// messages of all clauses of its three variables.

#include <algorithm>
#include <cstring>

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 256;
constexpr u32 kWidth = 3;  // literals of a clause; edge e joins clause e / 3 and variable literal[e].variable
constexpr u8 kDead = 2;    // sign of an edge that is no more

struct Formula {
    u32 variables = 0, clauses = 0;
    std::vector<u32> variable;  // of each edge
    std::vector<u8> negated;    // of each edge: 0, 1 or kDead
    std::vector<u32> row;       // variables + 1
    std::vector<u32> edge;      // edges of each variable
};

/// Products of (1 - eta) over a variable's edges, apart for those that ask for it to be true and to be false. (No array:
/// one indexed by the sign would lie in local memory.)
struct Products {
    float plain, negated;
};

/// Without edge `but`.
__device__ Products products_without(const u32* row, const u32* edge, const u8* negated, const float* eta,
                                     u32 variable, u32 but) {
    Products p = {1, 1};
    const u32 end = row[variable + 1];
    for (u32 i = row[variable]; i < end; ++i) {
        const u32 e = edge[i];
        const u8 sign = negated[e];
        if (e == but || sign == kDead) continue;
        const float silent = 1.0f - eta[e];
        p.plain *= sign == 0 ? silent : 1.0f;
        p.negated *= sign == 0 ? 1.0f : silent;
    }
    return p;
}

/// New messages of one clause; `change` gets the largest change (bits of a non-negative float order as integers).
extern "C" __global__ void update_eta(const u32* variable, const u8* negated, const u32* row, const u32* edge,
                                      const float* eta, float* next, u32 clauses, u32* change) {
    const u32 c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= clauses) return;
    float warned[kWidth];
#pragma unroll
    for (u32 k = 0; k < kWidth; ++k) {
        const u32 e = c * kWidth + k;
        const u8 sign = negated[e];
        warned[k] = 1;
        if (sign == kDead) continue;
        const Products p = products_without(row, edge, negated, eta, variable[e], e);
        const float same = sign == 0 ? p.plain : p.negated, opposite = sign == 0 ? p.negated : p.plain;
        const float against = (1.0f - opposite) * same;  // pushed not to satisfy this clause
        const float with = (1.0f - same) * opposite;
        const float free = same * opposite;
        const float total = against + with + free;
        warned[k] = total > 0 ? against / total : 0.0f;
    }
    float largest = 0;
#pragma unroll
    for (u32 k = 0; k < kWidth; ++k) {
        const u32 e = c * kWidth + k;
        if (negated[e] == kDead) continue;
        const float sent = warned[(k + 1) % kWidth] * warned[(k + 2) % kWidth];
        largest = fmaxf(largest, fabsf(sent - eta[e]));
        next[e] = sent;
    }
    // Few change by more than what is known already.
    if (__float_as_uint(largest) > *change) atomicMax(change, __float_as_uint(largest));
}

/// Signed bias of each variable that is not fixed; 0 of fixed ones.
extern "C" __global__ void find_bias(const u8* negated, const u32* row, const u32* edge, const float* eta,
                                     const u8* fixed, float* bias, u32 variables) {
    const u32 v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= variables) return;
    bias[v] = 0;
    if (fixed[v] != 0) return;
    const Products p = products_without(row, edge, negated, eta, v, ~0u);
    const float positive = (1.0f - p.plain) * p.negated, negative = (1.0f - p.negated) * p.plain;
    const float total = positive + negative + p.plain * p.negated;
    if (total > 0) bias[v] = (positive - negative) / total;
}

/// fixed: 0 no, 1 true, 2 false.
extern "C" __global__ void fix(const float* bias, u8* fixed, float threshold, u32 variables) {
    const u32 v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= variables || fixed[v] != 0) return;
    if (fabsf(bias[v]) >= threshold) fixed[v] = bias[v] > 0 ? 1 : 2;
}

/// Satisfied clauses lose all edges, others those to fixed variables.
extern "C" __global__ void simplify(const u32* variable, u8* negated, const u8* fixed, u32 clauses) {
    const u32 c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= clauses) return;
    bool satisfied = false;
    for (u32 k = 0; k < kWidth; ++k) {
        const u32 e = c * kWidth + k;
        const u8 value = fixed[variable[e]], sign = negated[e];
        if (sign != kDead && value != 0) satisfied = satisfied || (value == 1) == (sign == 0);
    }
    for (u32 k = 0; k < kWidth; ++k) {
        const u32 e = c * kWidth + k;
        if (satisfied || fixed[variable[e]] != 0) negated[e] = kDead;
    }
}

Formula random_formula(u32 variables, u32 clauses, Random& random) {
    Formula f;
    f.variables = variables;
    f.clauses = clauses;
    for (u32 c = 0; c < clauses; ++c) {
        u32 chosen[kWidth];
        for (u32 k = 0; k < kWidth;) {
            chosen[k] = random.below(variables);
            bool fresh = true;
            for (u32 j = 0; j < k; ++j) fresh = fresh && chosen[j] != chosen[k];
            if (fresh) ++k;
        }
        for (const u32 v : chosen) {
            f.variable.push_back(v);
            f.negated.push_back(static_cast<u8>(random.below(2)));
        }
    }
    f.row.assign(variables + 1, 0);
    for (const u32 v : f.variable) ++f.row[v + 1];
    for (u32 v = 0; v < variables; ++v) f.row[v + 1] += f.row[v];
    std::vector<u32> at(f.row.begin(), f.row.end() - 1);
    f.edge.resize(f.variable.size());
    for (u32 e = 0; e < f.variable.size(); ++e) f.edge[at[f.variable[e]]++] = e;
    return f;
}

/// Products in double precision; `but` is left out.
void products(const Formula& f, const std::vector<double>& eta, u32 v, u32 but, double* of) {
    of[0] = of[1] = 1;
    for (u32 i = f.row[v]; i < f.row[v + 1]; ++i)
        if (f.edge[i] != but && f.negated[f.edge[i]] != kDead) of[f.negated[f.edge[i]]] *= 1 - eta[f.edge[i]];
}

std::vector<double> iterated(const Formula& f, const std::vector<double>& eta) {
    std::vector<double> warned(eta.size(), 1.0), next(eta);
    for (u32 e = 0; e < eta.size(); ++e) {
        if (f.negated[e] == kDead) continue;
        double of[2];
        products(f, eta, f.variable[e], e, of);
        const double same = of[f.negated[e]], opposite = of[1 - f.negated[e]];
        const double total = (1 - opposite) * same + (1 - same) * opposite + same * opposite;
        warned[e] = total > 0 ? (1 - opposite) * same / total : 0;
    }
    for (u32 e = 0; e < eta.size(); ++e)
        if (f.negated[e] != kDead) {
            const u32 c = e / kWidth * kWidth, k = e % kWidth;
            next[e] = warned[c + (k + 1) % kWidth] * warned[c + (k + 2) % kWidth];
        }
    return next;
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("sp", "survey propagation for random 3-SAT", argc, argv);
    const u32 variables =
        args.count("variables", "variables of the formula", Sizes<u32>{512, 16'384, 1'200'000}, 3u);
    const u32 clauses = args.count("clauses", "clauses of the formula", Sizes<u32>{2125, 68'000, 4'980'000});
    const u32 phases = args.count("phases", "phases; variables are fixed after each", Sizes<u32>{2, 1, 1});
    const u32 most = args.count("iterations", "most iterations per phase", Sizes<u32>{2, 1, 2});
    const u32 percent = args.count("fix", "percentage of variables fixed after a phase", Sizes<u32>{4, 4, 4});
    args.done();
    if (percent > 100) args.fail("--fix: at most 100");

    Random random(args.seed());
    Formula f = random_formula(variables, clauses, random);
    std::vector<float> start(f.variable.size());
    for (float& v : start) v = random.unit();
    DeviceArray<u32> variable(f.variable), row(f.row), edge(f.edge), change(1);
    DeviceArray<u8> negated(f.negated), fixed(variables);
    DeviceArray<float> eta(start), next(start), bias(variables);
    fixed.clear();
    const u32 clause_ctas = blocks(clauses, kThreads), variable_ctas = blocks(variables, kThreads);

    Verdict verdict("sp");
    u32 iterations = 0;
    for (u32 phase = 0; phase < phases; ++phase) {
        f.negated = negated.host();
        std::vector<double> before;
        for (u32 i = 0; i < most; ++i, ++iterations) {
            // Each iteration is checked by itself: differences of rounding grow from one to the next.
            const std::vector<float> eta_before = eta.host();
            before.assign(eta_before.begin(), eta_before.end());
            change.clear();
            update_eta<<<clause_ctas, kThreads>>>(variable.data(), negated.data(), row.data(), edge.data(),
                                                  eta.data(), next.data(), clauses, change.data());
            must(cudaGetLastError());
            eta.swap(next);
            const std::vector<double> expected = iterated(f, before);
            const std::vector<float> got = eta.host();
            float largest = 0;
            for (u32 e = 0; e < got.size(); ++e)
                if (f.negated[e] != kDead) {
                    verdict.near("eta", e, got[e], static_cast<float>(expected[e]), 1e-4f);
                    largest = std::max(largest, std::fabs(got[e] - eta_before[e]));
                }
            u32 bits = 0;
            std::memcpy(&bits, &largest, sizeof bits);
            verdict.equal("largest change", change.host(0), bits);
            if (largest < 0.01f) break;
        }
        const std::vector<float> messages = eta.host();
        const std::vector<double> exact(messages.begin(), messages.end());

        find_bias<<<variable_ctas, kThreads>>>(negated.data(), row.data(), edge.data(), eta.data(),
                                               fixed.data(), bias.data(), variables);
        must(cudaGetLastError());
        const std::vector<float> biases = bias.host();
        const std::vector<u8> was = fixed.host();
        for (u32 v = 0; v < variables; ++v) {
            double of[2] = {1, 1};
            if (was[v] == 0) products(f, exact, v, ~0u, of);
            const double positive = (1 - of[0]) * of[1], negative = (1 - of[1]) * of[0];
            const double total = positive + negative + of[0] * of[1];
            const double b = total > 0 ? (positive - negative) / total : 0;
            verdict.near("bias", v, biases[v], static_cast<float>(b), 1e-3f);
        }
        std::vector<float> order;
        for (const float b : biases) order.push_back(std::fabs(b));
        std::sort(order.begin(), order.end(), [](float a, float b) { return a > b; });
        const float threshold = std::max(1e-6f, order[u64{variables} * percent / 101]);
        fix<<<variable_ctas, kThreads>>>(bias.data(), fixed.data(), threshold, variables);
        must(cudaGetLastError());
        simplify<<<clause_ctas, kThreads>>>(variable.data(), negated.data(), fixed.data(), clauses);
        must(cudaGetLastError());

        const std::vector<u8> now = fixed.host();
        std::vector<u8> expected_fixed(was), expected_negated(f.negated);
        for (u32 v = 0; v < variables; ++v)
            if (was[v] == 0 && std::fabs(biases[v]) >= threshold) expected_fixed[v] = biases[v] > 0 ? 1 : 2;
        verdict.equal("fixed", now, expected_fixed);
        for (u32 c = 0; c < clauses; ++c) {
            bool satisfied = false;
            for (u32 e = c * kWidth; e < (c + 1) * kWidth; ++e)
                satisfied = satisfied || (f.negated[e] != kDead && now[f.variable[e]] == 1 + f.negated[e]);
            for (u32 e = c * kWidth; e < (c + 1) * kWidth; ++e)
                if (satisfied || now[f.variable[e]] != 0) expected_negated[e] = kDead;
        }
        verdict.equal("negated", negated.host(), expected_negated);
    }
    u32 count = 0;
    for (const u8 v : fixed.host()) count += v != 0 ? 1 : 0;
    std::printf("sp: %u variables, %u clauses, %u iterations, %u variables fixed\n", variables, clauses,
                iterations, count);
    return verdict.exit_code();
}
