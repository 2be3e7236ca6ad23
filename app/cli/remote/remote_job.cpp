#include "app/cli/remote/remote_job.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <random>
#include <system_error>

#include "app/cli/remote/arrivals.h"
#include "engine/core/atomic_file.h"
#include "engine/core/document.h"
#include "engine/core/documents/document_numbers.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/core/user_folder.h"
#include "engine/core/version.h"
#include "engine/profile/results/provenance.h"

namespace spokelab::cli {
namespace {

namespace fs = std::filesystem;

constexpr int noFolder = 66, noProgram = 67, killed = 68;
constexpr std::string_view progressWord = "progress ";

std::string newId() {
  std::string id = timeNow();
  std::erase_if(id, [](char c) { return (c < '0' || c > '9') && c != 'T'; });
  std::replace(id.begin(), id.end(), 'T', '-');
  std::random_device random;  // 32 bits a call
  constexpr int bits = 32;
  return id + '-' + hashText(std::uint64_t(random()) << bits | random());
}

// A file name that is not valid UTF-8 cannot be JSON text, so it is kept as a list of its bytes.
nlohmann::json bytesToJson(const std::string& bytes) {
  try {
    nlohmann::json text = bytes;
    static_cast<void>(text.dump());
    return text;
  } catch (const nlohmann::json::exception&) {
    return nlohmann::json(std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
  }
}

std::string bytesFromJson(const nlohmann::json& j) {
  if (j.is_string()) return j.get<std::string>();
  std::string bytes;
  for (const nlohmann::json& byte : j) bytes += char(checkedCount(byte, "file", 0, UINT8_MAX));
  return bytes;
}

bool isBelow(const fs::path& file, const fs::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return end == folder.end();
}

// "progress 45 Iteration 3": a line that the program prints for programs (SPOKELAB_PROGRESS).
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
    const auto text = [&](const char* key) { return bytesFromJson(j.at(key)); };
    RemoteRecord record{
        file.stem().string(), text("host"), text("program"), text("command"), text("begun"), {}, {}};
    for (const auto& output : j.at("outputs"))
      if (output.is_string())  // a record of an earlier version
        record.outputs.push_back({output.get<std::string>(), false});
      else
        record.outputs.push_back({bytesFromJson(output.at("file")), output.at("always").get<bool>()});
    for (const auto& folder : j.value("folders", nlohmann::json::array()))
      record.folders.push_back({bytesFromJson(folder.at("folder")), folder.at("prefix").get<std::string>(),
                                folder.at("suffix").get<std::string>()});
    return record;
  } catch (const nlohmann::json::exception& e) {
    throw Error(problem, e.what(), remedy);
  }
}

void writeRecord(const fs::path& file, const RemoteRecord& record) {
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  nlohmann::json outputs = nlohmann::json::array(), folders = nlohmann::json::array();
  for (const JobOutput& output : record.outputs)
    outputs.push_back({{"file", bytesToJson(output.file.string())}, {"always", output.always}});
  for (const JobFolder& folder : record.folders)
    folders.push_back({{"folder", bytesToJson(folder.folder.string())},
                       {"prefix", folder.prefix},
                       {"suffix", folder.suffix}});
  const nlohmann::json j{{"host", bytesToJson(record.host)},
                         {"program", bytesToJson(record.program)},
                         {"command", bytesToJson(record.command)},
                         {"begun", record.begun},
                         {"outputs", outputs},
                         {"folders", folders}};
  writeKeptFile(file, j.dump() + '\n');
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
    } catch (const Error&) {  // damaged: its machine is unknown
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
  const std::vector<fs::path> inputs = files.inputs();
  std::vector<fs::path> outputs;
  for (const JobOutput& output : files.results()) outputs.push_back(output.file);
  for (const JobFolder& folder : files.folders()) outputs.push_back(folder.folder);
  const auto moved = [&](const std::string& text) -> std::string {
    if (text.empty()) return text;
    const fs::path file = fs::absolute(text).lexically_normal();
    std::error_code ignored;
    const fs::path name = file.has_filename() ? file : file.parent_path();  // "folder/"
    const auto is = [&](const fs::path& other) { return other.lexically_normal() == name; };
    if (std::any_of(inputs.begin(), inputs.end(), is) && fs::exists(file, ignored))
      return "files" + file.string();
    const bool holds = std::any_of(outputs.begin(), outputs.end(), [&](const fs::path& output) {
      return is(output) || isBelow(output.lexically_normal(), name);
    });
    return holds && file != "/" ? "results" + file.string() : text;
  };
  std::vector<std::string> remoteCommand;
  for (const std::string& word : words) {
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    if (equals == std::string::npos)
      remoteCommand.push_back(word.starts_with('-') ? word : moved(word));
    else
      remoteCommand.push_back(word.substr(0, equals + 1) + moved(word.substr(equals + 1)));
  }
  return remoteCommand;
}

RemoteJob::RemoteJob(SshLink link, std::string id) : link_(std::move(link)), id_(std::move(id)) {
  if (id_.empty()) id_ = newId();
  if (id_.find_first_not_of("0123456789abcdef-") != std::string::npos)
    throw Error("There is no job " + id_, "its number is malformed",
                "Use the number that was printed when it began");
}

std::string RemoteJob::folder() const {
  return "\"$HOME\"/.cache/spokelab/jobs/" + id_;
}

void RemoteJob::require(const SshEnd& end, const std::string& what) const {
  if (end.code == 0) return;
  const std::string problem = "Cannot " + what + " on " + host();
  link_.requireConnected(end, problem);
  if (end.code == noFolder)
    throw Error(problem, "job " + id_ + " is not there", "Check its number and the machine");
  throw Error(
      problem,
      "its shell ended with code " + std::to_string(end.code) + (end.said.empty() ? "" : ": " + end.said),
      "Check that your home folder on that machine has free space");
}

// A program of another version has other options and writes other files, so it is refused.
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
  RemoteRecord record{id_, host(), program, shellLine(words), timeNow(), files.results(), files.folders()};
  std::string folders = "files";
  const auto makeFolder = [&](const fs::path& output) {
    folders += ' ' + shellWord("results" + output.parent_path().string());
  };
  for (JobOutput& output : record.outputs) makeFolder(output.file = output.file.lexically_normal());
  for (const JobFolder& folder : record.folders) makeFolder(folder.folder);
  // mkdir without -p fails if the folder exists: it must belong to this job alone.
  const std::string make = "mkdir -p \"$HOME\"/.cache/spokelab/jobs && mkdir -m 700 " + folder() + " && cd " +
                           folder() + " && mkdir -p " + folders;
  if (here.empty()) {
    require(link_.run(make, {}, progress), "begin");
  } else {
    progress.report(0, "Copying to " + host());
    try {
      require(link_.upload(here, make + " && cd files", progress), "copy files");
    } catch (const Error&) {
      dropThere(progress);
      throw;
    }
  }
  writeRecord(recordFile(id_), record);
  const std::string script = "SPOKELAB_PROGRESS=lines " + shellWord(program) + ' ' +
                             shellLine(remoteWords(words, files)) +
                             " > log 2>&1 < /dev/null &\n"
                             "echo $! > pid\nwait $!\necho $? > status.new && mv status.new status\n";
  const SshEnd end = link_.run("cd " + folder() + " && printf %s " + shellWord(script) +
                                   " > run.sh && (nohup setsid sh run.sh </dev/null >/dev/null 2>&1 &)",
                               {}, progress);
  if (end.code != 0 && end.code != SshLink::lost) {  // after a lost connection it may have begun
    dropThere(progress);
    dropRemoteRecord(id_);
  }
  require(end, "begin");
}

