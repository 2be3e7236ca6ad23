#include "engine/recon/functional/denoiser/denoiser_process.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>

#include "engine/core/error.h"
#include "engine/core/modules/modules.h"
#include "engine/core/text.h"
#include "engine/nufft/plugin/plugin_folders.h"
#include "engine/nufft/plugin/plugin_probe.h"
#include "engine/recon/functional/denoiser/loaded_denoiser.h"
#include "engine/recon/functional/denoiser/onnx_runtime.h"

namespace spokelab {
namespace {

constexpr const char* denoiserRemedy = "Mend it, or use another denoiser";
// A model may take far longer to load or to run than a transform.
constexpr double patience = 60;  // in units of pluginSeconds()
constexpr std::uint64_t maxCpuSeconds = 1u << 30;

// Memory that both processes see.
class SharedImages {
 public:
  explicit SharedImages(std::size_t bytes) : bytes_(bytes) {
    file_ = memfd_create("spokelab-denoiser", MFD_CLOEXEC);
    if (file_ < 0 || ftruncate(file_, off_t(bytes)) != 0) fail();
    map();
  }
  // In the child.
  SharedImages(int file, std::size_t bytes) : bytes_(bytes), file_(file) { map(); }
  ~SharedImages() {
    munmap(data_, bytes_);
    close(file_);
  }
  SharedImages(const SharedImages&) = delete;
  SharedImages& operator=(const SharedImages&) = delete;

  cfloat* data() const { return static_cast<cfloat*>(data_); }
  int file() const { return file_; }

 private:
  void map() {
    data_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (data_ == MAP_FAILED) fail();
  }
  [[noreturn]] void fail() const {
    throw Error("Cannot denoise", std::string("there is no memory for the images: ") + std::strerror(errno),
                "Use a machine with more memory");
  }

  std::size_t bytes_;
  int file_ = -1;
  void* data_ = nullptr;
};

std::int64_t valuesOf(const DenoiserRequest& request) {
  return request.images * product(request.size);
}

// The child's environment is that of the program's start: these may have been set since.
constexpr const char* denoiserVariables[] = {"SPOKELAB_PYTHON", onnxRuntimeVariable};

void denoiseInChild(ChildArguments& arguments, int socket, int shared) {
  std::string file, code, value;
  DenoiserRequest request;
  for (const char* variable : denoiserVariables) {
    arguments.take(value);
    if (!value.empty()) setenv(variable, value.c_str(), 1);
  }
  arguments.take(file);
  arguments.take(code);
  arguments.take(request);
  tellPluginStep(socket, "load");
  const auto denoiser = loadDenoiser(file, code, request, socket, tellPluginStep);
  const SharedImages images(shared, std::size_t(valuesOf(request)) * sizeof(cfloat));
  ChildArguments ready;
  ready.put(denoiser->title());
  tellPluginResult(socket, ready);
  for (;;) {
    double strength = 0;
    ChildProcess::receiveBytes(socket, &strength, sizeof strength);
    ChildArguments done;
    done.put(denoiser->apply(strength, images.data()));
    tellPluginResult(socket, done);
  }
}

class FileDenoiser final : public Denoiser {
 public:
  explicit FileDenoiser(std::string file)
      : file_(std::filesystem::absolute(file).string()),
        code_(file_.ends_with(".py") ? installedModule(pythonHostName).string() : file_),
        summary_("Cannot use the denoiser " + file) {
    // Behind the usual places: the library path of the program, which programs of the build tree
    // have.
    if (code_.empty()) code_ = pythonHostName;
  }

  std::optional<double> denoise(const DenoiserRequest& request, cfloat* images,
                                const Progress& progress) override {
    const std::lock_guard lock(one_);
    const std::int64_t count = valuesOf(request);
    try {
      if (!child_ || request.images != startedFor_.images || request.size != startedFor_.size)
        start(request, progress);
      std::copy_n(images, count, shared_->data());
      step_ = "denoise";
      child_->send(&request.strength, sizeof request.strength, progress);
      ChildArguments done = answer(progress);
      double value = 0;
      done.take(value);
      std::copy_n(shared_->data(), count, images);
      return std::isfinite(value) ? std::optional(value) : std::nullopt;
    } catch (const ChildLate&) {
      end();
      throw Error(summary_, "it did not answer within " + secondsText(patience * pluginSeconds()) + where(),
                  "Mend it, or give it more time by SPOKELAB_PLUGIN_SECONDS");
    } catch (const ChildDied& died) {
      end();
      throw Error(summary_,
                  died.signal ? "it crashed" + where() + " (" + strsignal(died.signal) + ")"
                              : "it ended its process" + where(),
                  denoiserRemedy);
    } catch (...) {
      end();
      throw;
    }
  }

  std::string title() const override {
    const std::string name = std::filesystem::path(file_).filename().string();
    return title_.empty() ? name : title_ + " (" + name + ")";
  }

 private:
  std::string where() const { return " in the step '" + step_ + "'"; }

  void end() {
    child_.reset();
    shared_.reset();
  }

  void start(const DenoiserRequest& request, const Progress& progress) {
    end();
    shared_ = std::make_unique<SharedImages>(std::size_t(valuesOf(request)) * sizeof(cfloat));
    startedFor_ = request;
    ChildArguments arguments;
    for (const char* variable : denoiserVariables) {
      const char* const value = std::getenv(variable);
      arguments.put(std::string(value ? value : ""));
    }
    arguments.put(file_);
    arguments.put(code_);
    arguments.put(request);
    step_ = "load";
    child_ = std::make_unique<ChildProcess>(summary_, denoiserRemedy, maxCpuSeconds, denoiseInChild,
                                            arguments, shared_->file());
    answer(progress).take(title_);
  }

  // After the steps that the child tells.
  ChildArguments answer(const Progress& progress) {
    for (;;) {
      child_->waitAtMost(patience * pluginSeconds());
      const ChildFrame frame = child_->next(progress);
      std::vector<char> body(frame.bytes);
      child_->receive(body.data(), body.size(), progress);
      if (frame.kind == ChildMessage::values) return ChildArguments(std::move(body));
      step_.assign(body.begin(), body.end());
    }
  }

  std::string file_, code_, summary_, title_, step_;
  std::mutex one_;
  DenoiserRequest startedFor_;
  std::unique_ptr<SharedImages> shared_;
  std::unique_ptr<ChildProcess> child_;
};

}  // namespace

std::shared_ptr<Denoiser> makeFileDenoiser(const std::string& file) {
  checkDenoiserFile(file);
  return std::make_shared<FileDenoiser>(file);
}

}  // namespace spokelab
