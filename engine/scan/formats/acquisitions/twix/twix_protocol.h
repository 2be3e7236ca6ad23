// The text header of a measurement in a twix file: named parts, of which one lists the protocol as
// "name = value" (between ASCCONV BEGIN and END) and the others nest parameters in braces, as in
// <ParamLong."alRegridMode"> { 2 1 }.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spokelab {

class TwixProtocol {
 public:
  // `header`: of a measurement, from its number of bytes on. A damaged header has fewer values;
  // this does not throw Error.
  explicit TwixProtocol(std::string header);

  bool empty() const { return listed_.empty(); }
  // A value of the list, as in "sKSpace.lBaseResolution"; numbers also as 0x1f.
  std::optional<double> number(std::string_view name) const;
  std::string text(std::string_view name) const;  // without its quotes; "" where it is missing
  // The names of the list that begin with `name`, with their values.
  std::vector<std::pair<std::string, std::string>> startingWith(std::string_view name) const;

  // Values of the first nested parameter of this name that has some.
  std::vector<std::string> nested(std::string_view name) const;
  std::optional<double> nestedNumber(std::string_view name) const;  // the first of them
  std::string nestedText(std::string_view name) const;

 private:
  void readList(std::string_view part);

  std::string header_;
  std::vector<std::string_view> parts_;  // of header_
  std::map<std::string, std::string, std::less<>> listed_;
};

}  // namespace spokelab
