// The C headers behind ours, and what NVIDIA's own headers and compiler define.
#include <stdlib.h>
#include <math.h>
#include <string.h>
#include <stdio.h>
#include <assert.h>
#include <cstdlib>
#include <cmath>
#include <complex>
#include <vector>
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cuComplex.h>
#include <helper_that_asks.h>

#if !defined(__NVCC__) || !defined(__CUDACC__) || __CUDACC_VER_MAJOR__ != 12 || !defined(__CUDACC_VER_MINOR__) || \
    !defined(__CUDACC_VER_BUILD__)
#error "the compiler's macros"
#endif

__global__ void use(float* out, char* text) {
    char* p = (char*)malloc(8);
    memcpy(p, "heddle", 7);
    for (int i = 0; i < 7; ++i) text[i] = p[i];
    free(p);
    assert(text[0] == 'h');
    *out = fabs(-2.0f) + ::sqrtf(4.0f) + std::floor(1.5f) + abs(-1);
}

int main() {
    float *d, h = 0;
    char *text, back[8];
    cudaMalloc((void**)&d, sizeof(float));
    cudaMalloc((void**)&text, 8);
    use<<<1, 1>>>(d, text);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(back, text, 7, cudaMemcpyDeviceToHost);
    void* p = malloc(10);
    free(p);
    cuDoubleComplex z = cuCmul(make_cuDoubleComplex(1, 2), make_cuDoubleComplex(3, 4));
    if (h != 6.0f || strcmp(back, "heddle") != 0 || cuCreal(z) != -5 || cuCimag(z) != 10) return 1;
    if (asked_for(cudaSuccess) != 0) return 1;
    printf("c_headers done\n");
    return EXIT_SUCCESS;
}
