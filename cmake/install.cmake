# cmake --install build/release --prefix PREFIX: the program in bin, its CUDA runtimes in lib/heddle, and in share/heddle what
# it reads: machines, studies, workloads, and the headers of CUDA programs. include/heddle is for policies out of tree.
# The program looks for these beside itself (src/sim/build.h), so that the prefix may be moved.
install(TARGETS heddle RUNTIME DESTINATION bin)
install(TARGETS ${HEDDLE_CUDART_TARGETS} ${HEDDLE_CUDA_LIBRARIES} LIBRARY DESTINATION lib/heddle)
install(DIRECTORY machines studies workloads DESTINATION share/heddle PATTERN "*.py" EXCLUDE)
install(DIRECTORY src/cuda/include/ DESTINATION share/heddle/include)
install(DIRECTORY src/ DESTINATION include/heddle FILES_MATCHING PATTERN "*.h" PATTERN "cuda/include" EXCLUDE)
