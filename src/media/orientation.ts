/**
 * The orientation of a photo, which is the only part of its camera data that Upnext keeps: without it, pictures of phones
 * would lie on their side. The data are TIFF: https://www.cipa.jp/std/documents/download_e.html?CIPA_DC-008-2024-E
 */

const ORIENTATION_TAG = 0x0112;
/** From here on, the orientations swap width and height. */
const FIRST_SWAPPING = 5;
const MAX_ORIENTATION = 8;
/** The first directory of a photo has a few dozen entries. */
const MAX_ENTRIES = 200;

/** Reads the orientation from camera data, 1 to 8. 1 if they have none, or can't be read. */
export function readOrientation(tiff: Buffer): number {
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return 1;
  const isLittle = order === 'II';
  const read16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return 1;
  const count = Math.min(read16(directory), MAX_ENTRIES);
  for (let index = 0; index < count; index += 1) {
    const at = directory + 2 + index * 12;
    if (at + 12 > tiff.length) return 1;
    if (read16(at) !== ORIENTATION_TAG) continue;
    const orientation = read16(at + 8);
    return orientation >= 1 && orientation <= MAX_ORIENTATION ? orientation : 1;
  }
  return 1;
}

/** Builds camera data that contain only the orientation. */
export function buildOrientation(orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('II*\0', 0, 'latin1');
  tiff.writeUInt32LE(8, 4);
  // One entry: the tag, its type (a 16-bit number), its count and its value.
  tiff.writeUInt16LE(1, 8);
  tiff.writeUInt16LE(ORIENTATION_TAG, 10);
  tiff.writeUInt16LE(3, 12);
  tiff.writeUInt32LE(1, 14);
  tiff.writeUInt16LE(orientation, 18);
  return tiff;
}

/** Returns width and height as people see the picture. */
export function orient(size: { width: number; height: number }, orientation: number) {
  return orientation >= FIRST_SWAPPING ? { width: size.height, height: size.width } : size;
}
