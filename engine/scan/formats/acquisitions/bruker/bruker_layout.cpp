#include "engine/scan/formats/acquisitions/bruker/bruker_layout.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <vector>

#include "engine/core/error.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t mostOf16Bits = std::numeric_limits<std::uint16_t>::max();

bool isThere(const fs::path& file) {
  std::error_code failed;
  return fs::is_regular_file(file, failed);
}

// The records of a list of structures; each has `fields` words.
std::vector<std::string> recordOf(const BrukerParameters& parameters, const char* list, std::size_t index,
                                  std::size_t records) {
  const std::vector<std::string>& words = parameters.words(list);
  const std::size_t fields = words.size() / std::max<std::size_t>(records, 1);
  if (index >= records || fields == 0) return {};
  const auto begin = words.begin() + std::ptrdiff_t(index * fields);
  return {begin, begin + std::ptrdiff_t(fields)};
}

// ParaVision 360 names its jobs at the end of nine fields, of which the seventh counts the stored
// readouts. ParaVision 6 and 7 have eight fields, and job 1 of theirs is rawdata.job1.
struct BrukerJob {
  std::size_t index = 0, count = 1;
  std::int64_t reals = 0, stored = 0;
};

constexpr std::size_t namedJobFields = 9, numberedJobFields = 8;

bool jobsAreNamed(const BrukerParameters& acqp) {
  const std::vector<std::string>& words = acqp.words("ACQ_jobs");
  return words.size() >= namedJobFields && words.size() % namedJobFields == 0 &&
         !acqp.number("ACQ_jobs", namedJobFields - 1);
}

BrukerJob jobOf(const BrukerParameters& acqp, const std::string& file, const std::string& problem) {
  constexpr std::size_t storedField = 6;
  const std::vector<std::string>& words = acqp.words("ACQ_jobs");
  const std::string name = file.substr(file.find('.') + 1);
  BrukerJob job;
  if (jobsAreNamed(acqp)) {
    job.count = words.size() / namedJobFields;
    while (job.index < job.count && words[job.index * namedJobFields + namedJobFields - 1] != name)
      ++job.index;
    if (job.index < job.count)
      job.stored = acqp.count("ACQ_jobs", job.index * namedJobFields + storedField, 0);
  } else {
    job.count = words.size() > numberedJobFields && words.size() % numberedJobFields == 0
                    ? words.size() / numberedJobFields
                    : 1;
    if (name.starts_with("job")) std::from_chars(name.data() + 3, name.data() + name.size(), job.index);
  }
  if (job.index >= job.count)
    throw Error(problem, "acqp has no job of the name " + name, "Name another file rawdata.* of the folder");
  job.reals = acqp.count("ACQ_jobs", job.index * (words.size() / job.count), 0);
  return job;
}

BrukerNumber numberOf(const BrukerFiles& files, const BrukerJob* job, const std::string& problem) {
  const std::string raw = files.acqp.word("GO_raw_data_format"), size = files.acqp.word("ACQ_word_size");
  // A job's own setting of its storage wins over the global ones.
  if (job)
    for (const std::string& word : recordOf(files.acqp, "ACQ_ScanPipeJobSettings", job->index, job->count)) {
      if (word == "STORE_discard")
        throw Error(problem, "acqp says that this job's samples are not stored",
                    "Name another file rawdata.* of the folder");
      if (word == "STORE_64bit_float") return BrukerNumber::float64;
    }
  if (raw == "GO_16BIT_SGN_INT" || (raw.empty() && size == "_16_BIT")) return BrukerNumber::int16;
  if (raw == "GO_32BIT_FLOAT") return BrukerNumber::float32;
  if (raw == "GO_32BIT_SGN_INT" || size == "_32_BIT" || (raw.empty() && size.empty()))
    return BrukerNumber::int32;
  throw Error(problem, "its numbers have the format " + (raw.empty() ? size : raw) + ", which is not known",
              "Save samples and trajectory as .npy");
}

std::int64_t receiversOf(const BrukerFiles& files) {
  if (files.method.has("PVM_EncNReceivers")) return files.method.count("PVM_EncNReceivers", 0, 1);
  for (const char* const list : {"ACQ_ReceiverSelectPerChan", "ACQ_ReceiverSelect"}) {
    const auto& words = files.acqp.words(list);
    if (const auto on = std::count(words.begin(), words.end(), "Yes"); on > 0) return on;
  }
  return 1;
}

// A stack's readouts are a multiple of its shots: ACQ_size may count the shots of all partitions.
std::int64_t partitionsOf(const BrukerFiles& files, std::int64_t shots) {
  const std::int64_t planes = files.method.count("PVM_EncMatrix", 2, 1);
  const bool together = files.acqp.count("ACQ_size", 1, 0) == shots * planes;
  const bool apart =
      files.acqp.count("ACQ_size", 1, 0) == shots && files.acqp.count("ACQ_size", 2, 0) == planes;
  return together || apart ? planes : 1;
}

void refuseOthers(const BrukerFiles& files, const std::string& problem) {
  const std::string program = files.acqp.word("PULPROG"), method = files.method.word("Method");
  const char* const wayOn =
      "Convert it with bruker_to_ismrmrd, or read it with brukerapi and save arrays as .npy";
  for (const char* const name : {"EPI", "epi", "Epi", "EPSI"})
    if (program.find(name) != std::string::npos || method.find(name) != std::string::npos)
      throw Error(problem, "it is an EPI measurement (" + program + "), whose trains are not read", wayOn);
  if (files.acqp.word("ACQ_dim_desc") == "Spectroscopic")
    throw Error(problem, "it is a spectrum (" + program + "), not an image", wayOn);
}

}  // namespace

