// A parameter file of Bruker's ParaVision: acqp, method. Text in JCAMP-DX form, one record a name:
//   ##$NR=2    ##$ACQ_size=( 2 )        ##$ACQ_jobs=(1)
//              256 64                   (512, 2, 0, <job0>)
// A list may shorten repeated values: @8*(0). Lines that begin with $$ are comments.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spokelab {

class BrukerParameters {
 public:
  // `problem` begins the Errors about a text that is not a parameter file, or too long.
  BrukerParameters(std::string_view text, const std::string& problem);

  bool has(const std::string& name) const { return records_.contains(name); }
  // Words of the value: numbers, names, texts of <...> without their brackets.
  const std::vector<std::string>& words(const std::string& name) const;
  std::string word(const std::string& name, std::size_t index = 0) const;  // "" if it is missing
  std::optional<double> number(const std::string& name, std::size_t index = 0) const;
  // A whole number from 1 to 2^30; `otherwise` if it is missing.
  std::int64_t count(const std::string& name, std::size_t index, std::int64_t otherwise) const;

 private:
  std::map<std::string, std::vector<std::string>> records_;
};

}  // namespace spokelab
