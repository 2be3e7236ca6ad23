// Makes results.csv of a suite: appends the tables of its cases and puts the case's name in front
// of each row.
#pragma once

#include <string>

namespace spokelab {

class SuiteTable {
 public:
  // csv: a table with a head line. Where the head differs from the last one, an empty line and the
  // new head come first.
  void add(const std::string& name, const std::string& csv);
  const std::string& text() const { return text_; }

 private:
  std::string text_, head_;
};

}  // namespace spokelab
