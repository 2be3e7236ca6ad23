#include "app/cli/remote/remote_job.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <random>
#include <system_error>

#include "engine/core/atomic_file.h"
#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/core/user_folder.h"
#include "engine/core/version.h"
#include "engine/profile/results/provenance.h"

namespace spokelab::cli {
namespace {

namespace fs = std::filesystem;

// Exit codes of our scripts.
constexpr int noFolder = 66, noProgram = 67, killed = 68;
constexpr std::string_view progressWord = "progress ";

std::string newId() {
  std::string id = timeNow();
  std::erase_if(id, [](char c) { return (c < '0' || c > '9') && c != 'T'; });
  std::replace(id.begin(), id.end(), 'T', '-');
  constexpr std::size_t digits = 4;
  return id + '-' + hashText(std::random_device{}()).substr(hashText(0).size() - digits);
}

bool isBelow(const fs::path& file, const fs::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return end == folder.end();
}

// "progress 45 Iteration 3": what the program prints for programs (SPOKELAB_PROGRESS).
bool isProgress(const std::string& line, const Progress& progress) {
  if (!line.starts_with(progressWord)) return false;
  constexpr double percent = 0.01;
  int share = 0;
  const char* const begin = line.data() + progressWord.size();
  const auto [end, failed] = std::from_chars(begin, line.data() + line.size(), share);
  if (failed != std::errc()) return false;
  progress.report(percent * share, *end ? end + 1 : "");
  return true;
}

fs::path recordFolder() {
  return userData() / "remote";
}

fs::path recordFile(const std::string& id) {
  return recordFolder() / (id + ".json");
}

RemoteRecord recordIn(const fs::path& file) {
  const std::string problem = "There is no record of job " + file.stem().string(),
                    remedy = "Wait for it as the user and on the machine where it was begun";
  const nlohmann::json j = parseDocument(readDocument(file), problem, remedy);
  try {
    const auto text = [&](const char* key) { return j.at(key).get<std::string>(); };
    RemoteRecord record{file.stem().string(), text("host"),  text("program"),
                        text("command"),      text("begun"), {}};
    for (const auto& output : j.at("outputs")) record.outputs.emplace_back(output.get<std::string>());
    return record;
  } catch (const nlohmann::json::exception& e) {
    throw Error(problem, e.what(), remedy);
  }
}

void writeRecord(const fs::path& file, const RemoteRecord& record) {
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  nlohmann::json outputs = nlohmann::json::array();
  for (const fs::path& output : record.outputs) outputs.push_back(output.string());
  const nlohmann::json j{{"host", record.host},
                         {"program", record.program},
                         {"command", record.command},
                         {"begun", record.begun},
                         {"outputs", outputs}};
  writeFileAtomically(file, j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
}

std::string shellLine(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shellWord(word);
  return line;
}

}  // namespace

std::vector<RemoteRecord> remoteRecords() {
  std::vector<RemoteRecord> records;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(recordFolder(), failed)) try {
      if (entry.path().extension() == ".json") records.push_back(recordIn(entry.path()));
    } catch (const Error&) {  // damaged: nobody knows its machine
    }
  std::sort(records.begin(), records.end(),
            [](const RemoteRecord& a, const RemoteRecord& b) { return a.id > b.id; });
  return records;
}

void dropRemoteRecord(const std::string& id) {
  std::error_code ignored;
  fs::remove(recordFile(id), ignored);
}

std::vector<std::string> remoteWords(const std::vector<std::string>& words, const JobFiles& files) {
  const std::vector<fs::path> inputs = files.inputs(), outputs = files.outputs();
  const auto moved = [&](const std::string& text) -> std::string {
    if (text.empty()) return text;
    const fs::path file = fs::absolute(text).lexically_normal();
    std::error_code ignored;
    const auto is = [&](const fs::path& other) { return other.lexically_normal() == file; };
    if (std::any_of(inputs.begin(), inputs.end(), is) && fs::exists(file, ignored))
      return "files" + file.string();
    const bool holds = std::any_of(outputs.begin(), outputs.end(), [&](const fs::path& output) {
      return is(output) || isBelow(output.lexically_normal(), file);
    });
    return holds && file != "/" ? "results" + file.string() : text;
  };
  std::vector<std::string> there;
  for (const std::string& word : words) {
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    if (equals == std::string::npos)
      there.push_back(word.starts_with('-') ? word : moved(word));
    else
      there.push_back(word.substr(0, equals + 1) + moved(word.substr(equals + 1)));
  }
  return there;
}

RemoteJob::RemoteJob(SshLink link, std::string id) : link_(std::move(link)), id_(std::move(id)) {
  if (id_.empty()) id_ = newId();
  if (id_.find_first_not_of("0123456789abcdef-") != std::string::npos)
    throw Error("There is no job " + id_, "it is no job's number",
                "Take the one that was said when it began");
}

std::string RemoteJob::folder() const {
  return "\"$HOME\"/.cache/spokelab/jobs/" + id_;
}

void RemoteJob::require(const SshEnd& end, const std::string& what) const {
  if (end.code == 0) return;
  const std::string problem = "Cannot " + what + " on " + host();
  link_.requireConnected(end, problem);
  if (end.code == noFolder)
    throw Error(problem, "there is no job " + id_ + " there", "Look at its number, and at the machine");
  throw Error(
      problem,
      "its shell ended with code " + std::to_string(end.code) + (end.said.empty() ? "" : ": " + end.said),
      "See that there is room in your home folder there");
}

// A program of another version has other options, and writes other files.
void RemoteJob::requireProgram(const std::string& program, const Progress& progress) const {
  std::string words;
  const SshEnd end = link_.run(
      "command -v " + shellWord(program) + " >/dev/null || exit " + std::to_string(noProgram) + "; " +
          shellWord(program) + " --version",
      [&](const std::string& line) { words += ' ' + line; }, progress);
  if (end.code == noProgram)
    throw Error("Cannot work on " + host(), "it has no program " + program + " on its path",
                "Install it there, or name it by its whole path (--program)");
  require(end, "begin");
  if ((words + ' ').find(std::string(" ") + version() + ' ') == std::string::npos)
    throw Error("Cannot work on " + host(),
                program + " there is" + (words.empty() ? " another program" : words) +
                    ", and this is version " + versionText(),
                "Install the same version there, or name another program there (--program)");
}

void RemoteJob::begin(const std::string& program, const std::vector<std::string>& words,
                      const JobFiles& files, const Progress& progress) {
  requireProgram(program, progress);
  std::vector<fs::path> here;
  std::error_code ignored;
  for (const fs::path& input : files.inputs())
    if (fs::is_regular_file(input, ignored)) here.push_back(input.lexically_normal());
  if (!here.empty()) {
    progress.report(0, "Copying to " + host());
    require(link_.upload(here, folder() + "/files", progress), "copy files");
  }
  RemoteRecord record{id_, host(), program, shellLine(words), timeNow(), {}};
  std::string folders = folder() + "/files";
  for (const fs::path& output : files.outputs()) {
    record.outputs.push_back(output.lexically_normal());
    folders += ' ' + folder() + shellWord("/results" + output.lexically_normal().parent_path().string());
  }
  writeRecord(recordFile(id_), record);
  const std::string script = "SPOKELAB_PROGRESS=lines " + shellWord(program) + ' ' +
                             shellLine(remoteWords(words, files)) +
                             " > log 2>&1 < /dev/null &\n"
                             "echo $! > pid\nwait $!\necho $? > status.new && mv status.new status\n";
  require(link_.run("mkdir -p " + folders + " && cd " + folder() + " && printf %s " + shellWord(script) +
                        " > run.sh && (nohup setsid sh run.sh </dev/null >/dev/null 2>&1 &)",
                    {}, progress),
          "begin");
}

int RemoteJob::wait(const std::function<void(const std::string&)>& say, const Progress& progress) const {
  // What is new in the log, until there is a status; a job that is gone without one was killed.
  const std::string script =
      "cd " + folder() + " 2>/dev/null || exit " + std::to_string(noFolder) +
      "\nn=0 gone=0\nwhile :; do\n"
      "  [ -f status ] && ended=1 || ended=0\n"
      "  [ -f log ] && s=$(wc -c < log) || s=0\n"
      "  [ $s -gt $n ] && { tail -c +$((n+1)) log | head -c $((s-n)) || exit 0; n=$s; }\n"
      "  [ $ended = 1 ] && exit $(cat status)\n"
      "  if [ -f pid ] && ! kill -0 $(cat pid) 2>/dev/null; then gone=$((gone+1)); fi\n"
      "  [ $gone -gt 10 ] && exit " +
      std::to_string(killed) + "\n  sleep 0.2\ndone\n";
  const SshEnd end = link_.run(
      script,
      [&](const std::string& line) {
        if (!isProgress(line, progress)) say(line);
      },
      progress);
  const std::string what = "wait for job " + id_;
  link_.requireConnected(end, "Cannot " + what + " on " + host());
  if (end.code == noFolder) require(end, what);
  if (end.code == killed) {
    forget(progress);
    throw Error("Job " + id_ + " is gone", "it was killed on " + host(), "Begin it again");
  }
  return end.code;
}

std::vector<fs::path> RemoteJob::fetch(const Progress& progress) const {
  const RemoteRecord known = recordIn(recordFile(id_));
  const struct Stage {
    fs::path folder;
    ~Stage() {
      std::error_code ignored;
      fs::remove_all(folder, ignored);
    }
  } stage{fs::temp_directory_path() / ("spokelab-remote-" + id_)};
  fs::create_directory(stage.folder);
  fs::permissions(stage.folder, fs::perms::owner_all);
  progress.report(0, "Copying from " + host());
  require(link_.download(folder() + "/results", stage.folder, progress), "copy the results");
  std::vector<fs::path> fetched;
  for (const auto& entry : fs::recursive_directory_iterator(stage.folder)) {
    if (!entry.is_regular_file() || entry.is_symlink()) continue;
    const fs::path place = "/" / entry.path().lexically_relative(stage.folder);
    // Outputs, and what formats write beside them; nothing else is taken.
    const bool wanted = std::any_of(known.outputs.begin(), known.outputs.end(), [&](const fs::path& output) {
      return place.parent_path() == output.parent_path() &&
             place.filename().string().starts_with(output.stem().string());
    });
    if (!wanted) continue;
    fs::create_directories(place.parent_path());
    AtomicFile file(place);
    fs::copy_file(entry.path(), file.path(), fs::copy_options::overwrite_existing);
    file.commit(progress);
    fetched.push_back(place);
  }
  return fetched;
}

void RemoteJob::stop(const Progress& progress) const {
  require(link_.run("cd " + folder() + " 2>/dev/null || exit " + std::to_string(noFolder) +
                        "; [ -f status ] || kill -TERM $(cat pid)",
                    {}, progress),
          "stop job " + id_);
}

void RemoteJob::end(const Progress& progress) const {
  // What it still writes would come into a folder that goes: so it has some seconds to end.
  require(link_.run(
              "cd " + folder() +
                  " 2>/dev/null || exit 0\n"
                  "[ -f status ] || [ ! -f pid ] || kill -TERM $(cat pid) 2>/dev/null\n"
                  "n=0; while [ -f pid ] && [ ! -f status ] && [ $n -lt 50 ]; do n=$((n+1)); sleep 0.1; done",
              {}, progress),
          "end job " + id_);
  forget(progress);
}

void RemoteJob::forget(const Progress& progress) const {
  require(link_.run("rm -rf " + folder(), {}, progress), "remove job " + id_);
  dropRemoteRecord(id_);
}

}  // namespace spokelab::cli
