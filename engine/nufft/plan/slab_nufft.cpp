#include "engine/nufft/plan/slab_nufft.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr std::int64_t slabSamplesPerTask = 1 << 12;  // takes about 100 microseconds
constexpr std::int64_t pixelsPerTask = 1 << 16;

std::size_t lastAxis(const NufftProblem& problem) {
  return std::size_t(problem.dims - 1);
}

std::int64_t slabsOf(std::int64_t planes, std::int64_t planesOfSlab) {
  return (planes + planesOfSlab - 1) / planesOfSlab;
}

template <class Real>
class SlabNufft final : public Nufft<Real> {
 public:
  using Complex = std::complex<Real>;

  SlabNufft(const NufftProblem& imageProblem, std::unique_ptr<Nufft<Real>> slab, const SlabShare& share)
      : problem_(imageProblem),
        slab_(std::move(slab)),
        share_(share),
        slabNumbers_(share.slabs.begin(), share.slabs.end()) {
    const std::size_t axis = lastAxis(problem_);
    const NufftProblem& part = slab_->problem();
    planes_ = part.size[axis];
    count_ = slabsOf(problem_.size[axis], planes_);
    Index3 expected = problem_.size;
    expected[axis] = planes_;
    if (part.size != expected || part.dims != problem_.dims || part.batch != problem_.batch ||
        part.sign != problem_.sign)
      throw Error("Cannot transform in slabs", "the plan is not for a slab",
                  "Plan the problem that slabProblem() returns");
    if (isToeplitz(slab_->info().options.normal))
      throw Error("Cannot transform in slabs", "a Toeplitz form convolves whole images",
                  "Choose normal = gridded");
    if (!share_.ranks) {
      slabNumbers_.resize(std::size_t(count_));
      std::iota(slabNumbers_.begin(), slabNumbers_.end(), 0);
    }
    if (slabNumbers_.empty() || *std::min_element(slabNumbers_.begin(), slabNumbers_.end()) < 0 ||
        *std::max_element(slabNumbers_.begin(), slabNumbers_.end()) >= count_)
      throw Error("Cannot transform in slabs",
                  "the share is not of the " + countText(count_, "slab", "slabs"),
                  "Give each rank numbers of slabs from 0 to the count less one");
    problem_.precision = part.precision;
    planePixels_ = part.pixels() / planes_;
    describe();
  }

  const NufftProblem& problem() const override { return problem_; }
  const PlanInfo& info() const override { return info_; }
  std::int64_t points() const override { return slab_->points(); }

  void setPoints(const PlanPoints& given) override {
    const HostPoints hostPoints(given, problem_, threads());
    const std::span<const double> points = hostPoints.coordinates();
    const auto dims = std::size_t(problem_.dims);
    const std::size_t axis = lastAxis(problem_);
    along_.reserve(points.size() / dims);  // nothing fails between the slab's points and these
    slab_->setPoints(points);
    along_.resize(std::size_t(this->points()));
    parallelFor(this->points(), threads(), slabSamplesPerTask, [&](std::int64_t begin, std::int64_t end) {
      for (auto j = std::size_t(begin); j < std::size_t(end); ++j) along_[j] = points[j * dims + axis];
    });
    describe();
  }

  void forward(const Complex* image, Complex* samples, const Execution& execution) override {
    requireHost(execution);
    const Span call("forward", SpanKind::call);
    if (points() == 0) return;
    makeRoom();
    for (const std::int64_t s : slabNumbers_) {
      {
        const StageTimer timer(Stage::transfer);
        cutSlab(image, s);
      }
      slab_->forward(image_.data(), samples_.data());
      const StageTimer timer(Stage::multiply);
      eachPhase(s, problem_.sign, [&](std::size_t j, Complex phase) {
        for (std::size_t at = j; at < samples_.size(); at += along_.size()) {
          const Complex value = samples_[at] * phase;
          samples[at] = s == slabNumbers_.front() ? value : samples[at] + value;
        }
      });
    }
    if (share_.ranks) {
      const StageTimer timer(Stage::transfer);
      sumOverRanks(samples);
    }
  }

