#pragma once
// NVIDIA's marks and ranges for profilers. No profiler is attached to a program that runs here: the calls return what they
// return without one, and take no time.

#include <stddef.h>
#include <stdint.h>
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

// Each function: what it returns, its name, its parameters, the value.
#define HEDDLE_NVTX(R, name, parameters, value) \
    static __inline__ R name parameters {       \
        return value;                           \
    }
#define HEDDLE_NVTX_NOTHING(name, parameters) \
    static __inline__ void name parameters {}
HEDDLE_NVTX_NOTHING(nvtxInitialize, (const void* reserved))
HEDDLE_NVTX_NOTHING(nvtxMarkEx, (const nvtxEventAttributes_t* event))
HEDDLE_NVTX_NOTHING(nvtxMarkA, (const char* message))
HEDDLE_NVTX_NOTHING(nvtxMarkW, (const wchar_t* message))
HEDDLE_NVTX(nvtxRangeId_t, nvtxRangeStartEx, (const nvtxEventAttributes_t* event), 0)
HEDDLE_NVTX(nvtxRangeId_t, nvtxRangeStartA, (const char* message), 0)
HEDDLE_NVTX(nvtxRangeId_t, nvtxRangeStartW, (const wchar_t* message), 0)
HEDDLE_NVTX_NOTHING(nvtxRangeEnd, (nvtxRangeId_t range))
HEDDLE_NVTX(int, nvtxRangePushEx, (const nvtxEventAttributes_t* event), NVTX_NO_PUSH_POP_TRACKING)
HEDDLE_NVTX(int, nvtxRangePushA, (const char* message), NVTX_NO_PUSH_POP_TRACKING)
HEDDLE_NVTX(int, nvtxRangePushW, (const wchar_t* message), NVTX_NO_PUSH_POP_TRACKING)
HEDDLE_NVTX(int, nvtxRangePop, (void), NVTX_NO_PUSH_POP_TRACKING)
HEDDLE_NVTX_NOTHING(nvtxNameCategoryA, (uint32_t category, const char* name))
HEDDLE_NVTX_NOTHING(nvtxNameCategoryW, (uint32_t category, const wchar_t* name))
HEDDLE_NVTX_NOTHING(nvtxNameOsThreadA, (uint32_t thread, const char* name))
HEDDLE_NVTX_NOTHING(nvtxNameOsThreadW, (uint32_t thread, const wchar_t* name))
HEDDLE_NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, (const char* name), NULL)
HEDDLE_NVTX(nvtxDomainHandle_t, nvtxDomainCreateW, (const wchar_t* name), NULL)
HEDDLE_NVTX_NOTHING(nvtxDomainDestroy, (nvtxDomainHandle_t domain))
HEDDLE_NVTX_NOTHING(nvtxDomainMarkEx, (nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event))
HEDDLE_NVTX(nvtxRangeId_t, nvtxDomainRangeStartEx,
            (nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event), 0)
HEDDLE_NVTX_NOTHING(nvtxDomainRangeEnd, (nvtxDomainHandle_t domain, nvtxRangeId_t range))
HEDDLE_NVTX(int, nvtxDomainRangePushEx, (nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event),
            NVTX_NO_PUSH_POP_TRACKING)
HEDDLE_NVTX(int, nvtxDomainRangePop, (nvtxDomainHandle_t domain), NVTX_NO_PUSH_POP_TRACKING)
HEDDLE_NVTX(nvtxResourceHandle_t, nvtxDomainResourceCreate,
            (nvtxDomainHandle_t domain, nvtxResourceAttributes_t* resource), NULL)
HEDDLE_NVTX_NOTHING(nvtxDomainResourceDestroy, (nvtxResourceHandle_t resource))
HEDDLE_NVTX_NOTHING(nvtxDomainNameCategoryA, (nvtxDomainHandle_t domain, uint32_t category, const char* name))
HEDDLE_NVTX_NOTHING(nvtxDomainNameCategoryW,
                    (nvtxDomainHandle_t domain, uint32_t category, const wchar_t* name))
HEDDLE_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringA, (nvtxDomainHandle_t domain, const char* text),
            NULL)
HEDDLE_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringW, (nvtxDomainHandle_t domain, const wchar_t* text),
            NULL)
#undef HEDDLE_NVTX
#undef HEDDLE_NVTX_NOTHING

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
