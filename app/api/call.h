// The frame of every call of the C interface: it catches all exceptions and keeps the reason of a
// failure for spokelab_error_text().
#pragma once

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "app/api/spokelab.h"
#include "engine/core/error.h"
#include "engine/core/progress.h"

namespace spokelab::api {

// Keeps `text` for spokelab_error_text() on this thread, and returns `status`.
spokelab_status refuse(spokelab_status status, const std::string& text) noexcept;

// Thrown inside call(): a pointer or number that no call can take.
struct BadArgument : std::exception {
  explicit BadArgument(std::string text) : text(std::move(text)) {}
  const char* what() const noexcept override { return text.c_str(); }
  std::string text;
};
inline void require(bool condition, const char* what) {
  if (!condition) throw BadArgument(what);
}

template <class Body>
spokelab_status call(const Body& body) noexcept {
  try {
    body();
    return SPOKELAB_OK;
  } catch (const Error& error) {
    return refuse(SPOKELAB_FAILED, error.what());
  } catch (const Cancelled&) {
    return refuse(SPOKELAB_CANCELLED, "Cancelled");
  } catch (const std::bad_alloc&) {
    return refuse(SPOKELAB_NO_MEMORY, "There is not enough memory");
  } catch (const BadArgument& error) {
    return refuse(SPOKELAB_BAD_ARGUMENT, error.what());
  } catch (const std::exception& error) {
    return refuse(SPOKELAB_INTERNAL, error.what());
  } catch (...) {
    return refuse(SPOKELAB_INTERNAL, "Something unknown was thrown");
  }
}

// The same for calls that return a value. Returns `otherwise` if the body throws.
template <class Value, class Body>
Value valueOf(Value otherwise, const Body& body) noexcept {
  Value value = otherwise;
  return call([&] { value = body(); }) == SPOKELAB_OK ? value : otherwise;
}

// Makes a job's Progress from the caller's function; a return other than 0 cancels the job.
Progress progressOf(spokelab_progress progress, void* user);

}  // namespace spokelab::api
