#pragma once
// What the runtime's and the driver API's types have in common.

typedef unsigned int cuuint32_t;
typedef unsigned long cuuint64_t;

typedef struct CUuuid_st {
    char bytes[16];
} CUuuid;
