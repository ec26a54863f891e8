# The CUDA runtime that programs load: one library for each soname and version node that nvcc-built programs ask for. They
# share all but the few functions whose form changed (src/cuda/runtime/abi).
add_library(heddle_archive STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:heddle_lib>)
target_link_libraries(heddle_archive PUBLIC PkgConfig::ZSTD PkgConfig::LZ4 fmt::fmt LibLZMA::LibLZMA BZip2::BZip2 ZLIB::ZLIB Threads::Threads)
file(GLOB HEDDLE_CUDART_SOURCES CONFIGURE_DEPENDS src/cuda/runtime/*.cpp)
add_library(heddle_cudart_objects OBJECT ${HEDDLE_CUDART_SOURCES})
target_include_directories(heddle_cudart_objects PUBLIC src)
target_link_libraries(heddle_cudart_objects PUBLIC heddle_flags)
if(HEDDLE_SANITIZE)
  # Sanitizers look as closely, and it compiles sooner.
  target_compile_options(heddle_cudart_objects PRIVATE -O0)
endif()
set(HEDDLE_CUDART_TARGETS "")
foreach(version 11.0 12 13)
  string(REGEX REPLACE "\\..*" "" major ${version})
  set(target cudart_${major})
  # Programs compiled for a default stream a thread call these names; their default stream is the one there is.
  set(per_thread ${CMAKE_SOURCE_DIR}/src/cuda/runtime/abi/per_thread.txt)
  set(script ${CMAKE_SOURCE_DIR}/src/cuda/runtime/abi/libcudart_${major}.map)
  add_library(${target} SHARED src/cuda/runtime/abi/abi_${major}.cpp $<TARGET_OBJECTS:heddle_cudart_objects>)
  target_include_directories(${target} PRIVATE src)
  target_link_libraries(${target} PRIVATE heddle_flags heddle_archive)
  set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME libcudart SUFFIX ".so.${version}" NO_SONAME ON LINK_DEPENDS "${script};${per_thread}")
  target_link_options(${target} PRIVATE -Wl,-soname,libcudart.so.${version} -Wl,--version-script=${script} -Wl,--as-needed
    -Wl,@${per_thread} -Wl,-z,nodelete)
  if(HEDDLE_LTO AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_link_options(${target} PRIVATE -fno-lto)
  endif()
  list(APPEND HEDDLE_CUDART_TARGETS ${target})
endforeach()
# Whoever builds the program gets the libraries that its commands need.
add_dependencies(heddle ${HEDDLE_CUDART_TARGETS})
