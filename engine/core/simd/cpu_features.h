// Instruction sets of this processor, detected at run time. The environment variable SPOKELAB_SIMD
// (portable, avx2, avx512) lowers the choice, for tests and comparisons; it never raises it.
#pragma once

#include <string_view>

namespace spokelab {

enum class InstructionSet { portable, avx2, avx512 };

InstructionSet instructionSet();                      // the best one usable, decided once
InstructionSet bestInstructionSet();                  // what the processor has
std::string_view instructionSetName(InstructionSet);  // "portable", "AVX2", "AVX-512"
// Model name as the system reports it, or "unknown CPU"
std::string_view processorName();
// Cores that this machine shows; fewer than its threads where a core runs several (SMT). Where the
// system does not tell, the number of threads.
int processorCores();

}  // namespace spokelab
