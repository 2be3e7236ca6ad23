// A small XML reader for headers: elements, their text and their children. Attributes, comments and
// declarations are passed over, and namespace prefixes are dropped. Nothing in a text is trusted:
// it may nest 64 deep and hold a million elements.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spokelab {

struct XmlElement {
  std::string name;  // without prefix
  std::string text;  // all text directly inside, entities replaced, without blanks at both ends
  std::vector<XmlElement> children;

  // The first child of this name, upper and lower case alike; null: none.
  const XmlElement* child(std::string_view childName) const;
  // The text of the child, or "".
  std::string childText(std::string_view childName) const;
};

// The outermost element. Throws std::runtime_error that says what is wrong and where.
XmlElement parseXml(std::string_view text);

}  // namespace spokelab
