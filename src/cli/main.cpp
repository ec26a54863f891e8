#include "cli/command.h"
#include "sim/heap.h"

int main(int argc, char** argv) {
    heddle::use_large_pages();
    return heddle::cli::run_program(argc, argv);
}
