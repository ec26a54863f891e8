// Ends what cuda_fp16.h and cuda_bf16.h define for heddle/small_float.h. Read once for each type.

#undef HEDDLE_H
#undef HEDDLE_H2
#undef HEDDLE_H_RAW
#undef HEDDLE_H2_RAW
#undef HEDDLE_H_FORMAT
#undef HEDDLE_H_TYPE
#undef HEDDLE_H_ARCH_ARITHMETIC
#undef HEDDLE_H_ARCH_FMA
#undef HEDDLE_H_ARCH_MINMAX
#undef HEDDLE_H_ARCH_ATOMIC
#undef HEDDLE_H_OF
#undef HEDDLE_H_TO
#undef HEDDLE_H_AS
#undef HEDDLE_H_AS_H
#undef HEDDLE_NO_OPERATORS
#undef HEDDLE_NO_OPERATORS2
#undef HEDDLE_NO_CONVERSIONS
