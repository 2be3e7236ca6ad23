#include "engine/scan/read/read_scan.h"

#include <memory>

#include "engine/core/error.h"
#include "engine/core/output/job_files.h"
#include "engine/scan/formats/acquisitions/bruker/bruker_layout.h"
#include "engine/scan/formats/arrays/array_name.h"
#include "engine/scan/formats/file_kind.h"
#include "engine/scan/formats/foreign/foreign_file.h"
#include "engine/scan/read/correct/concomitant.h"
#include "engine/scan/read/correct/correct_delays.h"
#include "engine/scan/read/correct/correct_drift.h"
#include "engine/scan/read/correct/correct_ghost.h"
#include "engine/scan/read/correct/correct_girf.h"
#include "engine/scan/read/correct/correct_motion.h"
#include "engine/scan/read/correct/correct_scales.h"
#include "engine/scan/read/piped_input.h"
#include "engine/scan/read/read_hdf5.h"
#include "engine/scan/read/read_ismrmrd.h"
#include "engine/scan/read/remembered_choices.h"
#include "engine/scan/read/scanner/read_twix.h"
#include "engine/scan/read/separate/separate_arrays.h"
#include "engine/scan/read/shots/motion_bins.h"
#include "engine/scan/read/shots/sliding_window.h"
#include "engine/scan/simulate/built_in_scans.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

// The user's earlier choices for this file. One that no longer applies is dropped, with a word.
void suggestRemembered(const ReadOptions& options, const std::string& fingerprint, Decisions& d) {
  if (options.choices.empty()) return;
  for (const auto& [topic, choice] : RememberedChoices(options.choices).find(fingerprint)) try {
      d.suggest(topic, choice, "remembered for this file");
    } catch (const Error& e) {
      d.warn("A remembered choice was left out: " + e.reason());
    }
}

// "scan.h5:group/kspace" without its folder.
std::string shortName(const fs::path& name) {
  const ArrayName parsed = parseArrayName(name);
  return parsed.variable.empty() ? name.filename().string()
                                 : arrayName(parsed.file.filename(), parsed.variable).string();
}

std::shared_ptr<Scan> readKind(FileKind kind, const fs::path& file, const ReadOptions& options, Decisions& d,
                               const Progress& progress) {
  switch (kind) {
    case FileKind::hdf5:
      return readHdf5(file, options, d, progress);
    case FileKind::stream:
      return readIsmrmrd(file, options.dataset, options.separate, d, progress);
    case FileKind::twix:
      return readTwix(file, options.separate, d, progress);
    case FileKind::bruker:
      return readBruker(file, options.separate, d, progress);
    case FileKind::json:
      return readDescription(file, options, d, progress);
    case FileKind::npy:
    case FileKind::cfl:
    case FileKind::npz:
    case FileKind::mat:
    case FileKind::dataset:
      if (!options.separate.trajectory.empty()) return readLoneArray(file, options.separate, d, progress);
      throw Error(d.problem(), "it is " + kindName(kind) + ", which does not say what its axes are",
                  "'spokelab info " + shortName(file) +
                      "' proposes a description (JSON): open that instead; or give the trajectory's file: "
                      "--trajectory FILE");
    case FileKind::points:
    case FileKind::sequence:
      throw Error(d.problem(), "it is " + kindName(kind) + ", without samples",
                  "Open the samples with it: --trajectory " + file.filename().string() +
                      "; in the window, drop it onto the samples");
    case FileKind::nifti:
    case FileKind::png:
      throw Error(d.problem(), "it is " + kindName(kind) + ", not raw data",
                  "Open the scan it was made from");
    case FileKind::dicom:
    case FileKind::unknown:
      break;
  }
  if (const auto foreign = foreignFile(file)) throw Error(d.problem(), foreign->what, foreign->wayOn);
  throw Error(d.problem(), "it is neither an HDF5 file nor an array nor a description of arrays",
              "Convert the scan to ISMRMRD (HDF5), BART's .cfl, NumPy's .npy or MATLAB's .mat first");
}

}  // namespace

std::shared_ptr<const Scan> readScan(const fs::path& name, const ReadOptions& options,
                                     const Progress& progress) {
  progress.report(0, "Opening " + name.filename().string());
  if (isBuiltIn(name.string())) return builtInScan(name.string(), progress);
  fs::path file = regularFileOf(name, progress);
  if (auto data = brukerData(file)) file = *std::move(data);
  noteInput(parseArrayName(file).file);
  try {
    const FileKind kind = fileKind(file);
    Decisions d(options, "Cannot read " + file.string());
    const std::string fingerprint = fileFingerprint(parseArrayName(file).file);
    suggestRemembered(options, fingerprint, d);
    const std::string parts = slidesWindow(d) || binsMotion(d) ? d.take("read-frames") : "";
    auto scan = readKind(kind, file, options, d, progress);
    slideWindow(*scan, parts, d);
    binMotion(*scan, parts, d);
    if (!d.override(ghostTopic).empty()) correctGhost(*scan, {}, d, progress);  // of plain arrays
    correctGirf(*scan, d, progress);
    correctDrift(*scan, d, progress);
    correctDelays(*scan, d, progress);
    correctScales(*scan, d);
    correctConcomitant(*scan, d, progress);
    correctMotion(*scan, d);
    scan->fingerprint = fingerprint;
    if (isPipe(name)) scan->name = name == "-" ? "standard input" : name.filename().string();
    scan->decisions = std::move(d.made);
    scan->warnings = std::move(d.warnings);
    progress.report(1, "Read " + scan->name);
    return scan;
  } catch (const std::bad_alloc&) {
    throw Error("Cannot read " + file.string(), "there is not enough memory for it",
                "Read it on a machine with more memory");
  } catch (const fs::filesystem_error& e) {
    throw Error("Cannot read " + file.string(), e.code().message(), "Check that the file is still there");
  }
}

}  // namespace spokelab
