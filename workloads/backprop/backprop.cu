// backprop: one training step of a network with one hidden layer of 16 units (Rodinia's form): the first layer's
// products and their sums over 16 inputs on the device, the rest of the forward pass and the errors on the host, the
// new weights of the first layer on the device.

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr u32 kHidden = 16;
constexpr u32 kInputs = 16;  // of one CTA
constexpr float kRate = 0.3f, kMomentum = 0.3f;

/// Weights: (inputs + 1) rows, row 0 that of the threshold, of kHidden + 1 columns, column 0 unused. partial[cta][h] is
/// the sum over the CTA's inputs.
extern "C" __global__ void forward(const float* input, const float* weight, float* partial) {
    __shared__ float node[kInputs];
    __shared__ float product[kInputs][kHidden];
    const u32 h = threadIdx.x, i = threadIdx.y, row = blockIdx.x * kInputs + i + 1;
    if (h == 0) node[i] = input[row];
    __syncthreads();
    product[i][h] = weight[u64{row} * (kHidden + 1) + h + 1] * node[i];
    for (u32 step = 1; step < kInputs; step *= 2) {
        __syncthreads();
        if (i % (2 * step) == 0) product[i][h] += product[i + step][h];
    }
    __syncthreads();
    if (i == 0) partial[blockIdx.x * kHidden + h] = product[0][h];
}

/// change = rate * delta * input + momentum * change before; weight += change. Row 0 belongs to the threshold.
extern "C" __global__ void adjust(const float* input, const float* delta, float* weight, float* change) {
    const u32 h = threadIdx.x + 1, row = blockIdx.x * kInputs + threadIdx.y + 1;
    const u64 at = u64{row} * (kHidden + 1) + h;
    const float by = kRate * delta[h] * input[row] + kMomentum * change[at];
    weight[at] += by;
    change[at] = by;
    if (row == 1) {
        const float threshold = kRate * delta[h] + kMomentum * change[h];
        weight[h] += threshold;
        change[h] = threshold;
    }
}

float squash(float x) {
    return 1.0f / (1.0f + std::exp(-x));
}

/// Errors of the hidden units; `sum` holds their inputs. delta[0] is not used.
std::vector<float> hidden_errors(const std::vector<double>& sum, const std::vector<float>& weight,
                                 const std::vector<float>& out_weight, float target) {
    std::vector<float> hidden(kHidden + 1, 1.0f), delta(kHidden + 1, 0.0f);
    for (u32 h = 1; h <= kHidden; ++h) hidden[h] = squash(static_cast<float>(sum[h - 1]) + weight[h]);
    float total = 0;
    for (u32 h = 0; h <= kHidden; ++h) total += out_weight[h] * hidden[h];
    const float output = squash(total);
    const float out_delta = output * (1 - output) * (target - output);
    for (u32 h = 1; h <= kHidden; ++h) delta[h] = hidden[h] * (1 - hidden[h]) * out_delta * out_weight[h];
    return delta;
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("backprop", "a training step of a neural network", argc, argv);
    const u32 inputs = args.count("inputs", "units of the input layer, a multiple of 16",
                                  Sizes<u32>{2048, 32'768, 2'097'152});
    args.done();
    if (inputs % kInputs != 0) args.fail("--inputs must be a multiple of 16");

    Random random(args.seed());
    std::vector<float> input(inputs + 1), weight(std::size_t{inputs + 1} * (kHidden + 1)),
        change(weight.size());
    std::vector<float> out_weight(kHidden + 1);
    for (float& v : input) v = random.unit();
    input[0] = 1;
    const float scale = 1.0f / std::sqrt(static_cast<float>(inputs));
    for (float& v : weight) v = random.between(-scale, scale);
    for (float& v : change) v = random.between(-scale, scale);
    for (float& v : out_weight) v = random.between(-1, 1);
    const float target = 0.1f;

    const u32 ctas = inputs / kInputs;
    DeviceArray<float> d_input(input), d_weight(weight), d_change(change),
        partial(std::size_t{ctas} * kHidden);
    forward<<<ctas, dim3(kHidden, kInputs)>>>(d_input.data(), d_weight.data(), partial.data());
    must(cudaGetLastError());
    std::vector<double> sum(kHidden);
    const std::vector<float> parts = partial.host();
    for (std::size_t i = 0; i < parts.size(); ++i) sum[i % kHidden] += parts[i];
    const std::vector<float> delta = hidden_errors(sum, weight, out_weight, target);
    DeviceArray<float> d_delta(delta);
    adjust<<<ctas, dim3(kHidden, kInputs)>>>(d_input.data(), d_delta.data(), d_weight.data(),
                                             d_change.data());
    must(cudaGetLastError());

    std::vector<double> expected_sum(kHidden);
    for (u32 r = 1; r <= inputs; ++r)
        for (u32 h = 0; h < kHidden; ++h)
            expected_sum[h] += double{weight[std::size_t{r} * (kHidden + 1) + h + 1]} * double{input[r]};
    const std::vector<float> expected_delta = hidden_errors(expected_sum, weight, out_weight, target);
    for (u32 r = 0; r <= inputs; ++r)
        for (u32 h = 1; h <= kHidden; ++h) {
            const std::size_t at = std::size_t{r} * (kHidden + 1) + h;
            change[at] = kRate * expected_delta[h] * input[r] + kMomentum * change[at];
            weight[at] += change[at];
        }
    std::printf("backprop: %u inputs, %u hidden units\n", inputs, kHidden);
    Verdict verdict("backprop");
    for (u32 h = 0; h < kHidden; ++h)
        verdict.near("hidden sum", h, static_cast<float>(sum[h]), static_cast<float>(expected_sum[h]), 1e-4f);
    verdict.near("weight", d_weight.host(), weight, 1e-5f, 1e-7f);
    verdict.near("change", d_change.host(), change, 1e-5f, 1e-7f);
    return verdict.exit_code();
}
