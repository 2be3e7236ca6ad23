#include "engine/recon/functional/denoiser/loaded_denoiser.h"

#include <array>
#include <limits>

#include "engine/core/error.h"
#include "engine/core/modules/shared_library.h"
#include "engine/core/thread_pool.h"
#include "engine/recon/functional/denoiser/onnx_denoiser.h"
#include "engine/recon/functional/denoiser/spokelab_denoiser.h"

namespace spokelab {
namespace {

using DenoiserText = std::array<char, 1024>;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why,
                         const std::string& remedy) {
  throw Error("Cannot use the denoiser " + file.string(), why, remedy);
}

std::string wordsOf(const char* text) {
  return text ? text : "";
}

// Functions of spokelab_denoiser.h. The library is never unloaded: the process ends with it.
class PluginDenoiser final : public LoadedDenoiser {
 public:
  PluginDenoiser(const std::filesystem::path& file, const std::filesystem::path& code,
                 const DenoiserRequest& request, int socket, DenoiserStep tell)
      : file_(file), library_(code.string()) {
    library_.find(describe_, "spokelab_denoiser_describe");
    library_.find(plan_, "spokelab_denoiser_plan");
    library_.find(apply_, "spokelab_denoiser_apply");
    if (!library_.complete())
      refuse(file, "it cannot be loaded: " + library_.missing(),
             code == file ? "Define all functions of spokelab_denoiser.h, and build it for this machine"
                          : "Install Spokelab again, with its module for Python");
    const std::string name = file.string();
    DenoiserText text{};
    tell(socket, "describe");
    const spokelab_denoiser_description* d = describe_(name.c_str(), text.data(), text.size());
    text.back() = '\0';
    if (!d)
      refuse(file, text[0] ? text.data() : "it gave no description, and no reason",
             "Install what it needs, or use another denoiser");
    if (d->abi != SPOKELAB_DENOISER_ABI)
      refuse(file,
             "it is made for version " + std::to_string(d->abi) + " of the interface, and this program has " +
                 std::to_string(SPOKELAB_DENOISER_ABI),
             "Build it again with this program's spokelab_denoiser.h");
    title_ = wordsOf(d->name) + " " + wordsOf(d->version);
    if (!(d->dims >> (request.dims - 1) & 1U))
      refuse(file, "it does not serve " + std::to_string(request.dims) + "-D images",
             "Use another denoiser, or a scan that it serves");
    spokelab_denoiser_request asked{};
    asked.file = name.c_str();
    asked.dims = request.dims;
    std::copy(request.size.begin(), request.size.end(), asked.size);
    asked.images = request.images;
    asked.threads = request.threads > 0 ? request.threads : hardwareThreads();
    tell(socket, "plan");
    check(plan_(&asked, &denoiser_, text.data(), text.size()), text);
  }

  double apply(double strength, cfloat* images) override {
    DenoiserText text{};
    double value = std::numeric_limits<double>::quiet_NaN();
    check(apply_(denoiser_, strength, reinterpret_cast<float*>(images), &value, text.data(), text.size()),
          text);
    return value;
  }
  std::string title() const override { return title_; }

 private:
  void check(int code, DenoiserText& text) const {
    text.back() = '\0';
    if (code == SPOKELAB_DENOISER_OK) return;
    refuse(file_, text[0] ? text.data() : "it gave no reason (code " + std::to_string(code) + ")",
           "Mend it, or use another denoiser");
  }

  std::filesystem::path file_;
  SharedLibrary library_;
  decltype(&spokelab_denoiser_describe) describe_ = nullptr;
  decltype(&spokelab_denoiser_plan) plan_ = nullptr;
  decltype(&spokelab_denoiser_apply) apply_ = nullptr;
  void* denoiser_ = nullptr;
  std::string title_;
};

}  // namespace

std::unique_ptr<LoadedDenoiser> loadDenoiser(const std::filesystem::path& file,
                                             const std::filesystem::path& code,
                                             const DenoiserRequest& request, int socket, DenoiserStep tell) {
  if (file.extension() == ".onnx") return makeOnnxDenoiser(file, request);
  return std::make_unique<PluginDenoiser>(file, code, request, socket, tell);
}

}  // namespace spokelab
