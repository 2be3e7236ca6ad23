#include "engine/recon/functional/denoiser/onnx_denoiser.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/recon/functional/denoiser/onnx_runtime.h"

namespace spokelab {
namespace {

class OnnxDenoiser final : public LoadedDenoiser {
 public:
  OnnxDenoiser(const std::filesystem::path& file, const DenoiserRequest& request)
      : file_(file),
        summary_("Cannot use the denoiser " + file.string()),
        request_(request),
        model_(file.string(), request.threads > 0 ? request.threads : hardwareThreads(), summary_) {
    const TensorShape& in = model_.inputs().front();
    const auto axes = std::size_t(request.dims) + 2;
    if (in.size() != axes)
      fail("its input has " + countText(std::int64_t(in.size()), "axis", "axes") + " where images have " +
           std::to_string(axes) + ": batch, channel, " + (request.dims > 2 ? "z, " : "") + "y, x");
    channels_ = in[1];
    if (channels_ < 1 || channels_ > 3)
      fail("its input has " + (channels_ < 0 ? std::string("an open number of") : std::to_string(channels_)) +
           " channels where 1, 2 or 3 serve");
    if (model_.inputs().size() > 2)
      fail("it has " + std::to_string(model_.inputs().size()) +
           " inputs where images, and a standard deviation, are given");
    for (int d = 0; d < request.dims; ++d)
      if (const std::int64_t n = in[axes - 1 - std::size_t(d)]; n > 0 && n != request.size[std::size_t(d)])
        fail("it is made for images of " + std::to_string(n) + " pixels where they have " +
             std::to_string(request.size[std::size_t(d)]) + ", along axis " + std::string(1, "xyz"[d]));
    batch_ = in[0] > 0 ? in[0] : pictures();
    if (pictures() % batch_ != 0)
      fail("it takes " + std::to_string(batch_) + " images at a time, and there are " +
           std::to_string(pictures()));
  }

  double apply(double strength, cfloat* images) override {
    auto sigma = float(std::sqrt(strength));
    const std::int64_t pixels = product(request_.size);
    const std::int64_t parts = std::min<std::int64_t>(channels_, 2);
    std::vector<float> room(std::size_t(batch_ * channels_ * pixels), sigma);
    const TensorShape in = shape(channels_), out = shape(parts);
    auto* const numbers = reinterpret_cast<float*>(images);
    // The real numbers of a part of a picture: of one channel, pictures are the parts themselves.
    const auto first = [&](std::int64_t picture, std::int64_t part) {
      const std::int64_t image = parts == 1 ? picture / 2 : picture;
      return numbers + 2 * image * pixels + (parts == 1 ? picture % 2 : part);
    };
    for (std::int64_t begin = 0; begin < pictures(); begin += batch_) {
      const auto eachPart = [&](std::int64_t stride, std::vector<float>& values, const auto& call) {
        for (std::int64_t b = 0; b < batch_; ++b)
          for (std::int64_t p = 0; p < parts; ++p)
            for (std::int64_t i = 0; i < pixels; ++i)
              call(first(begin + b, p)[2 * i], values[std::size_t((b * stride + p) * pixels + i)]);
      };
      eachPart(channels_, room, [](const float& number, float& value) { value = number; });
      std::vector<OnnxModel::Tensor> inputTensors{{room.data(), in}};
      if (model_.inputs().size() > 1)
        inputTensors.push_back({&sigma, TensorShape(model_.inputs()[1].size(), 1)});
      std::vector<float> denoisedValues = model_.run(inputTensors, out);
      eachPart(parts, denoisedValues, [](float& number, const float& value) { number = value; });
    }
    return std::numeric_limits<double>::quiet_NaN();
  }

  std::string title() const override { return "ONNX model"; }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(summary_, why, "Export the model for these images, or with open axes");
  }
  std::int64_t pictures() const { return channels_ == 1 ? 2 * request_.images : request_.images; }
  TensorShape shape(std::int64_t channels) const {
    TensorShape s{batch_, channels};
    for (int d = request_.dims - 1; d >= 0; --d) s.push_back(request_.size[std::size_t(d)]);
    return s;
  }

  std::filesystem::path file_;
  std::string summary_;
  DenoiserRequest request_;
  OnnxModel model_;
  std::int64_t channels_ = 1, batch_ = 1;
};

}  // namespace

std::unique_ptr<LoadedDenoiser> makeOnnxDenoiser(const std::filesystem::path& file,
                                                 const DenoiserRequest& request) {
  return std::make_unique<OnnxDenoiser>(file, request);
}

}  // namespace spokelab
