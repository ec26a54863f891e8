// EGL and VDPAU: programs that include their headers compile and link, and every call says that it is not supported.

#include <cudaEGL.h>
#include <cudaVDPAU.h>
#include <cuda_egl_interop.h>
#include <cuda_vdpau_interop.h>

#include "check.h"

int main() {
    cudaEglStreamConnection connection{};
    cudaEglFrame frame{};
    frame.eglColorFormat = cudaEglColorFormatYUV420SemiPlanar;
    frame.frameType = cudaEglFrameTypePitch;
    cudaGraphicsResource_t resource = nullptr;
    cudaEvent_t event = nullptr;
    cudaStream_t stream = nullptr;
    CHECK(cudaEGLStreamConsumerConnect(&connection, nullptr) == cudaErrorNotSupported);
    CHECK(cudaEGLStreamConsumerConnectWithFlags(&connection, nullptr, 0) == cudaErrorNotSupported);
    CHECK(cudaEGLStreamConsumerAcquireFrame(&connection, &resource, &stream, 1) == cudaErrorNotSupported);
    CHECK(cudaEGLStreamConsumerReleaseFrame(&connection, resource, &stream) == cudaErrorNotSupported);
    CHECK(cudaEGLStreamConsumerDisconnect(&connection) == cudaErrorNotSupported);
    CHECK(cudaEGLStreamProducerConnect(&connection, nullptr, 64, 64) == cudaErrorNotSupported);
    CHECK(cudaEGLStreamProducerPresentFrame(&connection, frame, &stream) == cudaErrorNotSupported);
    CHECK(cudaEGLStreamProducerReturnFrame(&connection, &frame, &stream) == cudaErrorNotSupported);
    CHECK(cudaEGLStreamProducerDisconnect(&connection) == cudaErrorNotSupported);
    CHECK(cudaGraphicsEGLRegisterImage(&resource, nullptr, 0) == cudaErrorNotSupported);
    CHECK(cudaGraphicsResourceGetMappedEglFrame(&frame, resource, 0, 0) == cudaErrorNotSupported);
    CHECK(cudaEventCreateFromEGLSync(&event, nullptr, 0) == cudaErrorNotSupported);
    int device = 0;
    CHECK(cudaVDPAUGetDevice(&device, 0, nullptr) == cudaErrorNotSupported);
    CHECK(cudaVDPAUSetVDPAUDevice(0, 0, nullptr) == cudaErrorNotSupported);
    CHECK(cudaGraphicsVDPAURegisterVideoSurface(&resource, 0, 0) == cudaErrorNotSupported);
    CHECK(cudaGraphicsVDPAURegisterOutputSurface(&resource, 0, 0) == cudaErrorNotSupported);

    CUeglStreamConnection driver{};
    CUeglFrame image{};
    image.eglColorFormat = CU_EGL_COLOR_FORMAT_YUV420_PLANAR;
    CUgraphicsResource shared = nullptr;
    CUcontext context = nullptr;
    CHECK(cuEGLStreamConsumerConnect(&driver, nullptr) == CUDA_ERROR_NOT_SUPPORTED);
    CHECK(cuEGLStreamProducerPresentFrame(&driver, image, nullptr) == CUDA_ERROR_NOT_SUPPORTED);
    CHECK(cuGraphicsEGLRegisterImage(&shared, nullptr, 0) == CUDA_ERROR_NOT_SUPPORTED);
    CHECK(cuVDPAUGetDevice(&device, 0, nullptr) == CUDA_ERROR_NOT_SUPPORTED);
    CHECK(cuVDPAUCtxCreate(&context, 0, 0, 0, nullptr) == CUDA_ERROR_NOT_SUPPORTED);
    CHECK(cudaGetLastError() == cudaErrorNotSupported);
    return finished();
}
