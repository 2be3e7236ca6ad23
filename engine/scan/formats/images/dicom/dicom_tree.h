// A DICOM file as a tree of elements, and the module that reads and writes it. The module is a
// library of its own, loaded when the first DICOM file is met: DCMTK and what it needs would slow
// the start of every program.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spokelab {

struct DicomItem;

// One element. The module has nothing of the engine but headers. Numbers are kept as text, several
// separated by '\' as in DICOM.
struct DicomElement {
  std::uint32_t tag = 0;         // group << 16 | element
  std::array<char, 3> vr{};      // "DS"; "SQ" has items
  std::string text;              // UTF-8 where we write
  std::vector<DicomItem> items;  // of a sequence
};

struct DicomItem {
  std::vector<DicomElement> elements;

  const DicomElement* find(std::uint32_t tag) const {
    for (const DicomElement& e : elements)
      if (e.tag == tag) return &e;
    return nullptr;
  }
  // The element's text without spaces around it; "" if it is missing.
  std::string text(std::uint32_t tag) const;
  // Value `index` of the element; NaN if it is missing or not a number.
  double number(std::uint32_t tag, std::size_t index = 0) const;
  // The first item of a sequence, or an empty one.
  const DicomItem& inside(std::uint32_t tag) const;

  DicomItem& put(std::uint32_t tag, const char* vr, std::string text) {
    elements.push_back({tag, {vr[0], vr[1], '\0'}, std::move(text), {}});
    return *this;
  }
  DicomItem& put(std::uint32_t tag, std::vector<DicomItem> items) {
    elements.push_back({tag, {'S', 'Q', '\0'}, {}, std::move(items)});
    return *this;
  }
  DicomItem& put(std::uint32_t tag, DicomItem item) {
    std::vector<DicomItem> items;
    items.push_back(std::move(item));
    return put(tag, std::move(items));
  }
};

// At most 16 characters, as DICOM's decimal texts may have.
std::string decimalText(double value);

// Pixels as they are stored: unsigned or signed, of 16 bits.
struct DicomPixels {
  std::vector<std::uint16_t> words;
  bool isSigned = false;
};

// The module's side. One thread at a time. Throws Error with an empty summary.
class DicomModule {
 public:
  virtual ~DicomModule() = default;
  // All elements but the pixels; sequences up to a depth of 8.
  virtual DicomItem read(const std::string& file) = 0;
  // Pixels of frame `frame` (from 0), unpacked, rows x columns, before rescaling.
  virtual std::vector<float> pixels(const std::string& file, std::int64_t frame) = 0;
  // Little-endian, explicit. `pixels` is (7FE0,0010); everything else is in `content`.
  virtual void write(const std::string& file, const DicomItem& content, const DicomPixels& pixels) = 0;
};

// Loads the module once. Throws Error(problem, ...) where it cannot be found.
DicomModule& dicomModule(const std::string& problem);

}  // namespace spokelab

extern "C" spokelab::DicomModule* spokelabDicomModule();
