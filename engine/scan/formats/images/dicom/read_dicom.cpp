#include "engine/scan/formats/images/dicom/read_dicom.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/core/child/child_process.h"
#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/output/job_files.h"
#include "engine/core/text.h"
#include "engine/scan/formats/file_kind.h"
#include "engine/scan/formats/frames/frame_texts.h"
#include "engine/scan/formats/hdf5/writing_child.h"
#include "engine/scan/formats/images/dicom/dicom_planes.h"
#include "engine/scan/formats/images/dicom/dicom_tags.h"
#include "engine/scan/place/vectors.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

const char* const exportAgain = "Copy the file again, or export it again";
constexpr std::size_t maxFiles = 100'000;

fs::path folderOfSeries(const fs::path& file) {
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) return file;
  return file.parent_path().empty() ? fs::path(".") : file.parent_path();
}

// Regular files of a folder, by name.
std::vector<fs::path> filesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    std::error_code gone;
    if (at->is_regular_file(gone) && files.size() < maxFiles) files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// --- The child's side

struct Series {
  std::string text, ownAxes;
  std::vector<std::string> files;
  std::vector<DicomPlane> planes;
};

// The module's Errors name no file.
template <class Work>
auto named(const std::string& file, const Work& work) {
  try {
    return work();
  } catch (const Error& e) {
    if (!e.summary().empty()) throw;
    throw Error("Cannot read " + file, e.reason(), e.remedy());
  }
}

class Reader {
 public:
  Reader(fs::path asked, std::string problem)
      : path_(std::move(asked)), problem_(std::move(problem)), module_(dicomModule(problem_)) {
    std::error_code gone;
    if (fs::is_directory(path_, gone))
      readFolder("");
    else
      readAround();
  }

  void send(int socket) {
    Series& series = seriesByUid_.begin()->second;
    const DicomOrder order = orderOf(series.planes, series.ownAxes, problem_);
    const Image& image = order.image;
    ChildArguments head;
    head.put(image.frames);
    head.put(image.size);
    head.put(image.geometry.nominal);
    describeGeometry(image.geometry, [&](const auto& value) { head.put(value); });
    head.put(series.ownAxes.empty() ? frameAxesJson(image.frameAxes).dump() : series.ownAxes);
    head.put(series.files.size());
    for (const std::string& file : series.files) head.put(file);
    FrameSender sender(socket);
    sender.send(ChildMessage::header, 0, head.bytes().data(), head.bytes().size());
    for (std::size_t i = 0; i < order.planes.size(); ++i) {
      const DicomPlane& plane = series.planes[order.planes[i]];
      const std::string& file = series.files[std::size_t(plane.file)];
      std::vector<float> values = named(file, [&] { return module_.pixels(file, plane.inFile); });
      if (std::int64_t(values.size()) != plane.columns * plane.rows)
        throw Error("Cannot read " + file, "its pixels do not fit its size", exportAgain);
      for (float& v : values) v = float(plane.slope * double(v) + plane.intercept);
      sender.send(ChildMessage::values, i, values.data(), values.size() * sizeof(float));
    }
    sender.send(ChildMessage::done, 0, nullptr, 0);
    sender.flush();
  }

 private:
  // A file of one plane means its whole series.
  void readAround() {
    const DicomItem tree = named(path_.string(), [&] { return module_.read(path_.string()); });
    if (tree.text(dicom::mediaSopClass) == dicom::mediaDirectory)
      throw Error(problem_, "it is a directory of DICOM files (DICOMDIR)", "Choose a folder of one series");
    const DicomFileContent content = contentOf(tree, 0, problem_);
    if (content.planes.size() > 1 || content.series.empty())
      add(path_.string(), content);
    else
      readFolder(content.series);
  }

  // All image files of the folder, or those of one series.
  void readFolder(const std::string& wanted) {
    for (const fs::path& file : filesIn(folderOfSeries(path_))) {
      if (!isDicomFile(file)) continue;
      const DicomItem tree = named(file.string(), [&] { return module_.read(file.string()); });
      const bool isImage = tree.find(dicom::rows) && tree.text(dicom::mediaSopClass) != dicom::mediaDirectory;
      if (!isImage || (!wanted.empty() && tree.text(dicom::seriesUid) != wanted)) continue;
      Series& series = seriesByUid_[tree.text(dicom::seriesUid)];
      add(file.string(), contentOf(tree, int(series.files.size()), "Cannot read " + file.string()));
    }
    if (seriesByUid_.empty())
      throw Error(problem_, "no DICOM image lies in it",
                  "Choose the folder of one series, or one of its files");
    if (seriesByUid_.size() == 1) return;
    constexpr std::size_t maxNamed = 5;
    std::string text;
    std::size_t count = 0;
    for (const auto& [uid, series] : seriesByUid_)
      if (count++ < maxNamed)
        text += (text.empty() ? "" : "; ") + series.text + " (" +
                countText(std::int64_t(series.planes.size()), "image") + ", " +
                fs::path(series.files.front()).filename().string() + ")";
    throw Error(problem_, "it holds " + std::to_string(seriesByUid_.size()) + " series: " + text,
                "Name one file: all files of its series are read");
  }

  void add(const std::string& file, const DicomFileContent& content) {
    Series& series = seriesByUid_[content.series];
    series.text = content.seriesText;
    if (series.files.empty()) series.ownAxes = content.ownAxes;
    series.files.push_back(file);
    series.planes.insert(series.planes.end(), content.planes.begin(), content.planes.end());
  }

  fs::path path_;
  std::string problem_;
  DicomModule& module_;
  std::map<std::string, Series> seriesByUid_;  // by UID
};

