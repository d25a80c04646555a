import { type ByteInput, DAMAGED, UnusableMedia, type Write } from './byte-input.ts';
import type { FoundFacts, ReadPicture } from './read-pictures.ts';

/**
 * Videos (MP4, MOV) and HEIC pictures consist of boxes: ISO/IEC 14496-12, and 23008-12 for HEIC. No box changes its
 * length or place, because other boxes refer to places. Private data are overwritten with zeros instead.
 */

interface Box {
  type: string;
  /** The length without the head; undefined for a box that ends with the file. */
  length: number | undefined;
  head: Buffer;
}

async function takeBox(input: ByteInput): Promise<Box | undefined> {
  if ((await input.peek(1)).length === 0) return undefined;
  await input.countPart();
  const head = await input.take(8);
  const [length, type] = [head.readUInt32BE(), head.toString('latin1', 4)];
  if (length === 0) return { type, length: undefined, head };
  if (length !== 1) return { type, head, length: requireLength(length - 8) };
  const long = await input.take(8);
  const longLength = Number(long.readBigUInt64BE());
  return { type, head: Buffer.concat([head, long]), length: requireLength(longLength - 16) };
}

function requireLength(length: number): number {
  if (length < 0 || !Number.isSafeInteger(length)) throw new UnusableMedia(DAMAGED);
  return length;
}

async function passContent({ length }: Box, input: ByteInput, write: Write): Promise<void> {
  if (length !== undefined) return input.pass(length, write);
  for (let piece = await input.takePiece(); piece; piece = await input.takePiece()) await write(piece);
}

/** Replaces a box by an empty one of the same length. */
async function blankBox(box: Box, input: ByteInput, write: Write): Promise<void> {
  const head = Buffer.from(box.head);
  head.write('free', 4, 'latin1');
  await write(head);
  await passContent(box, input, (bytes) => write(Buffer.alloc(bytes.length)));
}

/** Boxes with the place, the device, titles and comments. */
const PRIVATE_BOXES = ['udta', 'meta', 'uuid'];

/** Replaces a private box, and resolves with true, or writes the beginning of another box. */
async function beginBox(box: Box, input: ByteInput, write: Write, found: FoundFacts): Promise<boolean> {
  const isPrivate = PRIVATE_BOXES.includes(box.type);
  if (isPrivate) found.hadPrivateData = true;
  await (isPrivate ? blankBox(box, input, write) : write(box.head));
  return isPrivate;
}

/** Reads a video. Its pictures and sounds are copied as they are. */
export const readVideo: ReadPicture = async (input, write) => {
  const found: FoundFacts = { isAnimated: true, hadPrivateData: false };
  let hasMovie = false;
  for (let box = await takeBox(input); box; box = await takeBox(input)) {
    if (await beginBox(box, input, write, found)) continue;
    if (box.type !== 'moov') await passContent(box, input, write);
    else {
      // Its private data can't be found without its end.
      if (box.length === undefined) throw new UnusableMedia(DAMAGED);
      hasMovie = true;
      await readMovie(input, write, input.getPosition() + box.length, found);
    }
  }
  if (!hasMovie) throw new UnusableMedia(DAMAGED);
  return found;
};

async function readMovie(
  input: ByteInput,
  write: Write,
  end: number,
  found: FoundFacts,
  isTrack = false,
): Promise<void> {
  while (input.getPosition() < end) {
    const box = await takeBox(input);
    if (box?.length === undefined || input.getPosition() + box.length > end) throw new UnusableMedia(DAMAGED);
    if (isTrack && box.type === 'trak') throw new UnusableMedia(DAMAGED);
    if (await beginBox(box, input, write, found)) continue;
    if (box.type === 'trak') await readMovie(input, write, input.getPosition() + box.length, found, true);
    else {
      if (box.type === 'mvhd') readDuration(await input.peek(Math.min(box.length, 32)), found);
      if (box.type === 'tkhd') readTrackSize(await input.peek(Math.min(box.length, 96)), found);
      await input.pass(box.length, write);
    }
  }
}

function readDuration(header: Buffer, found: FoundFacts): void {
  if (header.length < 20) return;
  const isLong = header[0] === 1 && header.length >= 32;
  const scale = header.readUInt32BE(isLong ? 20 : 12);
  const duration = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
  // A stream has no duration, or the highest number.
  if (scale > 0 && duration > 0 && duration < 0xffff_ffff)
    found.durationMs = Math.round((duration / scale) * 1000);
}

/** Reads the size of a track in pixels. Tracks of sound have none. */
function readTrackSize(header: Buffer, found: FoundFacts): void {
  const matrixAt = header[0] === 1 ? 52 : 40;
  const sizeAt = matrixAt + 36;
  if (header.length < sizeAt + 8) return;
  const [width, height] = [header.readUInt32BE(sizeAt) >>> 16, header.readUInt32BE(sizeAt + 4) >>> 16];
  // A video that was filmed upright is turned by its matrix.
  const isTurned = header.readInt32BE(matrixAt) === 0 && header.readInt32BE(matrixAt + 4) !== 0;
  if (width * height <= (found.width ?? 0) * (found.height ?? 0)) return;
  Object.assign(found, isTurned ? { width: height, height: width } : { width, height });
}

/** Bytes of a file, from `start` up to but not including `end`. */
interface Range {
  start: number;
  end: number;
}

/** Longest description of a picture. Those of phones have a few KB. */
const MAX_META_BYTES = 512 * 1024;