std::optional<fs::path> brukerData(const fs::path& path) {
  std::error_code failed;
  fs::path folder = path;
  if (!fs::is_directory(path, failed)) {
    const std::string name = path.filename().string();
    const bool data = name.starts_with("rawdata.");
    if (!data && name != "fid" && name != "traj" && name != "acqp" && name != "method") return std::nullopt;
    folder = path.parent_path().empty() ? fs::path(".") : path.parent_path();
    if (data && isThere(path) && isThere(folder / "acqp") && isThere(folder / "method")) return folder / name;
  }
  if (!isThere(folder / "acqp") || !isThere(folder / "method")) return std::nullopt;
  for (const char* const data : {"fid", "rawdata.job0"})
    if (isThere(folder / data)) return folder / data;
  // ParaVision 360 may name its first job otherwise: the largest file holds the image.
  std::optional<fs::path> largest;
  std::uintmax_t most = 0;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    std::error_code unknown;
    const std::uintmax_t size = at->file_size(unknown);
    if (unknown || !at->path().filename().string().starts_with("rawdata.") || !isThere(at->path())) continue;
    if (largest && (size < most || (size == most && *largest < at->path()))) continue;
    largest = at->path();
    most = size;
  }
  return largest;
}

std::uint64_t BrukerLayout::valueBytes() const {
  constexpr std::uint64_t two = 2, four = 4, eight = 8;
  return number == BrukerNumber::int16 ? two : number == BrukerNumber::float64 ? eight : four;
}

BrukerLayout::Place BrukerLayout::placeOf(std::int64_t readout) const {
  const std::int64_t inTrain = readout % train, object = readout / train % objects;
  const std::int64_t outer = readout / (train * objects);
  return {inTrain + train * (outer % trains), object, outer / trains};
}

BrukerLayout brukerLayout(const BrukerFiles& files, const fs::path& data, bool hasTrajectory,
                          const std::string& problem) {
  refuseOthers(files, problem);
  const BrukerParameters &acqp = files.acqp, &method = files.method;
  const bool job = data.filename() != "fid";
  BrukerLayout l;
  const BrukerJob described = job ? jobOf(acqp, data.filename().string(), problem) : BrukerJob();
  l.number = numberOf(files, job ? &described : nullptr, problem);
  l.stored = described.stored;
  l.bigEndian = acqp.word("BYTORDA") == "big";
  const std::int64_t receivers = receiversOf(files);
  const std::int64_t reals = job ? described.reals : acqp.count("ACQ_size", 0, 0);
  if (reals < 2 || reals / 2 > mostOf16Bits || receivers > mostOf16Bits)
    throw Error(
        problem,
        std::string("acqp says no possible number of samples (") + (job ? "ACQ_jobs" : "ACQ_size") + ")",
        copyBrukerAgain);
  l.samples = int(reals / 2);
  l.receivers = int(receivers);
  l.blockBytes = std::uint64_t(2 * l.samples) * std::uint64_t(receivers) * l.valueBytes();
  constexpr std::uint64_t padding = 1024;
  if (!job && acqp.word("GO_block_size") == "Standard_KBlock_Format")
    l.blockBytes = (l.blockBytes + padding - 1) / padding * padding;
  l.dims = acqp.count("ACQ_dim", 0, 2) >= 3 ? 3 : 2;
  l.objects = acqp.count("NI", 0, 1);
  l.repetitions = acqp.count("NR", 0, 1);
  const std::int64_t slices = acqp.count("NSLICES", 0, 1);
  l.echoes = l.objects % slices == 0 ? int(std::min(l.objects / slices, mostOf16Bits)) : 1;
  l.train = acqp.count("ACQ_phase_factor", 0, 1);
  l.cartesian = !hasTrajectory;
  std::int64_t lines = 1;
  if (hasTrajectory && method.has("NPro")) {
    lines = method.count("NPro", 0, 1);
  } else if (hasTrajectory && method.has("PVM_SpiralNbOfInterleaves")) {
    l.spiral = true;
    lines = l.train = method.count("PVM_SpiralNbOfInterleaves", 0, 1);  // before the objects
  } else {
    lines = acqp.count("ACQ_size", 1, method.count("PVM_EncMatrix", 1, 1));
    if (l.dims == 3) lines *= acqp.count("ACQ_size", 2, method.count("PVM_EncMatrix", 2, 1));
  }
  if (hasTrajectory && l.dims == 3) {
    l.partitions = partitionsOf(files, lines);
    lines *= l.partitions;
  }
  if (lines % l.train != 0)
    throw Error(problem,
                "ACQ_phase_factor " + std::to_string(l.train) + " does not divide its " +
                    std::to_string(lines) + " lines",
                copyBrukerAgain);
  l.trains = lines / l.train;
  constexpr double mostReadouts = 1 << 28;
  if (double(lines) * double(l.objects) * double(l.repetitions) > mostReadouts)
    throw Error(problem, "its parameters claim more readouts than a scan can have", copyBrukerAgain);
  return l;
}

}  // namespace spokelab
