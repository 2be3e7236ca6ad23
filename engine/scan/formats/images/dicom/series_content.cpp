#include "engine/scan/formats/images/dicom/series_content.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <nlohmann/json.hpp>
#include <random>

#include "engine/core/version.h"
#include "engine/scan/formats/frames/frame_texts.h"
#include "engine/scan/formats/images/dicom/dicom_tags.h"
#include "engine/scan/place/image_groups.h"
#include "engine/scan/place/vectors.h"

namespace spokelab {
namespace {

using namespace dicom;
constexpr double msPerSecond = 1e3;

std::string joined(std::initializer_list<double> values) {
  std::string text;
  for (const double v : values) text += (text.empty() ? "" : "\\") + decimalText(v);
  return text;
}

// Cuts the text to at most `bytes` bytes of UTF-8, at a character's end.
std::string shortened(std::string text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (text[bytes] & '\xc0') == '\x80') --bytes;
  text.resize(bytes);
  return text;
}

// A short text must not hold the sign that separates values.
std::string oneValue(std::string text) {
  constexpr std::size_t maxBytes = 64;
  std::replace(text.begin(), text.end(), '\\', '/');
  return shortened(std::move(text), maxBytes);
}

std::string now(const char* form) {
  const std::time_t seconds = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), form, &parts)};
}

// DICOM's form of a date, YYYYMMDD; "" for other texts.
std::string birthDateOf(const Patient& patient) {
  constexpr std::size_t digits = 8;
  std::string date;
  for (const char c : patient.birthDate)
    if (c >= '0' && c <= '9')
      date += c;
    else if (c != '-')
      return "";
  return date.size() == digits ? date : "";
}

// M, F or O, as ISMRMRD and DICOM have it.
std::string sexOf(const Patient& patient) {
  return patient.sex == "M" || patient.sex == "F" || patient.sex == "O" ? patient.sex : "";
}

struct PartNames {
  const char *letter, *component, *type;
};

PartNames namesOf(ComplexPart part) {
  switch (part) {
    case ComplexPart::phase:
      return {"P", "PHASE", "radian"};
    case ComplexPart::real:
      return {"R", "REAL", "US"};
    case ComplexPart::imaginary:
      return {"I", "IMAGINARY", "US"};
    default:
      return {"M", "MAGNITUDE", "US"};
  }
}

// The place of a slice: the centre of its first pixel, and its axes.
struct SlicePlace {
  Vec3 corner{};
  Directions directions;
};

SlicePlace placeOf(const Image& image, int frame, std::int64_t slice) {
  const Geometry& g = image.geometry.ofFrame(frame);
  const Vec3 voxel = g.voxel();
  SlicePlace place;
  place.directions = g.directionsOf(std::size_t(slice));
  const Directions& d = place.directions;
  Vec3 centre = g.slicePositions.empty() ? Vec3{} : g.slicePositions.front();
  if (slicesHavePlaces(g, image.size))
    centre = g.slicePositions[std::size_t(slice)];
  else if (g.matrix[2] > 1)
    centre = along(centre, double(slice - image.size[2] / 2) * voxel[2], d.slice);
  else
    centre = along(centre, double(slice) * voxel[2], d.slice);
  place.corner = along(along(centre, -double(image.size[0] / 2) * voxel[0], d.read),
                       -double(image.size[1] / 2) * voxel[1], d.phase);
  return place;
}

// The distance from slice to slice; 0 for a single slice or uneven distances.
double stepOf(const Image& image) {
  if (image.size[2] < 2) return 0;
  return lengthOf(minus(placeOf(image, 0, 1).corner, placeOf(image, 0, 0).corner));
}

std::string orientationText(const Directions& d) {
  return joined({d.read[0], d.read[1], d.read[2], d.phase[0], d.phase[1], d.phase[2]});
}

std::string cornerText(const SlicePlace& place) {
  return joined({place.corner[0], place.corner[1], place.corner[2]});
}

