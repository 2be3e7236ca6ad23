#include "engine/scan/formats/acquisitions/twix/twix_header.h"

#include <ismrmrd/xml.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <utility>

#include "engine/core/c_locale.h"

namespace spokelab {
namespace {

constexpr double maxSize = 65535;  // of a matrix: ISMRMRD counts in 16 bits
constexpr double microsecondsPerMillisecond = 1e3, nanosecondsPerMicrosecond = 1e3;
constexpr double protonHertzPerTesla = 42.577478518e6;
constexpr const char* sliceEntry = "sSliceArray.asSlice[0].";

enum class Dimension { plane = 2, volume = 4 };                   // sKSpace.ucDimension
enum class Sampling { cartesian = 1, radial = 2, spiral = 4 };    // sKSpace.ucTrajectory
enum class Regridding { none = 1, trapezoid = 2, sinusoid = 4 };  // alRegridMode
enum class Inversion { none = 4 };                                // sPrepPulses.ucInversion

// A positive number up to `maxValue`, else 0.
double positive(const std::optional<double>& value, double maxValue = maxSize) {
  return value && *value > 0 && *value <= maxValue ? *value : 0;
}

std::uint16_t matrixSizeOf(double value) {
  return std::uint16_t(std::lround(std::clamp(value, 0.0, maxSize)));
}

class HeaderMaker {
 public:
  HeaderMaker(const TwixProtocol& protocol, const TwixReadouts& readouts) : p_(protocol), r_(readouts) {}

  ISMRMRD::IsmrmrdHeader make(const std::string& protocolName) const {
    ISMRMRD::IsmrmrdHeader h;
    ISMRMRD::MeasurementInformation measurement;
    measurement.patientPosition = patientPosition();
    const std::string listed = p_.text("tProtocolName");
    if (!listed.empty() || !protocolName.empty())
      measurement.protocolName = listed.empty() ? protocolName : listed;
    h.measurementInformation = measurement;
    h.subjectInformation = subject();
    h.acquisitionSystemInformation = system();
    h.experimentalConditions.H1resonanceFrequency_Hz = long(protonFrequency());
    for (const int samples : r_.lengths) h.encoding.push_back(encoding(samples));
    h.sequenceParameters = sequence();
    h.userParameters = user();
    return h;
  }

 private:
  double size(const char* name) const { return std::floor(positive(p_.number(name))); }
  bool is(Sampling sampling) const { return p_.number("sKSpace.ucTrajectory") == double(sampling); }
  bool isVolume() const { return p_.number("sKSpace.ucDimension") == double(Dimension::volume); }
  double lengthOf(const char* name) const { return positive(p_.number(std::string(sliceEntry) + name)); }
  // 1 + the share by which the protocol widens the field of view.
  double widened(const char* name) const {
    constexpr double most = 10;
    return 1 + positive(p_.number(name), most);
  }

  std::string patientPosition() const {
    for (const char* const name : {"tPatientPosition", "sPatPosition", "PatientPosition"})
      if (const std::string text = p_.nestedText(name); !text.empty()) return text;
    return "";
  }

  // Stays in memory: what is written asks for it (formats/patient/patient.h).
  ISMRMRD::Optional<ISMRMRD::SubjectInformation> subject() const {
    ISMRMRD::SubjectInformation s;
    const auto take = [&](std::initializer_list<const char*> names, ISMRMRD::Optional<std::string>& to) {
      for (const char* const name : names)
        if (const std::string text = p_.nestedText(name); !text.empty()) {
          to = text;
          return;
        }
    };
    take({"PatientName", "PatientsName", "tPatientName"}, s.patientName);
    take({"PatientID"}, s.patientID);
    take({"PatientBirthDay"}, s.patientBirthdate);
    if (const double weight = positive(p_.nestedNumber("flUsedPatientWeight")); weight > 0)
      s.patientWeight_kg = float(weight);
    return s;
  }

  double field() const { return positive(p_.nestedNumber("flMagneticFieldStrength")); }
  double frequency() const {
    constexpr double most = 1e10;
    for (const char* const name : {"sTXSPEC.asNucleusInfo[0].lFrequency", "sTXSPEC.lFrequency"})
      if (const double hertz = positive(p_.number(name), most); hertz > 0) return hertz;
    return positive(p_.nestedNumber("lFrequency"), most);
  }
  std::string nucleus() const { return p_.text("sTXSPEC.asNucleusInfo[0].tNucleus"); }
  double protonFrequency() const {
    return nucleus() == "1H" || nucleus().empty() ? frequency() : field() * protonHertzPerTesla;
  }

