#include "engine/profile/report/report_noise.h"

#include <array>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "engine/core/text.h"
#include "engine/scan/formats/images/write_image.h"

namespace spokelab {
namespace {

struct NoiseFile {
  const char *name, *title;
  std::shared_ptr<Image> NoiseMaps::*map;
};
constexpr std::array noiseFiles = {
    NoiseFile{"noise", "Noise, in the image's unit", &NoiseMaps::noise},
    NoiseFile{"snr", "Signal-to-noise ratio", &NoiseMaps::snr},
    NoiseFile{"g-factor", "g-factor", &NoiseMaps::gFactor},
};

std::string volumeFile(const NoiseFile& file) {
  return std::string(file.name) + ".nii.gz";
}
std::string noisePicture(const NoiseFile& file) {
  return std::string(file.name) + ".png";
}

}  // namespace

nlohmann::json toJson(const NoiseMaps& maps) {
  nlohmann::json files = nlohmann::json::array();
  for (const std::string& name : noiseFileNames()) files.push_back(name);
  return {{"replicas", maps.replicas},   {"relativeError", maps.relativeError},
          {"medianSnr", maps.medianSnr}, {"medianG", maps.medianG},
          {"notes", maps.notes},         {"files", files}};
}

std::vector<std::string> noiseFileNames() {
  std::vector<std::string> names;
  for (const NoiseFile& file : noiseFiles) {
    names.push_back(volumeFile(file));
    names.push_back(noisePicture(file));
  }
  return names;
}

std::vector<ReportFile> writeNoiseMaps(const NoiseMaps& maps, const std::filesystem::path& folder,
                                       const Progress& progress) {
  std::vector<ReportFile> pictures;
  WriteOptions options;
  options.part = ComplexPart::real;
  for (const NoiseFile& file : noiseFiles) {
    const Image& map = *(maps.*file.map);
    writeImage(map, folder / volumeFile(file), options, progress);
    writeImage(map, folder / noisePicture(file), {}, progress);
    std::ifstream in(folder / noisePicture(file), std::ios::binary);
    pictures.push_back({noisePicture(file), {std::istreambuf_iterator<char>(in), {}}});
  }
  return pictures;
}

std::string noiseSection(const Report& report, ReportFigures figures) {
  if (!report.noise) return {};
  const NoiseMaps& maps = *report.noise;
  std::string html = "<h2>Noise</h2>\n<p>By " + countText(maps.replicas, "pseudo-replica") +
                     ", which tell the noise of a pixel to " + percentText(maps.relativeError, 1) +
                     ". Where the image is bright, the median signal-to-noise ratio is " +
                     numberText(maps.medianSnr, 3) + ", the median g-factor " + numberText(maps.medianG, 3) +
                     ".</p>\n";
  for (std::size_t i = 0; i < noiseFiles.size() && i < report.noisePictures.size(); ++i) {
    const ReportFile& picture = report.noisePictures[i];
    const std::string title =
        std::string(noiseFiles[i].title) + "; " + volumeFile(noiseFiles[i]) + " holds it";
    html += figures == ReportFigures::named
                ? "<p>[[" + picture.name + "]]</p>\n<p class=soft>" + title + "</p>\n"
                : pictureHtml(noiseFiles[i].title, title, picture.content);
  }
  return html;
}

}  // namespace spokelab
