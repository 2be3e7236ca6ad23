// Gdft and GdftR2 on a GPU: errors and sample-pixel pairs a second of every variant. It calls the
// module's functions themselves; the target bench_gpu_gdft links them in.
//   bench_gpu_gdft [JSON file]
// The double kernel is compared with double sums on the host at some outputs; all float variants
// with the double kernel at every output. Times are medians of device time by events, arrays on the
// device.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "cuda/device/buffer.h"
#include "cuda/device/stream.h"
#include "cuda/recon/field/gdft.h"

using namespace spokelab;
using namespace spokelab::gpu;

namespace {

constexpr int repeats = 7, checkedOutputs = 24;

struct Case {
  std::string name;
  int dims = 3;
  Index3 matrix{64, 64, 64};
  std::int64_t shots = 128, readout = 1024;
  double largestField = 1700, longest = 1;  // rad/s, s
  bool sharedTimes = true, given = false, intravoxel = false, decay = false;
  double largestGradient = 0.4;
  bool timed = true;
};

GdftProblem makeProblem(const Case& c) {
  std::mt19937 random(4242);
  std::uniform_real_distribution<double> u(-1, 1);
  GdftProblem p;
  p.dims = c.dims;
  p.matrix = c.matrix;
  p.shots = c.shots;
  const std::int64_t samples = c.shots * c.readout, pixels = product(c.matrix);
  std::vector<double> times(std::size_t(c.readout));
  for (double& t : times) t = c.longest * (0.5 + 0.5 * u(random));
  for (std::int64_t j = 0; j < samples; ++j) {
    for (int d = 0; d < c.dims; ++d) p.points.push_back(u(random) * double(c.matrix[std::size_t(d)]) / 2);
    p.times.push_back(c.sharedTimes ? times[std::size_t(j % c.readout)]
                                    : c.longest * (0.5 + 0.5 * u(random)));
  }
  for (std::int64_t i = 0; i < pixels; ++i) p.field.push_back(c.largestField * u(random));
  if (c.given)
    for (std::int64_t i = 0; i < pixels * c.dims; ++i) p.coordinates.push_back(u(random) / 2);
  p.intravoxel = c.intravoxel;
  if (c.intravoxel)
    for (std::int64_t i = 0; i < pixels * c.dims; ++i)
      p.gradient.push_back(c.largestGradient / c.longest * u(random));
  if (c.decay)
    for (std::int64_t i = 0; i < pixels; ++i) p.decay.push_back((1 + u(random)) / c.longest);
  return p;
}

std::vector<cdouble> normalData(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> g;
  std::vector<cdouble> data(static_cast<std::size_t>(count));
  for (cdouble& v : data) v = {g(random), g(random)};
  return data;
}

// One term, from the formula.
cdouble term(const GdftProblem& p, std::int64_t pixel, std::int64_t sample) {
  const double t = p.times[std::size_t(sample)];
  double phase = p.field[std::size_t(pixel)] * t;
  double factor = p.decay.empty() ? 1 : std::exp(-p.decay[std::size_t(pixel)] * t);
  const std::int64_t index[3] = {pixel % p.matrix[0], pixel / p.matrix[0] % p.matrix[1],
                                 pixel / p.matrix[0] / p.matrix[1]};
  for (std::size_t d = 0; d < std::size_t(p.dims); ++d) {
    const double k = p.points[std::size_t(sample * p.dims) + d], n = double(p.matrix[d]);
    const double r = p.coordinates.empty() ? double(index[d] - p.matrix[d] / 2) / n
                                           : p.coordinates[std::size_t(pixel * p.dims) + d];
    phase += 2 * std::numbers::pi * k * r;
    if (p.intravoxel) {
      const double x =
          std::numbers::pi * (k / n + p.gradient[d * std::size_t(p.pixels()) + std::size_t(pixel)] * t);
      factor *= x == 0 ? 1 : std::sin(x) / x;
    }
  }
  return std::polar(factor, -phase);
}

template <class A, class B>
double relativeDifference(const std::vector<A>& a, const std::vector<B>& b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::norm(cdouble(a[i]) - cdouble(b[i]));
    norm += std::norm(cdouble(b[i]));
  }
  return std::sqrt(difference / norm);
}