  void adjoint(const Complex* samples, Complex* image, const Execution& execution) override {
    requireHost(execution);
    const Span call("adjoint", SpanKind::call);
    makeRoom();
    if (std::int64_t(slabNumbers_.size()) < count_) {
      const StageTimer timer(Stage::transfer);
      parallelFor(
          problem_.batch * problem_.pixels(), threads(), pixelsPerTask,
          [&](std::int64_t begin, std::int64_t end) { std::fill(image + begin, image + end, Complex(0)); });
    }
    for (const std::int64_t s : slabNumbers_) {
      {
        const StageTimer timer(Stage::multiply);
        eachPhase(s, -problem_.sign, [&](std::size_t j, Complex phase) {
          for (std::size_t at = j; at < samples_.size(); at += along_.size())
            samples_[at] = samples[at] * phase;
        });
      }
      slab_->adjoint(samples_.data(), image_.data());
      const StageTimer timer(Stage::transfer);
      placeSlab(image, s);
    }
  }

  void setWeights(std::span<const double> weights) override {
    weights_.assign(weights.begin(), weights.end());
  }

  void normal(const Complex* in, Complex* out, const Execution& execution) override {
    const Span call("normal", SpanKind::call);
    if (!weights_.empty() && std::int64_t(weights_.size()) != points())
      throw Error("Cannot apply the normal operator",
                  countText(std::int64_t(weights_.size()), "weight", "weights") + " for " +
                      countText(points(), "point", "points"),
                  "Set a weight for each point");
    between_.resize(std::size_t(problem_.batch * points()));
    forward(in, between_.data(), execution);
    if (!weights_.empty()) {
      const StageTimer timer(Stage::multiply);
      parallelFor(points(), threads(), slabSamplesPerTask, [&](std::int64_t begin, std::int64_t end) {
        for (auto j = std::size_t(begin); j < std::size_t(end); ++j)
          for (std::size_t at = j; at < between_.size(); at += along_.size())
            between_[at] *= Real(weights_[j]);
      });
    }
    adjoint(between_.data(), out, execution);
    describe();
  }

 private:
  int threads() const { return slab_->info().options.threads; }

  static void requireHost(const Execution& execution) {
    if (execution.devicePointers)
      throw Error("Cannot transform in slabs", "image and samples lie in device memory",
                  "Give arrays in host memory");
  }

  void makeRoom() {
    samples_.resize(std::size_t(problem_.batch * points()));
    image_.resize(std::size_t(problem_.batch * planes_ * planePixels_));
  }

  // Sums the samples of all ranks' slabs; the result is the same on each rank.
  void sumOverRanks(Complex* samples) const {
    const auto count = std::size_t(problem_.batch * points());
    share_.ranks->sum(reinterpret_cast<Real*>(samples), 2 * count, share_.progress);
    share_.ranks->broadcast(samples, count * sizeof(Complex), share_.progress);
  }

  // Calls with each point j and e^{sign 2 pi i n_s k_j}.
  template <class Use>
  void eachPhase(std::int64_t s, int sign, const Use& use) const {
    const double shift = double(s * planes_ + planes_ / 2 - problem_.size[lastAxis(problem_)] / 2);
    parallelFor(points(), threads(), slabSamplesPerTask, [&](std::int64_t begin, std::int64_t end) {
      for (auto j = std::size_t(begin); j < std::size_t(end); ++j) {
        use(j, Complex(phaseOfTurns(sign * shift * (along_[j] - std::nearbyint(along_[j])))));
      }
    });
  }

  // Pixels of slab s that lie in the image, of each image of the batch.
  std::int64_t pixelsIn(std::int64_t s) const {
    return std::min(planes_, problem_.size[lastAxis(problem_)] - s * planes_) * planePixels_;
  }

