// info: what a file holds, what the reader decided and why; and the machines to reconstruct on.
#include <algorithm>
#include <cmath>

#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/info/raw_text.h"
#include "app/cli/info/sequence_text.h"
#include "app/cli/text.h"
#include "engine/core/atomic_file.h"
#include "engine/core/document.h"
#include "engine/core/staged_folder.h"
#include "engine/core/text.h"
#include "engine/profile/results/results.h"
#include "engine/recon/explore/doctor.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/check/check_places.h"
#include "engine/scan/check/check_scan.h"
#include "engine/scan/formats/arrays/array_file.h"
#include "engine/scan/formats/file_kind.h"
#include "engine/scan/formats/frames/frame_texts.h"
#include "engine/scan/formats/images/dicom/read_dicom.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/formats/images/write_image.h"
#include "engine/scan/place/image_groups.h"
#include "engine/scan/read/description/propose_description.h"
#include "engine/scan/read/description/scan_description.h"
#include "engine/scan/read/description/unused_arrays.h"
#include "engine/scan/read/missing_trajectory.h"
#include "engine/scan/read/piped_input.h"
#include "engine/scan/read/shots/motion_bins.h"
#include "engine/scan/simulate/built_in_scans.h"

namespace spokelab::cli {
namespace {

std::string shotText(const Trajectory& t) {
  std::int64_t shortest = t.samples(), longest = 0;
  for (std::size_t s = 0; s + 1 < t.shotOffsets.size(); ++s) {
    const std::int64_t length = t.shotOffsets[s + 1] - t.shotOffsets[s];
    shortest = std::min(shortest, length);
    longest = std::max(longest, length);
  }
  const std::string lengths = shortest == longest
                                  ? std::to_string(longest)
                                  : std::to_string(shortest) + " to " + std::to_string(longest);
  return countText(t.shots(), "shot") + " x " + lengths + " samples";
}

std::string extentText(const Trajectory& t) {
  std::string text;
  const auto dims = std::size_t(t.dims);
  for (std::size_t d = 0; d < dims; ++d) {
    double largest = 0;
    for (std::size_t i = d; i < t.points.size(); i += dims)
      largest = std::max(largest, std::abs(t.points[i]));
    text += (d ? " x " : "") + numberText(largest, 4);
  }
  return text;
}

std::string millimetres(const Vec3& v, int dims) {
  std::string text;
  for (std::size_t d = 0; d < std::size_t(dims); ++d) text += (d ? " x " : "") + numberText(v[d], 4);
  return text + " mm";
}

void sayDecisions(CommandContext& context, const std::vector<Decision>& decisions) {
  if (!decisions.empty()) context.say("Decisions of the reader (overrule with --set TOPIC=CHOICE)");
  for (const Decision& d : decisions) {
    context.say(row(d.topic, d.choice +
                                 (d.overridden ? " (as told)"
                                  : d.question ? " (?)"
                                               : "") +
                                 ": " + d.evidence));
    if (!d.alternatives.empty()) context.say(row("", "or: " + joined(d.alternatives, ", ")));
  }
}

// Samples whose places another file has to give: what is known of them, and the way on.
void describeSamples(CommandContext& context, const std::string& file, const MissingTrajectory& missing,
                     nlohmann::json& document) {
  context.say(file);
  context.say(row("trajectory", "none: " + missing.reason()));
  sayDecisions(context, missing.decisions);
  context.say("What to do");
  context.say("  " + missing.remedy());
  document["missing"] = {{"what", "trajectory"}, {"why", missing.reason()}, {"remedy", missing.remedy()}};
  document["decisions"] = nlohmann::json::array();
  for (const Decision& d : missing.decisions) document["decisions"].push_back(toJson(d));
}

void describe(CommandContext& context, const Scan& scan, const RawSummary& raw) {
  const auto say = [&](const std::string& name, const std::string& value) { context.say(row(name, value)); };
  const Trajectory& t = scan.trajectories.front();
  const int dims = scan.dims();
  context.say(scan.name);
  say("samples", countText(scan.frames, "frame") + ", " + countText(scan.slices, "slice") + ", " +
                     countText(scan.coils, "coil") + ", " + shotText(t));
  say("trajectory", std::to_string(dims) + "-D, |k| up to " + extentText(t) + " cycles/FOV" +
                        (scan.trajectories.size() > 1 ? ", one for each frame" : ""));
  say("weights", t.weights.empty() ? "none in the file" : "in the file");
  if (!t.times.empty()) {
    const auto [first, last] = std::minmax_element(t.times.begin(), t.times.end());
    say("times", numberText(*first * 1e3, 3) + " to " + numberText(*last * 1e3, 3) + " ms after excitation");
  }
  say("matrix", sizeText(scan.geometry.matrix, dims, " x "));
  say("field of view", millimetres(scan.geometry.fov, 3) + (scan.geometry.nominal ? " (nominal)" : ""));
  say("pixel", millimetres(scan.geometry.voxel(), 3));
  describeRaw(context, raw);
  sayDecisions(context, scan.decisions);
  if (!scan.warnings.empty()) context.say("Warnings");
  for (const std::string& warning : scan.warnings) context.say("  " + warning);
}

// All that a .npz or .mat file holds, or the one array that is named or that the file is.
std::vector<ArrayVariable> arraysIn(const std::string& file) {
  const ArrayName name = parseArrayName(file);
  if (holdsSeveralArrays(name.file) && name.variable.empty()) return arrayVariables(name.file);
  if (lacksHeader(name.file)) return {{"", {}, "no .hdr beside it says its shape"}};
  const ArrayFile array(file);
  return {{array.name().variable, array.header(), ""}};
}

// Arrays: what they hold, and the description that makes a scan of them and their neighbours.
void describeArray(CommandContext& context, const std::string& file, const std::string& output,
                   nlohmann::json& document) {
  context.say(file);
  for (const ArrayVariable& v : arraysIn(file)) {
    const ArrayHeader& h = v.header;
    if (!v.unreadable.empty()) {
      context.say(row(v.name.empty() ? "array" : v.name, v.unreadable));
      continue;
    }
    context.say(row(v.name.empty() ? "array" : v.name,
                    shapeText(h.shape) + " " + elementName(h.type) +
                        (h.firstAxisFastest ? ", first axis fastest" : ", last axis fastest") +
                        (h.bigEndian ? ", big-endian" : "")));
    const nlohmann::json what = {
        {"shape", h.shape}, {"type", elementName(h.type)}, {"firstAxisFastest", h.firstAxisFastest}};
    if (v.name.empty())
      document["array"] = what;
    else
      document["arrays"][v.name] = what;
  }
  const ProposedDescription proposal = proposeScanDescription(file);
  const std::string text = scanDescriptionText(proposal.description);
  document["description"] = parseDocument(text, "Cannot describe " + file, "");
  document["notes"] = proposal.notes;
  context.say("Proposed description (guessed from sizes and names: check it)");
  for (const std::string& note : proposal.notes) context.say("  " + note);
  if (output.empty()) {
    context.say(text + "Write it with --describe NAME.json into the arrays' folder, then open NAME.json.");
    return;
  }
  writeFileAtomically(output, text);
  context.say(row("written", output));
}

void describeImage(CommandContext& context, const std::string& file, const Progress& progress,
                   nlohmann::json& document) {
  const Image image = readImage(file, progress);
  context.say(image.name);
  context.say(row("image", sizeText(image.size, 3, " x ") + ", " + countText(image.frames, "frame")));
  if (!image.frameAxes.empty()) context.say(row("frames", image.frameAxes.summary()));
  context.say(
      row("pixel", millimetres(image.geometry.voxel(), 3) + (image.geometry.nominal ? " (nominal)" : "")));
  context.say(row("place", image.geometry.nominal
                               ? "(?) the file does not give its place: as a map it is taken as stored"
                               : "known"));
  if (const std::string groups = groupsText(imageGroups(image)); !groups.empty())
    context.say(row("", groups));
  double largest = 0;
  for (const cfloat& v : image.data) largest = std::max(largest, double(std::abs(v)));
  context.say(row("largest", numberText(largest, 4)));
  document["image"] = {{"size", image.size},
                       {"frames", image.frames},
                       {"frameAxes", frameAxesJson(image.frameAxes)},
                       {"fov_mm", image.geometry.fov},
                       {"nominal", image.geometry.nominal}};
}

void check(CommandContext& context, const Scan& scan, const SeparateFiles& separate,
           const std::vector<std::string>& maps, nlohmann::json& document) {
  std::vector<Finding> findings = checkScan(scan, context.progress);
  for (const UnusedArray& array : unusedArrays(scan, separate))
    findings.push_back({FindingWeight::suspicious,
                        array.file + " is beside the scan and was not used: it may hold " + array.meaning,
                        array.reason, array.remedy});
  for (const std::string& map : maps) checkMap(scan, map, findings, context.progress);
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.weight < b.weight; });
  nlohmann::json list = nlohmann::json::array();
  context.say("Self-check of " + scan.name +
              (scan.fingerprint.empty() ? "" : " (fingerprint " + scan.fingerprint + ")"));
  context.say("  " + countText(scan.frames, "frame") + ", " + countText(scan.slices, "slice") + ", " +
              countText(scan.coils, "coil") + ", " + shotText(scan.trajectories.front()) + ", matrix " +
              sizeText(scan.geometry.matrix, scan.dims(), " x "));
  if (findings.empty()) context.say("Nothing looks wrong.");
  for (const Finding& f : findings) {
    context.say(row(weightName(f.weight), f.what));
    if (!f.reason.empty()) context.say(row("", f.reason));
    if (!f.remedy.empty()) context.say(row("", "-> " + f.remedy));
    list.push_back(
        {{"weight", weightName(f.weight)}, {"what", f.what}, {"reason", f.reason}, {"remedy", f.remedy}});
  }
  document["findings"] = list;
}

