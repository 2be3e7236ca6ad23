#include "engine/recon/sense/backend_plugin.h"

#include "engine/core/error.h"
#include "engine/nufft/tune/plugins/tried_plugin.h"

namespace spokelab {
namespace {

class PluginBackend final : public Backend {
 public:
  explicit PluginBackend(const PluginInfo& info) : plugin_(info) {}

  TriedPlugin* plugin() override { return &plugin_; }
  std::string name() const override { return plugin_.info().name; }
  std::string badge() const override {
    const PluginInfo& info = plugin_.info();
    return "Plug-in " + info.title() + ", " + info.license + ", " + info.file.string();
  }
  std::string fingerprint() const override { return plugin_.info().fingerprint(); }
  // Methods are ours: a plug-in's candidates are made by pluginCandidates.
  std::vector<Method> spreadMethods(const NufftProblem&, const NufftOptions&) const override { return {}; }
  std::vector<Method> interpolateMethods(const NufftProblem&, const NufftOptions&) const override {
    return {};
  }
  std::vector<NormalMethod> normalMethods(const NufftProblem&, const NufftOptions& options) const override {
    if (isToeplitz(options.normal)) return {};
    return {NormalMethod::gridded};
  }
  // An estimate from points, samples and a grid of ratio 2: only the plug-in knows its memory.
  std::int64_t estimateMemory(const NufftProblem& problem, const NufftOptions&,
                              std::int64_t points) const override {
    if (!plugin_.info().supports(problem))
      throw Error("Cannot plan the transform", "the plug-in " + plugin_.info().title() + " does not serve it",
                  "Choose another backend");
    const std::int64_t number = problem.precision == Precision::single ? sizeof(cfloat) : sizeof(cdouble);
    const std::int64_t coordinates = 2 * problem.dims * std::int64_t(sizeof(double)) * points;
    return coordinates + number * ((problem.pixels() << problem.dims) + problem.batch * points);
  }
  AnyNufft makePlan(const NufftProblem& problem, const NufftOptions& options) override {
    if (problem.precision == Precision::single) return plugin_.plan<float>(problem, options);
    return plugin_.plan<double>(problem, options);
  }
  std::unique_ptr<SenseRun> senseRun(const SenseProblem& problem) override {
    return senseRunOnHost(*this, problem);
  }

 private:
  TriedPlugin plugin_;
};

}  // namespace

std::unique_ptr<Backend> makePluginBackend(const PluginInfo& info) {
  return std::make_unique<PluginBackend>(info);
}

}  // namespace spokelab
