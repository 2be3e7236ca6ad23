#include "engine/scan/formats/patient/patient.h"

#include <cmath>
#include <exception>

#include "engine/core/text.h"
#include "engine/scan/formats/xml/xml_element.h"

namespace spokelab {

Patient patientIn(const std::string& header) {
  Patient patient;
  try {
    const XmlElement root = parseXml(header);
    const XmlElement* const subject = root.child("subjectInformation");
    if (!subject) return patient;
    patient.name = subject->childText("patientName");
    patient.id = subject->childText("patientID");
    patient.birthDate = subject->childText("patientBirthdate");
    patient.sex = subject->childText("patientGender");
    const double weight = leadingNumber(subject->childText("patientWeight_kg"));
    patient.weightKg = std::isfinite(weight) && weight > 0 ? weight : 0;
  } catch (const std::exception&) {
    return {};  // a description of arrays, or none
  }
  return patient;
}

std::vector<std::string> patientLines(const Patient& patient) {
  std::vector<std::string> lines;
  const auto add = [&](const char* what, const std::string& value) {
    if (!value.empty()) lines.push_back(std::string("patient ") + what + ": " + value);
  };
  add("name", patient.name);
  add("id", patient.id);
  add("birth date", patient.birthDate);
  add("sex", patient.sex);
  if (patient.weightKg > 0) add("weight", numberText(patient.weightKg) + " kg");
  return lines;
}

}  // namespace spokelab
