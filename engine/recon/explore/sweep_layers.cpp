#include "engine/recon/explore/sweep_layers.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "engine/core/error.h"
#include "engine/nufft/kernel/kernel.h"
#include "engine/nufft/plugin/plugin_info.h"
#include "engine/nufft/tune/sweep/sweep.h"

namespace spokelab {
namespace {

constexpr std::array<const char*, 4> words = {"kernels", "precomputations", "implementations", "paths"};
constexpr const char* noWord = "none";
constexpr std::array<KernelType, 3> kernels = {KernelType::kaiserBessel, KernelType::semicircle,
                                               KernelType::prolate};
constexpr std::array<Precomputation, 4> sources = {Precomputation::polynomial, Precomputation::linear,
                                                   Precomputation::tensor, Precomputation::none};

std::array<bool SweepBreadth::*, 4> parts() {
  return {&SweepBreadth::kernels, &SweepBreadth::precomputations, &SweepBreadth::implementations,
          &SweepBreadth::paths};
}

void addKernels(NufftBackend* backend, const NufftOptions& options, std::vector<SweepLayer>& layers) {
  if (options.kernel != KernelType::automatic) return;
  for (const KernelType kernel : kernels) {
    if (kernel == resolvedKernel(options.kernel)) continue;
    SweepLayer layer{options, backend, std::string(kernelName(kernel))};
    layer.options.kernel = kernel;
    layers.push_back(std::move(layer));
  }
}

void addSources(NufftBackend* backend, const NufftOptions& options, std::vector<SweepLayer>& layers) {
  if (backend->name() != "cpu" || options.precomputation != Precomputation::automatic ||
      options.spread == Method::sparse)
    return;
  for (const Precomputation source : sources) {
    if (source == Precomputation::polynomial) continue;  // what automatic means without timing
    SweepLayer layer{options, backend, std::string(precomputationName(source))};
    layer.options.precomputation = source;
    layers.push_back(std::move(layer));
  }
}

void addImplementations(NufftBackend* backend, const NufftProblem& problem, const NufftOptions& options,
                        std::vector<SweepLayer>& layers) {
  if (options.spread != Method::automatic || options.interpolate != Method::automatic) return;
  std::vector<Method> methods = backend->spreadMethods(problem, options);
  if (methods.empty()) return;
  methods.erase(methods.begin());  // the plain sweep times it
  if (backend->name() == "cpu") methods.push_back(Method::sparse);
  for (const Method method : methods) {
    SweepLayer layer{options, backend, backend->name() + ' ' + std::string(methodName(method))};
    layer.options.spread = method;
    const auto opposite = backend->interpolateMethods(problem, options);
    const bool both =
        storesMatrix(method) || std::find(opposite.begin(), opposite.end(), method) != opposite.end();
    if (both) layer.options.interpolate = method;
    layers.push_back(std::move(layer));
  }
}

void addPaths(NufftBackend* backend, const NufftOptions& options, std::vector<SweepLayer>& layers) {
  if (options.normal != NormalMethod::automatic) return;
  for (const NormalMethod normal : {NormalMethod::toeplitz, NormalMethod::toeplitzShifted}) {
    SweepLayer layer{options, backend, std::string(normalMethodName(normal)), sweptOver(normal)};
    layer.options.normal = normal;
    layers.push_back(std::move(layer));
  }
}

}  // namespace

std::string breadthText(const SweepBreadth& breadth) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (breadth.*parts()[i]) text += (text.empty() ? "" : ",") + std::string(words[i]);
  return text.empty() ? noWord : text;
}

SweepBreadth breadthFromText(const std::string& text) {
  SweepBreadth breadth;
  breadth.paths = false;
  if (text == noWord) return breadth;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string word = text.substr(at, end - at);
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end())
      throw Error("Cannot sweep over " + word,
                  "it is not one of kernels, precomputations, implementations, paths",
                  "Write some of these, with commas between them, or none");
    breadth.*parts()[std::size_t(found - words.begin())] = true;
    at = end + 1;
  }
  return breadth;
}

SweptOver sweptOver(const TuneRequest& request) {
  return request.workload.direction == Direction::normal ? sweptOver(request.options.normal)
                                                         : SweptOver::grid;
}

std::vector<SweepLayer> sweepLayers(const std::vector<Backend*>& backends, const TuneRequest& request,
                                    const SweepBreadth& breadth) {
  const NufftOptions& options = request.options;
  const SweptOver over = sweptOver(request);
  std::vector<SweepLayer> layers;
  for (Backend* backend : backends) {
    if (isPlugin(backend->name())) continue;  // all of these are ours
    if (breadth.paths && request.workload.direction == Direction::normal) addPaths(backend, options, layers);
    if (over != SweptOver::grid) continue;  // a convolution reads no kernel values
    if (breadth.kernels) addKernels(backend, options, layers);
    if (breadth.precomputations) addSources(backend, options, layers);
    if (breadth.implementations) addImplementations(backend, request.problem, options, layers);
  }
  return layers;
}

std::vector<RoundEntry> layerEntries(const std::vector<SweepLayer>& layers, const SweepRequest& request,
                                     const std::shared_ptr<TimingData>& data, const Progress& progress) {
  std::vector<RoundEntry> all;
  for (const SweepLayer& layer : layers) {
    SweepRequest own = request;
    own.base.options = layer.options;
    own.over = layer.over;
    const std::array<NufftBackend*, 1> one = {layer.backend};
    std::vector<RoundEntry> entries = sweepEntries(one, own, data, progress);
    std::move(entries.begin(), entries.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace spokelab