void RemoteJob::dropThere(const Progress& progress) const {
  try {
    link_.run("rm -rf " + folder(), {}, progress);
  } catch (const Error&) {  // the first error is reported
  }
}

int RemoteJob::wait(const std::function<void(const std::string&)>& say, const Progress& progress) const {
  // Prints new lines of the log until there is a status; gone without one is killed.
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

std::vector<fs::path> RemoteJob::fetch(int code, const Progress& progress) const {
  const RemoteRecord known = recordIn(recordFile(id_));
  if (known.outputs.empty() && known.folders.empty()) return {};
  progress.report(0, "Copying from " + host());
  Arrivals arrivals(host(), known.outputs, known.folders);
  const std::string script = "cd " + folder() + " 2>/dev/null || exit " + std::to_string(noFolder) + '\n' +
                             sendingScript(known.outputs, known.folders);
  require(link_.receive(
              script, [&](std::string_view bytes) { arrivals.take(bytes); }, progress),
          "copy the results");
  arrivals.commit(progress);
  if (const std::vector<fs::path> missing = arrivals.missing(); code == 0 && !missing.empty()) {
    std::vector<std::string> names;
    names.reserve(missing.size());
    for (const fs::path& file : missing) names.push_back(file.string());
    throw Error("Cannot bring back all of job " + id_,
                "it succeeded, but " + host() + " has no " + joined(names, ", no "),
                "Look for it there: the job is kept, in ~/.cache/spokelab/jobs/" + id_);
  }
  return arrivals.places();
}

void RemoteJob::stop(const Progress& progress) const {
  require(link_.run("cd " + folder() + " 2>/dev/null || exit " + std::to_string(noFolder) +
                        "; [ -f status ] || kill -TERM $(cat pid)",
                    {}, progress),
          "stop job " + id_);
}

void RemoteJob::end(const Progress& progress) const {
  // Give the job some seconds to end, because it may still write into the folder.
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
