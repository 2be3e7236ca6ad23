#include "engine/scan/formats/arrays/mat_inside.h"

#include "engine/core/error.h"

namespace spokelab {
namespace {

constexpr int maxDepth = 16;
constexpr std::size_t maxInsideElements = 10'000;  // looked at in one variable
constexpr std::size_t maxNameBytes = 1'000;
constexpr const char* saveAsVariables = "Save its arrays as variables";

class Walk {
 public:
  std::vector<MatInside> found;

  void visit(matvar_t& container, const std::string& name, int depth) {
    if (depth > maxDepth)
      throw Error("", "it nests more than " + std::to_string(maxDepth) + " deep", saveAsVariables);
    if (!container.data) return;
    // The number of pointers limits the loop, as damaged sizes may promise more.
    const std::size_t pointers = container.nbytes / sizeof(matvar_t*);
    if (container.class_type == MAT_C_CELL) {
      for (std::size_t i = 0; i < pointers; ++i)
        take(Mat_VarGetCell(&container, int(i)), name + '{' + std::to_string(i + 1) + '}', depth);
      return;
    }
    const std::size_t fields = Mat_VarGetNumberOfFields(&container);
    char* const* names = Mat_VarGetStructFieldnames(&container);
    const std::size_t count = fields > 0 && names ? pointers / fields : 0;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t f = 0; f < fields; ++f)
        if (names[f])
          take(Mat_VarGetStructFieldByIndex(&container, f, i),
               name + (count > 1 ? '(' + std::to_string(i + 1) + ')' : "") + '.' + names[f], depth);
  }

 private:
  void take(matvar_t* inner, const std::string& name, int depth) {
    if (++seen_ > maxInsideElements)
      throw Error("", "it holds more than " + std::to_string(maxInsideElements) + " elements",
                  saveAsVariables);
    if (!inner || name.size() > maxNameBytes) return;
    if (isMatContainer(*inner))
      visit(*inner, name, depth + 1);
    else
      found.push_back({name, inner});
  }

  std::size_t seen_ = 0;
};

}  // namespace

bool isMatContainer(const matvar_t& variable) {
  return variable.class_type == MAT_C_CELL || variable.class_type == MAT_C_STRUCT;
}

std::vector<MatInside> insideOf(matvar_t& container, const std::string& name) {
  Walk walk;
  walk.visit(container, name, 1);
  return std::move(walk.found);
}

std::string outermostName(const std::string& name) {
  return name.substr(0, name.find_first_of(".({"));
}

}  // namespace spokelab
