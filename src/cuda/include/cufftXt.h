#pragma once
// Of cuFFT's extended interface what is for one device.

#include "cufft.h"

#define _CUFFTXT_H_

#if defined(__cplusplus)
extern "C" {
#endif

/// The types must be those of one of cuFFT's transforms: both and the execution's in single or in double precision.
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, cudaDataType in_type, long long* onembed,
                                long long ostride, long long odist, cudaDataType out_type, long long batch,
                                size_t* work, cudaDataType execution);
cufftResult cufftXtExec(cufftHandle plan, void* in, void* out, int direction);

#if defined(__cplusplus)
}
#endif
