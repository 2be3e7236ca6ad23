// Copies between columns of a grid and contiguous lines: line c of the block holds column c.
// Complex floats move in pairs, so that loads and stores are 16 bytes wide both ways.
#pragma once

#include <complex>
#include <cstdint>
#include <cstring>

namespace spokelab {

namespace transpose_detail {

// Two complex<float> as one register. It is only moved: never compute with it.
typedef double Pair __attribute__((vector_size(16)));

inline Pair load(const std::complex<float>* p) {
  Pair v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

inline void store(std::complex<float>* p, Pair v) {
  std::memcpy(static_cast<void*>(p), &v, sizeof v);
}

inline void twoRowsToLines(const std::complex<float>* row, std::int64_t stride, int width,
                           std::complex<float>* block, std::int64_t pitch) {
  for (int c = 0; c < width; c += 2) {
    const Pair a = load(row + c), b = load(row + stride + c);
    store(block + c * pitch, __builtin_shufflevector(a, b, 0, 2));
    store(block + (c + 1) * pitch, __builtin_shufflevector(a, b, 1, 3));
  }
}

inline void twoLinesToRows(std::complex<float>* row, std::int64_t stride, int width,
                           const std::complex<float>* block, std::int64_t pitch) {
  for (int c = 0; c < width; c += 2) {
    const Pair a = load(block + c * pitch), b = load(block + (c + 1) * pitch);
    store(row + c, __builtin_shufflevector(a, b, 0, 2));
    store(row + stride + c, __builtin_shufflevector(a, b, 1, 3));
  }
}

inline void twoRowsToLines(const std::complex<double>* row, std::int64_t stride, int width,
                           std::complex<double>* block, std::int64_t pitch) {
  for (int c = 0; c < width; ++c) {
    block[c * pitch] = row[c];
    block[c * pitch + 1] = row[stride + c];
  }
}

inline void twoLinesToRows(std::complex<double>* row, std::int64_t stride, int width,
                           const std::complex<double>* block, std::int64_t pitch) {
  for (int c = 0; c < width; ++c) {
    row[c] = block[c * pitch];
    row[stride + c] = block[c * pitch + 1];
  }
}

}  // namespace transpose_detail

// block[c pitch + m] = rows[m stride + c], 0 <= m < count, 0 <= c < width; width is even.
template <class Complex>
void rowsToLines(const Complex* rows, std::int64_t stride, std::int64_t count, int width, Complex* block,
                 std::int64_t pitch) {
  std::int64_t m = 0;
  for (; m + 2 <= count; m += 2) {
    transpose_detail::twoRowsToLines(rows + m * stride, stride, width, block + m, pitch);
  }
  for (int c = 0; m < count && c < width; ++c) block[c * pitch + m] = rows[m * stride + c];
}

// The reverse: rows[m stride + c] = block[c pitch + m].
template <class Complex>
void linesToRows(const Complex* block, std::int64_t pitch, std::int64_t count, int width, Complex* rows,
                 std::int64_t stride) {
  std::int64_t m = 0;
  for (; m + 2 <= count; m += 2) {
    transpose_detail::twoLinesToRows(rows + m * stride, stride, width, block + m, pitch);
  }
  for (int c = 0; m < count && c < width; ++c) rows[m * stride + c] = block[c * pitch + m];
}

}  // namespace spokelab
