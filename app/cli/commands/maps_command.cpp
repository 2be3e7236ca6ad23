// maps: the coil, field and phase maps that a reconstruction would use.
#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/profile/results/results.h"
#include "engine/recon/explore/scan_maps.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend.h"
#include "engine/scan/formats/images/write_image.h"

namespace spokelab::cli {
namespace {

constexpr const char *coilsName = "coils", *fieldName = "field", *phasesName = "phases";

const std::vector<std::string> formats = {"nii.gz", "nii", "h5", "cfl", "npy", "png"};

class MapsCommand final : public Command {
 public:
  MapsCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("maps", "Show or write the coil, field and phase maps of a reconstruction");
    scan_.addTo(*app);
    app->add_option("-o,--output", folder_, "Write coils, field (Hz) and phases (rad) here, those there are")
        ->type_name("FOLDER")
        ->group("Output");
    app->add_option("--format", format_, "Format of these files (.png: magnitude, a montage)")
        ->type_name('{' + joined(formats, ",") + '}')
        ->check(CLI::IsMember(formats).description(""))
        ->capture_default_str()
        ->group("Output");
    recon_.addTo(*app);
    addJson(*app, json_);
    app->footer("Examples:\n  " + program + " maps scan.h5 --coil-maps walsh -o maps\n  " + program +
                " maps scan.h5 --field-map fm.npy --field-unit Hz");
  }

  void declare(JobFiles& files) const override {
    scan_.declare(files);
    recon_.declare(files);
    if (!folder_.empty())
      for (const char* name : {coilsName, fieldName, phasesName})
        for (const std::filesystem::path& file : filesOfImage(fileOf(name)))
          files.writesInto(folder_, file.filename());
    files.writes(json_);
  }

  void run(CommandContext& context) override {
    constexpr double readShare = 0.2, mapsShare = 0.9;
    const ReconOptions options = recon_.options();
    const auto scan = scan_.read(context.progress.part(0, readShare));
    Backend& backend = *backendsFor(context.backends().all(), options.backend, options.devices).front();
    const ScanMaps maps = scanMaps(backend, *scan, options, context.progress.part(readShare, mapsShare));
    constexpr double milli = 1e-3;
    context.say(scan->name);
    context.say(
        row("coils", countText(maps.coils->frames, "map") + (maps.coilSets > 1 ? " in two sets" : "")));
    context.say(row("field", maps.field ? "phase up to " + numberText(maps.largestPhase, 3) + " rad, times " +
                                              numberText(maps.firstTime / milli, 3) + " ... " +
                                              numberText(maps.lastTime / milli, 3) + " ms"
                                        : "none"));
    context.say(row("phases", maps.phases ? countText(maps.phases->frames, "shot") : "none"));
    for (const std::string& note : maps.notes) context.say(row("", note));
    nlohmann::json files = nlohmann::json::object();
    if (!folder_.empty()) {
      std::error_code code;
      std::filesystem::create_directories(folder_, code);
      if (code) throw Error("Cannot write " + folder_, code.message(), "Choose another folder");
      const auto write = [&](const char* name, const std::shared_ptr<const Image>& image, ComplexPart part) {
        if (!image) return;
        WriteOptions writeOptions;
        // .cfl holds complex numbers alone.
        writeOptions.part = format_ == "cfl" ? ComplexPart::complex : part;
        const std::filesystem::path file = fileOf(name);
        writeImage(*image, file, writeOptions, context.progress.part(mapsShare, 1));
        context.say(row("written", file.string()));
        files[name] = file.string();
      };
      write(coilsName, maps.coils, ComplexPart::complex);
      write(fieldName, maps.field, ComplexPart::real);
      write(phasesName, maps.phases, ComplexPart::real);
    }
    context.json(json_, {{"scan", toJson(*scan)},
                         {"maps",
                          {{"coils", maps.coils->frames / maps.coilSets},
                           {"coilSets", maps.coilSets},
                           {"shots", maps.shots},
                           {"largestPhase", maps.largestPhase},
                           {"firstTime", maps.firstTime},
                           {"lastTime", maps.lastTime},
                           {"notes", maps.notes},
                           {"files", files}}}});
  }

 private:
  std::filesystem::path fileOf(const std::string& name) const {
    return std::filesystem::path(folder_) / (name + '.' + format_);
  }

  ScanArguments scan_;
  ReconArguments recon_;
  std::string folder_, json_, format_ = formats.front();
};

}  // namespace

std::unique_ptr<Command> makeMapsCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<MapsCommand>(parent, program);
}

}  // namespace spokelab::cli
