// The rooms inside engine/nufft, engine/scan, …, cuda, widgets and app/gui, and the arrows between
// them.
#pragma once

#include <string>
#include <vector>

#include "tests/structure/source_tree.h"

namespace spokelab::structure {

// A room is a folder of an area, one file in it ("scan.h" also covers scan.cpp), or "." for all
// other files directly in the area. It may include the rooms it names and the rooms that these may
// include.
struct Room {
  std::string name;
  std::vector<std::string> uses;
};

struct Area {
  std::string folder;
  std::vector<Room> rooms;
};

// The table: one place for every arrow.
const std::vector<Area>& areas();

// "file:line: why not" for each include between rooms that has no arrow, and for each file in a
// room that the table does not know.
std::vector<std::string> checkRooms(const std::vector<Source>& sources);

// "folder: a -> b -> a" for each folder, in the table or not, whose inner folders include each
// other in a circle.
std::vector<std::string> findCircles(const std::vector<Source>& sources);

}  // namespace spokelab::structure