template <class A, class B>
cdouble inner(const std::vector<A>& a, const std::vector<B>& b) {
  cdouble sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::conj(cdouble(a[i])) * cdouble(b[i]);
  return sum;
}

struct Truth {
  std::vector<cdouble> image, data, samples, back;
  double hostError = 0;
};

Truth makeTruth(const GdftProblem& p) {
  Truth t;
  t.image = normalData(p.pixels(), 1);
  t.data = normalData(p.samples(), 2);
  // rounding of the inputs to float is not an error of the transform
  for (cdouble& v : t.image) v = cdouble(cfloat(v));
  for (cdouble& v : t.data) v = cdouble(cfloat(v));
  t.samples.resize(t.data.size());
  t.back.resize(t.image.size());
  const auto transform = makeCudaGdft<double>(p);
  transform->forward(t.image.data(), t.samples.data(), 1);
  transform->adjoint(t.data.data(), t.back.data(), 1);
  std::vector<cdouble> host, device;
  for (int i = 0; i < checkedOutputs; ++i) {
    const std::int64_t sample = (2 * i + 1) * p.samples() / (2 * checkedOutputs);
    const std::int64_t pixel = (2 * i + 1) * p.pixels() / (2 * checkedOutputs);
    cdouble s = 0, m = 0;
    for (std::int64_t q = 0; q < p.pixels(); ++q) s += t.image[std::size_t(q)] * term(p, q, sample);
    for (std::int64_t j = 0; j < p.samples(); ++j) m += t.data[std::size_t(j)] * std::conj(term(p, pixel, j));
    host.insert(host.end(), {s, m});
    device.insert(device.end(), {t.samples[std::size_t(sample)], t.back[std::size_t(pixel)]});
  }
  t.hostError = relativeDifference(device, host);
  return t;
}

