#pragma once
// NVIDIA's marks and ranges. `heddle run` and `heddle record` keep them with the kernels that are launched meanwhile; they take
// no time. In a program that runs on its own, or without the runtime, they do nothing and return what they return without a
// profiler.

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
#define NVTX_RESOURCE_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxResourceAttributes_t))

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2,
    NVTX_MESSAGE_TYPE_REGISTERED = 3,
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN = 0,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
    NVTX_PAYLOAD_TYPE_INT64 = 2,
    NVTX_PAYLOAD_TYPE_DOUBLE = 3,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
    NVTX_PAYLOAD_TYPE_INT32 = 5,
    NVTX_PAYLOAD_TYPE_FLOAT = 6,
} nvtxPayloadType_t;
typedef enum nvtxResourceGenericType_t {
    NVTX_RESOURCE_TYPE_UNKNOWN = 0,
    NVTX_RESOURCE_TYPE_GENERIC_POINTER = 1,
    NVTX_RESOURCE_TYPE_GENERIC_HANDLE = 2,
    NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE = 3,
    NVTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX = 4,
} nvtxResourceGenericType_t;

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;
typedef struct nvtxResourceHandle* nvtxResourceHandle_t;
typedef union nvtxMessageValue_t {
    const char* ascii;
    const wchar_t* unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType;
    int32_t reserved0;
    union payload_t {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_v2, nvtxEventAttributes_t;

typedef struct nvtxResourceAttributes_v0 {
    uint16_t version, size;
    int32_t identifierType;
    union identifier_t {
        const void* pValue;
        uint64_t ullValue;
    } identifier;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxResourceAttributes_v0, nvtxResourceAttributes_t;

#if defined(__cplusplus)
extern "C" {
#endif
/* Of the runtime (src/cuda/runtime/ranges.cpp): 0 mark, 1 start, 2 end, 3 push, 4 pop. */
__attribute__((weak)) int __cudaHeddleRange(int what, unsigned long long* number, const char* domain,
                                            const char* name, unsigned color);
#if defined(__cplusplus)
}
#endif

struct nvtxDomainRegistration_st {
    char name[1];
};
struct nvtxStringRegistration_st {
    char text[1];
};

/* A copy, which the program keeps. */
static __inline__ char* heddle_nvtx_copy(const char* text) {
    const size_t bytes = text ? strlen(text) + 1 : 1;
    char* const copy = (char*)malloc(bytes);
    if (copy) {
        copy[0] = 0;
        if (text) memcpy(copy, text, bytes);
    }
    return copy;
}
/* In UTF-8. */
static __inline__ char* heddle_nvtx_narrow(const wchar_t* text) {
    const size_t letters = text ? wcslen(text) : 0;
    char* const out = (char*)malloc(letters * 4 + 1);
    char* p = out;
    size_t k;
    if (!out) return out;
    for (k = 0; k < letters; ++k) {
        const unsigned long c = (unsigned long)text[k];
        if (c < 0x80) {
            *p++ = (char)c;
            continue;
        }
        if (c < 0x800) {
            *p++ = (char)(0xc0 | c >> 6);
        } else {
            if (c < 0x10000) {
                *p++ = (char)(0xe0 | c >> 12);
            } else {
                *p++ = (char)(0xf0 | (c >> 18 & 7));
                *p++ = (char)(0x80 | (c >> 12 & 63));
            }
            *p++ = (char)(0x80 | (c >> 6 & 63));
        }
        *p++ = (char)(0x80 | (c & 63));
    }
    *p = 0;
    return out;
}

static __inline__ int heddle_nvtx(int what, nvtxRangeId_t* number, nvtxDomainHandle_t domain,
                                  const char* name, unsigned color) {
    unsigned long long n = number ? *number : 0;
    int depth;
    if (!__cudaHeddleRange) return NVTX_NO_PUSH_POP_TRACKING;
    depth = __cudaHeddleRange(what, &n, domain ? domain->name : "", name, color);
    if (number) *number = n;
    return depth;
}
static __inline__ int heddle_nvtx_wide(int what, nvtxRangeId_t* number, const wchar_t* name) {
    char* const narrow = heddle_nvtx_narrow(name);
    const int depth = heddle_nvtx(what, number, NULL, narrow, 0);
    free(narrow);
    return depth;
}
static __inline__ int heddle_nvtx_event(int what, nvtxRangeId_t* number, nvtxDomainHandle_t domain,
                                        const nvtxEventAttributes_t* event) {
    const char* name = "";
    char* narrow = NULL;
    int depth;
    if (!event) return NVTX_NO_PUSH_POP_TRACKING;
    if (event->messageType == NVTX_MESSAGE_TYPE_ASCII) name = event->message.ascii;
    if (event->messageType == NVTX_MESSAGE_TYPE_REGISTERED && event->message.registered)
        name = event->message.registered->text;
    if (event->messageType == NVTX_MESSAGE_TYPE_UNICODE)
        name = narrow = heddle_nvtx_narrow(event->message.unicode);
    depth = heddle_nvtx(what, number, domain, name, event->colorType == NVTX_COLOR_ARGB ? event->color : 0);
    free(narrow);
    return depth;
}

static __inline__ void nvtxInitialize(const void* reserved) {
    (void)reserved;
}
static __inline__ void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
    heddle_nvtx_event(0, NULL, domain, event);
}
static __inline__ void nvtxMarkEx(const nvtxEventAttributes_t* event) {
    nvtxDomainMarkEx(NULL, event);
}
static __inline__ void nvtxMarkA(const char* message) {
    heddle_nvtx(0, NULL, NULL, message, 0);
}
static __inline__ void nvtxMarkW(const wchar_t* message) {
    heddle_nvtx_wide(0, NULL, message);
}

static __inline__ nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain,
                                                       const nvtxEventAttributes_t* event) {
    nvtxRangeId_t number = 0;
    heddle_nvtx_event(1, &number, domain, event);
    return number;
}
static __inline__ nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t* event) {
    return nvtxDomainRangeStartEx(NULL, event);
}
static __inline__ nvtxRangeId_t nvtxRangeStartA(const char* message) {
    nvtxRangeId_t number = 0;
    heddle_nvtx(1, &number, NULL, message, 0);
    return number;
}
static __inline__ nvtxRangeId_t nvtxRangeStartW(const wchar_t* message) {
    nvtxRangeId_t number = 0;
    heddle_nvtx_wide(1, &number, message);
    return number;
}
static __inline__ void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t range) {
    heddle_nvtx(2, &range, domain, NULL, 0);
}
static __inline__ void nvtxRangeEnd(nvtxRangeId_t range) {
    nvtxDomainRangeEnd(NULL, range);
}

