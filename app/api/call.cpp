#include "app/api/call.h"

#include <memory>
#include <mutex>
#include <stop_token>

#include "engine/core/version.h"

namespace spokelab::api {
namespace {

thread_local std::string lastError;

}  // namespace

spokelab_status refuse(spokelab_status status, const std::string& text) noexcept {
  try {
    lastError = text;
  } catch (...) {
    lastError.clear();
  }
  return status;
}

Progress progressOf(spokelab_progress progress, void* user) {
  if (!progress) return {};
  const std::stop_source stop;
  const auto one = std::make_shared<std::mutex>();
  return Progress(stop.get_token(), [=](double fraction, const std::string& what) {
    const std::lock_guard lock(*one);
    if (progress(fraction, what.c_str(), user) != 0) std::stop_source(stop).request_stop();
  });
}

}  // namespace spokelab::api

const char* spokelab_version(void) {
  return spokelab::version();
}
int spokelab_abi(void) {
  return SPOKELAB_ABI;
}
const char* spokelab_error_text(void) {
  return spokelab::api::lastError.c_str();
}
