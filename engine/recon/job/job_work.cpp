#include "engine/recon/job/job_work.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/nufft/tune/wisdom.h"

namespace spokelab {
namespace {

std::vector<std::string_view> sortedParts(std::string_view kind) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0, end = 0; begin <= kind.size(); begin = end + 1) {
    end = std::min(kind.find(',', begin), kind.size());
    parts.push_back(kind.substr(begin, end - begin));
  }
  std::sort(parts.begin(), parts.end());
  return parts;
}

// Files of earlier versions name the options in another order.
bool sameKind(const std::string& a, const std::string& b) {
  return a == b || (a.size() == b.size() && sortedParts(a) == sortedParts(b));
}

}  // namespace

JobWork jobWork(const JobPlan& plan, std::span<NufftBackend* const> backends) {
  ReconOptions options = plan.options;
  options.slabs = plan.slabsAsked;
  const double slices = plan.dims < 3 ? double(plan.slices.size()) : 1;
  JobWork work;
  for (const std::int64_t samples : plan.samples) work.samples += slices * double(samples);
  work.coils = plan.coils;
  work.pixels = plan.pixels * slices * double(plan.frames.size());
  work.mapPixels = plan.iterates ? plan.pixels * slices * plan.mapSets : 0;
  work.iterations = plan.iterates ? options.iterative.solver.iterations : 0;
  std::string machine;
  for (const std::string& one : Wisdom::fingerprintsOf(backends)) machine += one + " | ";
  const int threads = options.nufft.threads > 0 ? options.nufft.threads : hardwareThreads();
  work.kind = machine + std::to_string(threads) + " threads, " + std::to_string(plan.dims) + "-D " +
              std::string(reconMethodName(options.iterative.method));
  for (const std::string& name : optionsServing(OptionUse::forecast))
    if (const std::string value = optionValue(options, name); !value.empty())
      work.kind += ", " + name + ' ' + value;
  if (options.slabs > 1) work.kind += ", " + std::to_string(options.slabs) + " slabs";
  if (options.nufft.reproducible) work.kind += ", reproducible";
  return work;
}

double workOf(JobStage stage, const JobWork& work) {
  const double passes = work.iterations + 1;
  switch (stage) {
    case JobStage::startUp:
    case JobStage::tune:
      return 1;
    case JobStage::read:
    case JobStage::whiten:
    case JobStage::compress:
      return work.samples * work.coils;
    case JobStage::density:
    case JobStage::points:
      return work.samples;
    case JobStage::maps:
      return work.mapPixels * work.coils;
    case JobStage::plan:
      return work.samples + work.pixels;
    case JobStage::transforms:
      return (work.samples + work.pixels) * work.coils * passes;
    case JobStage::iterations:
      return work.pixels * work.coils * work.iterations;
    case JobStage::combine:
      return work.pixels * (work.iterations > 0 ? 1 : work.coils);
    case JobStage::write:
      return work.pixels;
  }
  return 1;
}

double distance(const JobWork& a, const JobWork& b) {
  if (!sameKind(a.kind, b.kind)) return HUGE_VAL;
  double sum = 0;
  const std::array<std::pair<double, double>, 5> sizes = {{{a.samples, b.samples},
                                                           {a.pixels, b.pixels},
                                                           {a.mapPixels, b.mapPixels},
                                                           {a.coils, b.coils},
                                                           {a.iterations, b.iterations}}};
  for (const auto& [first, second] : sizes) sum += std::abs(std::log2((1 + first) / (1 + second)));
  return sum;
}

}  // namespace spokelab
