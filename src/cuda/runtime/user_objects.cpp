// Objects of the program that graphs keep alive: counted, and destroyed by the program's function when the last reference goes.

#include "cuda/runtime/graph.h"

using namespace heddle::cuda;
using heddle::u64;

namespace {

struct UserObject {
    void* data;
    cudaHostFn_t destroy;
    u64 references;
};
std::map<cudaUserObject_t, UserObject> user_objects;
u64 next_user_object = 1;

UserObject& object_of(cudaUserObject_t handle) {
    const auto at = user_objects.find(handle);
    require(at != user_objects.end());
    return at->second;
}

}  // namespace

namespace heddle::cuda {

void retain_object(cudaUserObject_t handle, u64 count) {
    object_of(handle).references += count;
}

void release_object(cudaUserObject_t handle, u64 count) {
    UserObject& object = object_of(handle);
    require(count <= object.references);
    object.references -= count;
    if (object.references != 0) return;
    const UserObject gone = object;
    user_objects.erase(handle);
    gone.destroy(gone.data);
}

}  // namespace heddle::cuda

extern "C" {

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* data, cudaHostFn_t destroy,
                                 unsigned int references, unsigned int flags) {
    return call("cudaUserObjectCreate", [&](Runtime&) {
        // The flag says that nobody can wait for the destructor, and must be there.
        require(object != nullptr && destroy != nullptr && references != 0 && references <= 0x7fffffff &&
                flags == cudaUserObjectNoDestructorSync);
        *object = reinterpret_cast<cudaUserObject_t>(next_user_object++);
        user_objects[*object] = {data, destroy, references};
    });
}
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
    return call("cudaUserObjectRetain", [&](Runtime&) {
        require(count != 0);
        retain_object(object, count);
    });
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
    return call("cudaUserObjectRelease", [&](Runtime&) {
        require(count != 0);
        release_object(object, count);
    });
}
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count,
                                      unsigned int flags) {
    return call("cudaGraphRetainUserObject", [&](Runtime&) {
        require(count != 0 && (flags & ~unsigned{cudaGraphUserObjectMove}) == 0);
        Graph& g = graph_of(graph);
        // Moved references were the caller's.
        if ((flags & cudaGraphUserObjectMove) == 0)
            retain_object(object, count);
        else
            require(object_of(object).references >= count);
        g.objects[object] += count;
    });
}
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count) {
    return call("cudaGraphReleaseUserObject", [&](Runtime&) {
        Graph& g = graph_of(graph);
        const auto held = g.objects.find(object);
        require(count != 0 && held != g.objects.end() && held->second >= count);
        held->second -= count;
        if (held->second == 0) g.objects.erase(held);
        release_object(object, count);
    });
}

}  // extern "C"
