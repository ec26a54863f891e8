#pragma once
#include "nvtx3/nvToolsExtCudaRt.h"
