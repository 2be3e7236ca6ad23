// results.csv of a suite: the tables of its cases, each row behind the case's name.
#pragma once

#include <string>

namespace spokelab {

class SuiteTable {
 public:
  // csv: a table with a head. Tables with another head begin anew, with a line between.
  void add(const std::string& name, const std::string& csv);
  const std::string& text() const { return text_; }

 private:
  std::string text_, head_;
};

}  // namespace spokelab
