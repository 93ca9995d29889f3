// Segments in few bytes, for files.
//
// A stream of bits, low bits first. `number` is 6 bits that say how many bits follow, and these.
//
//     group    number: its pattern less that of the group before (of the first group: its pattern)
//              number: entries, 4 bits: bytes of an entry,
//              6 bits: bits of the sum of its counts; from 63 on 63, and the others in 7 bits,
//              blocks of kBlock entries, of which the last may have fewer
//     block    6 bits: r, 6 bits: c, for each entry r + c bits:
//              its rank less the least that it can be (0, or one above that of the entry before), its count
//
// Files of half tables of 8x10, 8x12 and 8x14 have 1.8, 3.0 and 4.0 bytes a state, headers included; as they
// lie in memory it would be 3.4, 4.7 and 5.8.
#pragma once

#include <vector>

#include "join/groups.hpp"

namespace ktsolve::join {

// The groups of a segment, and kSlack bytes that are not part of the stream.
std::vector<u8> compressed(const Segment& segment, const EndsOf& ends);

// Writes `groups` groups. Of a stream of `bytes` bytes kSlack more are read. Throws DamagedBytes if they
// cannot be those of a table: at any rate nothing outside is read, and no memory is taken for more entries
// than there are bits.
void decompress(const u8* stream, u64 bytes, u64 groups, const EndsOf& ends, Writer& writer);

} // namespace ktsolve::join