std::string spacingText(const Image& image) {
  const Vec3 voxel = image.geometry.voxel();
  return joined({voxel[1], voxel[0]});  // between rows, then between columns
}

// The grey values that a viewer shows first.
void putWindow(DicomItem& item, const WriteOptions& options, const DicomScale& scale) {
  constexpr double half = 0.5;
  const bool given = options.window > 0;
  const double largest = scale.largest > 0 ? scale.largest : 1;
  const double width = given ? options.window : scale.isSigned ? 2 * largest : largest;
  const double centre = given ? options.level : scale.isSigned ? 0 : half * largest;
  item.put(windowCenter, "DS", decimalText(centre)).put(windowWidth, "DS", decimalText(width));
}

void putScale(DicomItem& item, ComplexPart part, const DicomScale& scale) {
  item.put(rescaleIntercept, "DS", "0")
      .put(rescaleSlope, "DS", scale.slopeText)
      .put(rescaleType, "LO", namesOf(part).type);
}

// Who made the image and of what; type 2 elements that are not known are empty.
DicomItem commonContent(const Image& image, const DicomSeries& series, const char* kind,
                        const WriteOptions& options) {
  constexpr std::size_t maxComment = 10240;
  DicomItem c;
  std::string comments;
  for (const std::string& line : describedLines(image)) comments += line + "\n";
  if (image.geometry.nominal) comments += "nominal geometry: pixels of 1 mm, axes of the patient\n";
  const std::string date = now("%Y%m%d"), time = now("%H%M%S");
  const std::string type = std::string("DERIVED\\PRIMARY\\") +
                           (kind == std::string(enhancedMr) ? "OTHER\\NONE" : namesOf(options.part).letter);
  c.put(characterSet, "CS", "ISO_IR 192")
      .put(imageType, "CS", type)
      .put(instanceDate, "DA", date)
      .put(instanceTime, "TM", time)
      .put(sopClass, "UI", kind)
      .put(sopInstance, "UI", newDicomUid())
      .put(studyDate, "DA", "")
      .put(contentDate, "DA", date)
      .put(studyTime, "TM", "")
      .put(contentTime, "TM", time)
      .put(accession, "SH", "")
      .put(modality, "CS", "MR")
      .put(manufacturer, "LO", "Spokelab")
      .put(referringPhysician, "PN", "")
      .put(seriesDescription, "LO", oneValue(image.name))
      .put(modelName, "LO", "Spokelab")
      .put(complexComponent, "CS", namesOf(options.part).component)
      .put(patientName, "PN", oneValue(options.patient.name))
      .put(patientId, "LO", oneValue(options.patient.id))
      .put(patientBirthDate, "DA", birthDateOf(options.patient))
      .put(patientSex, "CS", sexOf(options.patient))
      .put(patientWeight, "DS", options.patient.weightKg > 0 ? decimalText(options.patient.weightKg) : "")
      .put(acquisitionType, "CS", image.geometry.matrix[2] > 1 ? "3D" : "2D")
      .put(deviceSerial, "LO", "none")
      .put(softwareVersions, "LO", oneValue("Spokelab " + std::string(version())))
      .put(patientPosition, "CS", "")
      .put(studyUid, "UI", series.study)
      .put(seriesUid, "UI", series.series)
      .put(studyId, "SH", "")
      .put(seriesNumber, "IS", "1")
      .put(frameOfReference, "UI", series.place)
      .put(positionReference, "LO", "")
      .put(imageComments, "LT", shortened(std::move(comments), maxComment))
      .put(samplesPerPixel, "US", "1")
      .put(photometric, "CS", "MONOCHROME2")
      .put(rows, "US", std::to_string(image.size[1]))
      .put(columns, "US", std::to_string(image.size[0]))
      .put(bitsAllocated, "US", "16")
      .put(bitsStored, "US", "16")
      .put(highBit, "US", "15")
      .put(pixelRepresentation, "US", options.part == ComplexPart::magnitude ? "0" : "1")
      .put(burnedIn, "CS", "NO")
      .put(lossy, "CS", "00")
      .put(lutShape, "CS", "IDENTITY");
  if (image.frameAxes.frames() == image.frames)
    c.put(privateCreator, "LO", ownCreator).put(ownAxes, "UT", frameAxesJson(image.frameAxes).dump());
  return c;
}

