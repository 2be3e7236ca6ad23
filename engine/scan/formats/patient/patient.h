// The patient, as a scan's header describes him or her. Nothing of it goes into an image's file, a
// report, a session or a scan that the program writes, unless the user asks (--keep-patient), and
// then into images alone.
#pragma once

#include <string>
#include <vector>

namespace spokelab {

struct Patient {
  std::string name, id, birthDate, sex;  // birthDate: YYYY-MM-DD where the header keeps to it
  double weightKg = 0;                   // 0: not said

  bool empty() const {
    return name.empty() && id.empty() && birthDate.empty() && sex.empty() && !(weightKg > 0);
  }
};

// From the header text of a scan (ISMRMRD's subjectInformation); empty where it says nothing.
Patient patientIn(const std::string& header);

// "patient name: ...": a line for what is known.
std::vector<std::string> patientLines(const Patient& patient);

}  // namespace spokelab
