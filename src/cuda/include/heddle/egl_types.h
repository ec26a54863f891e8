#pragma once
// EGL's headers, or its few types where they (libegl-dev) are not installed.

#if defined(__has_include)
#if __has_include(<EGL/egl.h>) && __has_include(<EGL/eglext.h>)
#include <EGL/egl.h>
#include <EGL/eglext.h>
#define HEDDLE_EGL
#endif
#endif
#if !defined(HEDDLE_EGL)
typedef int EGLint;
typedef void *EGLStreamKHR, *EGLImageKHR, *EGLSyncKHR;
#endif
