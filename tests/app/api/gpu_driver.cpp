#include "tests/app/api/gpu_driver.h"

#include <dlfcn.h>

namespace spokelab::test {
namespace {

Driver loaded() {
  Driver driver;
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    driver.missing = dlerror();
    return driver;
  }
  const char* lacking = nullptr;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
    if (!function) lacking = name;
  };
  find(driver.init, "cuInit");
  find(driver.retain, "cuDevicePrimaryCtxRetain");
  find(driver.setCurrent, "cuCtxSetCurrent");
  find(driver.createContext, "cuCtxCreate_v2");
  find(driver.destroyContext, "cuCtxDestroy_v2");
  find(driver.allocate, "cuMemAlloc_v2");
  find(driver.release, "cuMemFree_v2");
  find(driver.toDevice, "cuMemcpyHtoD_v2");
  find(driver.toHost, "cuMemcpyDtoH_v2");
  find(driver.createStream, "cuStreamCreate");
  find(driver.destroyStream, "cuStreamDestroy_v2");
  find(driver.synchronizeStream, "cuStreamSynchronize");
  find(driver.launchHostFunction, "cuLaunchHostFunc");
  find(driver.createEvent, "cuEventCreate");
  find(driver.destroyEvent, "cuEventDestroy_v2");
  find(driver.recordEvent, "cuEventRecord");
  find(driver.queryEvent, "cuEventQuery");
  if (lacking) {
    driver.missing = lacking;
    driver.missing += " is missing in the driver";
    return driver;
  }
  if (const int code = driver.init(0); code != Driver::success)
    driver.missing = "cuInit gives CUDA's error " + std::to_string(code);
  else if (driver.retain(&driver.primary, 0) != Driver::success ||
           driver.setCurrent(driver.primary) != Driver::success)
    driver.missing = "device 0 cannot be used";
  return driver;
}

}  // namespace

const Driver& Driver::get() {
  static const Driver once = loaded();
  return once;
}

std::string whyNoGpu() {
  static const std::string why = [] {
    const Context context;
    for (int i = 0; i < spokelab_backend_count(context.handle); ++i)
      if (std::string(spokelab_backend_name(context.handle, i)) == "cuda")
        return spokelab_backend_usable(context.handle, i) ? Driver::get().missing
                                                          : spokelab_backend_text(context.handle, i);
    return std::string("this library has no backend \"cuda\"");
  }();
  return why;
}

}  // namespace spokelab::test
