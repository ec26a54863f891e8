// libcuda.so.1 holds nothing of its own: it needs libcudart.so.12, where the driver API's functions are.
typedef int heddle_driver_is_in_the_runtime;
