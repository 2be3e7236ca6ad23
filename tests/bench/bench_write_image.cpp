// Measures the writing of an image in each format, and the file's size, for a volume with the
// smooth object, the noise and the empty corners of a reconstruction. Formats take turns.
//   bench_bench_write_image FOLDER [--side 160] [--repeats 5] [--json FILE]
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <random>

#include "engine/core/measure/rank_test.h"
#include "engine/core/stage_timer.h"
#include "engine/scan/formats/images/write_image.h"
#include "tests/bench/bench_program.h"

namespace {

using namespace spokelab;
namespace fs = std::filesystem;

Image volume(std::int64_t side) {
  Image image;
  image.size = image.geometry.matrix = {side, side, side};
  image.frames = 1;
  image.data.resize(std::size_t(product(image.size)));
  std::minstd_rand random(1);
  std::normal_distribution<float> noise(0, 0.02F);
  const double half = double(side) / 2;
  std::size_t at = 0;
  for (std::int64_t z = 0; z < side; ++z)
    for (std::int64_t y = 0; y < side; ++y)
      for (std::int64_t x = 0; x < side; ++x) {
        const double r = std::hypot(double(x) / half - 1, double(y) / half - 1, double(z) / half - 1);
        image.data[at++] =
            r > 1 ? cfloat(0)
                  : cfloat(float(std::cos(2 * r)) + noise(random), float(0.3 * r) + noise(random));
      }
  return image;
}

std::uintmax_t bytesOf(const fs::path& made) {
  if (!fs::is_directory(made)) return fs::file_size(made);
  std::uintmax_t sum = 0;
  for (const auto& entry : fs::directory_iterator(made)) sum += entry.file_size();
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  std::string folder, json;
  int side = 160, repeats = 5;
  return bench::benchMain(
      argc, argv, "Times of writing images",
      [&](CLI::App& app) {
        app.add_option("folder", folder, "Where the files go")->required();
        app.add_option("--side", side, "Pixels along an axis")->check(CLI::PositiveNumber);
        app.add_option("--repeats", repeats, "Of each format")->check(CLI::PositiveNumber);
        bench::addJson(app, json);
      },
      [&] {
        const Image image = volume(side);
        const std::vector<std::string> names = {"image.nii.gz", "image.nii", "image.npy",
                                                "image.h5",     "image.png", "pictures/"};
        // cpu: of all threads, but not of the child that writes HDF5.
        std::vector<std::vector<double>> seconds(names.size()), cpu(names.size());
        std::vector<std::uintmax_t> bytes(names.size());
        for (int repeat = 0; repeat < repeats; ++repeat)
          for (std::size_t i = 0; i < names.size(); ++i) {
            const fs::path file = fs::path(folder) / names[i];
            const double start = now();
            const std::clock_t worked = std::clock();
            writeImage(image, file, {}, {});
            seconds[i].push_back(now() - start);
            cpu[i].push_back(double(std::clock() - worked) / CLOCKS_PER_SEC);
            bytes[i] = bytesOf(file);
            fs::remove_all(names[i].back() == '/' ? file.parent_path() : file);
          }
        nlohmann::json report = bench::machineReport();
        report["side"] = side;
        for (std::size_t i = 0; i < names.size(); ++i) {
          report["formats"].push_back(
              {{"file", names[i]}, {"seconds", seconds[i]}, {"cpu_seconds", cpu[i]}, {"bytes", bytes[i]}});
          std::cout << names[i] << ": " << medianOf(seconds[i]) << " s, " << medianOf(cpu[i])
                    << " s of the cores, " << bytes[i] << " bytes\n";
        }
        bench::save(json, report);
      });
}
