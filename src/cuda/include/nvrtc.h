#pragma once
// Compiling CUDA source while a program runs (libnvrtc). `heddle cc` does it: clang must be there when the program runs. What
// comes out is PTX, also where a program asks for a cubin; cuModuleLoadData takes either.

#include <stddef.h>

#define __NVRTC_H__

#if defined(__cplusplus)
extern "C" {
#endif

typedef enum {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_OUT_OF_MEMORY = 1,
    NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
    NVRTC_ERROR_INVALID_INPUT = 3,
    NVRTC_ERROR_INVALID_PROGRAM = 4,
    NVRTC_ERROR_INVALID_OPTION = 5,
    NVRTC_ERROR_COMPILATION = 6,
    NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
    NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
    NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
    NVRTC_ERROR_INTERNAL_ERROR = 11,
    NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
} nvrtcResult;

typedef struct _nvrtcProgram* nvrtcProgram;

const char* nvrtcGetErrorString(nvrtcResult result);
nvrtcResult nvrtcVersion(int* major, int* minor);
nvrtcResult nvrtcGetNumSupportedArchs(int* count);
nvrtcResult nvrtcGetSupportedArchs(int* architectures);
nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char* name, int header_count,
                               const char* const* headers, const char* const* include_names);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program);
/// Options are nvcc's; one that `heddle cc` does not know is NVRTC_ERROR_INVALID_OPTION, and the log names it.
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int option_count, const char* const* options);
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t* bytes);
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* text);
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t* bytes);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* image);
/// Of programs compiled with -dlto. PTX too: what nvJitLink here takes.
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram program, size_t* bytes);
nvrtcResult nvrtcGetLTOIR(nvrtcProgram program, char* code);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t* bytes);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* text);
nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char* expression);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char* expression, const char** name);

#if defined(__cplusplus)
}

#include <string>

#if defined(NVRTC_GET_TYPE_NAME) && NVRTC_GET_TYPE_NAME
#include <cstdlib>
#include <cxxabi.h>
#include <typeinfo>

inline nvrtcResult nvrtcGetTypeName(const std::type_info& type, std::string* name) {
    int status = 0;
    char* const text = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
    if (text == nullptr) return NVRTC_ERROR_INTERNAL_ERROR;
    *name = text;
    std::free(text);
    return NVRTC_SUCCESS;
}
template <typename T>
nvrtcResult nvrtcGetTypeName(std::string* name) {
    return nvrtcGetTypeName(typeid(T), name);
}
#endif
#endif
