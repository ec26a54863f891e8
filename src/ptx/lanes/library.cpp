#include "ptx/library.h"

#include "ptx/lanes/scalar.h"

namespace heddle::ptx {

int find_library(std::string_view) {
    return -1;
}
const LibraryFunction& library_function(int) {
    static const LibraryFunction none;
    return none;
}
Handler find_library(const HandlerKey&) {
    return nullptr;
}

}  // namespace heddle::ptx
