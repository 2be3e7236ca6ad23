// HDF5 identifiers that close themselves, the lock around the library, and its last message.
#pragma once

#include <hdf5.h>

#include <string>
#include <utility>

#include "engine/core/error.h"

namespace spokelab {

class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Hdf5Handle(Hdf5Handle&& o) noexcept : id_(std::exchange(o.id_, hid_t(-1))), close_(o.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& o) noexcept {
    std::swap(id_, o.id_);
    std::swap(close_, o.close_);
    return *this;
  }
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  hid_t get() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

// HDF5 and ISMRMRD are not thread safe: every caller of them holds this lock. It also stops HDF5
// from printing its errors, and from loading filters of other programs.
class Hdf5Lock {
 public:
  Hdf5Lock();
  ~Hdf5Lock();
  Hdf5Lock(const Hdf5Lock&) = delete;
  Hdf5Lock& operator=(const Hdf5Lock&) = delete;
};

// HDF5's own words about its last failure, or "".
std::string hdf5Reason();
// The error of a write that just failed: the system's reason where HDF5 names one, as of a full
// disk. `problem` is its summary.
Error hdf5WriteError(const std::string& problem);

}  // namespace spokelab