  // Names of the elements by the number of their receiver, from 1.
  std::map<int, std::string> elements() const {
    std::map<int, std::string> names;
    for (const char* const list :
         {"sCoilSelectMeas.aRxCoilSelectData[0].asList[", "asCoilSelectMeas[0].asList["}) {
      std::map<std::string, std::pair<int, std::string>> byEntry;
      for (const auto& [name, value] : p_.startingWith(list)) {
        const std::string entry = name.substr(0, name.find(']', std::string(list).size()));
        // VD counts receivers by their converters, VB by their channels.
        int& receiver = byEntry[entry].first;
        if (name.ends_with("lADCChannelConnected") ||
            (name.ends_with("lRxChannelConnected") && receiver == 0))
          receiver = int(positive(p_.number(name)));
        if (name.ends_with(".tElement")) byEntry[entry].second = value;
      }
      for (const auto& [entry, coil] : byEntry)
        if (coil.first > 0 && !coil.second.empty()) names.try_emplace(coil.first, coil.second);
    }
    return names;
  }

  ISMRMRD::AcquisitionSystemInformation system() const {
    ISMRMRD::AcquisitionSystemInformation s;
    s.systemVendor = std::string("SIEMENS");
    if (const std::string model = p_.nestedText("ManufacturersModelName"); !model.empty())
      s.systemModel = model;
    if (field() > 0) s.systemFieldStrength_T = float(field());
    s.receiverChannels = static_cast<unsigned short>(r_.channels);
    const std::map<int, std::string> names = elements();
    for (std::size_t c = 0; c < r_.receivers.size(); ++c)
      if (const auto found = names.find(r_.receivers[c] + 1); found != names.end())
        s.coilLabel.push_back({static_cast<unsigned short>(c), found->second});
    return s;
  }

  ISMRMRD::TrajectoryType trajectory() const {
    if (is(Sampling::radial)) return ISMRMRD::TrajectoryType::RADIAL;
    if (is(Sampling::spiral)) return ISMRMRD::TrajectoryType::SPIRAL;
    if (!is(Sampling::cartesian)) return ISMRMRD::TrajectoryType::OTHER;
    return r_.reflected ? ISMRMRD::TrajectoryType::EPI : ISMRMRD::TrajectoryType::CARTESIAN;
  }

  // The density of the readout's samples over the density that the image needs.
  double oversampling(int samples) const {
    constexpr double most = 32;
    if (const double given = positive(p_.nestedNumber("flReadoutOSFactor"), most); given >= 1) return given;
    const double base = size("sKSpace.lBaseResolution");
    return base > 0 ? std::max(1.0, std::round(samples / base)) : 1;
  }

  ISMRMRD::Encoding encoding(int samples) const {
    ISMRMRD::Encoding e{};
    const bool cartesian = is(Sampling::cartesian);
    const double base = size("sKSpace.lBaseResolution"), partitions = size("sKSpace.lPartitions");
    const double images = size("sKSpace.lImagesPerSlab");
    const double readFov = lengthOf("dReadoutFOV"), phaseFov = lengthOf("dPhaseFOV");
    const double thickness = lengthOf("dThickness");
    const double rows = readFov > 0 && phaseFov > 0 ? std::round(base * phaseFov / readFov) : base;
    const bool volume = isVolume();
    auto& recon = e.reconSpace;
    recon.matrixSize = {matrixSizeOf(base), matrixSizeOf(rows),
                        matrixSizeOf(volume ? std::max(images, 1.0) : 1)};
    recon.fieldOfView_mm = {float(readFov), float(phaseFov), float(thickness)};
    e.encodedSpace = recon;
    if (cartesian) {
      const double factor = oversampling(samples);
      const double lines = std::max(size("sKSpace.lPhaseEncodingLines"), double(r_.lines));
      const double planes = volume ? std::max({partitions, double(r_.partitions), 1.0}) : 1;
      const double columns = positive(p_.nestedNumber("iNoOfFourierColumns"));
      auto& encoded = e.encodedSpace;
      encoded.matrixSize = {matrixSizeOf(std::max(columns, double(samples))), matrixSizeOf(lines),
                            matrixSizeOf(planes)};
      encoded.fieldOfView_mm = {
          float(readFov * factor), float(phaseFov * widened("sKSpace.dPhaseOversamplingForDialog")),
          float(thickness * (volume ? widened("sKSpace.dSliceOversamplingForDialog") : 1))};
    }
    const auto limit = [](int count, int centre) {
      return ISMRMRD::Limit(0, matrixSizeOf(std::max(0, count - 1)), matrixSizeOf(std::max(0, centre)));
    };
    e.encodingLimits.kspace_encoding_step_1 = limit(r_.lines, r_.centreLine);
    e.encodingLimits.kspace_encoding_step_2 = limit(r_.partitions, r_.centrePartition);
    e.trajectory = trajectory();
    if (cartesian) addRamps(e);
    return e;
  }

