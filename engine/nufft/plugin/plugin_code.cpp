#include "engine/nufft/plugin/plugin_code.h"

#include <dlfcn.h>

#include <array>
#include <string>

#include "engine/core/error.h"

namespace spokelab {
namespace {

constexpr std::size_t textBytes = 1024;

std::string textOf(const char* text) {
  return text ? std::string(text) : std::string();
}

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why,
                         const std::string& remedy) {
  throw Error("Cannot use the plug-in " + file.string(), why, remedy);
}

}  // namespace

PluginCode::PluginCode(const std::filesystem::path& file) : file_(file) {
  module_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module_) refuse(file, "it cannot be loaded: " + textOf(dlerror()), "Build it again for this machine");
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(module_, name));
    if (!function)
      refuse(file, std::string("it has no function ") + name, "Define all functions of spokelab_plugin.h");
  };
  find(describe_, "spokelab_plugin_describe");
  find(plan, "spokelab_plugin_plan");
  find(setPoints, "spokelab_plugin_set_points");
  find(execute, "spokelab_plugin_execute");
  find(destroy, "spokelab_plugin_destroy");
}

PluginInfo PluginCode::describe(const std::filesystem::path& file) const {
  std::array<char, textBytes> text{};
  const spokelab_plugin_description* d = describe_(file.c_str(), text.data(), text.size());
  text.back() = '\0';
  if (!d)
    refuse(file, text[0] ? text.data() : "it gave no description, and no reason",
           "Install what it needs, or choose another backend");
  if (d->abi < 1 || d->abi > SPOKELAB_PLUGIN_ABI)
    refuse(file,
           "it is made for version " + std::to_string(d->abi) +
               " of the plug-in interface, and this program has " + std::to_string(SPOKELAB_PLUGIN_ABI),
           "Build it again with this program's spokelab_plugin.h");
  PluginInfo info;
  info.name = textOf(d->name);
  info.version = textOf(d->version);
  info.license = textOf(d->license);
  info.summary = textOf(d->summary);
  info.file = file;
  info.code = file_;
  info.dims = d->dims;
  info.precisions = d->precisions;
  info.memories = d->abi > 1 && d->memories != 0 ? d->memories : std::uint32_t(SPOKELAB_PLUGIN_HOST);
  if (d->alphas && d->alpha_count > 0) info.alphas.assign(d->alphas, d->alphas + d->alpha_count);
  info.contents = hashOfFile(file);
  checkPluginInfo(info);
  return info;
}

}  // namespace spokelab
