#include "engine/scan/formats/xml/lenient_header.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "engine/core/text.h"
#include "engine/scan/formats/xml/xml_element.h"

namespace spokelab {
namespace {

using ISMRMRD::TrajectoryType;

// 0 for a text that is not a finite number.
double numberOf(const std::string& text) {
  const double n = leadingNumber(text);
  return std::isfinite(n) ? n : 0;
}

unsigned short sizeOf(const std::string& text) {
  return static_cast<unsigned short>(
      std::clamp(numberOf(text), 0.0, double(std::numeric_limits<unsigned short>::max())));
}

long wholeOf(const std::string& text) {
  constexpr double largest = 1e15;
  return long(std::clamp(numberOf(text), -largest, largest));
}

float floatOf(const std::string& text) {
  constexpr double largest = std::numeric_limits<float>::max();
  return float(std::clamp(numberOf(text), -largest, largest));
}

ISMRMRD::EncodingSpace spaceOf(const XmlElement* element) {
  ISMRMRD::EncodingSpace space{};
  space.matrixSize = ISMRMRD::MatrixSize(0, 0, 0);
  if (!element) return space;
  if (const XmlElement* const size = element->child("matrixSize"))
    space.matrixSize = ISMRMRD::MatrixSize(sizeOf(size->childText("x")), sizeOf(size->childText("y")),
                                           sizeOf(size->childText("z")));
  if (const XmlElement* const fov = element->child("fieldOfView_mm"))
    space.fieldOfView_mm = {floatOf(fov->childText("x")), floatOf(fov->childText("y")),
                            floatOf(fov->childText("z"))};
  return space;
}

ISMRMRD::EncodingLimits limitsOf(const XmlElement* element) {
  ISMRMRD::EncodingLimits limits;
  if (!element) return limits;
  using Member = ISMRMRD::Optional<ISMRMRD::Limit> ISMRMRD::EncodingLimits::*;
  using L = ISMRMRD::EncodingLimits;
  static constexpr std::array<std::pair<const char*, Member>, 10> members = {
      {{"kspace_encoding_step_0", &L::kspace_encoding_step_0},
       {"kspace_encoding_step_1", &L::kspace_encoding_step_1},
       {"kspace_encoding_step_2", &L::kspace_encoding_step_2},
       {"average", &L::average},
       {"slice", &L::slice},
       {"contrast", &L::contrast},
       {"phase", &L::phase},
       {"repetition", &L::repetition},
       {"set", &L::set},
       {"segment", &L::segment}}};
  for (const auto& [name, member] : members)
    if (const XmlElement* const limit = element->child(name))
      limits.*member =
          ISMRMRD::Limit(sizeOf(limit->childText("minimum")), sizeOf(limit->childText("maximum")),
                         sizeOf(limit->childText("center")));
  return limits;
}

TrajectoryType trajectoryOf(const std::string& text) {
  static constexpr std::array<std::pair<const char*, TrajectoryType>, 5> names = {
      {{"cartesian", TrajectoryType::CARTESIAN},
       {"epi", TrajectoryType::EPI},
       {"radial", TrajectoryType::RADIAL},
       {"goldenangle", TrajectoryType::GOLDENANGLE},
       {"spiral", TrajectoryType::SPIRAL}}};
  for (const auto& [name, type] : names)
    if (lowerCase(text) == name) return type;
  return TrajectoryType::OTHER;
}

ISMRMRD::SequenceParameters sequenceOf(const XmlElement& element) {
  ISMRMRD::SequenceParameters sequence;
  using Member = ISMRMRD::Optional<std::vector<float>> ISMRMRD::SequenceParameters::*;
  using S = ISMRMRD::SequenceParameters;
  static constexpr std::array<std::pair<const char*, Member>, 4> members = {
      {{"TR", &S::TR}, {"TE", &S::TE}, {"TI", &S::TI}, {"flipAngle_deg", &S::flipAngle_deg}}};
  for (const auto& [name, member] : members) {
    std::vector<float> values;
    for (const XmlElement& child : element.children)
      if (child.name == name) values.push_back(floatOf(child.text));
    if (!values.empty()) sequence.*member = values;
  }
  return sequence;
}

ISMRMRD::UserParameters userParametersOf(const XmlElement& element) {
  ISMRMRD::UserParameters user;
  for (const XmlElement& child : element.children) {
    const std::string name = child.childText("name"), value = child.childText("value");
    if (child.name == "userParameterLong") user.userParameterLong.push_back({name, wholeOf(value)});
    if (child.name == "userParameterDouble") user.userParameterDouble.push_back({name, numberOf(value)});
    if (child.name == "userParameterString") user.userParameterString.push_back({name, value});
  }
  return user;
}

ISMRMRD::TrajectoryDescription trajectoryDescriptionOf(const XmlElement& element) {
  const ISMRMRD::UserParameters parameters = userParametersOf(element);
  return {element.childText("identifier"), parameters.userParameterLong, parameters.userParameterDouble, {}};
}

ISMRMRD::AcquisitionSystemInformation systemOf(const XmlElement& element) {
  ISMRMRD::AcquisitionSystemInformation system;
  if (const XmlElement* const vendor = element.child("systemVendor")) system.systemVendor = vendor->text;
  if (const XmlElement* const model = element.child("systemModel")) system.systemModel = model->text;
  if (const XmlElement* const field = element.child("systemFieldStrength_T"))
    system.systemFieldStrength_T = floatOf(field->text);
  if (const XmlElement* const receivers = element.child("receiverChannels"))
    system.receiverChannels = sizeOf(receivers->text);
  for (const XmlElement& child : element.children)
    if (child.name == "coilLabel")
      system.coilLabel.push_back({sizeOf(child.childText("coilNumber")), child.childText("coilName")});
  return system;
}

}  // namespace

ISMRMRD::IsmrmrdHeader lenientHeader(const std::string& xml) {
  const XmlElement root = parseXml(xml);
  if (lowerCase(root.name) != "ismrmrdheader")
    throw std::runtime_error("its outermost element is <" + root.name.substr(0, 32) +
                             ">, not <ismrmrdHeader>");
  ISMRMRD::IsmrmrdHeader header;
  for (const XmlElement& child : root.children) {
    if (lowerCase(child.name) != "encoding") continue;
    ISMRMRD::Encoding encoding{};
    encoding.encodedSpace = spaceOf(child.child("encodedSpace"));
    encoding.reconSpace = spaceOf(child.child("reconSpace"));
    encoding.encodingLimits = limitsOf(child.child("encodingLimits"));
    encoding.trajectory = trajectoryOf(child.childText("trajectory"));
    if (const XmlElement* const description = child.child("trajectoryDescription"))
      encoding.trajectoryDescription = trajectoryDescriptionOf(*description);
    header.encoding.push_back(encoding);
  }
  if (const XmlElement* const measurement = root.child("measurementInformation")) {
    ISMRMRD::MeasurementInformation information;
    information.patientPosition = measurement->childText("patientPosition");
    information.protocolName = measurement->childText("protocolName");
    header.measurementInformation = information;
  }
  if (const XmlElement* const conditions = root.child("experimentalConditions"))
    header.experimentalConditions.H1resonanceFrequency_Hz =
        wholeOf(conditions->childText("H1resonanceFrequency_Hz"));
  if (const XmlElement* const system = root.child("acquisitionSystemInformation"))
    header.acquisitionSystemInformation = systemOf(*system);
  if (const XmlElement* const sequence = root.child("sequenceParameters"))
    header.sequenceParameters = sequenceOf(*sequence);
  if (const XmlElement* const user = root.child("userParameters"))
    header.userParameters = userParametersOf(*user);
  return header;
}

}  // namespace spokelab