  // A readout that is sampled while its gradient rises and falls, in microseconds.
  void addRamps(ISMRMRD::Encoding& e) const {
    const auto whole = [&](const char* name) { return long(positive(p_.nestedNumber(name), 1e6)); };
    if (p_.nestedNumber("alRegridMode") != double(Regridding::trapezoid)) return;
    ISMRMRD::TrajectoryDescription t;
    t.identifier = "ConventionalEPI";
    t.userParameterLong = {{"rampUpTime", whole("alRegridRampupTime")},
                           {"rampDownTime", whole("alRegridRampdownTime")},
                           {"flatTopTime", whole("alRegridFlattopTime")},
                           {"acqDelayTime", whole("alRegridDelaySamplesTime")},
                           {"numSamples", whole("alRegridDestSamples")}};
    t.userParameterDouble = {{"dwellTime", twixDwell(p_, 0)}};
    e.trajectoryDescription = t;
  }

  std::vector<float> milliseconds(const char* name, int count) const {
    constexpr double most = 1e9;
    std::vector<float> times;
    for (int i = 0; i < count; ++i) {
      const double time = positive(p_.number(std::string(name) + "[" + std::to_string(i) + "]"), most);
      if (time == 0) break;
      times.push_back(float(time / microsecondsPerMillisecond));
    }
    return times;
  }

  ISMRMRD::SequenceParameters sequence() const {
    constexpr double maxContrasts = 128, fullTurn = 360;
    ISMRMRD::SequenceParameters s;
    const auto add = [](ISMRMRD::Optional<std::vector<float>>& member, const std::vector<float>& values) {
      if (!values.empty()) member = values;
    };
    const int contrasts = int(std::max(1.0, positive(p_.number("lContrasts"), maxContrasts)));
    add(s.TR, milliseconds("alTR", 1));
    add(s.TE, milliseconds("alTE", contrasts));
    const auto inversion = p_.number("sPrepPulses.ucInversion");
    if (inversion && *inversion != double(Inversion::none)) add(s.TI, milliseconds("alTI", 1));
    std::vector<float> angles;
    for (int i = 0; i < contrasts; ++i)
      if (const double angle = positive(p_.number("adFlipAngleDegree[" + std::to_string(i) + "]"), fullTurn);
          angle > 0)
        angles.push_back(float(angle));
    if (const double angle = positive(p_.number("dFlipAngleDegree"), fullTurn); angle > 0 && angles.empty())
      angles.push_back(float(angle));
    add(s.flipAngle_deg, angles);
    return s;
  }

  ISMRMRD::UserParameters user() const {
    ISMRMRD::UserParameters u;
    const auto add = [&](const char* name, const std::string& value) {
      if (!value.empty()) u.userParameterString.push_back({name, value});
    };
    add("sequence", p_.text("tSequenceFileName"));
    add("software", p_.nestedText("SoftwareVersions"));
    add("nucleus", nucleus());
    if (frequency() > 0) u.userParameterDouble.push_back({"frequency_Hz", frequency()});
    return u;
  }

  const TwixProtocol& p_;
  const TwixReadouts& r_;
};

}  // namespace

float twixDwell(const TwixProtocol& p, int echo) {
  constexpr double most = 1e9;
  const auto at = [&](int i) {
    return positive(p.number("sRXSPEC.alDwellTime[" + std::to_string(i) + "]"), most) /
           nanosecondsPerMicrosecond;
  };
  // The list has entries beyond the echoes of the scan, which mean nothing.
  const double own = echo > 0 && echo < p.number("lContrasts").value_or(1) ? at(echo) : 0;
  return float(own > 0 ? own : at(0));
}

std::string twixHeader(const TwixProtocol& protocol, const std::string& protocolName,
                       const TwixReadouts& readouts) {
  std::ostringstream text;
  const CLocale decimalPoints;
  ISMRMRD::serialize(HeaderMaker(protocol, readouts).make(protocolName), text);
  return text.str();
}

}  // namespace spokelab
