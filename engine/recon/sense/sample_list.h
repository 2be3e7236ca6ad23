// Numbers of samples, in any order. Consecutive ones, the usual case, take no memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace spokelab {

class SampleList {
 public:
  std::size_t size() const { return std::size_t(count_); }
  bool empty() const { return count_ == 0; }
  bool contiguous() const { return listed_.empty(); }
  std::int64_t operator[](std::size_t i) const {
    return listed_.empty() ? first_ + std::int64_t(i) : listed_[i];
  }
  std::int64_t front() const { return (*this)[0]; }  // of a list that is not empty

  void append(std::int64_t begin, std::int64_t end) {
    if (begin == end) return;
    if (empty()) first_ = begin;
    if (contiguous() && begin != first_ + count_)
      for (std::int64_t i = 0; i < count_; ++i) listed_.push_back(first_ + i);
    if (!contiguous())
      for (std::int64_t j = begin; j < end; ++j) listed_.push_back(j);
    count_ += end - begin;
  }
  // Keeps the first `count` numbers; the list has at least these.
  void shorten(std::size_t count) {
    if (!contiguous()) listed_.resize(count);
    count_ = std::int64_t(count);
  }

 private:
  std::int64_t first_ = 0, count_ = 0;
  std::vector<std::int64_t> listed_;  // empty: first_, first_ + 1, ...
};

}  // namespace spokelab
