#include "app/cli/image_output.h"

#include <cmath>

#include "app/cli/arguments.h"
#include "app/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/recon/job/job_history.h"
#include "engine/recon/job/job_text.h"
#include "engine/scan/formats/images/dicom/write_dicom.h"

namespace spokelab::cli {
namespace {

const std::vector<std::pair<std::string, ComplexPart>>& parts() {
  static const std::vector<std::pair<std::string, ComplexPart>> all = {{"complex", ComplexPart::complex},
                                                                       {"magnitude", ComplexPart::magnitude},
                                                                       {"phase", ComplexPart::phase},
                                                                       {"real", ComplexPart::real},
                                                                       {"imaginary", ComplexPart::imaginary}};
  return all;
}

std::vector<std::string> partChoices() {
  std::vector<std::string> names;
  for (const auto& part : parts()) names.push_back(part.first);
  return names;
}

}  // namespace

void ImageOutput::addTo(CLI::App& app, Needed needed) {
  app.add_option("-o,--output", file_,
                 "The image to write: .nii.gz, .nii, .h5 (ISMRMRD), .dcm (DICOM), .cfl, .npy or .png; "
                 "NAME.dcm/ for a folder of DICOM files, FOLDER/ for a picture of each frame and slice")
      ->type_name("FILE")
      ->required(needed == Needed::yes)
      ->group("Output");
  app.add_option("--part", part_, "Part of the complex image to write (.png, DICOM: complex means magnitude)")
      ->type_name('{' + joined(partChoices(), ",") + '}')
      ->check(CLI::IsMember(partChoices()).description(""))
      ->capture_default_str()
      ->group("Output");
  app.add_option("--window", options_.window, ".png: width of the grey scale; 0: up to the 99.5th percentile")
      ->type_name("NUMBER")
      ->capture_default_str()
      ->group("Output");
  app.add_option("--level", options_.level, ".png: middle of the grey scale")
      ->type_name("NUMBER")
      ->capture_default_str()
      ->group("Output");
  app.add_flag("--keep-patient", keepPatient_,
               "Write what the scan's header says about the patient into the image (DICOM, ISMRMRD, NIfTI)")
      ->group("Output");
}

void ImageOutput::keepPatientOf(const Scan& scan) {
  if (keepPatient_) options_.patient = patientIn(scan.header);
}

void ImageOutput::declare(JobFiles& files) const {
  const ImageFormat format = imageFormat(file_);
  if (format == ImageFormat::unknown)
    throw Error("Cannot write " + file_, "its extension names no format for images",
                "Use .nii.gz, .nii, .h5, .dcm, .cfl, .npy or .png, or a folder: ending in .dcm/ for a DICOM "
                "series, else in / for pictures");
  for (const std::filesystem::path& file : filesOfImage(file_)) files.writes(file);
  if (format == ImageFormat::pictures) files.writesInto({file_, "frame", ".png"});
  if (format == ImageFormat::dicomSeries) files.writesInto({file_, dicomFilePrefix, dicomFileSuffix});
}

void sayWritten(CommandContext& context, const WrittenFiles& files) {
  for (const std::filesystem::path& file : files) context.say(row("written", file.string()));
}

nlohmann::json outputDocument(const std::string& outputName, const WrittenFiles& files) {
  nlohmann::json document = {{"output", outputName}};
  if (files.size() > 1)
    for (const std::filesystem::path& file : files) document["outputs"].push_back(file.string());
  return document;
}

WrittenFiles ImageOutput::write(CommandContext& context, const Image& image, const Progress& progress) const {
  WrittenFiles files = write(image, progress);
  const std::string lost = precisionLost(image, file_);
  if (!lost.empty()) context.say(row("warning", lost));
  return files;
}

WrittenFiles ImageOutput::write(const Image& image, const Progress& progress) const {
  WriteOptions options = options_;
  for (const auto& [name, part] : parts())
    if (name == part_) options.part = part;
  progress.report(0, "Writing " + file_);
  return writeImage(image, file_, options, progress);
}

void sayReconstruction(CommandContext& context, const Reconstruction& r,
                       const std::optional<MemoryCeiling>& ceiling) {
  const Image& image = *r.image;
  context.say(image.name);
  context.say(row("image", sizeText(image.size, 3, " x ") +
                               (image.frames > 1 ? ", " + std::to_string(image.frames) + " frames" : "")));
  if (image.frames > 1 && !image.frameAxes.empty()) context.say(row("frames", image.frameAxes.summary()));
  context.say(row("density", r.density));
  if (!r.iterations.empty()) {
    const IterationRecord& last = r.iterations.back();
    context.say(row("transform", last.transform));
    context.say(
        row("iterations",
            std::to_string(last.residuals.size()) + ", " + last.ending +
                (last.residuals.empty() ? "" : ", residual " + numberText(last.residuals.back(), 2))));
  } else if (r.plan.options.alpha > 0 && !r.options.exact) {
    Candidate plan;
    plan.backend = r.plan.backend;
    plan.options = r.plan.options;
    plan.grid = r.plan.grid;
    context.say(row("plan", planText(plan)));
    context.say(row("", r.plan.description));
    context.say(row("error", numberText(r.plan.error.relativeL2, 2) + " predicted, " +
                                 numberText(r.options.nufft.accuracy, 2) + " asked for"));
  } else {
    context.say(row("plan", r.plan.description));
  }
  if (r.tuning) context.say(row("why", r.tuning->reason + (r.tuning->fromWisdom ? " (from wisdom)" : "")));
  std::string stages;
  constexpr double giga = 1e9;
  for (std::size_t s = 0; s < std::size_t(stageCount); ++s) {
    const double seconds = r.timings.seconds[s], bytes = r.timings.bytes[s];
    if (seconds <= 0) continue;
    stages += (stages.empty() ? "" : ", ") + std::string(shownName(r.timings, Stage(s))) + ' ' +
              secondsText(seconds);
    if (bytes <= 0) continue;
    stages += " (" + numberText(bytes / seconds / giga, 3) + " GB/s";
    if (ceiling)
      stages += ", " + std::to_string(std::llround(100 * bytes / seconds / ceiling->bytesPerSecond)) + " %";
    stages += ')';
  }
  context.say(row("time", secondsText(r.seconds) + ": tuning " + secondsText(r.tuningSeconds) +
                              (r.iterations.empty() ? ", transforms " : ", iterations ") +
                              secondsText(r.timings.total)));
  if (!stages.empty())
    context.say(row("", stages + (r.iterations.empty() ? ", unaccounted " : ", rest of the iterations ") +
                            secondsText(r.timings.unaccounted())));
  if (const std::string frames = frameLatencyText(r); !frames.empty()) context.say(row("frames", frames));
  if (const MeanIteration mean = meanIteration(r.iterations); mean.count > 0)
    context.say(row("iteration", secondsText(mean.parts.total()) + ": " + partsText(mean.parts)));
  if (r.account.total > 0)
    context.say(row("job", secondsText(r.account.total) + ": " + accountText(r.account)));
  if (r.memory.host > 0) context.say(row("memory", memoryText(r.memory)));
  if (r.energy.isKnown()) context.say(row("energy", energyText(r.energy)));
  for (const auto& [name, text] : r.model) context.say(row(name, text));
  if (r.forecast.total > 0) context.say(row("expected", forecastText(r.forecast)));
  if (ceiling)
    context.say(
        row("ceiling", numberText(ceiling->bytesPerSecond / giga, 3) + " GB/s, a copy " +
                           (ceiling->threads > 0 ? "on " + std::to_string(ceiling->threads) + " threads"
                                                 : std::string("on the device"))));
  for (const std::string& note : r.notes) context.say(row("note", note));
}

}  // namespace spokelab::cli
