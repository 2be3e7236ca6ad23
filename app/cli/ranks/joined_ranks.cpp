#include "app/cli/ranks/joined_ranks.h"

#include <dlfcn.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "app/mpi/ranks_module.h"
#include "engine/core/error.h"
#include "engine/core/modules/modules.h"

namespace spokelab {
namespace {

constexpr const char *moduleVariable = "SPOKELAB_MPI_MODULE", *openMpi = "openmpi", *mpich = "mpich";

struct Launcher {
  const char *size, *rank, *module, *localSize, *localRank;
};
constexpr std::array launchers = {
    Launcher{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", openMpi, "OMPI_COMM_WORLD_LOCAL_SIZE",
             "OMPI_COMM_WORLD_LOCAL_RANK"},
    Launcher{"PMI_SIZE", "PMI_RANK", mpich, "MPI_LOCALNRANKS", "MPI_LOCALRANKID"},
    // srun: of a step with several tasks; "4(x2),3" tells how many are on each machine, the first
    // of which counts
    Launcher{"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", openMpi, "SLURM_STEP_TASKS_PER_NODE", "SLURM_LOCALID"}};

int numberOf(const char* text, int missing) {
  if (!text) return missing;
  int value = missing;
  std::from_chars(text, text + std::strlen(text), value);
  return value;
}

}  // namespace

LaunchedRanks launchedRanks(const std::function<const char*(const char*)>& variable) {
  for (const Launcher& launcher : launchers) {
    const int size = numberOf(variable(launcher.size), 1);
    const char* const rank = variable(launcher.rank);
    if (size > 1 && rank)
      return {numberOf(rank, 0), size, launcher.module, numberOf(variable(launcher.localRank), 0),
              numberOf(variable(launcher.localSize), 1)};
  }
  return {};
}

LaunchedRanks launchedRanks() {
  return launchedRanks([](const char* name) { return std::getenv(name); });
}

std::unique_ptr<Ranks> joinRanks(const LaunchedRanks& launched) {
  const std::string problem = "Cannot work as one of " + std::to_string(launched.size) + " ranks",
                    remedy = "Start it without mpirun or srun, or install the module";
  const char* const named = std::getenv(moduleVariable);
  if (named && std::string(named) == "none")
    throw Error(problem, std::string("switched off by ") + moduleVariable + " = none", remedy);
  std::error_code ignored;
  for (const auto& place : modulePlaces("libspokelab_" + launched.module + ".so", moduleVariable)) {
    if (!std::filesystem::exists(place, ignored)) continue;
    // MPI's plug-ins search its symbols among the global ones. The module is never unloaded.
    void* const module = dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!module) {
      const char* const why = dlerror();
      throw Error(problem, std::string("the module cannot be loaded: ") + (why ? why : "no reason was given"),
                  remedy);
    }
    const auto join = reinterpret_cast<SpokelabRanksFunction>(dlsym(module, "spokelabRanks"));
    if (!join) throw Error(problem, "the module " + place.string() + " is of another version", remedy);
    constexpr std::size_t reasonSize = 1024;
    std::array<char, reasonSize> reason{};
    std::unique_ptr<Ranks> ranks(join(reason.data(), reason.size()));
    if (!ranks) throw Error(problem, reason.data(), "Start the job with another MPI");
    if (ranks->size() != launched.size)
      throw Error(
          problem,
          "MPI sees " + std::to_string(ranks->size()) + ": the launcher is of another MPI than the module",
          std::string("Use the other MPI's mpirun, or name the module by ") + moduleVariable);
    return ranks;
  }
  throw Error(problem, "no MPI module is installed for it (" + launched.module + ')', remedy);
}

}  // namespace spokelab