static __inline__ int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
    return heddle_nvtx_event(3, NULL, domain, event);
}
static __inline__ int nvtxRangePushEx(const nvtxEventAttributes_t* event) {
    return nvtxDomainRangePushEx(NULL, event);
}
static __inline__ int nvtxRangePushA(const char* message) {
    return heddle_nvtx(3, NULL, NULL, message, 0);
}
static __inline__ int nvtxRangePushW(const wchar_t* message) {
    return heddle_nvtx_wide(3, NULL, message);
}
static __inline__ int nvtxDomainRangePop(nvtxDomainHandle_t domain) {
    return heddle_nvtx(4, NULL, domain, NULL, 0);
}
static __inline__ int nvtxRangePop(void) {
    return nvtxDomainRangePop(NULL);
}

static __inline__ nvtxDomainHandle_t nvtxDomainCreateA(const char* name) {
    return (nvtxDomainHandle_t)(void*)heddle_nvtx_copy(name);
}
static __inline__ nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t* name) {
    return (nvtxDomainHandle_t)(void*)heddle_nvtx_narrow(name);
}
static __inline__ void nvtxDomainDestroy(nvtxDomainHandle_t domain) {
    free(domain);
}
static __inline__ nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char* text) {
    (void)domain;
    return (nvtxStringHandle_t)(void*)heddle_nvtx_copy(text);
}
static __inline__ nvtxStringHandle_t nvtxDomainRegisterStringW(nvtxDomainHandle_t domain,
                                                               const wchar_t* text) {
    (void)domain;
    return (nvtxStringHandle_t)(void*)heddle_nvtx_narrow(text);
}

/* Names of categories, threads and resources are not kept. */
#define HEDDLE_NVTX_NOTHING(name, parameters) \
    static __inline__ void name parameters {}
HEDDLE_NVTX_NOTHING(nvtxNameCategoryA, (uint32_t category, const char* name))
HEDDLE_NVTX_NOTHING(nvtxNameCategoryW, (uint32_t category, const wchar_t* name))
HEDDLE_NVTX_NOTHING(nvtxNameOsThreadA, (uint32_t thread, const char* name))
HEDDLE_NVTX_NOTHING(nvtxNameOsThreadW, (uint32_t thread, const wchar_t* name))
HEDDLE_NVTX_NOTHING(nvtxDomainResourceDestroy, (nvtxResourceHandle_t resource))
HEDDLE_NVTX_NOTHING(nvtxDomainNameCategoryA, (nvtxDomainHandle_t domain, uint32_t category, const char* name))
HEDDLE_NVTX_NOTHING(nvtxDomainNameCategoryW,
                    (nvtxDomainHandle_t domain, uint32_t category, const wchar_t* name))
#undef HEDDLE_NVTX_NOTHING
static __inline__ nvtxResourceHandle_t nvtxDomainResourceCreate(nvtxDomainHandle_t domain,
                                                                nvtxResourceAttributes_t* resource) {
    (void)domain;
    (void)resource;
    return NULL;
}

#if defined(UNICODE)
#define nvtxMark nvtxMarkW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxRangePush nvtxRangePushW
#define nvtxNameCategory nvtxNameCategoryW
#define nvtxNameOsThread nvtxNameOsThreadW
#define nvtxDomainCreate nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#define nvtxDomainNameCategory nvtxDomainNameCategoryW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#endif
