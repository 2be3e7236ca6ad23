// study: a study of the papers, rerun on this machine.
#include <algorithm>

#include "app/cli/arguments.h"
#include "app/cli/commands/command_list.h"
#include "app/cli/text.h"
#include "app/cli/tune_arguments.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/profile/results/results.h"
#include "engine/profile/study/study.h"
#include "engine/profile/study/study_points.h"
#include "engine/profile/study/study_results.h"
#include "engine/recon/backend.h"

namespace spokelab::cli {
namespace {

constexpr double millisecond = 1e-3;

class StudyCommand final : public Command {
 public:
  StudyCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("study", "Rerun a study of the papers on this machine");
    std::vector<std::string> names;
    std::string list = "The studies:\n";
    for (const StudyInfo& info : studies()) {
      names.push_back(info.name);
      list += row(info.name, info.title + " (" + info.source + ")") + '\n';
    }
    app->add_option("name", request_.study, "Which one: see below")
        ->type_name("NAME")
        ->check(CLI::IsMember(names).description(""))
        ->required();
    const auto positive = CLI::PositiveNumber.description("");
    app->add_option("--sizes", request_.sizes, "Image sizes N of N x N x N (default: the paper's)")
        ->type_name("LIST")
        ->delimiter(',')
        ->check(positive);
    app->add_option("--accelerations", request_.accelerations, "Accelerations R (default: the paper's)")
        ->type_name("LIST")
        ->delimiter(',')
        ->check(positive);
    app->add_option("--accuracies", request_.accuracies, "Relative errors (default: the paper's)")
        ->type_name("LIST")
        ->delimiter(',')
        ->check(positive);
    app->add_option("--patterns", request_.patterns, "Of " + joined(studyPatterns(), ", "))
        ->type_name("LIST")
        ->delimiter(',')
        ->check(CLI::IsMember(studyPatterns()).description(""));
    app->add_option("--threads", request_.threads,
                    "Threads, of studies that vary them (default: 1, 2, 4 ... all)")
        ->type_name("LIST")
        ->delimiter(',')
        ->check(positive);
    app->add_option("--backend", backend_, "Which backends take part")
        ->type_name("{auto,cpu,cuda}")
        ->check(CLI::IsMember({"auto", "cpu", "cuda"}).description(""))
        ->capture_default_str();
    app->add_option("--trials", request_.trials,
                    "Repeats of each candidate; 0: as many as its time calls for")
        ->type_name("INTEGER")
        ->check(CLI::NonNegativeNumber.description(""));
    addCsv(*app, csv_);
    addJson(*app, json_);
    app->footer(list + "Examples:\n  " + program + " study alpha --sizes 62 --csv alpha.csv\n  " + program +
                " study gains --sizes 64 --csv gains.csv\n  " + program +
                " study spreading --sizes 64,128 --json spreading.json");
  }

  void declare(JobFiles& files) const override {
    files.writes(csv_);
    files.writes(json_);
  }

  void run(CommandContext& context) override {
    const std::vector<Backend*> chosen = backendsFor(context.backends().all(), backend_);
    const std::vector<NufftBackend*> backends(chosen.begin(), chosen.end());
    const StudyResult result = runStudy(backends, request_, context.progress);
    if (result.cancelled) throw Cancelled{};
    context.say(result.title + " (" + result.source + ")");
    // Panel by panel; last, without one, what could not run.
    std::vector<std::string> panels;
    for (const StudyRow& r : result.rows)
      if (!r.panel.empty() && std::find(panels.begin(), panels.end(), r.panel) == panels.end())
        panels.push_back(r.panel);
    panels.emplace_back();
    for (const std::string& panel : panels) {
      if (!panel.empty()) context.say(panel + ": " + result.axes.y + " over " + result.axes.x);
      for (const StudyRow& r : result.rows)
        if (r.panel == panel) context.say(line(result.axes, r));
    }
    if (!csv_.empty()) writeFileAtomically(csv_, toCsv(result));
    context.json(json_, {{"study", toJson(result)}});
  }

 private:
  static std::string line(const StudyAxes& axes, const StudyRow& r) {
    const NufftOptions& o = r.candidate.options;
    if (!r.refused.empty()) return row(r.variant, r.refused);
    const bool named = !axes.categories.empty();
    const std::string x = named ? axes.categories[std::size_t(r.x)] : numberText(r.x, 5);
    std::string text = "  " + leftAligned(r.series, 30) + ' ' + rightAligned(x, 16) + ' ' +
                       rightAligned(numberText(r.y, 5), 12);
    if (r.seconds > 0)
      text += "   alpha " + fixedText(o.alpha, 3) + " W " + fixedText(o.width, 2, 5) + ' ' +
              fixedText(r.seconds / millisecond, 3, 10) + " ms, set-up " +
              fixedText(r.setUpSeconds / millisecond, 3, 10) + " ms";
    return text;
  }

  StudyRequest request_;
  std::string backend_ = "auto", csv_, json_;
};

}  // namespace

std::unique_ptr<Command> makeStudyCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<StudyCommand>(parent, program);
}

}  // namespace spokelab::cli
