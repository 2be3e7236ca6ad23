#include "engine/scan/formats/xml/xml_element.h"

#include <array>
#include <stdexcept>
#include <utility>

#include "engine/core/text.h"

namespace spokelab {
namespace {

constexpr int maxDepth = 64;
constexpr std::size_t maxElements = 1'000'000, maxShownLength = 32;
constexpr std::string_view blanks = " \t\r\n";

bool sameName(std::string_view a, std::string_view b) {
  return lowerCase(std::string(a)) == lowerCase(std::string(b));
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

std::string withoutEntities(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, char>, 5> entities = {
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};
  std::string result;
  while (!text.empty()) {
    std::size_t used = 1;
    char letter = text.front();
    for (const auto& [name, meaning] : entities)
      if (text.starts_with(name)) {
        used = name.size();
        letter = meaning;
      }
    result += letter;
    text.remove_prefix(used);
  }
  return result;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  XmlElement outermost() {
    skipAround();
    if (!starts("<")) fail("no element begins");
    return element(0);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(what + " at byte " + std::to_string(at_));
  }
  bool starts(std::string_view part) const { return text_.substr(at_).starts_with(part); }
  void skipTo(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) fail("\"" + std::string(end) + "\" is missing");
    at_ = found + end.size();
  }
  // True where a comment, a declaration or an instruction was passed over.
  bool skipMarkup() {
    if (starts("<!--"))
      skipTo("-->");
    else if (starts("<?"))
      skipTo("?>");
    else if (starts("<!") && !starts("<![CDATA["))
      skipTo(">");
    else
      return false;
    return true;
  }
  void skipAround() {
    constexpr std::string_view mark = "\xef\xbb\xbf";  // UTF-8's
    if (starts(mark)) at_ += mark.size();
    do {
      const std::size_t next = text_.find_first_not_of(blanks, at_);
      at_ = next == std::string_view::npos ? text_.size() : next;
    } while (skipMarkup());
  }
  std::string takeName() {
    const std::size_t end = text_.find_first_of(" \t\r\n/>", at_);
    if (end == std::string_view::npos || end == at_) fail("a tag has no name");
    std::string_view name = text_.substr(at_, end - at_);
    at_ = end;
    if (const std::size_t colon = name.rfind(':'); colon != std::string_view::npos)
      name.remove_prefix(colon + 1);
    return std::string(name);
  }
  // To behind the tag's ">", through quoted attributes; true where the tag closes itself.
  bool skipAttributes() {
    char quote = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (quote) {
        if (c == quote) quote = 0;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '>') {
        return text_[at_++ - 1] == '/';
      }
    }
    fail("a tag does not end");
  }

  XmlElement element(int depth) {
    if (depth > maxDepth) fail("elements nest deeper than " + std::to_string(maxDepth));
    if (++elements_ > maxElements) fail("there are more than " + std::to_string(maxElements) + " elements");
    ++at_;  // "<"
    XmlElement e;
    e.name = takeName();
    if (skipAttributes()) return e;
    std::string text;
    for (;;) {
      if (at_ >= text_.size()) fail("<" + e.name.substr(0, maxShownLength) + "> is not closed");
      if (starts("</")) {
        at_ += 2;
        const std::string closed = takeName();
        if (closed != e.name)
          fail("<" + e.name.substr(0, maxShownLength) + "> is closed as </" +
               closed.substr(0, maxShownLength) + ">");
        skipTo(">");
        break;
      }
      if (starts("<![CDATA[")) {
        const std::size_t begin = at_ + std::string_view("<![CDATA[").size();
        skipTo("]]>");
        text += text_.substr(begin, at_ - begin - std::string_view("]]>").size());
      } else if (skipMarkup()) {
        continue;
      } else if (starts("<")) {
        e.children.push_back(element(depth + 1));
      } else {
        const std::size_t end = std::min(text_.find('<', at_), text_.size());
        text += withoutEntities(text_.substr(at_, end - at_));
        at_ = end;
      }
    }
    e.text = trimmed(text);
    return e;
  }

  std::string_view text_;
  std::size_t at_ = 0, elements_ = 0;
};

}  // namespace

const XmlElement* XmlElement::child(std::string_view childName) const {
  for (const XmlElement& c : children)
    if (sameName(c.name, childName)) return &c;
  return nullptr;
}

std::string XmlElement::childText(std::string_view childName) const {
  const XmlElement* const found = child(childName);
  return found ? found->text : std::string();
}

XmlElement parseXml(std::string_view text) {
  return Parser(text).outermost();
}

}  // namespace spokelab
