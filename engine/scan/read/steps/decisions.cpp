#include <algorithm>

#include "engine/core/error.h"
#include "engine/scan/read/steps/read_steps.h"

namespace spokelab {

const std::vector<DecisionTopic>& decisionTopics() {
  static const std::vector<DecisionTopic> topics = {
      {"k-unit",
       "Unit of the stored trajectory",
       {"cycles/FOV", "cycles/encoded-FOV", "cycles/pixel", "radians/pixel", "1/m", "1/cm", "1/mm"}},
      {"third-dimension",
       "Meaning of the third trajectory dimension",
       {"kz", "density-weight", "ignore", "partition"}},
      {"fourth-dimension",
       "Meaning of the fourth trajectory dimension",
       {"seconds", "density-weight", "ignore"}},
      {"matrix", "Pixels of the image, for example 256x256 or 64x64x64", {}},
      {"fov", "Field of view in mm, for example 240x240x5", {}},
      {"oversampling",
       "Readout oversampling: cut the field of view to the image's, or keep it all",
       {"remove", "keep"}},
      {"encoding", "Number of the encoding space to read, from 0", {}},
      {"frames", "Counters that make frames, joined by '+', for example repetition+contrast; or merge", {}},
      {"calibration", "Lines flagged as parallel calibration only", {"exclude", "include"}},
      {"discard", "Samples that the acquisition headers mark for discarding", {"apply", "ignore"}},
      {"reversed", "Samples of readouts flagged as reversed", {"as-stored", "flip"}},
      {"weights", "Density weights that the file holds", {"use", "ignore"}},
      {"axes",
       "Axes that the stored trajectory columns are, in order; '-' turns one round: xy, yx, -xy, zyx",
       {}},
      {"fov-shift",
       "Offset that the samples still carry: none, position (the header's), position-reversed, or mm, as in "
       "10,-5",
       {}},
      {"read-frames", "Frames to read, as in 0-3,7; or all", {}},
      {"read-slices", "Slices to read, as in 0-3,7; or all", {}},
  };
  return topics;
}

void Decisions::check(const std::string& topic, const std::string& choice) const {
  const auto& topics = decisionTopics();
  const auto known =
      std::find_if(topics.begin(), topics.end(), [&](const DecisionTopic& o) { return o.topic == topic; });
  const auto list = [](const auto& items, auto text) {
    std::string all;
    for (const auto& item : items) all += (all.empty() ? "" : ", ") + text(item);
    return all;
  };
  if (known == topics.end())
    throw Error(problem_, "there is no decision called \"" + topic + "\"",
                "Use one of: " + list(topics, [](const DecisionTopic& o) { return o.topic; }));
  const auto& choices = known->choices;
  if (!choices.empty() && std::find(choices.begin(), choices.end(), choice) == choices.end())
    throw Error(problem_, "\"" + choice + "\" is no choice for " + topic,
                "Use one of: " + list(choices, [](const std::string& c) { return c; }));
}

Decisions::Decisions(const ReadOptions& options, std::string problem) : problem_(std::move(problem)) {
  for (const auto& [topic, choice] : options.overrides) {
    check(topic, choice);
    given_[topic] = {choice, "set by the user"};
  }
}

void Decisions::suggest(const std::string& topic, const std::string& choice, const std::string& origin) {
  check(topic, choice);
  given_.try_emplace(topic, Given{choice, origin});
}

std::string Decisions::override(const std::string& topic) const {
  const auto it = given_.find(topic);
  return it == given_.end() ? "" : it->second.choice;
}

std::string Decisions::settle(const std::string& topic, const std::string& automatic,
                              const std::string& evidence, std::vector<std::string> alternatives,
                              bool question) {
  const auto it = given_.find(topic);
  const bool given = it != given_.end();
  Decision decision{topic,    given ? it->second.choice : automatic,
                    evidence, std::move(alternatives),
                    given,    question && !given};
  if (given) {
    decision.evidence =
        it->second.origin + "; by itself: " + automatic + (evidence.empty() ? "" : " (" + evidence + ")");
    decision.alternatives.push_back(automatic);
  }
  std::erase(decision.alternatives, decision.choice);
  made.push_back(decision);
  return decision.choice;
}

void Decisions::note(const std::string& topic, const std::string& choice, const std::string& evidence) {
  made.push_back({topic, choice, evidence, {}, false, false});
}

}  // namespace spokelab
