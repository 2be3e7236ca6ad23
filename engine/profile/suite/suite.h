// A suite: a list of cases that is run as one, for hours, and continues where it stopped: after a
// cancel, a crash or a power failure only unfinished cases are run. A case is a study of the papers
// (study.h) or a sweep over the user's scan.
//
//   {"format": "spokelab-results", "schema": 1, "kind": "suite", "name": "ours", "cases": [
//     {"study": "alpha", "sizes": [62], "accelerations": [1, 4], "accuracies": [], "patterns": [],
//      "trials": 0},
//     {"scan": "knee.h5", "set": {"k-unit": "1/m"}, "options": {"accuracy": "1e-3", "reuse": "8"},
//      "direction": "adjoint", "trials": 5, "alphas": [1.25, 1.5, 2], "widths": [4, 6]}]}
//
// Missing members of a study have the paper's values; missing members of a scan are as for `sweep`.
// A scan's "direction" and "trials" are options that may be given beside the others. Paths of scans
// are relative to the suite's file.
//
//   FOLDER/suite.json           the suite, as it is run here
//   FOLDER/cases/NAME.json      a finished case: results, machine and date; appears whole
//   FOLDER/cases/NAME.started   a case that began and has not finished
//   FOLDER/results.json, .csv   all finished cases together
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/profile/study/study.h"

namespace spokelab {

struct SuiteCase {
  StudyRequest study;  // a study, where its name is not empty; one value on each axis once the suite is split
  std::string scan;    // else: a sweep over this file, or "demo"
  // A sweep's settings. set: the reader's decisions. options: values of the options' table,
  // "direction" and "trials" among them.
  std::map<std::string, std::string> set, options;
  std::vector<double> alphas, widths;

  std::string name() const;  // "alpha stack-of-stars 62 R 4 1e-02", "sweep knee.h5"
};

struct Suite {
  std::string name;
  std::vector<SuiteCase> cases;
};

std::vector<std::string> suiteNames();      // those that are known by name: "papers", "quick"
Suite namedSuite(const std::string& name);  // throws Error
Suite readSuite(const std::filesystem::path& file, const Progress& progress = {});  // throws Error
Suite suiteFrom(const std::string& nameOrFile, const Progress& progress = {});      // either
std::vector<SuiteCase> splitCases(
    const Suite& suite);  // each study into one case a pattern, size, R and accuracy

}  // namespace spokelab
