#include "engine/recon/model/models.h"

#include <utility>

namespace spokelab {
namespace {

// The transform of what `index` counts; "": one serves all.
Expression transformOf(const JobPlan& job, TransformKind kind, std::string index) {
  const bool segments = kind == TransformKind::segmented || kind == TransformKind::segmentedToeplitz;
  const Operator op = job.options.exact || isExact(kind) ? Operator::exactSums
                      : segments                         ? Operator::segments
                                                         : Operator::transform;
  return single(op, std::move(index));
}

}  // namespace

Expression imageModel(const JobPlan& job, TransformKind transform) {
  return transformOf(job, transform, "");
}

Expression coilModel(const JobPlan& job, TransformKind transform) {
  const bool frames = job.framesPerUnknown > 1;
  const auto coils = [&](const std::string& index) {
    return stackOver("c", product({transformOf(job, transform, index), single(Operator::coils, "c")}));
  };
  return frames ? stackOver("t", coils(job.pointsMove ? "t" : "")) : coils("");
}

Expression coilImageModel(const JobPlan& job, TransformKind transform) {
  return stackOver("c", transformOf(job, transform, ""));
}

Expression subspaceModel(const JobPlan& job, TransformKind transform) {
  return stackOver("t",
                   stackOver("c", product({transformOf(job, transform, job.pointsMove ? "t" : ""),
                                           single(Operator::coils, "c"), single(Operator::basis, "t")})));
}

Expression shotModel(const JobPlan& job, TransformKind transform) {
  return stackOver("g",
                   stackOver("c", product({transformOf(job, transform, "g"), single(Operator::coils, "c"),
                                           single(Operator::phase, "g")})));
}

}  // namespace spokelab
