// A denoiser of the caller's, a function in its program.
#include <array>
#include <cmath>
#include <limits>

#include "app/api/call.h"
#include "app/api/handles.h"
#include "engine/recon/options/denoiser.h"

using namespace spokelab;
using namespace spokelab::api;

namespace {

class CallerDenoiser final : public Denoiser {
 public:
  CallerDenoiser(spokelab_denoise denoise, void* user) : denoise_(denoise), user_(user) {}

  std::optional<double> denoise(const DenoiserRequest& request, cfloat* images,
                                const Progress& progress) override {
    constexpr std::size_t textBytes = 1024;
    std::array<char, textBytes> text{};
    double value = std::numeric_limits<double>::quiet_NaN();
    const std::array<std::int64_t, 4> shape{request.images, request.size[2], request.size[1],
                                            request.size[0]};
    progress.checkpoint();
    const int failed = denoise_(reinterpret_cast<float*>(images), shape.data(), request.dims,
                                request.strength, &value, text.data(), text.size(), user_);
    progress.checkpoint();
    text.back() = '\0';
    if (failed)
      throw Error("The denoiser failed", text[0] ? text.data() : "it gave no reason",
                  "Mend it, or use another denoiser");
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  }
  std::string title() const override { return "a function of the program"; }

 private:
  spokelab_denoise denoise_;
  void* user_;
};

}  // namespace

spokelab_status spokelab_options_set_denoiser(spokelab_options* options, spokelab_denoise denoise,
                                              void* user) {
  return call([&] {
    require(options, "options is NULL");
    const Lock lock(options->one);
    options->values.iterative.ownDenoiser = {};
    if (denoise)
      options->values.iterative.ownDenoiser = SharedDenoiser(std::make_shared<CallerDenoiser>(denoise, user));
  });
}