/** Reads a HEIC picture. Its description names the places of its camera data, which are then overwritten. */
export const readHeic: ReadPicture = async (input, write) => {
  let meta: { size: { width: number; height: number } | undefined; privateRanges: Range[] } | undefined;
  for (let box = await takeBox(input); box; box = await takeBox(input)) {
    if (box.type === 'uuid') {
      await blankBox(box, input, write);
      continue;
    }
    await write(box.head);
    const blank = (bytes: Buffer) => blankRanges(bytes, input.getPosition(), meta?.privateRanges ?? []);
    if (box.type !== 'meta') {
      // The description could name places that were already copied.
      if (box.type === 'mdat' && !meta) throw new UnusableMedia(CANT_CLEAN);
      await passContent(box, input, (bytes) => write(blank(bytes)));
      continue;
    }
    if (box.length === undefined || box.length > MAX_META_BYTES || meta) throw new UnusableMedia(DAMAGED);
    const content = await input.take(box.length);
    meta = readMeta(content, input.getPosition() - content.length);
    await write(blank(content));
  }
  if (!meta?.size) throw new UnusableMedia(DAMAGED);
  return { ...meta.size, isAnimated: false, hadPrivateData: meta.privateRanges.length > 0 };
};

const CANT_CLEAN = 'I can’t remove the location from this HEIC file. Save it as JPEG, and upload that.';

/** Overwrites the parts of a piece that are in the ranges. `end`: the position after the piece. */
function blankRanges(bytes: Buffer, end: number, ranges: readonly Range[]): Buffer {
  const start = end - bytes.length;
  const hit = ranges.filter((range) => range.start < end && range.end > start);
  if (hit.length === 0) return bytes;
  const copy = Buffer.from(bytes);
  for (const range of hit)
    copy.fill(0, Math.max(0, range.start - start), Math.min(bytes.length, range.end - start));
  return copy;
}

/** Reads the boxes inside a buffer. Throws if one is longer than the buffer. */
function listBoxes(content: Buffer): { type: string; content: Buffer; at: number }[] {
  const boxes = [];
  for (let at = 0; at + 8 <= content.length; ) {
    const length = content.readUInt32BE(at);
    if (length < 8 || at + length > content.length) throw new UnusableMedia(DAMAGED);
    const type = content.toString('latin1', at + 4, at + 8);
    boxes.push({ type, content: content.subarray(at + 8, at + length), at: at + 8 });
    at += length;
  }
  return boxes;
}

/** Reads a picture's size, and where its camera data are. `position`: that of the content in the file. */
function readMeta(content: Buffer, position: number) {
  const boxes = listBoxes(content.subarray(4)).map((box) => ({ ...box, at: box.at + 4 }));
  const find = (type: string) => boxes.find((box) => box.type === type);
  const dataAt = position + (find('idat')?.at ?? 0);
  try {
    const items = readPrivateItems(find('iinf')?.content);
    return {
      size: readHeicSize(find('iprp')?.content),
      privateRanges: readLocations(find('iloc')?.content, items, dataAt),
    };
  } catch (error) {
    // A number lies beyond the end of its box.
    if (error instanceof RangeError) throw new UnusableMedia(DAMAGED, error);
    throw error;
  }
}

/** Reads the ids of the items that are camera data or XMP. */
function readPrivateItems(iinf: Buffer | undefined): number[] {
  if (!iinf || iinf.length < 8) return [];
  return listBoxes(iinf.subarray(iinf[0] === 0 ? 6 : 8)).flatMap(({ type, content }) => {
    const version = content[0] ?? 0;
    if (type !== 'infe' || version < 2 || content.length < 12) return [];
    const id = version === 2 ? content.readUInt16BE(4) : content.readUInt32BE(4);
    const itemType = content.toString('latin1', version === 2 ? 8 : 10, version === 2 ? 12 : 14);
    return itemType === 'Exif' || itemType === 'mime' ? [id] : [];
  });
}

function readLocations(iloc: Buffer | undefined, items: readonly number[], dataAt: number): Range[] {
  if (!iloc || items.length === 0) return [];
  const version = iloc.readUInt8(0);
  let at = 4;
  const read = (bytes: number) => {
    at += bytes;
    if (bytes === 8) return Number(iloc.readBigUInt64BE(at - 8));
    return bytes === 0 ? 0 : iloc.readUIntBE(at - bytes, bytes);
  };
  const sizes = read(2);
  const [offsetSize, lengthSize, baseSize, indexSize] = [12, 8, 4, 0].map((shift) => (sizes >> shift) & 0xf);
  const ranges: Range[] = [];
  for (let left = read(version < 2 ? 2 : 4); left > 0; left -= 1) {
    const id = read(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : read(2) & 0xf;
    read(2);
    const base = read(baseSize ?? 0);
    for (let extents = read(2); extents > 0; extents -= 1) {
      if (version > 0) read(indexSize ?? 0);
      const start = base + read(offsetSize ?? 0) + (method === 1 ? dataAt : 0);
      const end = start + read(lengthSize ?? 0);
      if (items.includes(id)) ranges.push({ start, end });
    }
  }
  return ranges;
}

/** Reads the size of the largest picture: a file has thumbnails and tiles too. A rotation by 90° swaps the sides. */
function readHeicSize(iprp: Buffer | undefined): { width: number; height: number } | undefined {
  const properties = listBoxes(iprp ?? Buffer.alloc(0)).find(({ type }) => type === 'ipco');
  const boxes = properties ? listBoxes(properties.content) : [];
  const sizes = boxes
    .filter(({ type }) => type === 'ispe')
    .map(({ content }) => ({ width: content.readUInt32BE(4), height: content.readUInt32BE(8) }));
  const largest = sizes.toSorted((one, other) => other.width * other.height - one.width * one.height)[0];
  const rotation = (boxes.find(({ type }) => type === 'irot')?.content[0] ?? 0) & 3;
  return largest && rotation % 2 === 1 ? { width: largest.height, height: largest.width } : largest;
}
