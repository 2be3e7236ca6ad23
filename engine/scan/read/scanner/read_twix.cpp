#include "engine/scan/read/scanner/read_twix.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/acquisitions/acquisition_file.h"
#include "engine/scan/formats/acquisitions/bruker/bruker_layout.h"
#include "engine/scan/formats/acquisitions/twix/twix_file.h"
#include "engine/scan/formats/xml/lenient_header.h"
#include "engine/scan/read/read_ismrmrd.h"

namespace spokelab {
namespace {

std::string decideMeasurement(const TwixTable& table, Decisions& d) {
  const std::size_t count = table.measurements.size();
  const std::string layout = table.layout == TwixLayout::vd ? "VD, VE or XA" : "VB";
  if (count == 1 && d.override("measurement").empty()) {
    d.note("measurement", "1 of 1",
           "layout of " + layout + ", " + bytesText(double(table.measurements[0].bytes)));
    return "";
  }
  std::string list;
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    const TwixMeasurement& m = table.measurements[i];
    numbers.push_back(std::to_string(i + 1));
    list += (i ? ", " : "") + numbers.back() + " " + (m.protocol.empty() ? "without a name" : m.protocol) +
            " (" + bytesText(double(m.bytes)) + ")";
  }
  const std::string choice = d.decide(
      "measurement", numbers.back(),
      "layout of " + layout + "; adjustments come before the image, which is the last as a rule: " + list,
      numbers);
  if (std::find(numbers.begin(), numbers.end(), choice) == numbers.end())
    throw Error(d.problem(), "it has no measurement " + choice + "; it holds " + list,
                "Set the decision measurement to 1" + (count > 1 ? " ... " + numbers.back() : std::string()));
  return choice;
}

std::string valuesText(const char* name, const ISMRMRD::Optional<std::vector<float>>& values,
                       const char* unit) {
  if (!values || values->empty()) return "";
  std::string text;
  for (const float v : *values) text += (text.empty() ? "" : ", ") + numberText(double(v));
  return std::string(name) + " " + text + " " + unit;
}

// Notes the protocol's facts for people; the reader's steps take theirs from the same header.
void noteProtocol(const std::string& xml, Decisions& d) {
  const ISMRMRD::IsmrmrdHeader h = lenientHeader(xml);
  std::string sequence, software, nucleus;
  double hertz = 0;
  if (h.userParameters) {
    for (const auto& p : h.userParameters->userParameterString) {
      if (p.name == "sequence") sequence = p.value;
      if (p.name == "software") software = p.value;
      if (p.name == "nucleus") nucleus = p.value;
    }
    for (const auto& p : h.userParameters->userParameterDouble)
      if (p.name == "frequency_Hz") hertz = p.value;
  }
  std::vector<std::string> facts;
  const auto add = [&](const std::string& fact) {
    if (!fact.empty()) facts.push_back(fact);
  };
  if (h.sequenceParameters) {
    add(valuesText("TR", h.sequenceParameters->TR, "ms"));
    add(valuesText("TE", h.sequenceParameters->TE, "ms"));
    add(valuesText("TI", h.sequenceParameters->TI, "ms"));
    add(valuesText("flip angle", h.sequenceParameters->flipAngle_deg, "degrees"));
  }
  add(sequence);
  if (h.acquisitionSystemInformation && h.acquisitionSystemInformation->systemModel)
    add(*h.acquisitionSystemInformation->systemModel);
  add(software);
  const std::string name =
      h.measurementInformation ? h.measurementInformation->protocolName.value_or("") : "";
  if (!name.empty() || !facts.empty())
    d.note("protocol", name.empty() ? "without a name" : name, joined(facts));
  constexpr double hertzPerMegahertz = 1e6;
  constexpr int frequencyDigits = 9;
  if (!nucleus.empty() || hertz > 0)
    d.note("nucleus", nucleus.empty() ? "not named" : nucleus,
           hertz > 0 ? numberText(hertz / hertzPerMegahertz, frequencyDigits) + " MHz"
                     : "the protocol gives no frequency");
  std::vector<std::string> elements;
  if (h.acquisitionSystemInformation)
    for (const auto& coil : h.acquisitionSystemInformation->coilLabel) elements.push_back(coil.coilName);
  if (!elements.empty())
    d.note("coil-elements", joined(elements), "the protocol's names, in the order of the channels");
  const std::string position = h.measurementInformation ? h.measurementInformation->patientPosition : "";
  if (!position.empty()) d.note("patient-position", position, "from the protocol");
}

}  // namespace

std::shared_ptr<Scan> readTwix(const std::filesystem::path& path, const SeparateFiles& separate, Decisions& d,
                               const Progress& progress) {
  const std::string measurement = decideMeasurement(readTwixTable(path), d);
  AcquisitionFile file(path, measurement, progress.part(0, 0.1));
  noteProtocol(file.xml(), d);
  return readOpenFile(file, path, separate, d, progress.part(0.1, 1));
}

std::shared_ptr<Scan> readBruker(const std::filesystem::path& path, const SeparateFiles& separate,
                                 Decisions& d, const Progress& progress) {
  const std::filesystem::path data = brukerData(path).value_or(path);
  AcquisitionFile file(data, "", progress.part(0, 0.1));
  noteProtocol(file.xml(), d);
  d.note("place", "by the gradients",
         "ACQ_grad_matrix and the offsets of acqp, in the magnet's axes: which side of the animal is left "
         "depends on how it lay, and is not told");
  auto scan = readOpenFile(file, data, separate, d, progress.part(0.1, 1));
  const std::filesystem::path folder = std::filesystem::absolute(data).parent_path();
  scan->name = (folder.filename() / data.filename()).string();  // experiments are numbers
  return scan;
}

}  // namespace spokelab
