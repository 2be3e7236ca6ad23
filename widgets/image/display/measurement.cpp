#include "widgets/image/display/measurement.h"

#include <algorithm>
#include <utility>

// A region is drawn once, in pixels of one image, and is then shown in images of other sizes at the
// same place in mm. NamedRegion::drawn and grid hold what the user drew; region follows from them
// for the shown image, and has no value outside of it. setRegion sets drawn and region and empties
// grid, setMissingGrids fills in the empty grids, and place moves region alone.

namespace spokelab {

void Measurement::setTool(SliceTool tool) {
  if (tool == tool_) return;
  tool_ = tool;
  Q_EMIT toolChanged(tool);
}

const NamedRegion* Measurement::find(int id) const {
  const auto found = std::find_if(regions_.all.begin(), regions_.all.end(),
                                  [id](const NamedRegion& region) { return region.id == id; });
  return found == regions_.all.end() ? nullptr : &*found;
}

NamedRegion* Measurement::at(int id) {
  return const_cast<NamedRegion*>(std::as_const(*this).find(id));
}

void Measurement::setRegions(MeasuredRegions regions) {
  if (regions == regions_) return;
  regions_ = std::move(regions);
  if (!find(regions_.current)) regions_.current = 0;
  Q_EMIT changed();
}

const std::optional<ImageRegion>& Measurement::region() const {
  static const std::optional<ImageRegion> none;
  const NamedRegion* current = find(regions_.current);
  return current ? current->region : none;
}

// Without a place: the first free "Region N", in the colour that the fewest regions have.
NamedRegion Measurement::newRegion() const {
  constexpr int colours = 8;
  NamedRegion region;
  for (const NamedRegion& other : regions_.all) region.id = std::max(region.id, other.id);
  ++region.id;
  const auto nameOf = [](int number) { return tr("Region %1").arg(number); };
  const auto& all = regions_.all;
  int number = 1;
  while (std::any_of(all.begin(), all.end(),
                     [&](const NamedRegion& other) { return other.name == nameOf(number); }))
    ++number;
  region.name = nameOf(number);
  const auto uses = [&](int colour) {
    return std::count_if(all.begin(), all.end(),
                         [colour](const NamedRegion& other) { return other.colour == colour; });
  };
  for (int colour = 1; colour < colours; ++colour)
    if (uses(colour) < uses(region.colour)) region.colour = colour;
  return region;
}

void Measurement::setRegion(const std::optional<ImageRegion>& region) {
  if (region == this->region()) return;
  if (!region) return remove(regions_.current);
  NamedRegion* current = at(regions_.current);
  if (!current || !current->region) {
    regions_.all.push_back(newRegion());
    current = &regions_.all.back();
    regions_.current = current->id;
  }
  current->region = region;
  current->drawn = *region;
  current->grid = {};  // not known here: setMissingGrids fills it in
  Q_EMIT changed();
}

void Measurement::choose(int id) {
  if (id == regions_.current || (id != 0 && !find(id))) return;
  regions_.current = id;
  Q_EMIT changed();
}

void Measurement::remove(int id) {
  const auto gone = std::find_if(regions_.all.begin(), regions_.all.end(),
                                 [id](const NamedRegion& region) { return region.id == id; });
  if (gone == regions_.all.end()) return;
  const auto next = regions_.all.erase(gone);
  if (regions_.current == id)
    regions_.current = regions_.all.empty()         ? 0
                       : next == regions_.all.end() ? regions_.all.back().id
                                                    : next->id;
  Q_EMIT changed();
}

void Measurement::rename(int id, const QString& name) {
  NamedRegion* region = at(id);
  const QString wanted = name.simplified();
  if (!region || wanted.isEmpty() || wanted == region->name) return;
  region->name = wanted;
  Q_EMIT changed();
}

void Measurement::paint(int id, int colour) {
  NamedRegion* region = at(id);
  if (!region || region->colour == colour) return;
  region->colour = colour;
  Q_EMIT changed();
}

void Measurement::place(const std::vector<std::pair<int, std::optional<ImageRegion>>>& places) {
  bool moved = false;
  for (const auto& [id, where] : places) {
    NamedRegion* region = at(id);
    if (!region || region->region == where) continue;
    region->region = where;
    moved = true;
  }
  if (moved) Q_EMIT changed();
}

// Emits nothing: nothing that is shown changes, and the caller is a slot of changed().
void Measurement::setMissingGrids(const MeasuredGrid& grid) {
  for (NamedRegion& region : regions_.all)
    if (region.grid.size[0] == 0) region.grid = grid;
}

void Measurement::setLine(const std::optional<MeasuredLine>& line) {
  if (line == line_) return;
  line_ = line;
  Q_EMIT changed();
}

}  // namespace spokelab