// The bin of each shot, a line each, as --set breathing=FILE takes it.
void writeBins(CommandContext& context, const Scan& scan, const std::string& file) {
  const auto bins = std::find_if(scan.arrays.begin(), scan.arrays.end(),
                                 [](const NamedArray& a) { return a.name == motionBinsName; });
  if (bins == scan.arrays.end())
    throw Error("Cannot write the bins of " + scan.name, "its shots have none",
                "Add --set breathing=4 or --set heart=8");
  std::string text;
  for (const cfloat& bin : bins->values) text += std::to_string(int(bin.real())) + '\n';
  writeFileAtomically(file, text);
  context.say(row("written", file));
}

class InfoCommand final : public Command {
 public:
  InfoCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("info",
                                "Show what a file holds, what the reader decided about it, what looks wrong, "
                                "and what else it may mean");
    scan_.addTo(*app);
    CLI::Option* const check =
        app->add_flag("--check", check_, "Say everything that looks wrong in the scan, on one page");
    app->add_option("--map", maps_,
                    "With --check: field, coil or decay maps to look at beside the scan; say where they lie")
        ->type_name("FILE")
        ->needs(check);
    app->add_option("--doctor", doctor_,
                    "Read the scan in other ways too, and write a small picture of each into this folder")
        ->type_name("FOLDER");
    app->add_option("--describe", describe_,
                    "For .npy, .npz, .mat or .cfl: write the proposed description of the scan")
        ->type_name("FILE.json");
    app->add_option("--bins", bins_,
                    "With --set breathing=4: write the bin of each shot, to edit and give back")
        ->type_name("FILE.txt");
    app->add_option("--readout", readout_,
                    "Say what a readout and its spectrum hold; --json writes magnitude, phase, spectrum and "
                    "the traces (ECG, respiration). COIL, FRAME and SLICE may be left out: 0")
        ->type_name("SHOT,COIL,FRAME,SLICE");
    addJson(*app, json_);
    app->footer("Examples:\n  " + program + " info scan.h5\n  " + program + " info scan.h5 --check\n  " +
                program + " info scan.h5 --doctor readings\n  " + program +
                " info scan.h5 --set third-dimension=density-weight --remember\n  " + program +
                " info scan.h5 --readout 12,0 --json shot.json\n  " + program +
                " info ksp.npy --describe scan.json\n  " + program + " info sequence.seq");
  }

  void declare(JobFiles& files) const override {
    scan_.declare(files);
    for (const std::string& map : maps_) files.reads(map);
    files.writes(describe_);
    files.writes(bins_);
    files.writesInto({doctor_, "", ".png"});
    files.writes(json_);
  }

  void run(CommandContext& context) override {
    nlohmann::json document;
    if (isBuiltIn(scan_.file()) || isPipe(scan_.file()) || !scan_.options().separate.trajectory.empty())
      inspectScan(context, document);
    else if (isDicomFolder(scan_.file()))
      describeImage(context, scan_.file(), context.progress, document);
    else
      switch (fileKind(scan_.file())) {
        case FileKind::npy:
        case FileKind::cfl:
        case FileKind::npz:
        case FileKind::mat:
        case FileKind::dataset:
          describeArray(context, scan_.file(), describe_, document);
          break;
        case FileKind::nifti:
        case FileKind::dicom:
          describeImage(context, scan_.file(), context.progress, document);
          break;
        case FileKind::sequence:
          describeSequence(context, scan_.file(), document);
          break;
        default:
          inspectScan(context, document);
      }
    context.json(json_, document);
  }

 private:
  void inspectScan(CommandContext& context, nlohmann::json& document) {
    if (!doctor_.empty()) return askDoctor(context, document);
    std::shared_ptr<const Scan> scan;
    try {
      scan = scan_.read(context.progress);
    } catch (const MissingTrajectory& missing) {
      if (check_) throw;
      return describeSamples(context, scan_.file(), missing, document);
    }
    document["scan"] = toJson(*scan);
    if (check_) return check(context, *scan, scan_.options().separate, maps_, document);
    const RawSummary raw = rawSummary(*scan, context.progress);
    document["samples"] = toJson(raw);
    describe(context, *scan, raw);
    if (!readout_.empty()) describeReadout(context, *scan, readout_, document["samples"]);
    if (!bins_.empty()) writeBins(context, *scan, bins_);
    nlohmann::json backends = nlohmann::json::array();
    context.say("Machines");
    for (const BackendBadge& badge : context.backends().badges()) {
      context.say(row(badge.name, badge.text));
      backends.push_back({{"name", badge.name}, {"text", badge.text}, {"usable", badge.usable}});
    }
    document["backends"] = backends;
  }

  void askDoctor(CommandContext& context, nlohmann::json& document) {
    StagedFolder folder(doctor_);
    const auto backend = makeCpuBackend();
    const std::vector<Reading> readings =
        otherReadings(scan_.file(), scan_.options(), *backend, DoctorOptions(), context.progress);
    nlohmann::json list = nlohmann::json::array();
    context.say("Readings of " + scan_.file() +
                "; choose one with --set TOPIC=CHOICE, and --remember to keep it");
    for (std::size_t i = 0; i < readings.size(); ++i) {
      const Reading& r = readings[i];
      const std::string choice = r.topic.empty() ? "now" : r.topic + "=" + r.choice;
      std::string name;
      if (r.image) {
        name = (i < 10 ? "0" : "") + std::to_string(i) + "_" + choice + ".png";
        std::replace(name.begin(), name.end(), '/', '-');
        WriteOptions options;
        options.part = ComplexPart::magnitude;
        writeImage(middleSlice(*r.image), folder.path() / name, options, context.progress.part(1, 1));
      }
      context.say(row(choice, r.image ? name : "not possible: " + r.failed));
      context.say(row("", r.evidence));
      list.push_back({{"topic", r.topic},
                      {"choice", r.choice},
                      {"evidence", r.evidence},
                      {"picture", name},
                      {"failed", r.failed}});
    }
    folder.commit();
    document["readings"] = list;
  }

  ScanArguments scan_;
  std::string json_, doctor_, describe_, bins_, readout_;
  std::vector<std::string> maps_;
  bool check_ = false;
};

}  // namespace

std::unique_ptr<Command> makeInfoCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<InfoCommand>(parent, program);
}

}  // namespace spokelab::cli
