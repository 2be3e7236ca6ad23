#include "engine/scan/read/header/decisions.h"

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/number_list.h"

namespace spokelab {

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
    throw Error(problem_, "\"" + choice + "\" is not a choice for " + topic,
                "Use one of: " + list(choices, [](const std::string& c) { return c; }));
}

Decisions::Decisions(const ReadOptions& options, std::string problem)
    : selection(options.selection), problem_(std::move(problem)) {
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

std::string Decisions::take(const std::string& topic) {
  const std::string choice = override(topic);
  given_.erase(topic);
  return choice;
}

std::string Decisions::decide(const std::string& topic, const std::string& automatic,
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
    if (std::find(decision.alternatives.begin(), decision.alternatives.end(), automatic) ==
        decision.alternatives.end())
      decision.alternatives.push_back(automatic);
  }
  std::erase(decision.alternatives, decision.choice);
  made.push_back(decision);
  return decision.choice;
}

std::vector<int> Decisions::selected(const std::string& topic, std::int64_t count) {
  const std::string choice = override(topic);
  if (!choice.empty()) {
    decide(topic, "all", "there are " + std::to_string(count), {});
    made.back().among = int(count);
  }
  return numberList(choice, int(count), problem_);
}

void Decisions::note(const std::string& topic, const std::string& choice, const std::string& evidence) {
  made.push_back({topic, choice, evidence, {}, false, false});
}

}  // namespace spokelab
