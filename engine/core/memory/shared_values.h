// Numbers that copies share until one of them changes its own: points and weights of a scan have
// millions, and pass through many hands.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>

#include "engine/core/array.h"

namespace spokelab {

class SharedValues {
 public:
  SharedValues() = default;
  SharedValues(Buffer<double> values) : kept_(std::make_shared<Buffer<double>>(std::move(values))) {}
  SharedValues(std::initializer_list<double> values) : SharedValues(Buffer<double>(values)) {}
  // Refers to values that outlive all copies of the object.
  static SharedValues at(std::span<const double> values) {
    SharedValues shared;
    shared.elsewhere_ = values;
    return shared;
  }

  const double* data() const { return kept_ ? kept_->data() : elsewhere_.data(); }
  std::size_t size() const { return kept_ ? kept_->size() : elsewhere_.size(); }
  bool empty() const { return size() == 0; }
  const double& operator[](std::size_t i) const { return data()[i]; }
  const double* begin() const { return data(); }
  const double* end() const { return data() + size(); }

  template <class From>
  void assign(From begin, From end) {
    *this = SharedValues(Buffer<double>(begin, end));
  }
  void clear() { *this = {}; }
  // To be changed; other copies stay as they are.
  Buffer<double>& own() {
    if (!kept_ || kept_.use_count() > 1) *this = SharedValues(Buffer<double>(begin(), end()));
    return *kept_;
  }

 private:
  std::shared_ptr<Buffer<double>> kept_;
  std::span<const double> elsewhere_;  // where nothing is kept
};

}  // namespace spokelab