void loadModule() {
  dicomModule("Cannot read DICOM files");
}

void sendDicom(ChildArguments& arguments, int socket, int) {
  std::string file, problem;
  arguments.take(file);
  arguments.take(problem);
  Reader(file, problem).send(socket);
}

// --- The parent's side

bool isSound(const Geometry& g, const Index3& size) {
  const auto isUnit = [](const Vec3& v) { return std::abs(lengthOf(v) - 1) < 0.01; };
  const auto slices = std::int64_t(g.slicePositions.size());
  bool sound = g.matrix[0] == size[0] && g.matrix[1] == size[1] && g.frames.empty() &&
               (slices == 1 || slices == size[2]) && (g.matrix[2] == 1 || g.matrix[2] == size[2]) &&
               (g.sliceDirections.empty() || g.sliceDirections.size() == g.slicePositions.size());
  for (const double side : g.fov) sound = sound && side > 0 && std::isfinite(side);
  for (const Vec3& p : g.slicePositions) sound = sound && std::isfinite(lengthOf(p));
  for (std::size_t z = 0; z < std::max<std::size_t>(1, g.sliceDirections.size()); ++z) {
    const Directions d = g.directionsOf(z);
    sound = sound && isUnit(d.read) && isUnit(d.phase) && isUnit(d.slice);
  }
  return sound;
}

FrameAxes axesIn(const std::string& text, int frames) {
  try {
    return frameAxesOf(parseDocument(text, "", ""), frames).value_or(FrameAxes());
  } catch (const Error&) {
    return {};  // a note of ours that another program changed
  }
}

std::uint64_t cpuSecondsOf(const fs::path& file) {
  constexpr std::uint64_t minCpuSeconds = 10, bytesPerCpuSecond = 5u << 20;  // far below a sound series' rate
  std::uintmax_t bytes = 0;
  for (const fs::path& one : filesIn(folderOfSeries(file))) {
    std::error_code gone;
    const std::uintmax_t size = fs::file_size(one, gone);
    if (!gone) bytes += size;
  }
  return minCpuSeconds + bytes / bytesPerCpuSecond;
}

// The image without pixels, as the child's first message tells it.
Image imageIn(ChildArguments& head, const ChildProcess& child) {
  constexpr std::int64_t maxSide = 65535, maxPlanes = 1 << 22;
  int frames = 0;
  Index3 size{};
  head.take(frames);
  head.take(size);
  const bool fits = frames >= 1 && size[0] >= 1 && size[0] <= maxSide && size[1] >= 1 && size[1] <= maxSide &&
                    size[2] >= 1 && size[2] <= maxPlanes && frames <= maxPlanes / size[2];
  if (!fits) child.fail("the reading process sent an unknown message");
  Image image = nominalImage(size, "");
  image.frames = frames;
  head.take(image.geometry.nominal);
  describeGeometry(image.geometry, [&](auto& value) { head.take(value); });
  if (!isSound(image.geometry, size)) child.fail("it says no possible place of its slices");
  std::string axes, file;
  head.take(axes);
  image.frameAxes = axesIn(axes, frames);
  std::size_t files = 0;
  head.take(files);
  for (std::size_t i = 0; i < std::min(files, maxFiles); ++i) {
    head.take(file);
    noteInput(file);
  }
  return image;
}

}  // namespace

bool isDicomFolder(const fs::path& folder) {
  constexpr std::size_t maxLooked = 50;
  std::error_code failed;
  std::size_t looked = 0;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end && looked < maxLooked;
       at.increment(failed), ++looked) {
    std::error_code gone;
    if (at->is_regular_file(gone) && isDicomFile(at->path())) return true;
  }
  return false;
}

Image readDicom(const fs::path& file, const Progress& progress) {
  const std::string problem = "Cannot read " + file.string();
  std::error_code gone;
  const bool isFolder = fs::is_directory(file, gone);
  ChildLimits limits =
      ChildLimits::ofReader(cpuSecondsOf(file), file, isFolder ? ReadReach::file : ReadReach::folder);
  limits.prepare = loadModule;
  ChildArguments arguments;
  arguments.put(file.string());
  arguments.put(problem);
  ChildProcess child(problem, exportAgain, limits, sendDicom, arguments);
  const auto expect = [&](ChildMessage kind) {
    const ChildFrame frame = child.next(progress);
    if (frame.kind != kind) child.fail("the reading process sent an unknown message");
    return frame;
  };
  constexpr std::uint64_t maxHeadBytes = std::uint64_t(1) << 30;
  const ChildFrame first = expect(ChildMessage::header);
  if (first.bytes > maxHeadBytes) child.fail("the reading process sent an unknown message");
  std::vector<char> bytes(first.bytes);
  child.receive(bytes.data(), bytes.size(), progress);
  ChildArguments head(std::move(bytes));
  Image image = imageIn(head, child);
  const fs::path named = file.filename().empty() ? file.parent_path() : file;
  image.name = named.filename().string();
  image.makeRoom(false, problem, "Use a machine with more memory");
  const std::int64_t planes = image.frames * image.size[2], pixels = image.size[0] * image.size[1];
  std::vector<float> values(static_cast<std::size_t>(pixels));
  for (std::int64_t i = 0; i < planes; ++i) {
    progress.report(double(i) / double(planes), "Reading " + image.name);
    if (expect(ChildMessage::values).bytes != values.size() * sizeof(float))
      child.fail("the reading process sent an unknown message");
    child.receive(values.data(), values.size() * sizeof(float), progress);
    std::copy(values.begin(), values.end(), image.data.begin() + i * pixels);
  }
  expect(ChildMessage::done);
  image.settle();
  return image;
}

}  // namespace spokelab
