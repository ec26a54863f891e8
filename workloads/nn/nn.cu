// nn: a neural network that recognizes digits (ISPASS 2009): images of 29 x 29 pixels, two convolutions by 5 x 5 weights with
// a stride of 2 (6 maps of 13 x 13, then 50 maps of 5 x 5), then 100 and 10 fully connected units.
// A CTA makes one map of one image, a thread one pixel of it. Fully connected units: thread, a CTA of one thread each,
// as in ISPASS 2009; warp: a CTA of one warp each.
// The images are drawn here, in strokes as pocket calculators show them. Inner layers have random weights, the last one
// is trained here by least squares.

#include "../common/workload.h"

using namespace workloads;

namespace {

constexpr u32 kKernel = 5;
constexpr u32 kDigits = 10;
constexpr u32 kSide[] = {29, 13, 5};  // of the images and of the maps made of them
constexpr u32 kMaps[] = {1, 6, 50};
constexpr u32 kHidden = 100;  // units of the third layer
constexpr u32 kDenseInputs = kMaps[2] * kSide[2] * kSide[2];

/// The usual stretched tangent of convolutional networks (LeCun et al. 1998).
template <class Real>
__host__ __device__ Real squash(Real x) {
    return Real(1.7159) * tanh(Real(2.0 / 3.0) * x);
}

/// Weights of a map: one threshold, then 25 for each of the `maps` maps before. Grid: maps to be made x images.
extern "C" __global__ void convolve(const float* from, const float* weight, float* to, u32 maps, u32 side) {
    const u32 x = threadIdx.x, y = threadIdx.y, out_side = blockDim.x;
    const float* image = from + blockIdx.y * maps * side * side + 2 * y * side + 2 * x;
    const float* w = weight + blockIdx.x * (1 + maps * kKernel * kKernel);
    float sum = *w++;
    for (u32 m = 0; m < maps; ++m) {
#pragma unroll
        for (u32 i = 0; i < kKernel; ++i)
#pragma unroll
            for (u32 j = 0; j < kKernel; ++j) sum += image[i * side + j] * w[i * kKernel + j];
        image += side * side;
        w += kKernel * kKernel;
    }
    to[((blockIdx.y * gridDim.x + blockIdx.x) * out_side + y) * out_side + x] = squash(sum);
}

/// Weights of a unit: one threshold, then one for each input. Grid: units x images.
extern "C" __global__ void connect_thread(const float* from, const float* weight, float* to, u32 inputs) {
    const float* const in = from + blockIdx.y * inputs;
    const float* const w = weight + blockIdx.x * (1 + inputs);
    float sum = w[0];
    for (u32 i = 0; i < inputs; ++i) sum += in[i] * w[i + 1];
    to[blockIdx.y * gridDim.x + blockIdx.x] = squash(sum);
}

extern "C" __global__ void connect_warp(const float* from, const float* weight, float* to, u32 inputs) {
    const float* const in = from + blockIdx.y * inputs;
    const float* const w = weight + blockIdx.x * (1 + inputs);
    float sum = threadIdx.x == 0 ? w[0] : 0;
    for (u32 i = threadIdx.x; i < inputs; i += 32) sum += in[i] * w[i + 1];
    for (u32 distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(~0u, sum, distance);
    if (threadIdx.x == 0) to[blockIdx.y * gridDim.x + blockIdx.x] = squash(sum);
}

/// The weights of each layer, and the units of each layer for one image or several.
using Layers = std::vector<std::vector<float>>;

std::vector<float> convolved(const std::vector<float>& from, const std::vector<float>& weight, u32 layer) {
    const u32 maps = kMaps[layer], side = kSide[layer], out_side = kSide[layer + 1];
    std::vector<float> to;
    for (u32 out = 0; out < kMaps[layer + 1]; ++out)
        for (u32 y = 0; y < out_side; ++y)
            for (u32 x = 0; x < out_side; ++x) {
                const std::size_t begin = out * (1 + maps * kKernel * kKernel);
                double sum = weight[begin];
                for (u32 i = 0; i < maps * kKernel * kKernel; ++i) {
                    const u32 m = i / (kKernel * kKernel), dy = i / kKernel % kKernel, dx = i % kKernel;
                    sum += double{weight[begin + 1 + i]} *
                           double{from[(m * side + 2 * y + dy) * side + 2 * x + dx]};
                }
                to.push_back(static_cast<float>(squash(sum)));
            }
    return to;
}

std::vector<float> connected(const std::vector<float>& from, const std::vector<float>& weight, u32 units) {
    std::vector<float> to;
    for (u32 u = 0; u < units; ++u) {
        const std::size_t begin = u * (1 + from.size());
        double sum = weight[begin];
        for (std::size_t i = 0; i < from.size(); ++i) sum += double{weight[begin + 1 + i]} * double{from[i]};
        to.push_back(static_cast<float>(squash(sum)));
    }
    return to;
}

/// What the hidden layers make of one image.
Layers hidden_layers(const std::vector<float>& image, const Layers& weight) {
    Layers unit;
    unit.push_back(convolved(image, weight[0], 0));
    unit.push_back(convolved(unit[0], weight[1], 1));
    unit.push_back(connected(unit[1], weight[2], kHidden));
    return unit;
}

/// Seven strokes, somewhere near the middle, with noise.
std::vector<float> draw(u32 digit, Random& random) {
    // Of each digit: upper, middle and lower bar, then left and right, upper and lower.
    static const char* const strokes[kDigits] = {"1011111", "0000101", "1110110", "1110101", "0101101",
                                                 "1111001", "1111011", "1000101", "1111111", "1111101"};
    constexpr u32 side = kSide[0], length = 8, thickness = 3;
    const u32 left = 7 + random.below(3), top = 4 + random.below(3);
    std::vector<float> image(side * side);
    for (float& pixel : image) pixel = random.between(-0.1f, 0.1f);
    for (u32 stroke = 0; stroke < 7; ++stroke) {
        if (strokes[digit][stroke] == '0') continue;
        const bool bar = stroke < 3;
        const u32 x0 = left + (stroke == 4 || stroke == 6 ? length : 0);
        const u32 y0 = top + (bar ? stroke * length : stroke < 5 ? 0 : length);
        for (u32 along = 0; along < length + thickness; ++along)
            for (u32 across = 0; across < thickness; ++across)
                image[(y0 + (bar ? across : along)) * side + x0 + (bar ? along : across)] += 1;
    }
    return image;
}

/// Trains the last layer: least squares on examples, 1 for the unit of the digit and -1 for the others.
std::vector<float> fitted_weights(const Layers& weight, Random& random) {
    constexpr u32 examples = 200, unknowns = 1 + kHidden, columns = unknowns + kDigits;
    // The normal equations, the right sides of all digits behind them; a little on the diagonal keeps weights small.
    std::vector<std::vector<double>> row(unknowns, std::vector<double>(columns));
    for (u32 i = 0; i < unknowns; ++i) row[i][i] = 0.1;
    for (u32 e = 0; e < examples; ++e) {
        const u32 digit = e % kDigits;
        const std::vector<float> unit = hidden_layers(draw(digit, random), weight)[2];
        std::vector<double> value(unit.begin(), unit.end());
        value.insert(value.begin(), 1);
        for (u32 d = 0; d < kDigits; ++d) value.push_back(d == digit ? 1 : -1);
        for (u32 i = 0; i < unknowns; ++i)
            for (u32 j = 0; j < columns; ++j) row[i][j] += value[i] * value[j];
    }
    for (u32 i = 0; i < unknowns; ++i)  // Gauss and Jordan; the matrix is positive definite
        for (u32 other = 0; other < unknowns; ++other) {
            const double factor = row[other][i] / row[i][i];
            for (u32 j = i; j < columns && other != i; ++j) row[other][j] -= factor * row[i][j];
        }
    std::vector<float> out;
    for (u32 d = 0; d < kDigits; ++d)
        for (u32 i = 0; i < unknowns; ++i)
            out.push_back(static_cast<float>(row[i][unknowns + d] / row[i][i]));
    return out;
}

std::vector<float> random_weights(u32 units, u32 inputs, Random& random) {
    std::vector<float> weight(std::size_t{units} * (1 + inputs));
    const float largest = std::sqrt(3.0f / static_cast<float>(inputs));
    for (float& w : weight) w = random.between(-largest, largest);
    return weight;
}

void append(std::vector<float>& to, const std::vector<float>& what) {
    to.insert(to.end(), what.begin(), what.end());
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("nn", "a neural network that recognizes digits", argc, argv);
    const bool warp =
        args.choice("dense", "what computes a fully connected unit", {"thread", "warp"}) == "warp";
    const u32 images = args.count("images", "images to recognize", Sizes<u32>{1, 8, 96});
    args.done();
    if (images > 65'535) args.fail("--images: at most 65535");

    Random random(args.seed());
    Layers weight;
    for (const u32 layer : {0u, 1u})
        weight.push_back(random_weights(kMaps[layer + 1], kMaps[layer] * kKernel * kKernel, random));
    weight.push_back(random_weights(kHidden, kDenseInputs, random));
    weight.push_back(fitted_weights(weight, random));
    std::vector<float> image;
    std::vector<u32> digit(images);
    Layers expected(4);
    for (u32& d : digit) {
        d = random.below(kDigits);
        const std::vector<float> one = draw(d, random);
        append(image, one);
        const Layers unit = hidden_layers(one, weight);
        for (u32 layer = 0; layer < 3; ++layer) append(expected[layer], unit[layer]);
        append(expected[3], connected(unit[2], weight[3], kDigits));
    }

    DeviceArray<float> w0(weight[0]), w1(weight[1]), w2(weight[2]), w3(weight[3]);
    DeviceArray<float> d_image(image), maps1(expected[0].size()), maps2(expected[1].size());
    DeviceArray<float> hidden(expected[2].size()), output(expected[3].size());
    convolve<<<dim3(kMaps[1], images), dim3(kSide[1], kSide[1])>>>(d_image.data(), w0.data(), maps1.data(),
                                                                   kMaps[0], kSide[0]);
    must(cudaGetLastError());
    convolve<<<dim3(kMaps[2], images), dim3(kSide[2], kSide[2])>>>(maps1.data(), w1.data(), maps2.data(),
                                                                   kMaps[1], kSide[1]);
    must(cudaGetLastError());
    const auto connect = warp ? connect_warp : connect_thread;
    const u32 threads = warp ? 32 : 1;
    connect<<<dim3(kHidden, images), threads>>>(maps2.data(), w2.data(), hidden.data(), kDenseInputs);
    must(cudaGetLastError());
    connect<<<dim3(kDigits, images), threads>>>(hidden.data(), w3.data(), output.data(), kHidden);
    must(cudaGetLastError());

    const std::vector<float> out = output.host();
    u32 right = 0;
    for (u32 i = 0; i < images; ++i) {
        const auto begin = out.begin() + i * kDigits;
        right +=
            std::max_element(begin, begin + kDigits) - begin == static_cast<std::ptrdiff_t>(digit[i]) ? 1 : 0;
    }
    std::printf("nn: %u of %u images recognized\n", right, images);
    Verdict verdict("nn");
    // Errors of sums of up to 1251 terms, handed on from layer to layer.
    const char* const layer_names[] = {"map of layer 1", "map of layer 2", "unit of layer 3",
                                       "unit of layer 4"};
    const std::vector<float> got[] = {maps1.host(), maps2.host(), hidden.host(), out};
    for (u32 layer = 0; layer < 4; ++layer)
        verdict.near(layer_names[layer], got[layer], expected[layer], 0, 2e-5f);
    return verdict.exit_code();
}
