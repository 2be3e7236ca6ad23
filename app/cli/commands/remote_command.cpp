// remote: another command of this program on a machine that ssh reaches.
#include <cstdio>
#include <functional>

#include "app/cli/commands/command_list.h"
#include "app/cli/commands/sent_files.h"
#include "app/cli/remote/remote_job.h"
#include "app/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab::cli {
namespace {

class RemoteCommand final : public Command {
 public:
  RemoteCommand(CLI::App& parent, const std::string& program) : program_(program) {
    app = parent.add_subcommand("remote", "Run a command on a machine that ssh reaches");
    app->prefix_command();
    app->add_option("HOST", host_, "As for ssh: its name or USER@NAME, by your own configuration of ssh")
        ->type_name("");
    app->add_option("--program", remoteProgram_, "The program's name or path there")
        ->type_name("PROGRAM")
        ->capture_default_str();
    auto* const job = app->add_option("--job", id_, "Wait for a job that was begun, and fetch its outputs")
                          ->type_name("NUMBER");
    app->add_flag("--stop", stop_, "End that job there, as Ctrl-C would")->needs(job);
    app->add_flag("--list", list_, "Name the jobs that were begun and not fetched yet")->excludes(job);
    app->callback([this] {
      if (host_.empty() && !list_) throw CLI::RequiredError("HOST");
    });
    app->footer(
        "Write options before HOST. The files that the command reads are copied there, and only the files\n"
        "that it writes are copied back. A missing output is an error, and the job is then kept there.\n"
        "Wisdom is that machine's; files that are not here are taken for files there. A lost connection or\n"
        "Ctrl-C ends the wait, not the job. No password is kept, and no process remains after the job.\n"
        "Examples:\n  " +
        program + " remote node7 reconstruct scan.h5 -o image.nii.gz --method sense\n  " + program +
        " remote --program /opt/spokelab/bin/spokelab-cli me@node7 sweep scan.h5 --json sweep.json\n  " +
        program + " remote --job 20261123-113000-1a2b3c4d5e6f7081 node7\n  " + program +
        " remote --job 20261123-113000-1a2b3c4d5e6f7081 --stop node7\n  " + program + " remote --list");
  }

  void declare(JobFiles& files) const override {
    if (const std::vector<std::string> words = app->remaining(); !words.empty())
      declareSent(words, host_, files);
  }

  void run(CommandContext& context) override {
    const std::vector<std::string> words = app->remaining();
    if (list_) return list(context);
    if (words.empty() == id_.empty())
      throw Error("Nothing to do on " + host_,
                  words.empty() ? "no command is named" : "a job and a command are named",
                  "Name a command, or a job by --job");
    RemoteJob job(SshLink(host_), id_);
    if (stop_) job.stop(context.progress);
    if (id_.empty()) {
      job.begin(remoteProgram_, words, context.files, context.progress);
      context.say(row("job", job.id() + " on " + host_));
    }
    int code = 0;
    std::vector<std::filesystem::path> fetched;
    wait(job, [&] {
      code = job.wait(say, context.progress);
      fetched = job.fetch(code, context.progress);
    });
    job.forget(context.progress);
    for (const auto& file : fetched) context.say(row("fetched", file.string()));
    if (code != 0)
      context.fail("The command ended with code " + std::to_string(code) + " on " + host_ +
                   "; what it said is above");
  }

 private:
  static void list(CommandContext& context) {
    const std::vector<RemoteRecord> records = remoteRecords();
    for (const RemoteRecord& record : records)
      context.say(row(record.id, record.host + ", " + record.begun + ": " + record.command));
    context.say(countText(std::int64_t(records.size()), "job"));
  }

  static void say(const std::string& line) {
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
  }

  // Waits and fetches; where that does not succeed, the user learns how to go on.
  void wait(const RemoteJob& job, const std::function<void()>& work) const {
    const std::string again = program_ + " remote --job " + job.id() + ' ' + shellWord(host_);
    try {
      work();
    } catch (const Cancelled&) {
      std::fprintf(stderr, "%s: the job continues. To wait for it: %s\n  To end it: %s\n", program_.c_str(),
                   again.c_str(),
                   (program_ + " remote --job " + job.id() + " --stop " + shellWord(host_)).c_str());
      throw;
    } catch (const Error& error) {
      throw Error(error.summary(), error.reason(), error.remedy() + ". To wait again: " + again);
    }
  }

  const std::string program_;
  std::string host_, remoteProgram_ = "spokelab-cli", id_;
  bool stop_ = false, list_ = false;
};

}  // namespace

std::unique_ptr<Command> makeRemoteCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<RemoteCommand>(parent, program);
}

}  // namespace spokelab::cli
