// The field map (and R2*) that the echoes of a scan, or images of echoes, show.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/recon/sense/backend.h"

namespace spokelab {

struct ScanField {
  std::shared_ptr<const Image> field;      // rad/s, on the scan's grid; slices that were left out are 0
  std::shared_ptr<const Image> deviation;  // rad/s: standard deviation of a pixel before smoothing
  std::shared_ptr<const Image> decay;      // R2* in 1/s
  std::vector<double> times;               // of the echoes, s
  std::vector<std::string> notes;          // what was found, and how
};

// Echoes are the frames along the echo axis that are at the first chosen frame's places along the
// other axes; their images are made by SENSE, all with the same coil maps, first without a field
// and then, where it acts within a readout, with the field so far. The rest:
// field/echo/echo_field.h. Throws Error where the scan has fewer than two echoes with known times;
// Cancelled.
ScanField fieldFromEchoes(Backend& backend, const Scan& scan, const ReconOptions& options,
                          const Progress& progress);

// From images of the echoes: complex ones, or phases in rad or in -4096 ... 4096 (a turn is 8192,
// as Siemens writes them) with the magnitude of all, where there is one. times: of each image, s;
// empty: as the images' files say (DICOM).
ScanField fieldFromImages(const std::vector<Image>& images, const Image* magnitude,
                          const std::vector<double>& times, double smoothing, const Progress& progress);

// The same from files.
ScanField fieldFromFiles(const FieldImages& files, const ReconOptions& options, const Progress& progress);

// "2,4.3" in ms as seconds. Throws Error.
std::vector<double> echoTimesOf(const std::string& text);

bool findsField(const ReconOptions& options);
// The options with that field; the same where they ask for another.
ReconOptions withEchoField(Backend& backend, const Scan& scan, ReconOptions options,
                           const Progress& progress);

}  // namespace spokelab