// One item of the groups that a frame has for itself.
DicomItem frameGroups(const Image& image, int frame, std::int64_t slice) {
  const SlicePlace place = placeOf(image, frame, slice);
  const std::string stackPlace = std::to_string(slice + 1), time = std::to_string(frame + 1);
  DicomItem content, groups;
  content.put(frameAcquisition, "US", std::to_string(std::min(frame + 1, 65535)))
      .put(stackId, "SH", "1")
      .put(inStackPosition, "UL", stackPlace)
      .put(temporalIndex, "UL", time)
      .put(dimensionValues, "UL", "1\\" + stackPlace + "\\" + time);
  const FrameAxes& axes = image.frameAxes;
  const bool known = frame < axes.frames();
  if (const std::string text = known ? axes.text(frame) : ""; !text.empty())
    content.put(frameComments, "LT", text);
  groups.put(frameContent, std::move(content))
      .put(planePosition, DicomItem().put(imagePosition, "DS", cornerText(place)))
      .put(planeOrientation, DicomItem().put(imageOrientation, "DS", orientationText(place.directions)));
  if (!known) return groups;
  if (const auto te = axes.value(frame, FrameMeaning::echo))
    groups.put(echoSequence, DicomItem().put(effectiveEchoTime, "FD", decimalText(*te * msPerSecond)));
  if (const auto delay = axes.value(frame, FrameMeaning::phase))
    groups.put(cardiacSequence, DicomItem().put(triggerDelay, "FD", decimalText(*delay * msPerSecond)));
  if (const auto seconds = axes.value(frame, FrameMeaning::time))
    groups.put(temporalSequence, DicomItem().put(temporalOffset, "FD", decimalText(*seconds)));
  return groups;
}

// Groups and elements are named by their tags in text: "(0020,9111)".
std::string tagText(std::uint32_t tag) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "(%04X,%04X)", tag >> 16, tag & 0xffff);
  return text.data();
}

void putDimensions(DicomItem& c) {
  const std::string organization = newDicomUid();
  std::vector<DicomItem> dimensions;
  struct Named {
    std::uint32_t tag;
    const char* label;
  };
  for (const Named& one :
       {Named{stackId, "Stack"}, Named{inStackPosition, "Slice"}, Named{temporalIndex, "Frame"}})
    dimensions.push_back(DicomItem()
                             .put(dimensionUid, "UI", organization)
                             .put(dimensionPointer, "AT", tagText(one.tag))
                             .put(groupPointer, "AT", tagText(frameContent))
                             .put(dimensionLabel, "LO", one.label));
  c.put(dimensionOrganization, DicomItem().put(dimensionUid, "UI", organization))
      .put(dimensionIndex, std::move(dimensions));
}

}  // namespace

std::string newDicomUid() {
  constexpr int words = 4;
  constexpr std::uint64_t ten = 10;
  std::random_device random;
  std::array<std::uint32_t, words> bits{};
  for (std::uint32_t& word : bits) word = random();
  std::string digits;
  const auto isZero = [&] { return std::all_of(bits.begin(), bits.end(), [](auto w) { return w == 0; }); };
  while (!isZero()) {
    std::uint64_t rest = 0;
    for (std::uint32_t& word : bits) {
      const std::uint64_t value = (rest << 32) | word;
      word = std::uint32_t(value / ten);
      rest = value % ten;
    }
    digits.insert(digits.begin(), char('0' + rest));
  }
  return "2.25." + (digits.empty() ? "0" : digits);
}

