#include "engine/profile/study.h"

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/nufft/candidates.h"

namespace spokelab {
namespace {

constexpr double lowAlpha = 1.125, highAlpha = 2;  // papers/gnufftw Fig. 8
constexpr int smallestSize = 8, largestSize = 1024;

// What a variant fixes before the rest is tuned.
struct Variant {
  std::string name;
  NufftBackend* backend = nullptr;
  NufftOptions options;
  Direction direction = Direction::both;
  bool sweep = false;  // a row for each alpha instead of the best one
};

enum class Kind { alpha, bestAlpha, fixedAlpha, implementations, spreading, interpolation };

struct Definition {
  StudyInfo info;
  Kind kind;
  std::vector<int> sizes;
  std::vector<double> accelerations, accuracies;
  std::vector<std::string> patterns;
};

const std::vector<Definition>& definitions() {
  const std::vector<int> all = {62, 94, 126, 158, 190, 222, 254};
  const std::vector<double> r = {1, 4, 16}, both = {1e-2, 1e-3};
  const std::vector<std::string> four = {"radial3d", "stack-of-stars", "cones", "random"};
  static const std::vector<Definition> list = {
      {{"alpha", "Time over the oversampling ratio", "gnufftw Fig. 6"},
       Kind::alpha,
       {158},
       r,
       {1e-2},
       {"stack-of-stars"}},
      {{"best-alpha", "Best oversampling ratio", "gnufftw Fig. 7"}, Kind::bestAlpha, all, r, both, four},
      {{"fixed-alpha", "Tuned against fixed oversampling ratios", "gnufftw Fig. 8"},
       Kind::fixedAlpha,
       {126, 158, 190, 222, 254},
       r,
       {1e-2},
       four},
      {{"implementations", "Implementations against the CPU", "gnufftw Figs 9 and 10"},
       Kind::implementations,
       all,
       r,
       both,
       four},
      {{"spreading", "Spreading methods", "cufinufft Fig. 2"},
       Kind::spreading,
       {32, 64, 128, 256},
       {1},
       {1e-5},
       {"random", "clustered"}},
      {{"interpolation", "Interpolation methods", "cufinufft Fig. 3"},
       Kind::interpolation,
       {32, 64, 128, 256},
       {1},
       {1e-5},
       {"random"}}};
  return list;
}

const Definition& definitionOf(const std::string& name) {
  std::string known;
  for (const Definition& d : definitions()) {
    if (d.info.name == name) return d;
    known += (known.empty() ? "" : ", ") + d.info.name;
  }
  throw Error("There is no study \"" + name + "\"", "the studies are " + known, "Name one of these");
}

// Methods of one direction that a backend has for the problem; its own choice where all are alike.
std::vector<Method> methodsOf(const NufftBackend& backend, const NufftProblem& problem,
                              const NufftOptions& options, bool spread) {
  try {
    return spread ? backend.spreadMethods(problem, options) : backend.interpolateMethods(problem, options);
  } catch (const Error&) {
    return {};  // the accuracy is out of reach
  }
}

std::string nameOf(const NufftBackend& backend, Method spread, Method interpolate, bool both) {
  std::string name = backend.name() + " " + std::string(methodName(spread));
  if (both && interpolate != spread) name += "/" + std::string(methodName(interpolate));
  return name;
}

// One variant for each method of `spread`; the other direction uses the same where it can, else the backend's first.
std::vector<Variant> methodVariants(std::span<NufftBackend* const> backends, const NufftProblem& problem,
                                    const NufftOptions& options, Direction direction) {
  std::vector<Variant> variants;
  for (NufftBackend* backend : backends) {
    const bool spreading = direction != Direction::forward;
    const auto own = methodsOf(*backend, problem, options, spreading);
    const auto other = methodsOf(*backend, problem, options, !spreading);
    if (other.empty()) continue;
    for (const Method method : own) {
      const bool same = std::find(other.begin(), other.end(), method) != other.end();
      const Method partner = same ? method : other.front();
      Variant v;
      v.backend = backend;
      v.options = options;
      v.options.spread = spreading ? method : partner;
      v.options.interpolate = spreading ? partner : method;
      v.direction = direction;
      v.name = nameOf(*backend, method, partner, direction == Direction::both);
      variants.push_back(std::move(v));
    }
  }
  return variants;
}

std::vector<Variant> variantsOf(Kind kind, std::span<NufftBackend* const> backends,
                                const NufftProblem& problem, const NufftOptions& options) {
  switch (kind) {
    case Kind::spreading:
      return methodVariants(backends, problem, options, Direction::adjoint);
    case Kind::interpolation:
      return methodVariants(backends, problem, options, Direction::forward);
    default:
      break;
  }
  std::vector<Variant> variants = methodVariants(backends, problem, options, Direction::both);
  if (kind == Kind::alpha)
    for (Variant& v : variants) v.sweep = true;
  if (kind == Kind::fixedAlpha) {
    const std::vector<Variant> tuned = std::move(variants);
    variants.clear();
    for (const Variant& v : tuned) {
      variants.push_back(v);
      variants.back().name += ", tuned";
      for (const double alpha : {lowAlpha, highAlpha}) {
        variants.push_back(v);
        variants.back().options.alpha = alpha;
        variants.back().name += alpha == lowAlpha ? ", alpha 1.125" : ", alpha 2";
      }
    }
  }
  if (kind == Kind::implementations)
    for (NufftBackend* backend : backends)
      for (const NormalMethod method : {NormalMethod::toeplitz, NormalMethod::toeplitzShifted}) {
        Variant v;
        v.backend = backend;
        v.options = options;
        v.options.normal = method;
        v.direction = Direction::normal;
        v.name = backend->name() + " " + std::string(normalMethodName(method));
        variants.push_back(std::move(v));
      }
  return variants;
}

StudyRow rowOf(const StudyCase& c, const std::string& name, const Candidate& candidate) {
  StudyRow row;
  row.c = c;
  row.variant = name;
  row.candidate = candidate;
  row.transferSeconds = candidate.transferSeconds;
  row.seconds = candidate.timings.total;
  row.setUpSeconds = candidate.setPointsSeconds;
  row.refused = candidate.refused;
  return row;
}

std::vector<StudyRow> runVariant(const StudyCase& c, const Variant& v, const TuneRequest& request,
                                 const Progress& progress) {
  std::vector<StudyRow> rows;
  NufftBackend* const backends[] = {v.backend};
  try {
    if (v.sweep) {
      SweepRequest over;
      over.base = request;
      for (const Candidate& candidate : sweep(backends, over, progress).candidates)
        rows.push_back(rowOf(c, v.name, candidate));
      return rows;
    }
    const TuneResult result = tune(backends, request, nullptr, progress);
    if (result.cancelled) throw Cancelled{};
    if (result.best >= 0) rows.push_back(rowOf(c, v.name, result.candidates[std::size_t(result.best)]));
  } catch (const Error& e) {
    StudyRow row;
    row.c = c;
    row.variant = v.name;
    row.candidate.backend = v.backend->name();
    row.candidate.options = v.options;
    row.refused = e.reason();
    rows.push_back(std::move(row));
  }
  return rows;
}

// Over the fastest of the CPU's rows of the same case.
void addSpeedUps(std::vector<StudyRow>& rows, std::size_t first) {
  double cpu = 0;
  for (std::size_t i = first; i < rows.size(); ++i)
    if (rows[i].candidate.backend == "cpu" && rows[i].refused.empty() && rows[i].seconds > 0)
      cpu = cpu == 0 ? rows[i].seconds : std::min(cpu, rows[i].seconds);
  for (std::size_t i = first; i < rows.size(); ++i)
    if (rows[i].seconds > 0) rows[i].speedUp = cpu / rows[i].seconds;
}

template <class T>
void fillIn(std::vector<T>& asked, const std::vector<T>& paper) {
  if (asked.empty()) asked = paper;
}

StudyRequest settled(const StudyRequest& asked, const Definition& definition) {
  StudyRequest request = asked;
  fillIn(request.sizes, definition.sizes);
  fillIn(request.accelerations, definition.accelerations);
  fillIn(request.accuracies, definition.accuracies);
  if (request.patterns.empty()) {
    const auto known = studyPatterns();
    for (const std::string& pattern : definition.patterns)
      if (std::find(known.begin(), known.end(), pattern) != known.end()) request.patterns.push_back(pattern);
  }
  for (const int size : request.sizes)
    if (size < smallestSize || size > largestSize)
      throw Error("Cannot run the study with size " + std::to_string(size),
                  "sizes go from " + std::to_string(smallestSize) + " to " + std::to_string(largestSize),
                  "Choose other sizes");
  for (const double r : request.accelerations)
    if (!(r >= 1.0 / 16 && r <= 1024))
      throw Error("Cannot run the study with acceleration " + std::to_string(r),
                  "accelerations go from 1/16 to 1024", "Choose other accelerations");
  return request;
}

}  // namespace

const std::vector<StudyInfo>& studies() {
  static const std::vector<StudyInfo> infos = [] {
    std::vector<StudyInfo> list;
    for (const Definition& d : definitions()) list.push_back(d.info);
    return list;
  }();
  return infos;
}

StudyResult runStudy(std::span<NufftBackend* const> backends, const StudyRequest& asked,
                     const Progress& progress, const std::function<void(const StudyRow&)>& seen) {
  const Definition& definition = definitionOf(asked.study);
  StudyResult result;
  result.request = settled(asked, definition);
  result.title = definition.info.title;
  result.source = definition.info.source;
  const StudyRequest& request = result.request;
  const double cases = double(request.patterns.size() * request.sizes.size() * request.accelerations.size() *
                              request.accuracies.size());
  double done = 0;
  try {
    for (const std::string& pattern : request.patterns)
      for (const int size : request.sizes)
        for (const double acceleration : request.accelerations) {
          progress.checkpoint();
          const std::vector<double> points = studyPoints(pattern, size, acceleration);
          for (const double accuracy : request.accuracies) {
            const StudyCase c{pattern, size, acceleration, accuracy, std::int64_t(points.size() / 3)};
            TuneRequest base;
            base.problem.dims = 3;
            base.problem.size = {size, size, size};
            base.points = points;
            base.options.accuracy = accuracy;
            base.trials = request.trials;
            const auto variants = variantsOf(definition.kind, backends, base.problem, base.options);
            const std::size_t first = result.rows.size();
            for (std::size_t i = 0; i < variants.size(); ++i) {
              TuneRequest own = base;
              own.options = variants[i].options;
              own.direction = variants[i].direction;
              const double from = (done + double(i) / double(variants.size())) / cases;
              const double to = (done + double(i + 1) / double(variants.size())) / cases;
              for (StudyRow& row : runVariant(c, variants[i], own, progress.part(from, to)))
                result.rows.push_back(std::move(row));
            }
            addSpeedUps(result.rows, first);
            if (seen)
              for (std::size_t i = first; i < result.rows.size(); ++i) seen(result.rows[i]);
            ++done;
          }
        }
  } catch (const Cancelled&) {
    result.cancelled = true;
  }
  return result;
}

}  // namespace spokelab
