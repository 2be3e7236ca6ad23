#include "engine/nufft/fft/lines_fft.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>

#include "engine/core/simd/cpu_features.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/fft/ducc/ducc_lines.h"

namespace spokelab {

namespace {

// Columns of a box that are gathered into lines at a time.
constexpr std::int64_t columnsPerBlock = 16;

template <class Real>
std::unique_ptr<const DuccLength<Real>> makeLength(std::size_t length, bool single) {
#ifdef SPOKELAB_X86_64
  if (instructionSet() >= InstructionSet::avx2) return duccAvx2(length, single, Real());
#endif
  return duccPortable(length, single, Real());
}

// Kept until the program ends, like FFTW's plans: tables of a length serve all batches.
template <class Real>
const DuccLength<Real>& transformsOf(std::int64_t length, bool single) {
  static std::mutex mutex;
  static std::map<std::pair<std::int64_t, bool>, std::unique_ptr<const DuccLength<Real>>> plans;
  const std::lock_guard lock(mutex);
  auto& found = plans[{length, single}];
  if (!found) found = makeLength<Real>(static_cast<std::size_t>(length), single);
  return *found;
}

template <class Real>
struct LinesPlan {
  const DuccLength<Real>& transforms;
  std::size_t lines, distance;
  bool negativeSign;
  std::size_t threads;

  LinesPlan(int length, int lineCount, int lineDistance, int sign, int threadCount)
      : transforms(transformsOf<Real>(length, lineCount == 1)),
        lines(static_cast<std::size_t>(lineCount)),
        distance(static_cast<std::size_t>(lineDistance)),
        negativeSign(sign < 0),
        threads(static_cast<std::size_t>(threadCount)) {}
};

template <class Real>
struct BoxPlan {
  using Complex = std::complex<Real>;

  Index3 size;
  bool negativeSign;
  int threads;
  std::array<const DuccLength<Real>*, 3> transforms;

  BoxPlan(const Index3& boxSize, int sign, int threadCount)
      : size(boxSize), negativeSign(sign < 0), threads(threadCount) {
    for (std::size_t d = 0; d < 3; ++d) transforms[d] = &transformsOf<Real>(size[d], false);
  }

  void lines(int d, const Complex* from, Complex* to, std::int64_t count) const {
    transforms[d]->execute(from, to, static_cast<std::size_t>(count), static_cast<std::size_t>(size[d]),
                           negativeSign, 1);
  }

  void rows(Complex* data) const {
    parallelFor(size[1] * size[2], threads, columnsPerBlock, [&](std::int64_t begin, std::int64_t end) {
      Complex* const first = data + begin * size[0];
      lines(0, first, first, end - begin);
    });
  }

  // Transforms along d of the columns that begin at `first` and are neighbours there.
  void columns(int d, Complex* first, std::int64_t count, std::int64_t stride) const {
    const std::int64_t length = size[d], blocks = (count + columnsPerBlock - 1) / columnsPerBlock;
    Buffer<Complex> block(static_cast<std::size_t>(columnsPerBlock * length));
    for (std::int64_t b = 0; b < blocks; ++b) {
      Complex* const at = first + b * columnsPerBlock;
      const std::int64_t width = std::min(columnsPerBlock, count - b * columnsPerBlock);
      for (std::int64_t m = 0; m < length; ++m)
        for (std::int64_t c = 0; c < width; ++c) block[c * length + m] = at[m * stride + c];
      lines(d, block.data(), block.data(), width);
      for (std::int64_t m = 0; m < length; ++m)
        for (std::int64_t c = 0; c < width; ++c) at[m * stride + c] = block[c * length + m];
    }
  }

  void execute(Complex* data) const {
    rows(data);
    const std::int64_t plane = size[0] * size[1];
    if (size[1] > 1)
      parallelTasks(size[2], threads,
                    [&](std::int64_t z) { columns(1, data + z * plane, size[0], size[0]); });
    if (size[2] > 1)
      parallelTasks(size[1], threads,
                    [&](std::int64_t y) { columns(2, data + y * size[0], size[0], plane); });
  }
};

}  // namespace

template <class Real>
LinesFft<Real>::LinesFft(int length, int lines, int distance, int sign, int threads, FftTarget, FftEffort) {
  static std::mutex mutex;
  static std::map<std::tuple<int, int, int, int, int>, std::unique_ptr<LinesPlan<Real>>> plans;
  const std::lock_guard lock(mutex);
  auto& plan = plans[{length, lines, distance, sign, threads}];
  if (!plan) plan = std::make_unique<LinesPlan<Real>>(length, lines, distance, sign, threads);
  plan_ = plan.get();
}

template <class Real>
void LinesFft<Real>::execute(std::complex<Real>* from, std::complex<Real>* to) const {
  const auto& plan = *static_cast<const LinesPlan<Real>*>(plan_);
  plan.transforms.execute(from, to, plan.lines, plan.distance, plan.negativeSign, plan.threads);
}

template <class Real>
BoxFft<Real>::BoxFft(const Index3& size, int sign, int threads) {
  static std::mutex mutex;
  static std::map<std::tuple<Index3, int, int>, std::unique_ptr<BoxPlan<Real>>> plans;
  const std::lock_guard lock(mutex);
  auto& plan = plans[{size, sign, threads}];
  if (!plan) plan = std::make_unique<BoxPlan<Real>>(size, sign, threads);
  plan_ = plan.get();
}

template <class Real>
void BoxFft<Real>::execute(std::complex<Real>* data) const {
  static_cast<const BoxPlan<Real>*>(plan_)->execute(data);
}

// DUCC measures nothing, so there is nothing to keep. Files that FFTW left are another build's.
void keepFftWisdomBeside(const std::filesystem::path&) {
}
void forgetFftWisdomBeside(const std::filesystem::path&) {
}

std::string fftVersion() {
  return std::string("DUCC ") + SPOKELAB_DUCC_VERSION;
}

bool fftMeasuresPlans() {
  return false;
}

template class LinesFft<float>;
template class LinesFft<double>;
template class BoxFft<float>;
template class BoxFft<double>;

}  // namespace spokelab
