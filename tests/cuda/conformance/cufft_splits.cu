// cuFFT with both dimensions too long for one step: the spectrum of ones. The first dimension has half as many lines as the last.

#include <cufft.h>

#include "check.h"

int main() {
    const int n = 1050, stored = n * (n / 2 + 1);
    auto* spectrum = managed<cufftDoubleComplex>(stored);
    auto* out = managed<double>(n * n);
    for (int i = 0; i < stored; ++i) spectrum[i] = {i == 0 ? 1.0 : 0.0, 0};
    cufftHandle plan = 0;
    CHECK(cufftPlan2d(&plan, n, n, CUFFT_Z2D) == CUFFT_SUCCESS);
    CHECK(cufftExecZ2D(plan, spectrum, out) == CUFFT_SUCCESS);
    CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < n * n; ++i) CHECK(out[i] > 1 - 1e-12 && out[i] < 1 + 1e-12, "%d: %g", i, out[i]);
    CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
    return finished();
}
