// The arrays inside a MATLAB variable: the fields of structures and the elements of cells, at any
// depth, named as MATLAB names them: s.k, s(2).k, c{3}, s.c{1}.k.
#pragma once

#include <matio.h>

#include <string>
#include <vector>

namespace spokelab {

struct MatInside {
  std::string name;
  matvar_t* variable = nullptr;  // owned by the variable that contains it
};

bool isMatContainer(const matvar_t& variable);
// The variables in a container that are not containers, numbers or not. Throws Error with the
// reason if it nests too deep or holds too much to look through.
std::vector<MatInside> insideOf(matvar_t& container, const std::string& name);
// The name of the outermost variable that contains an array: "s" of s(2).k.
std::string outermostName(const std::string& name);

}  // namespace spokelab
