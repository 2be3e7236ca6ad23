// Lengths P Q of the passes of line transforms (line_pass.h), by the file that compiles them. Files of
// their own keep a file's compile time short. Factors of about the same size need the fewest registers and
// the least shared memory.
#pragma once

namespace spokelab::gpu {

template <int P, int Q>
struct Factors {};
template <class... Lengths>
struct LengthList {};

// line_pass.cu: all passes, with any half; line_pass_double.cu: pad and crop, half > 0.
using FusedLengths =
    LengthList<Factors<8, 8>, Factors<8, 12>, Factors<8, 16>, Factors<12, 12>, Factors<10, 16>,
               Factors<12, 15>, Factors<12, 16>, Factors<12, 18>, Factors<15, 16>, Factors<16, 16>,
               Factors<16, 18>, Factors<16, 20>, Factors<18, 20>, Factors<16, 24>, Factors<20, 20>,
               Factors<18, 24>, Factors<20, 24>, Factors<16, 32>>;
// line_pass_short.cu and line_pass_short_double.cu, from here on pad and crop alone, and half > 0: short lines,
// and lines between.
using ShortLengths =
    LengthList<Factors<4, 8>, Factors<6, 6>, Factors<5, 8>, Factors<6, 7>, Factors<6, 8>, Factors<6, 9>,
               Factors<7, 8>, Factors<6, 10>, Factors<8, 9>, Factors<8, 10>, Factors<7, 12>, Factors<9, 10>,
               Factors<10, 10>, Factors<9, 12>, Factors<8, 14>, Factors<10, 12>, Factors<10, 14>,
               Factors<12, 14>, Factors<10, 20>, Factors<14, 16>, Factors<15, 18>, Factors<15, 20>,
               Factors<16, 21>, Factors<16, 28>>;
// line_pass_long.cu and line_pass_long_double.cu: 2-D images of more than 512 pixels a side.
using LongLengths = LengthList<Factors<20, 27>, Factors<24, 24>, Factors<15, 40>, Factors<20, 32>,
                               Factors<24, 28>, Factors<20, 36>, Factors<24, 32>, Factors<20, 40>>;
// line_pass_long.cu alone: in double, where a line takes twice the registers, such passes are no faster than cuFFT with
// its padding.
using LongerLengths = LengthList<Factors<24, 36>, Factors<25, 36>, Factors<24, 40>, Factors<32, 32>,
                                 Factors<30, 36>, Factors<32, 36>, Factors<30, 40>, Factors<32, 40>,
                                 Factors<36, 36>, Factors<32, 42>, Factors<36, 40>>;
// line_pass_longest.cu: up to 2688. Lines of 2880 to 3360 cells spill registers, and took longer than cuFFT with its padding (H100).
using LongestLengths =
    LengthList<Factors<32, 48>, Factors<36, 45>, Factors<36, 48>, Factors<40, 45>, Factors<40, 48>,
               Factors<42, 48>, Factors<42, 50>, Factors<45, 48>, Factors<48, 48>, Factors<48, 50>,
               Factors<45, 56>, Factors<48, 54>, Factors<48, 56>>;

// split_line.cu and split_line_double.cu: rows of long lines.
using RowLengths =
    LengthList<Factors<4, 8>, Factors<5, 8>, Factors<6, 8>, Factors<7, 8>, Factors<8, 8>, Factors<8, 10>,
               Factors<8, 12>, Factors<8, 14>, Factors<8, 16>, Factors<12, 12>, Factors<10, 16>>;

// Calls run.template operator()<P, Q>() where the list has the length, else returns false.
template <int... P, int... Q, class Run>
constexpr bool withFactors(LengthList<Factors<P, Q>...> /*list*/, int length, Run&& run) {
  return ((length == P * Q && (run.template operator()<P, Q>(), true)) || ...);
}

}  // namespace spokelab::gpu
