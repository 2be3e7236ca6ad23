// The candidates of a search for a path. A path is a way to transform with the phases of a field
// (path_search.h): time segments, whose NUFFT is tuned, Toeplitz convolutions of time segments, and
// exact sums. Each candidate has its predicted error and cost, or the reason why it cannot serve.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "engine/recon/field/segmented.h"
#include "engine/recon/sense/paths/path_search.h"

namespace spokelab {

// True if the search only predicts; false if it times candidates.
bool timesNothing(const PathSearchRequest& request);
bool timesAll(const PathSearchRequest& request);
// Seconds that the search may take: the request's limit, else the limit of its effort.
double searchSeconds(const PathSearchRequest& request);

class PathCandidates {
 public:
  // All arguments must outlive the object; candidates are added to the result's. predictsOnly: the
  // cost model chooses the segments' NUFFT, so that nothing is timed.
  PathCandidates(std::span<TransformBackend* const> backends, const PathSearchRequest& search, Wisdom* wisdom,
                 TuneResult& result, const Progress& progress, bool predictsOnly = false);

  // Adds candidates of Spokelab's backends; plug-ins only if the request has no others.
  void add();
  // Adds time segments by plug-ins. Plug-ins know no field, but time segments are NUFFTs like
  // others. They are tuned in one race with the CPU's plans, as both have arrays in host memory, so
  // that slow plug-ins are given up early. Call it after add().
  void addPlugins();
  // Gives a candidate the segments of the target error. False if fixed or too many.
  bool moreSegments(Candidate& candidate, double target) const;

  const GdftProblem& exact() const { return exact_; }
  // The NUFFT tunings that add() asked for, one a backend; their points outlive them.
  const std::vector<std::pair<NufftBackend*, TuneRequest>>& tunings() const { return tunings_; }

 private:
  void addCandidates(TransformBackend& backend);
  void refuse(const NufftBackend& backend, TransformKind kind, const std::string& why);
  void addExact(const TransformBackend& backend, TransformKind kind);
  void addSegmented(TransformBackend& backend, bool segments, bool convolutions);
  void addPluginSegments(const NufftBackend& plugin, const TuneResult& tuned, const Segmentation& s);
  void addSegments(const Candidate& nufft, SegmentInterpolator interpolator, const Segmentation& s);
  void addConvolutions(TransformBackend& backend, const Candidate& nufft, int segments);

  double accuracy() const { return search_.nufft.options.accuracy; }
  // Segmentation may spend one half of the accuracy, the NUFFTs the other.
  double segmentAccuracy() const { return accuracy() / 2; }
  Segmentation segmentation(SegmentInterpolator interpolator, double target) const;
  // Time segments of the differences between the field's values at pixels, for convolutions.
  Segmentation segmentTimeDifferences(double target) const;
  // True for a plug-in if the request also has a backend of Spokelab.
  bool isPluginWithOwnBackends(const TransformBackend& backend) const;
  TuneRequest segmentsRequest(const Segmentation& s) const;
  Candidate tunedSegments(TransformBackend& backend, const Segmentation& s);
  Candidate pathCandidate(const Candidate& nufft, const Path& path, double calls) const;
  std::vector<double> toeplitzRatios(const TransformBackend& backend, NormalMethod form) const;

  const PathSearchRequest& search_;
  Wisdom* wisdom_;
  TuneResult& result_;
  const Progress& progress_;
  std::vector<TransformBackend*> backends_;
  std::ptrdiff_t ownBackends_ = 0;  // number of backends that are not plug-ins
  GdftProblem exact_;
  bool predictsOnly_;
  std::vector<std::pair<NufftBackend*, TuneRequest>> tunings_;
};

}  // namespace spokelab
