import type { Budget } from '../budget.ts';
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
  await input.passUntil(() => undefined, write);
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

/** The boxes of a description that are read. */
const META_BOXES: readonly string[] = ['idat', 'iinf', 'iloc', 'iprp'];

/** Longest description of a picture. Those of phones have a few KB. */
const MAX_META_BYTES = 512 * 1024;

/** Reads a HEIC picture. Its description names the places of its camera data, which are then overwritten. */
export const readHeic: ReadPicture = async (input, write, budget) => {
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
    meta = await readMeta(content, input.getPosition() - content.length, budget);
    await write(blank(content));
  }
  if (!meta?.size) throw new UnusableMedia(DAMAGED);
  return { ...meta.size, isAnimated: false, hadPrivateData: meta.privateRanges.length > 0 };
};

const CANT_CLEAN = 'I can’t remove the location from this HEIC file. Save it as JPEG, and upload that.';

/** Overwrites the parts of a piece that are in the ranges, of which there are few. `end`: the position after the piece. */
function blankRanges(bytes: Buffer, end: number, ranges: readonly Range[]): Buffer {
  const start = end - bytes.length;
  const hit = ranges.filter((range) => range.start < end && range.end > start);
  if (hit.length === 0) return bytes;
  const copy = Buffer.from(bytes);
  for (const range of hit)
    copy.fill(0, Math.max(0, range.start - start), Math.min(bytes.length, range.end - start));
  return copy;
}

/** Joins ranges that overlap, so that each byte is overwritten once. */
function joinRanges(ranges: readonly Range[]): Range[] {
  const joined: Range[] = [];
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

/** Reads the boxes inside a buffer. Throws if one is longer than the buffer. */
async function* readBoxes(content: Buffer, budget: Budget) {
  for (let at = 0; at + 8 <= content.length; ) {
    budget.spend();
    await budget.giveWay();
    const length = content.readUInt32BE(at);
    if (length < 8 || at + length > content.length) throw new UnusableMedia(DAMAGED);
    const type = content.toString('latin1', at + 4, at + 8);
    yield { type, content: content.subarray(at + 8, at + length), at: at + 8 };
    at += length;
  }
}

/** Reads a picture's size, and where its camera data are. `position`: that of the content in the file. */
async function readMeta(content: Buffer, position: number, budget: Budget) {
  /** The first box of each kind. */
  const boxes = new Map<string, { content: Buffer; at: number }>();
  for await (const { type, ...box } of readBoxes(content.subarray(4), budget))
    if (META_BOXES.includes(type) && !boxes.has(type)) boxes.set(type, box);
  const find = (type: string) => boxes.get(type)?.content ?? Buffer.alloc(0);
  const data = boxes.get('idat');
  const dataAt = data ? position + 4 + data.at : position;
  try {
    const items = await readPrivateItems(find('iinf'), budget);
    return {
      size: await readHeicSize(find('iprp'), budget),
      privateRanges: joinRanges(await readLocations(find('iloc'), items, dataAt, budget)),
    };
  } catch (error) {
    // A number lies beyond the end of its box.
    if (error instanceof RangeError) throw new UnusableMedia(DAMAGED, error);
    throw error;
  }
}

/** Reads the ids of the items that are camera data or XMP. */
async function readPrivateItems(iinf: Buffer, budget: Budget): Promise<Set<number>> {
  const items = new Set<number>();
  if (iinf.length < 8) return items;
  for await (const { type, content } of readBoxes(iinf.subarray(iinf[0] === 0 ? 6 : 8), budget)) {
    const version = content[0] ?? 0;
    if (type !== 'infe' || version < 2 || content.length < 12) continue;
    const id = version === 2 ? content.readUInt16BE(4) : content.readUInt32BE(4);
    const itemType = content.toString('latin1', version === 2 ? 8 : 10, version === 2 ? 12 : 14);
    if (itemType === 'Exif' || itemType === 'mime') items.add(id);
  }
  return items;
}

/** Reads where the data of these items are. Throws RangeError if the box ends too early. */
async function readLocations(iloc: Buffer, items: ReadonlySet<number>, dataAt: number, budget: Budget) {
  const ranges: Range[] = [];
  if (iloc.length === 0 || items.size === 0) return ranges;
  const version = iloc.readUInt8(0);
  let at = 4;
  const read = (bytes: number) => {
    at += bytes;
    if (bytes === 8) return Number(iloc.readBigUInt64BE(at - 8));
    return bytes === 0 ? 0 : iloc.readUIntBE(at - bytes, bytes);
  };
  const sizes = read(2);
  const getSize = (shift: number) => (sizes >> shift) & 0xf;
  const [offsetSize, lengthSize, baseSize] = [getSize(12), getSize(8), getSize(4)];
  const indexSize = version === 0 ? 0 : getSize(0);
  for (let left = read(version < 2 ? 2 : 4); left > 0; left -= 1) {
    budget.spend();
    await budget.giveWay();
    const id = read(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : read(2) & 0xf;
    read(2);
    const start = read(baseSize) + (method === 1 ? dataAt : 0);
    const count = read(2);
    const next = at + count * (indexSize + offsetSize + lengthSize);
    for (let extents = items.has(id) ? count : 0; extents > 0; extents -= 1) {
      budget.produce(1);
      read(indexSize);
      const extentStart = start + read(offsetSize);
      const length = read(lengthSize);
      // Without a length it is everything that follows, also the picture (ISO/IEC 14496-12, 8.11.3.3).
      if (length === 0) throw new UnusableMedia(CANT_CLEAN);
      ranges.push({ start: extentStart, end: extentStart + length });
    }
    at = next;
  }
  return ranges;
}

/** Reads the size of the largest picture: a file has thumbnails and tiles too. A rotation by 90° swaps the sides. */
async function readHeicSize(iprp: Buffer, budget: Budget) {
  let largest: { width: number; height: number } | undefined;
  let rotation: number | undefined;
  for await (const { type, content: properties } of readBoxes(iprp, budget)) {
    if (type !== 'ipco') continue;
    for await (const { type, content } of readBoxes(properties, budget)) {
      if (type === 'irot') rotation ??= (content[0] ?? 0) & 3;
      if (type !== 'ispe') continue;
      const size = { width: content.readUInt32BE(4), height: content.readUInt32BE(8) };
      if (!largest || size.width * size.height > largest.width * largest.height) largest = size;
    }
    break;
  }
  const isTurned = rotation !== undefined && rotation % 2 === 1;
  return largest && isTurned ? { width: largest.height, height: largest.width } : largest;
}
