#include "engine/recon/ranks/rank_reconstruction.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"
#include "engine/nufft/tune/candidate_json.h"
#include "engine/recon/job/job_memory.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/prepare/sample_scale.h"
#include "engine/recon/ranks/rank_messages.h"
#include "engine/recon/ranks/rank_outline.h"
#include "engine/recon/ranks/rank_places.h"
#include "engine/recon/ranks/rank_wisdom.h"
#include "engine/recon/run/job_machine.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/run/scan_problem.h"
#include "engine/recon/run/sense/coil_map_source.h"
#include "engine/recon/run/tune_scan.h"
#include "engine/scan/read/frame_count.h"

namespace spokelab {
namespace {

using nlohmann::json;

constexpr double readDone = 0.15, tuned = 0.4, reconstructed = 0.95;  // of the progress
constexpr double preparationShare = 0.1;                              // of gridding's part of it

int placeOf(const std::vector<int>& sorted, int value) {
  return int(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
}

std::vector<int> placesOf(const std::vector<int>& sorted, const std::vector<int>& values) {
  std::vector<int> places;
  places.reserve(values.size());
  for (const int v : values) places.push_back(placeOf(sorted, v));
  return places;
}

std::vector<int> united(std::vector<int> a, const std::vector<int>& b) {
  a.insert(a.end(), b.begin(), b.end());
  std::sort(a.begin(), a.end());
  a.erase(std::unique(a.begin(), a.end()), a.end());
  return a;
}

class RankRun {
 public:
  RankRun(Ranks& ranks, Backend& backend, const RankReader& reader, const ReconOptions& options,
          Wisdom* wisdom, const Progress& progress, const Candidate* plan, SharedImage* shared)
      : ranks_(ranks),
        backend_(backend),
        reader_(reader),
        options_(options),
        wisdom_(wisdom),
        progress_(progress),
        shared_(shared) {
    if (plan) plan_ = *plan;
  }

  RankReconstruction run() {
    JobAccount outside;  // beside the work on this rank's samples
    const AccountRecorder account(outside);
    RankProbe probe = agreeOnOutline(ranks_, backend_, reader_, options_, progress_.part(0, readDone / 2));
    outline_ = std::move(probe.outline);
    probe_ = std::move(probe.scan);
    notes_ = std::move(probe.notes);
    joined_.axis = outline_.axis;
    readPart();
    placeImage();
    const double readSeconds = account.seconds();
    choosePlan();
    const double begun = now();
    reconstructPart();
    const double seconds = readSeconds + now() - begun;
    putTogether(seconds);
    joined_.result.options = options_;
    joined_.result.account += outside;
    joined_.result.seconds = joined_.result.account.total = account.seconds();
    joined_.scan = scan_;
    return std::move(joined_);
  }

 private:
  // True if ranks divide the images; else each rank has a part of every image's coils or slabs.
  bool dividesImages() const {
    return outline_.axis == RankAxis::frames || outline_.axis == RankAxis::slices;
  }
  std::vector<std::vector<int>> shares() const { return rankShares(outline_.parts, outline_.speeds); }
  std::vector<int> ownShare() const { return shares()[std::size_t(ranks_.rank())]; }

  // Reads the frames and slices of the share, with those that the coils' maps or their compression
  // are made from; part_ says which of what was read is the share.
  void readPart() {
    const std::vector<int> share = ownShare();
    std::vector<int> frames = outline_.frames, slices = outline_.slices;
    const std::vector<int> ofMaps = outline_.estimatesMaps ? mapFrames(frames) : std::vector<int>{};
    const bool ofFrames = outline_.axis == RankAxis::frames, ofSlices = outline_.axis == RankAxis::slices;
    if (ofFrames) {
      frames.clear();
      for (const int i : share) frames.push_back(outline_.frames[std::size_t(i)]);
    }
    const std::vector<int> ownFrames = frames;
    if (ofFrames) {
      frames = united(frames, ofMaps);
      if (outline_.compresses) frames = united(frames, {outline_.frames.front()});
    }
    std::vector<int> ownSlices = slices;
    if (ofSlices) {
      ownSlices.clear();
      for (const int i : share) ownSlices.push_back(outline_.slices[std::size_t(i)]);
      if (!outline_.compresses) slices = ownSlices;
    }
    const bool everySlice = !ofSlices && outline_.allSlices;
    const std::string frameText = numberListText(frames),
                      sliceText = everySlice || slices.empty() ? "" : numberListText(slices);
    const bool isProbe =
        probe_ && (!reader_.readsParts || (probe_->frames == framesInFile(*probe_) && sliceText.empty()));
    scan_ = isProbe ? probe_
                    : reader_.read(reader_.readsParts ? frameText : "", reader_.readsParts ? sliceText : "",
                                   progress_.part(readDone / 2, readDone));
    probe_.reset();
    ReconOptions part = options_;
    part.slabs = outline_.slabs;
    setAccuracy(part, outline_.accuracy);
    const bool renumbered = reader_.readsParts;
    part.frames = renumbered ? "" : frameText;
    share_.frames = renumbered ? placesOf(frames, ownFrames) : ownFrames;
    if (!ofMaps.empty()) share_.mapFrames = renumbered ? placesOf(frames, ofMaps) : ofMaps;
    part.slices = "";
    if (!slices.empty() && (ofSlices || !everySlice))
      part.slices = numberListText(renumbered && !isProbe ? placesOf(slices, ownSlices) : ownSlices);
    planPart(part);
  }

  // Plans the preparation of this rank's scan, and the part that it reconstructs.
  void planPart(const ReconOptions& part) {
    const JobMachine machine = machineOfPart(part);
    part_ = planJob(*scan_, part, machine);
    requireMemoryFor(part_, scan_->name);
    for (const std::string& note : part_.notes)
      if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(note);
    ReconOptions shareOptions = part;
    shareOptions.frames = numberListText(share_.frames);
    own_ = planJob(*scan_, shareOptions, machine);
  }

  // True if a share's pixels are contiguous in the whole: frames, and slices of one image.
  bool sharesImage() const {
    const bool oneImage = outline_.frames.size() == 1 && !own_.separatesCoils;
    return shared_ && (outline_.axis == RankAxis::frames || (outline_.axis == RankAxis::slices && oneImage));
  }

  void placeImage() {
    if (sharesImage())
      share_.place = shared_->place(ranks_, *scan_, int(outline_.frames.size()), outline_.slices,
                                    part_.options.inDouble(), ownShare().front(),
                                    outline_.axis == RankAxis::slices, progress_);
  }

  // The plan is the same on all ranks, and so are the images' errors: it is rank 0's. What other
  // kinds of processors find out is for their wisdom alone.
  void choosePlan() {
    if (plan_ || options_.exact || own_.planIsGiven) return;
    JobTimer timer(JobStage::tune);
    rankWisdom_.emplace(ranks_, backend_, wisdom_, progress_);
    std::string text;
    if (rankWisdom_->tunes()) {
      const ScanProblem problem = scanProblem(*scan_, own_);
      const SpanScope silent(SpanCut::all);  // the tuner's transforms are not the image's
      const auto tuning = std::make_shared<const TuneResult>(
          tuneScan({&backend_}, *scan_, own_, tuneRequest(problem, own_.options), rankWisdom_->wisdom(),
                   progress_.part(readDone, tuned)));
      if (tuning->cancelled) throw Cancelled{};
      text = candidateToJson(tuning->candidates[std::size_t(tuning->best)]).dump();
      if (ranks_.isFirst()) joined_.result.tuning = tuning;
    }
    if (joined_.result.tuning) joined_.result.tuningSeconds = timer.end();
    broadcastText(ranks_, text, progress_);
    plan_ = candidateOfJson(rankMessage(text));
  }

  void reconstructPart() {
    const auto tuning = joined_.result.tuning;
    const double tuningSeconds = joined_.result.tuningSeconds;
    joined_.result = reconstructShare(progress_.part(tuned, reconstructed));
    joined_.result.tuning = tuning;
    joined_.result.tuningSeconds = tuningSeconds;
    if (joined_.result.cancelled || !joined_.result.image) throw Cancelled{};
  }

  SlabShare slabShare() const { return {&ranks_, ownShare(), progress_}; }

  const Candidate* plan() const { return plan_ ? &*plan_ : nullptr; }

  Reconstruction reconstructShare(const Progress& progress) {
    const bool ofCoils = outline_.axis == RankAxis::coils, ofSlabs = outline_.axis == RankAxis::slabs;
    if (ofCoils && !part_.iterates) return gridCoils(progress);
    if (ofSlabs && !part_.iterates) share_.slabs = slabShare();
    if (part_.iterates) divideIterations();
    Reconstruction result = runJob(backend_, *scan_, part_, plan(), nullptr, progress, share_);
    if (result.cancelled || !result.image) throw Cancelled{};
    if (ofSlabs && !part_.iterates)
      sumOverRanks(ranks_, *std::const_pointer_cast<Image>(result.image), progress);
    return result;
  }

  void divideIterations() {
    share_.keepsImage = dividesImages() || ranks_.isFirst();
    if (outline_.axis == RankAxis::coils) {
      share_.coils = CoilDivision{&ranks_, shares()};
      share_.senseRun = [this](const SenseProblem& problem) {
        return problem.slabs > 1 ? rankSenseRunOnHost(ranks_, backend_, problem, ownShare())
                                 : backend_.rankSenseRun(ranks_, problem, ownShare());
      };
    }
    if (outline_.axis == RankAxis::slabs)
      share_.senseRun = [this](const SenseProblem& problem) {
        return slabSenseRunOnHost(backend_, problem, slabShare());
      };
  }

  ScanPreparation preparedByAll(const Progress& progress) {
    const JobTimer timer(JobStage::whiten);
    return prepareScan(*scan_, part_, progress, nullptr, &ranks_);
  }

  // The coils are prepared before they are divided: whitening and compression need all of them.
  Reconstruction gridCoils(const Progress& progress) {
    const ScanPreparation prepared = preparedByAll(progress.part(0, preparationShare));
    const Scan& scan = prepared.scan ? *prepared.scan : *scan_;
    ReconOptions shareOptions = afterPreparation(own_).options;
    shareOptions.coils = numberListText(ownShare());
    const int ownCoils = int(ownShare().size());
    Reconstruction result =
        runJob(backend_, scan, shareOptions, plan(), nullptr, progress.part(preparationShare, 1));
    if (result.cancelled || !result.image) throw Cancelled{};
    const auto image = std::const_pointer_cast<Image>(result.image);
    combineOverRanks(ranks_, *image, progress);
    std::erase_if(result.notes, [&](const std::string& note) {
      return note.find("coils left out") != std::string::npos ||
             note.starts_with(std::to_string(ownCoils) + " coils combined");
    });
    result.notes.push_back(std::to_string(scan.coils) + " coils combined by root sum of squares (magnitude)");
    if (prepared.exponent != 0) finishImage(*image, prepared.exponent);
    result.notes.insert(result.notes.begin(), prepared.notes.begin(), prepared.notes.end());
    return result;
  }

  // Accounts, records of iterations and the image, to rank 0.
  void putTogether(double seconds) {
    Reconstruction& result = joined_.result;
    const std::vector<int>& numbers = outline_.axis == RankAxis::slices ? outline_.slices : outline_.frames;
    json account = {{"host", ranks_.host()}, {"seconds", seconds}, {"iterations", json::array()}};
    if (dividesImages())
      for (const IterationRecord& r : result.iterations)
        account["iterations"].push_back({r.frame, r.slice, r.transform, r.residuals, r.seconds, r.converged,
                                         r.ending, partsOf(r), r.objectives});
    account["wisdom"] = rankWisdom_ ? rankWisdom_->found() : WisdomEntries();
    account["places"] = placesOf(result.image->geometry, result.image->frames);
    const std::vector<std::string> messages =
        gatherTexts(ranks_, ranks_.isFirst() ? std::string() : packedMessage(account), progress_);
    const std::vector<std::vector<int>> parts = shares();
    if (sharesImage() && ranks_.isFirst())  // all have told their account, so that their pixels are in place
      result.image = shared_->take(*result.image);
    else if (dividesImages() && !sharesImage())
      gatherImage(ranks_, parts, outline_.axis == RankAxis::frames, result.image,
                  progress_.part(reconstructed, 1));
    if (!ranks_.isFirst()) {
      result.image.reset();
      return;
    }
    keepAccounts(account, messages, parts, numbers);
  }

  // Seconds of each iteration, and whether FFTs multiply in it.
  static json partsOf(const IterationRecord& record) {
    json partList = json::array();
    for (const IterationParts& parts : record.parts) partList.push_back({parts.seconds, parts.multiplyInFft});
    return partList;
  }

  // own: this rank's account, in place of its message.
  void keepAccounts(const json& own, const std::vector<std::string>& messages,
                    const std::vector<std::vector<int>>& parts, const std::vector<int>& numbers) {
    Reconstruction& result = joined_.result;
    const auto image = std::const_pointer_cast<Image>(result.image);
    if (dividesImages()) result.iterations.clear();
    std::vector<json> places;
    result.divided = rankAxisName(outline_.axis);
    for (std::size_t r = 0; r < messages.size(); ++r) {
      const json message = r == 0 ? json() : unpackedMessage(messages[r]);
      const json& j = r == 0 ? own : message;
      RankAccount account{j.at("host").get<std::string>(), parts[r], j.at("seconds").get<double>(),
                          outline_.speeds[r]};
      places.push_back(j.at("places"));
      addRecords(j.at("iterations"), parts[r], numbers);
      keepWisdom(j.at("wisdom").get<WisdomEntries>(), account.host);
      result.ranks.push_back(std::move(account));
    }
    if (dividesImages()) takePlaces(places, parts, outline_.axis == RankAxis::frames, image->geometry);
    result.notes.insert(result.notes.end(), notes_.begin(), notes_.end());
  }

  void keepWisdom(const WisdomEntries& entries, const std::string& host) {
    if (entries.empty()) return;
    try {
      const auto count = std::int64_t(rankWisdom_->take(entries));
      joined_.result.notes.push_back("wisdom of the processor of " + host + ": " +
                                     countText(count, "entry", "entries"));
    } catch (const Error& error) {  // the image is worth more
      joined_.result.notes.push_back(error.what());
    }
  }

  // Numbers of frames and slices as the whole scan has them.
  void addRecords(const json& records, const std::vector<int>& part, const std::vector<int>& numbers) {
    std::vector<int> seen;  // the rank's own numbers, in its order
    const bool ofFrames = outline_.axis == RankAxis::frames;
    for (const json& j : records) {
      const int local = j.at(ofFrames ? 0 : 1).get<int>();
      if (std::find(seen.begin(), seen.end(), local) == seen.end()) seen.push_back(local);
      const auto place = std::size_t(std::find(seen.begin(), seen.end(), local) - seen.begin());
      const int number = place < part.size() ? numbers[std::size_t(part[place])] : local;
      IterationRecord record;
      record.frame = ofFrames ? number : j.at(0).get<int>();
      record.slice = ofFrames ? j.at(1).get<int>() : number;
      record.transform = j.at(2).get<std::string>();
      record.residuals = j.at(3).get<std::vector<double>>();
      record.seconds = j.at(4).get<std::vector<double>>();
      record.converged = j.at(5).get<bool>();
      record.ending = j.at(6).get<std::string>();
      for (const json& parts : j.at(7)) record.parts.push_back({parts.at(0), parts.at(1)});
      record.objectives = j.at(8).get<std::vector<double>>();
      joined_.result.iterations.push_back(std::move(record));
    }
  }

  Ranks& ranks_;
  Backend& backend_;
  const RankReader& reader_;
  const ReconOptions& options_;
  Wisdom* wisdom_;
  const Progress& progress_;
  SharedImage* const shared_;
  RankOutline outline_;
  std::shared_ptr<const Scan> probe_, scan_;
  JobPlan part_, own_;  // of all that was read; of this rank's frames of it
  JobShare share_;
  std::optional<RankWisdom> rankWisdom_;
  std::optional<Candidate> plan_;
  std::vector<std::string> notes_;
  RankReconstruction joined_;
};

}  // namespace

RankReconstruction reconstructOnRanks(Ranks& ranks, Backend& backend, const RankReader& reader,
                                      const ReconOptions& options, Wisdom* wisdom, const Progress& progress,
                                      const Candidate* plan, SharedImage* shared) {
  return RankRun(ranks, backend, reader, options, wisdom, progress, plan, shared).run();
}

std::string ranksText(const Reconstruction& result) {
  std::set<std::string> hosts;
  for (const RankAccount& rank : result.ranks) hosts.insert(rank.host);
  return std::to_string(result.ranks.size()) + " ranks on " +
         countText(std::int64_t(hosts.size()), "machine") + " divided the " + divisionText(result);
}

std::string divisionText(const Reconstruction& result) {
  double slowest = 0, fastest = HUGE_VAL;
  for (const RankAccount& rank : result.ranks) {
    slowest = std::max(slowest, rank.seconds);
    fastest = std::min(fastest, rank.seconds);
  }
  return result.divided + ": " + secondsText(fastest) + " to " + secondsText(slowest) + " each";
}

}  // namespace spokelab