  // Calls copy(begin, end, place in the image, place in the slab) for parts of slab s, by image.
  template <class Copy>
  void eachPart(std::int64_t s, const Copy& copy) const {
    const std::int64_t used = pixelsIn(s), all = planes_ * planePixels_;
    for (std::int64_t b = 0; b < problem_.batch; ++b)
      parallelFor(used, threads(), pixelsPerTask, [&](std::int64_t begin, std::int64_t end) {
        copy(end - begin, b * problem_.pixels() + s * all + begin, b * all + begin);
      });
  }

  void cutSlab(const Complex* image, std::int64_t s) {
    const std::int64_t used = pixelsIn(s), all = planes_ * planePixels_;
    eachPart(s, [&](std::int64_t count, std::int64_t from, std::int64_t to) {
      std::copy_n(image + from, count, image_.data() + to);
    });
    for (std::int64_t b = 0; b < problem_.batch; ++b)
      std::fill_n(image_.data() + b * all + used, all - used, Complex(0));
  }

  void placeSlab(Complex* image, std::int64_t s) const {
    eachPart(s, [&](std::int64_t count, std::int64_t to, std::int64_t from) {
      std::copy_n(image_.data() + from, count, image + to);
    });
  }

  void describe() {
    info_ = slab_->info();
    info_.onDevice = false;
    info_.description += ", in " + countText(count_, "slab", "slabs") + " of " +
                         countText(planes_, "plane", "planes") + ", each with all points";
    if (share_.ranks) info_.description += ", divided over " + countText(share_.ranks->size(), "rank");
  }

  NufftProblem problem_;  // of the whole image
  std::unique_ptr<Nufft<Real>> slab_;
  SlabShare share_;
  std::vector<std::int64_t> slabNumbers_;                  // slabs that are transformed here
  std::int64_t planes_ = 1, planePixels_ = 1, count_ = 1;  // of a slab; slabs
  PlanInfo info_;
  Buffer<double> along_;                       // [point] coordinate of the last axis
  std::vector<double> weights_;                // [point], or empty: ones
  Buffer<Complex> samples_, image_, between_;  // of a slab's call; between the directions of normal()
};

}  // namespace

std::int64_t mostSlabs(const NufftProblem& imageProblem) {
  return imageProblem.size[lastAxis(imageProblem)];
}

NufftProblem slabProblem(const NufftProblem& imageProblem, std::int64_t slabs) {
  const std::int64_t planes = mostSlabs(imageProblem);
  if (slabs < 1 || slabs > planes)
    throw Error("Cannot transform in " + std::to_string(slabs) + " slabs",
                "the image has " + countText(planes, "plane", "planes"), "Use fewer slabs");
  NufftProblem part = imageProblem;
  part.size[lastAxis(imageProblem)] = (planes + slabs - 1) / slabs;
  return part;
}

double slabBytes(const NufftProblem& imageProblem, std::int64_t slabs, std::int64_t points, bool normal) {
  const double number = imageProblem.precision == Precision::single ? sizeof(cfloat) : sizeof(cdouble);
  const double samples = double(imageProblem.batch) * double(points) * (normal ? 2 : 1);
  return number * (samples + double(imageProblem.batch) * double(slabProblem(imageProblem, slabs).pixels())) +
         double(points) * sizeof(double);
}

template <class Real>
std::unique_ptr<Nufft<Real>> makeSlabNufft(const NufftProblem& imageProblem,
                                           std::unique_ptr<Nufft<Real>> slab, const SlabShare& share) {
  return std::make_unique<SlabNufft<Real>>(imageProblem, std::move(slab), share);
}
template std::unique_ptr<Nufft<float>> makeSlabNufft(const NufftProblem&, std::unique_ptr<Nufft<float>>,
                                                     const SlabShare&);
template std::unique_ptr<Nufft<double>> makeSlabNufft(const NufftProblem&, std::unique_ptr<Nufft<double>>,
                                                      const SlabShare&);

}  // namespace spokelab
