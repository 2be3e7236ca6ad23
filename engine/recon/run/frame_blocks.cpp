#include "engine/recon/run/frame_blocks.h"

#include <algorithm>
#include <future>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

constexpr double readShare = 0.3;  // of a block's progress, for the first one

// Reads in a new thread; a cancel or an error is thrown when the scan is taken.
std::future<std::shared_ptr<const Scan>> begin(const FrameReader& reader, const std::vector<int>& frames,
                                               const std::stop_token& stop) {
  return std::async(std::launch::async,
                    [&reader, frames, stop] { return reader(numberListText(frames), Progress(stop)); });
}

// Appends a block's frames, the first of which is frame `first` of all.
void append(Reconstruction& joined, Reconstruction&& block, int first) {
  const auto image = std::const_pointer_cast<Image>(joined.image);
  if (block.image) {
    const std::int64_t place = std::int64_t(first) * image->volume();
    appendFrames(image->geometry, first, block.image->geometry, block.image->frames);
    std::copy(block.image->data.begin(), block.image->data.end(), image->data.begin() + place);
    std::copy(block.image->doubleData.begin(), block.image->doubleData.end(),
              image->doubleData.begin() + place);
    image->frameAxes.append(block.image->frameAxes);
  }
  addNotes(joined, block.notes);
  for (IterationRecord& record : block.iterations) {
    record.frame += first;
    joined.iterations.push_back(std::move(record));
  }
  joined.frameSeconds.insert(joined.frameSeconds.end(), block.frameSeconds.begin(), block.frameSeconds.end());
  joined.timings += block.timings;
  joined.account += block.account;
  joined.pausedSeconds += block.pausedSeconds;
  joined.tuningSeconds += block.tuningSeconds;
  joined.cancelled = block.cancelled;
  joined.plan = std::move(block.plan);
  joined.density = std::move(block.density);
  if (!joined.tuning) joined.tuning = std::move(block.tuning);
}

// Room for all frames, described as the first block's image.
std::shared_ptr<Image> roomFor(const Image& first, int frames, const std::string& name) {
  auto image = std::make_shared<Image>();
  image->size = first.size;
  image->geometry = first.geometry;
  image->name = first.name;
  image->provenance = first.provenance;
  image->frames = frames;
  image->frameAxes.axes = first.frameAxes.axes;
  image->makeRoom(first.isDouble(), "Cannot reconstruct " + name, "Choose fewer frames, or a smaller matrix");
  return image;
}

}  // namespace

std::vector<std::vector<int>> frameBlocks(const std::vector<int>& frames, double bytes, double imageBytes,
                                          double room) {
  constexpr double heldBlocks = 2, workShare = 0.5;  // of the room, for the work on a block
  const auto count = double(frames.size());
  if (frames.size() < 2 || count * (bytes + imageBytes) <= (1 - workShare) * room) return {frames};
  const double left = (1 - workShare) * room - count * imageBytes;
  const auto atOnce = std::size_t(std::clamp(left / (heldBlocks * bytes), 1.0, count));
  std::vector<std::vector<int>> blocks;
  for (std::size_t first = 0; first < frames.size(); first += atOnce)
    blocks.emplace_back(frames.begin() + std::ptrdiff_t(first),
                        frames.begin() + std::ptrdiff_t(std::min(first + atOnce, frames.size())));
  return blocks;
}

Reconstruction reconstructBlocks(const std::vector<std::vector<int>>& blocks, const FrameReader& reader,
                                 const BlockReconstruction& reconstruct, std::shared_ptr<const Scan>& first,
                                 const Progress& progress) {
  JobAccount waiting;
  const AccountRecorder account(waiting);
  int frames = 0, done = 0;
  for (const std::vector<int>& block : blocks) frames += int(block.size());
  Reconstruction all;
  std::stop_source stop;
  const std::stop_callback forward(progress.stopToken(), [&] { stop.request_stop(); });
  std::future<std::shared_ptr<const Scan>> next = begin(reader, blocks.front(), stop.get_token());
  const struct Stopping {  // after an error no reader continues
    std::stop_source& source;
    ~Stopping() { source.request_stop(); }
  } stopping{stop};
  for (std::size_t b = 0; b < blocks.size() && !all.cancelled; ++b) {
    const Progress part =
        progress.part(double(b) / double(blocks.size()), double(b + 1) / double(blocks.size()));
    part.report(0, "Reading frames " + numberListText(blocks[b]));
    std::shared_ptr<const Scan> scan;
    {
      const JobTimer timer(JobStage::read);
      scan = next.get();
    }
    if (b + 1 < blocks.size()) next = begin(reader, blocks[b + 1], stop.get_token());
    if (b == 0) first = scan;
    Reconstruction block = reconstruct(*scan, part.part(b == 0 ? readShare : 0, 1));
    if (block.image && !all.image) all.image = roomFor(*block.image, frames, scan->name);
    if (b == 0) {
      all.options = block.options;
      all.forecast = block.forecast;
    }
    const int complete = block.image ? block.image->frames : 0;
    append(all, std::move(block), done);
    done += complete;
  }
  if (all.cancelled && done > 0) std::const_pointer_cast<Image>(all.image)->keepFrames(done);
  if (blocks.size() > 1)
    addNotes(all, {"read and reconstructed " + countText(std::int64_t(blocks.front().size()), "frame") +
                   " at a time, to bound memory; each part has its own coil maps and virtual coils"});
  all.account += waiting;
  all.seconds = all.account.total = account.seconds() - all.pausedSeconds;
  return all;
}

}  // namespace spokelab
