// The contents of the C interface's handles.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include "app/api/spokelab.h"
#include "app/cli/backends.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/explore/lambda/lambda_choice.h"
#include "engine/recon/options/options.h"
#include "engine/recon/run/reconstruction.h"

namespace spokelab::api {

// Objects that plans and transforms keep alive.
struct Machines {
  Backends backends;
  std::unique_ptr<Wisdom> wisdom;  // null: none is kept
};

}  // namespace spokelab::api

struct spokelab_context {
  std::shared_ptr<spokelab::api::Machines> machines;
};

struct spokelab_options {
  spokelab::ReconOptions values;
  std::string text;  // that spokelab_options_get returned
  mutable std::mutex one{};
};

struct spokelab_scan {
  std::shared_ptr<const spokelab::Scan> scan;
  std::string json;
  std::vector<std::shared_ptr<const spokelab::Scan>> earlier;  // that the caller may have views of
  mutable std::mutex one{};
};

struct spokelab_lambda_range {
  spokelab::LambdaChoice choice;
  std::shared_ptr<const spokelab::Scan> scan;
  std::string json{};
  std::mutex one{};
};

struct spokelab_image {
  spokelab::Reconstruction result;
  std::shared_ptr<const spokelab::Scan> scan;
  std::string json;
  std::mutex one{};
};

namespace spokelab::api {

// Each handle has a lock, `one`: calls on it that come from several threads wait for each other.
using Lock = std::lock_guard<std::mutex>;

inline ReconOptions valuesOf(const spokelab_options* options) {
  if (!options) return {};
  const Lock lock(options->one);
  return options->values;
}
// The scan as it is now: spokelab_scan_set_array may put another in its place.
inline std::shared_ptr<const Scan> scanOf(const spokelab_scan& scan) {
  const Lock lock(scan.one);
  return scan.scan;
}
Precision precisionOf(spokelab_precision precision);
// Empty where values is NULL.
std::vector<double> copied(const double* values, std::int64_t count);
// The size with the first `dims` numbers; 1 in further dimensions.
Index3 sizeOf(int dims, const int64_t* size);
// The machine that the options name; the CPU where they leave it open.
Backend& backendOf(const Machines& machines, const ReconOptions& options);

}  // namespace spokelab::api
