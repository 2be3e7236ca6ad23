// The models of the recipes, as expressions (expression.h).
#pragma once

#include "engine/nufft/problem/path.h"
#include "engine/recon/job/job_plan.h"
#include "engine/recon/model/expression.h"

namespace spokelab {

// F: each coil's image by itself.
Expression imageModel(const JobPlan& job, TransformKind transform);
// [c] F C_c: one image that all coils see; several frames of an unknown: [t] [c] F_t C_c.
Expression coilModel(const JobPlan& job, TransformKind transform);
// [c] F: an image for each coil, all of them one unknown.
Expression coilImageModel(const JobPlan& job, TransformKind transform);
// [t] [c] F_t C_c B_t: each frame is a combination of a few images.
Expression subspaceModel(const JobPlan& job, TransformKind transform);
// [g] [c] F_g C_c P_g: each shot has a phase.
Expression shotModel(const JobPlan& job, TransformKind transform);

}  // namespace spokelab
