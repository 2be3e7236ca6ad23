// CSV files (RFC 4180), and the table of plans.
#pragma once

#include <string>
#include <vector>

#include "engine/nufft/tune/result/tune_result.h"

namespace spokelab {

namespace csv {

std::string quoted(const std::string& text);  // where it has to be
std::string number(double v);                 // a float is read back exactly
// Quoted cells with commas between them, and an end of the line.
std::string line(const std::vector<std::string>& cells);

}  // namespace csv

// One row for each candidate: path, backend, methods, alpha, W, alpha_T, grid, predicted and
// measured error of the direction, error of its transforms, quartiles of the cost, stage times,
// memory, all repeats.
std::string toCsv(const TuneResult& result);
// The same in parts: the names of the columns, and the rows, each behind the cells `before`.
std::string csvColumns();
std::string csvRows(const TuneResult& result, const std::vector<std::string>& before);

}  // namespace spokelab
