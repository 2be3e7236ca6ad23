// The reader's decisions about things that a file leaves open, with their evidence.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/scan/read/read_options.h"
#include "engine/scan/scan.h"

namespace spokelab {

// Collects the decisions. A topic's override wins over the automatic choice.
class Decisions {
 public:
  // Throws Error for an unknown topic, or a choice that the topic's fixed list does not have.
  Decisions(const ReadOptions& options, std::string problem);

  // A choice from another source than the user's overrides, which take precedence: "remembered",
  // "from the description".
  void suggest(const std::string& topic, const std::string& choice, const std::string& origin);

  // Records and returns the choice: the override if there is one, else `automatic`. `question`: the
  // evidence does not settle it.
  std::string decide(const std::string& topic, const std::string& automatic, const std::string& evidence,
                     std::vector<std::string> alternatives, bool question = false);
  // The numbers, of 0 to count - 1, that the topic's override asks for; without one all, and
  // nothing is recorded.
  std::vector<int> selected(const std::string& topic, std::int64_t count);
  // A finding that cannot be overridden.
  void note(const std::string& topic, const std::string& choice, const std::string& evidence);
  void warn(const std::string& text) { warnings.push_back(text); }
  // The override or suggestion for `topic`, or "".
  std::string override(const std::string& topic) const;
  // The same, and forgets it: later steps find no override. For a step that handles the topic
  // alone.
  std::string take(const std::string& topic);
  // "Cannot read <file>"
  const std::string& problem() const { return problem_; }

  SampleSelection selection;  // that will be used (ReadOptions)
  std::vector<Decision> made;
  std::vector<std::string> warnings;

 private:
  struct Given {
    std::string choice, origin;
  };
  void check(const std::string& topic, const std::string& choice) const;

  std::map<std::string, Given> given_;
  std::string problem_;
};

}  // namespace spokelab
