interface PictureSize {
  width: number;
  height: number;
}

/** Reads the size of a PNG, GIF or JPEG from its header, in pixels. Undefined for other files. */
export function readPictureSize(bytes: Buffer): PictureSize | undefined {
  if (bytes.length < 24) return undefined;
  if (bytes.toString('latin1', 1, 4) === 'PNG')
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (bytes.toString('latin1', 0, 3) === 'GIF')
    return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  return bytes.readUInt16BE(0) === 0xffd8 ? readJpegSize(bytes) : undefined;
}

/**
 * Markers between 0xC0 and 0xCF that aren't a "start of frame", the segment with the size (ITU-T T.81, table B.1).
 */
const OTHER_MARKERS = new Set([0xc4, 0xc8, 0xcc]);

function readJpegSize(bytes: Buffer): PictureSize | undefined {
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && !OTHER_MARKERS.has(marker))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