DicomItem classicContent(const Image& image, const ClassicParts& parts, int frame, std::int64_t slice) {
  const SlicePlace place = placeOf(image, frame, slice);
  const Vec3 voxel = image.geometry.voxel();
  DicomItem c = commonContent(image, parts.series, classicMr, parts.options);
  const FrameAxes& axes = image.frameAxes;
  const bool known = frame < axes.frames();
  const auto te = known ? axes.value(frame, FrameMeaning::echo) : std::nullopt;
  const auto delay = known ? axes.value(frame, FrameMeaning::phase) : std::nullopt;
  c.put(scanningSequence, "CS", "RM")  // research mode
      .put(sequenceVariant, "CS", "NONE")
      .put(scanOptions, "CS", "")
      .put(sliceThickness, "DS", decimalText(voxel[2]))
      .put(repetitionTime, "DS", "")
      .put(echoTime, "DS", te ? decimalText(*te * msPerSecond) : "")
      .put(echoTrain, "IS", "")
      .put(acquisitionNumber, "IS", std::to_string(frame + 1))
      .put(instanceNumber, "IS", std::to_string(frame * image.size[2] + slice + 1))
      .put(imagePosition, "DS", cornerText(place))
      .put(imageOrientation, "DS", orientationText(place.directions))
      .put(temporalPosition, "IS", std::to_string(frame + 1))
      .put(temporalPositions, "IS", std::to_string(image.frames))
      .put(pixelSpacing, "DS", spacingText(image));
  if (const double step = stepOf(image); step > 0) c.put(sliceSpacing, "DS", decimalText(step));
  if (const auto echo = known ? axes.find(FrameMeaning::echo) : std::nullopt)
    c.put(echoNumbers, "IS", std::to_string(axes.place(frame, *echo) + 1));
  if (delay) c.put(triggerTime, "DS", decimalText(*delay * msPerSecond));
  putScale(c, parts.options.part, parts.scale);
  putWindow(c, parts.options, parts.scale);
  return c;
}

DicomItem enhancedContent(const Image& image, const WriteOptions& options, const DicomScale& scale) {
  DicomItem c = commonContent(image, DicomSeries(), enhancedMr, options);
  const auto putNature = [](DicomItem& item) {
    item.put(pixelPresentation, "CS", "MONOCHROME")
        .put(volumetric, "CS", "VOLUME")
        .put(volumeTechnique, "CS", "NONE")
        .put(acquisitionContrast, "CS", "UNKNOWN");
  };
  putNature(c);
  c.put(instanceNumber, "IS", "1").put(numberOfFrames, "IS", std::to_string(image.frames * image.size[2]));
  putDimensions(c);
  DicomItem measures, value, window, type;
  measures.put(sliceThickness, "DS", decimalText(image.geometry.voxel()[2]))
      .put(pixelSpacing, "DS", spacingText(image));
  if (const double step = stepOf(image); step > 0) measures.put(sliceSpacing, "DS", decimalText(step));
  putScale(value, options.part, scale);
  putWindow(window, options, scale);
  type.put(frameType, "CS", "DERIVED\\PRIMARY\\OTHER\\NONE")
      .put(complexComponent, "CS", namesOf(options.part).component);
  putNature(type);
  c.put(sharedGroups, DicomItem()
                          .put(pixelMeasures, std::move(measures))
                          .put(valueSequence, std::move(value))
                          .put(voiSequence, std::move(window))
                          .put(frameTypeSequence, std::move(type)));
  std::vector<DicomItem> frames;
  for (int f = 0; f < image.frames; ++f)
    for (std::int64_t z = 0; z < image.size[2]; ++z) frames.push_back(frameGroups(image, f, z));
  c.put(perFrameGroups, std::move(frames));
  return c;
}

}  // namespace spokelab
