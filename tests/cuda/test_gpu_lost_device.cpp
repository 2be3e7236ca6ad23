// A device that is lost in the middle of a job (a kernel that traps simulates it): every call gives
// the reason and the remedy, everything can be freed, and the CPU continues.
#include <dlfcn.h>

#include <QtTest>

#include "engine/core/error.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/cuda/gpu_test.h"
#include "tests/test_main.h"

namespace test_gpu_lost_device {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

// Compiled by the driver, so that the test needs no compiled kernel.
constexpr const char* trap = R"(.version 6.3
.target sm_75
.address_size 64
.visible .entry lost() { trap; })";

// Waits for it: plans work on other streams, and could end before the kernel begins.
bool loseDevice() {
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  const auto function = [&](const char* name) { return dlsym(driver, name); };
  using Load = int (*)(void**, const void*);
  using Find = int (*)(void**, void*, const char*);
  using Launch = int (*)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                         void**, void**);
  const auto load = reinterpret_cast<Load>(function("cuModuleLoadData"));
  const auto find = reinterpret_cast<Find>(function("cuModuleGetFunction"));
  const auto launch = reinterpret_cast<Launch>(function("cuLaunchKernel"));
  const auto wait = reinterpret_cast<int (*)()>(function("cuCtxSynchronize"));
  void *module = nullptr, *kernel = nullptr;
  return load && find && launch && wait && load(&module, trap) == 0 && find(&kernel, module, "lost") == 0 &&
         launch(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) == 0 && wait() != 0;
}

template <class Work>
std::string errorOf(Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

class TestGpuLostDevice : public QObject {
  Q_OBJECT
 private slots:
  void everyCallSaysSoAndTheCpuGoesOn() {
    NEEDS_GPU();
    NufftProblem problem;
    problem.size = {24, 24, 1};
    SimulateOptions options;
    options.trajectory.matrix = {32, 32, 1};
    options.coils = 2;
    const auto scan = simulate(options, {});
    const auto plan = backend()->plan<float>(problem, NufftOptions{});
    plan->setPoints(makePoints(2, 500, gputest::PointPattern::random, 1));
    std::vector<cfloat> image(static_cast<std::size_t>(problem.pixels())), samples(500);
    plan->forward(image.data(), samples.data());
    QVERIFY(reconstruct({backend()}, *scan, ReconOptions{}, nullptr, {}).image);
    QVERIFY(loseDevice());

    const std::string told[] = {
        errorOf([&] { plan->forward(image.data(), samples.data()); }),
        errorOf([&] { plan->setPoints(makePoints(2, 90, gputest::PointPattern::random, 1)); }),
        errorOf([&] { backend()->plan<double>(problem, NufftOptions{}); }),
        errorOf([&] { reconstruct({backend()}, *scan, ReconOptions{}, nullptr, {}); })};
    for (const std::string& text : told)
      QVERIFY2(text.find("launch failure") != std::string::npos && text.find("backend") != std::string::npos,
               text.c_str());
    QVERIFY2(told[0].find("cannot use the GPU any more") != std::string::npos, told[0].c_str());

    const auto cpu = makeCpuBackend();
    QVERIFY(reconstruct({cpu.get()}, *scan, ReconOptions{}, nullptr, {}).image);
  }
};

SPOKELAB_CORE_TEST(TestGpuLostDevice)

}  // namespace test_gpu_lost_device

#include "test_gpu_lost_device.moc"
