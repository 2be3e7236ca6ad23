// The data of the two Toeplitz forms (toeplitz.h): the axes' transforms of blocks of lines, the
// grid [N_last, ..., L_x] and the transfer function.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "engine/core/array.h"
#include "engine/nufft/fft/lines_fft.h"
#include "engine/nufft/toeplitz/toeplitz.h"

namespace spokelab {

template <class Real>
struct ToeplitzForm {
  using Complex = std::complex<Real>;
  // Lines transformed at a time: a cache line or two of each row.
  static constexpr int linesPerBlock = 16;

  struct Axis {
    std::int64_t pixels = 1, length = 1, pitch = 1;  // pitch: from line to line in a block
    LinesFft<Real> lines[2];                         // of a block; [to frequencies, back]
    // In a block: lines are transformed to there from its begin, and back; 0: in place.
    std::int64_t resultFrom = 0;
    std::vector<Complex> phase;  // e^{-i pi n / N}, n < N; empty: padded

    // Cell of a lag between pixels, and the phase that half a step gives it.
    std::int64_t cellOf(std::int64_t lag) const { return lag < 0 ? lag + length : lag; }
    Complex phaseOf(std::int64_t lag) const {
      const Complex p = phase[static_cast<std::size_t>(std::abs(lag))];
      return lag < 0 ? std::conj(p) : p;
    }
  };

  NufftProblem problem;
  bool shifted;
  int threads, dims;
  Index3 length, stride;
  std::array<Axis, 3> axes;
  Buffer<Real> transfer;  // [shift][other frequencies][frequency of the last dimension]
  // copy: of the input, where it is also the output and several shifts read it.
  Buffer<Complex> grid, copy;

  // alphaT: of the padded form. Throws Error for an image too large for FFTW's 32-bit sizes.
  ToeplitzForm(const NufftProblem& problem, bool shifted, double alphaT, int threads, FftEffort effort);

  // shift: one bit for each dimension, set where it takes half a step. Dimensions of one pixel take
  // no half step; the padded form takes none at all.
  static bool exists(int shift, const NufftProblem& problem, bool shifted);
  static int shiftCount(const NufftProblem& problem, bool shifted);
  static Index3 lengthsOf(const NufftProblem& problem, bool shifted, double alphaT);
  static std::int64_t gridCells(const NufftProblem& problem, const Index3& length);

  // Fills the transfer function from lags as ToeplitzOperator::setPsf takes them.
  template <class Value>
  void setPsf(const Value* psf);

  Axis& last() { return axes[static_cast<std::size_t>(dims - 1)]; }

  // The axis' phases where `shift` moves it by half a step.
  const Complex* phases(int d, int shift) const {
    const Axis& axis = axes[static_cast<std::size_t>(d)];
    return (shift >> d & 1) && !axis.phase.empty() ? axis.phase.data() : nullptr;
  }

  Buffer<Complex> makeBlock() const {
    std::int64_t lines = 0, result = 0;
    for (const Axis& axis : axes) {
      lines = std::max(lines, axis.pitch * linesPerBlock);
      result = std::max(result, axis.resultFrom);
    }
    Buffer<Complex> block(static_cast<std::size_t>(lines + result));
    // Lines beyond the last are transformed, too: they must hold numbers.
    std::fill(block.begin(), block.begin() + lines, Complex(0));
    return block;
  }

  static void turn(Complex* line, const Complex* phase, std::int64_t count) {
    for (std::int64_t n = 0; n < count; ++n) line[n] = product(line[n], phase[n]);
  }
  static void turnBack(Complex* line, const Complex* phase, std::int64_t count) {
    for (std::int64_t n = 0; n < count; ++n) line[n] = product(line[n], std::conj(phase[n]));
  }

  // there() turns lines of pixels into frequencies, and returns their place: resultFrom behind the
  // block's begin. back() is the reverse, and returns `to`. phase: null without half a step.
  static Complex* there(const Axis& axis, Complex* block, int width, const Complex* phase) {
    for (int c = 0; c < width; ++c) {
      Complex* line = block + c * axis.pitch;
      if (phase) turn(line, phase, axis.pixels);
      std::fill(line + axis.pixels, line + axis.length, Complex(0));
    }
    return transformed(axis, block);
  }
  static Complex* back(const Axis& axis, Complex* from, Complex* to, int width, const Complex* phase) {
    axis.lines[1].execute(from, to);
    for (int c = 0; phase && c < width; ++c) turnBack(to + c * axis.pitch, phase, axis.pixels);
    return to;
  }
  static Complex* transformed(const Axis& axis, Complex* block) {
    axis.lines[0].execute(block, block + axis.resultFrom);
    return block + axis.resultFrom;
  }

 private:
  Complex phasedAt(int d, int shift, std::int64_t lag, Complex value) const;
  template <class Value>
  void embed(int d, int shift, const Value* lags, std::int64_t step, Complex* line) const;
  template <class Value>
  void embedHalf(int shift, const Value* lags, std::int64_t step, Complex* line) const;
  template <class Value>
  void planeThere(const Value* lags, Complex* plane, int shift) const;
  template <class Value>
  void columnsToTransfer(const Value* first, std::int64_t step, std::int64_t columns, Real* to,
                         int shift) const;
};

extern template struct ToeplitzForm<float>;
extern template struct ToeplitzForm<double>;

}  // namespace spokelab