double medianSeconds(SampleTransform<float>& transform, bool forward, const cfloat* in, cfloat* out) {
  Stream stream;
  Execution e;
  e.devicePointers = true;
  e.stream = stream.get();
  std::vector<double> seconds;
  for (int r = -1; r < repeats; ++r) {
    Event start, stop;
    start.record(stream.get());
    forward ? transform.forward(in, out, 1, e) : transform.adjoint(in, out, 1, e);
    stop.record(stream.get());
    stop.synchronize();
    if (r >= 0) seconds.push_back(stop.secondsSince(start));
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

std::string json;

bool measure(const Case& c, GdftProblem& p, const Truth& truth, GdftMethod method, const char* name) {
  p.method = method;
  const auto transform = makeCudaGdft<float>(p);
  const std::vector<cfloat> image(truth.image.begin(), truth.image.end()),
      data(truth.data.begin(), truth.data.end());
  std::vector<cfloat> samples(data.size()), back(image.size());
  transform->forward(image.data(), samples.data(), 1);
  transform->adjoint(data.data(), back.data(), 1);
  const double forwardError = relativeDifference(samples, truth.samples);
  const double adjointError = relativeDifference(back, truth.back);
  double norm = 0, other = 0;
  for (const cfloat& v : samples) norm += std::norm(cdouble(v));
  for (const cfloat& v : data) other += std::norm(cdouble(v));
  const double pairError = std::abs(inner(data, samples) - inner(back, image)) / std::sqrt(norm * other);
  double forward = 0, adjoint = 0;
  if (c.timed) {
    Stream stream;
    DeviceBuffer<cfloat> pixels, readouts, out;
    pixels.upload(image.data(), p.pixels(), stream.get());
    readouts.upload(data.data(), p.samples(), stream.get());
    out.resize(std::max(p.pixels(), p.samples()));
    synchronize(stream.get());
    const double pairs = double(p.pixels()) * double(p.samples());
    forward = pairs / medianSeconds(*transform, true, pixels.data(), out.data());
    adjoint = pairs / medianSeconds(*transform, false, readouts.data(), out.data());
  }
  std::printf("%-44s %-10s forward %.3e pairs/s err %.1e | adjoint %.3e err %.1e | <Ax,y> %.1e\n",
              c.name.c_str(), name, forward, forwardError, adjoint, adjointError, pairError);
  std::fflush(stdout);
  char line[512];
  std::snprintf(line, sizeof line,
                "%s    {\"case\": \"%s\", \"variant\": \"%s\", \"forward\": %.4g, \"adjoint\": %.4g, "
                "\"forward-error\": %.2e, \"adjoint-error\": %.2e, \"adjointness\": %.2e}",
                json.empty() ? "" : ",\n", c.name.c_str(), name, forward, adjoint, forwardError, adjointError,
                pairError);
  json += line;
  const double limit = method == GdftMethod::reference ? 1e-3 : 2e-5;
  return forwardError < limit && adjointError < limit && pairError < 1e-5;
}

}  // namespace

int main(int argc, char** argv) {
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0), "looking for a device");
  int driver = 0;
  cudaDriverGetVersion(&driver);
  std::printf("%s, driver for CUDA %d.%d\n", device.name, driver / 1000, driver % 1000 / 10);
  std::vector<Case> cases;
  cases.push_back({"3-D 64^3, 131072 samples, to 1700 rad"});
  cases.push_back({"3-D 64^3, own times, to 1700 rad"});
  cases.back().sharedTimes = false;
  cases.push_back({"3-D 64^3, to 10 rad"});
  cases.back().largestField = 10;
  cases.push_back({"GdftR2 3-D 64^3, |G t| to 0.4"});
  cases.back().intravoxel = true;
  cases.push_back({"GdftR2 3-D 64^3, |G t| to 1.4"});
  cases.back().intravoxel = true;
  cases.back().largestGradient = 1.4;
  cases.push_back({"2-D 192^2, 16 x 4096 samples, to 30 rad", 2, {192, 192, 1}, 16, 4096, 30});
  Case small{"2-D 37 x 50, 7 x 301 samples", 2, {37, 50, 1}, 7, 301, 3000};
  small.timed = false;
  cases.push_back(small);
  small.name = "3-D 19 x 6 x 9, 3 x 333, R2, steep";
  small.dims = 3;
  small.matrix = {19, 6, 9};
  small.shots = 3;
  small.readout = 333;
  small.intravoxel = true;
  small.largestGradient = 6;
  cases.push_back(small);
  small.name = "same, given coordinates";
  small.given = true;
  cases.push_back(small);
  small.name = "same, given coordinates, decay, no sinc";
  small.intravoxel = false;
  small.decay = true;
  cases.push_back(small);
  bool good = true;
  for (const Case& c : cases) {
    GdftProblem p = makeProblem(c);
    const Truth truth = makeTruth(p);
    std::printf("%-44s double     host sums differ by %.1e\n", c.name.c_str(), truth.hostError);
    good = good && truth.hostError < 1e-10;
    if (!c.intravoxel || c.timed) good = measure(c, p, truth, GdftMethod::reference, "reference") && good;
    good = measure(c, p, truth, GdftMethod::tiled, "tiled") && good;
    if (c.sharedTimes && !c.given && !c.intravoxel && !c.decay)
      good = measure(c, p, truth, GdftMethod::sharedTimes, "shared") && good;
  }
  std::puts(good ? "all within their limits" : "SOMETHING IS OUT OF ITS LIMITS");
  if (argc > 1)
    std::ofstream(argv[1]) << "{\n  \"device\": \"" << device.name << "\",\n  \"repeats\": " << repeats
                           << ",\n  \"cases\": [\n"
                           << json << "\n  ]\n}\n";
  return good ? 0 : 1;
}
