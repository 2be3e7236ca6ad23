// The arrays inside a MATLAB variable: the fields of structures and the elements of cells, at any depth,
// named as MATLAB names them: s.k, s(2).k, c{3}, s.c{1}.k.
#pragma once

#include <matio.h>

#include <string>
#include <vector>

namespace spokelab {

struct MatInside {
  std::string name;
  matvar_t* variable = nullptr;  // belongs to the variable that it lies in
};

bool isMatContainer(const matvar_t& variable);
// What lies in a container and is none itself, numbers or not. Throws Error where it nests too deep or
// holds too much to look through; its reason says which.
std::vector<MatInside> insideOf(matvar_t& container, const std::string& name);
// The name of the variable that an array of this name lies in: "s" of s(2).k.
std::string outermostName(const std::string& name);

}  // namespace spokelab
