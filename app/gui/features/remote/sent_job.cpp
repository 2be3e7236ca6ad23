#include "app/gui/features/remote/sent_job.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/core/user_folder.h"
#include "engine/profile/results/results.h"
#include "engine/scan/formats/images/read_image.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// The machine's own name, and what it is: "reconstructed on node7 (cluster-07, AMD EPYC 7402, 48
// threads) by Spokelab 1.0.0, 2026-11-21T20:59:46Z".
std::string madeOn(const std::string& host, const json& provenance) {
  const json& machine = provenance.at("machine");
  return "reconstructed on " + host + " (" + machine.at("host").get<std::string>() + ", " +
         machine.at("cpu").get<std::string>() + ", " + std::to_string(machine.at("threads").get<int>()) +
         " threads) by Spokelab " + provenance.at("version").get<std::string>() + ", " +
         provenance.at("time").get<std::string>();
}

void readResult(const cli::RemoteJob& job, const SentFiles& files, Arrival& arrival,
                const Progress& progress) {
  const std::string problem = "Cannot read what " + job.host() + " sent back",
                    remedy = "Send it again, to a machine with the same version";
  const json j = parseDocument(readDocument(files.report, progress), problem, remedy);
  try {
    std::vector<std::string> unknown;
    auto result = std::make_shared<Reconstruction>(reconstructionFromJson(j.at("reconstruction"), unknown));
    auto image = std::make_shared<Image>(readImage(files.image, progress));
    result->notes.push_back(madeOn(job.host(), j.at("provenance")));
    for (const std::string& what : unknown) result->notes.push_back(what);
    image->provenance.push_back(result->notes[result->notes.size() - unknown.size() - 1]);
    arrival.scan = j.at("scan").at("name").get<std::string>();
    arrival.fingerprint = j.at("scan").at("fingerprint").get<std::string>();
    image->name = arrival.scan;
    result->image = std::move(image);
    arrival.result = std::move(result);
  } catch (const json::exception& e) {
    throw Error(problem, e.what(), remedy);
  }
}

// The words behind a label of the command line's last error; empty: it told none.
std::string told(const std::vector<std::string>& log, const std::string& label) {
  for (auto line = log.rbegin(); line != log.rend(); ++line) {
    const std::size_t at = line->find(label);
    if (at == std::string::npos) continue;
    const std::size_t begin = line->find_first_not_of(' ', at + label.size());
    return begin == std::string::npos ? "" : line->substr(begin);
  }
  return {};
}

// Reads the command line's last messages (app/cli/program_errors.h).
Error failureOn(const std::string& host, int code, const std::vector<std::string>& log) {
  const std::string what = told(log, "error:"), why = told(log, "why:"), remedy = told(log, "what to do:");
  return Error(host + ": " + (what.empty() ? "the job failed" : what),
               why.empty() ? "the command ended with code " + std::to_string(code) : why,
               remedy.empty() ? "See what it said in the log" : remedy);
}

}  // namespace

cli::RemoteJob remoteJob(const std::string& host, const std::string& id) {
  return {cli::SshLink(host, cli::SshLink::Questions::refused), id};
}

SentFiles sentFiles(const std::string& id) {
  const fs::path folder = userData() / "remote" / id;
  return {folder, folder / "image.npy", folder / "report.json"};
}

std::vector<std::string> outputArguments(const SentFiles& files) {
  return {"-o", files.image.string(), "--json", files.report.string()};
}

std::string shownCommand(const cli::RemoteRecord& record) {
  std::string own, command = record.command;
  for (const std::string& word : outputArguments(sentFiles(record.id))) own += ' ' + shellWord(word);
  if (const std::size_t at = command.find(own); at != std::string::npos) command.erase(at, own.size());
  return command;
}

Arrival awaitJob(const cli::RemoteJob& job, const std::function<void(const std::string&)>& say,
                 const Progress& progress) {
  std::vector<std::string> log;
  Arrival arrival;
  int code = 0;
  try {
    code = job.wait(
        [&](const std::string& line) {
          constexpr std::size_t maxLines = 12;  // an error has three
          if (log.size() == maxLines) log.erase(log.begin());
          log.push_back(line);
          say(line);
        },
        progress);
    arrival.files = job.fetch(code, progress);
  } catch (const Error& error) {
    const std::vector<cli::RemoteRecord> records = cli::remoteRecords();
    const bool goesOn = std::any_of(records.begin(), records.end(),
                                    [&](const cli::RemoteRecord& record) { return record.id == job.id(); });
    if (!goesOn) throw;
    throw Error(error.summary(), error.reason(),
                error.remedy() + ". The job continues there: Fetch in \"Send to a machine\" picks it up");
  }
  const SentFiles own = sentFiles(job.id());
  if (code == 0 && fs::exists(own.image)) readResult(job, own, arrival, progress);
  try {
    job.forget(progress);
  } catch (const Error& error) {
    arrival.warning = error.what();
  }
  std::error_code ignored;
  fs::remove_all(own.folder, ignored);
  if (code != 0) throw failureOn(job.host(), code, log);
  return arrival;
}

}  // namespace spokelab
