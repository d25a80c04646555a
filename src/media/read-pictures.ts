import { crc32 } from 'node:zlib';
import type { Budget } from '../budget.ts';
import type { MediaFacts } from '../posts/media-reference.ts';
import { type ByteInput, DAMAGED, TRUNCATED, UnusableMedia, type Write } from './byte-input.ts';

/**
 * The tag of a photo's orientation, the only part of its camera data that Upnext keeps: without it, pictures of phones
 * would lie on their side. The data are TIFF: https://www.cipa.jp/std/documents/download_e.html?CIPA_DC-008-2024-E
 */
const ORIENTATION_TAG = 0x0112;
/** From here on, the orientations swap width and height. */
const FIRST_SWAPPING = 5;
const MAX_ORIENTATION = 8;
/** The first directory of a photo has a few dozen entries. */
const MAX_ENTRIES = 200;

/** Reads the orientation from camera data, 1 to 8. 1 if they have none, or can't be read. */
function readOrientation(tiff: Buffer): number {
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
function buildOrientation(orientation: number): Buffer {
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
function orient(size: { width: number; height: number }, orientation: number) {
  return orientation >= FIRST_SWAPPING ? { width: size.height, height: size.width } : size;
}

/** What a reader finds out while it copies a file. */
export type FoundFacts = Omit<MediaFacts, 'type' | 'bytes'> & {
  /** Bytes near the beginning that can only be written at the end. */
  patches?: readonly { position: number; bytes: Buffer }[];
};

/**
 * Copies a picture without the data about place, time and camera. The pixels are neither decoded nor changed. Anything
 * after the end of the picture is left out: phones put videos and further pictures there, each with its own data. Reads
 * of `input` count in the budget; a reader counts what else it does.
 */
export type ReadPicture = (input: ByteInput, write: Write, budget: Budget) => Promise<FoundFacts>;

/** Longest camera data that are read. Those of a JPEG aren't longer. */
const MAX_CAMERA_DATA_BYTES = 64 * 1024;

async function takeCameraData(input: ByteInput, length: number): Promise<Buffer> {
  const data = await input.take(Math.min(length, MAX_CAMERA_DATA_BYTES));
  await input.skip(length - data.length);
  return data;
}

const [SOI, EOI, SOS, APP0, APP15, COM] = [0xd8, 0xd9, 0xda, 0xe0, 0xef, 0xfe];
const EXIF = 'Exif\0\0';
/** The application segments that a picture needs to be shown with the right colours, by their beginnings. */
const KEPT_SEGMENTS = ['JFIF\0', 'ICC_PROFILE\0', 'Adobe'];
/** Codes between C0 and CF that don't begin a frame (ITU-T T.81, table B.1). */
const OTHER_CODES = [0xc4, 0xc8, 0xcc];
const beginsFrame = (code: number) => code >= 0xc0 && code <= 0xcf && !OTHER_CODES.includes(code);

/** JPEG: https://www.w3.org/Graphics/JPEG/itu-t81.pdf */
export const readJpeg: ReadPicture = async (input, write) => {
  await write(await input.take(2));
  let size: { width: number; height: number } | undefined;
  let [orientation, hadPrivateData] = [1, false];
  for (;;) {
    const code = await takeMarker(input);
    if (code === EOI) break;
    const length = (await input.take(2)).readUInt16BE() - 2;
    if (code === SOI || length < 0) throw new UnusableMedia(DAMAGED);
    const segment = await input.take(length);
    if ((code >= APP0 && code <= APP15) || code === COM) {
      const start = segment.toString('latin1', 0, 12);
      if (code !== COM && KEPT_SEGMENTS.some((kept) => start.startsWith(kept))) {
        await write(buildSegment(code, segment));
        continue;
      }
      hadPrivateData = true;
      if (start.startsWith(EXIF)) orientation = readOrientation(segment.subarray(EXIF.length));
      continue;
    }
    if (beginsFrame(code) && length >= 5) {
      if (!size && orientation > 1)
        await write(buildSegment(0xe1, Buffer.concat([Buffer.from(EXIF), buildOrientation(orientation)])));
      size ??= { height: segment.readUInt16BE(1), width: segment.readUInt16BE(3) };
    }
    await write(buildSegment(code, segment));
    if (code === SOS) await passScan(input, write);
  }
  await write(Buffer.from([0xff, EOI]));
  if (!size) throw new UnusableMedia(DAMAGED);
  return { ...orient(size, orientation), isAnimated: false, hadPrivateData };
};

/** Reads a marker, and any number of fill bytes before it. Returns the marker's code. */
async function takeMarker(input: ByteInput): Promise<number> {
  let [first = 0, code = 0] = await input.take(2);
  if (first !== 0xff) throw new UnusableMedia(DAMAGED);
  while (code === 0xff) [code = 0] = await input.take(1);
  return code;
}

function buildSegment(code: number, segment: Buffer): Buffer {
  const head = Buffer.from([0xff, code, 0, 0]);
  head.writeUInt16BE(segment.length + 2, 2);
  return Buffer.concat([head, segment]);
}

/** Copies the compressed data of a scan, up to the next marker. If the file ends before, reading the marker says so. */
async function passScan(input: ByteInput, write: Write): Promise<void> {
  for (;;) {
    await input.passUntil(findMarker, write);
    const next = await input.peek(2);
    if (next.length < 2 || !isScanData(next[1])) return;
    // The byte before a piece's end, and the first one of the next piece.
    await write(await input.take(next[1] === 0xff ? 1 : 2));
  }
}

/** FF followed by 00 is the byte FF, D0 to D7 are restart markers, and FF may be repeated. */
const isScanData = (code = 0) => code === 0 || code === 0xff || (code >= 0xd0 && code <= 0xd7);

/** Finds the first marker that may end a scan. Undefined if the piece has none. */
function findMarker(piece: Buffer): number | undefined {
  const last = piece.length - 1;
  for (let at = 0; at <= last; at += 1)
    if (piece[at] === 0xff && (at === last || !isScanData(piece[at + 1]))) return at;
  return undefined;
}

/**
 * The optional chunks that a picture needs to be shown as it is: transparency, colours, density and frames. All others are
 * left out: texts, camera data, times, and data of programs, such as the provenance in `caBX`. Compressed texts are never
 * decompressed.
 */
const KEPT_CHUNKS = [
  ...['tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'mDCV', 'cLLI', 'sBIT', 'bKGD', 'hIST', 'sPLT', 'pHYs'],
  ...['acTL', 'fcTL', 'fdAT'],
];
/** The names of the chunks that every reader has to know begin with a capital letter. */
const isKeptChunk = (type: string) => /^[A-Z]/.test(type) || KEPT_CHUNKS.includes(type);
/** Longest compressed colour profile. Real ones have a few KB, and one of a MB can expand to a GB. */
const MAX_PROFILE_BYTES = 256 * 1024;

/** PNG: https://www.w3.org/TR/png-3/ */
export const readPng: ReadPicture = async (input, write) => {
  await write(await input.take(8));
  const head = await input.take(8 + 13 + 4);
  if (head.readUInt32BE() !== 13 || head.toString('latin1', 4, 8) !== 'IHDR')
    throw new UnusableMedia(DAMAGED);
  await write(head);
  const size = { width: head.readUInt32BE(8), height: head.readUInt32BE(12) };
  let [isAnimated, hadPrivateData, orientation] = [false, false, 1];
  for (let type = ''; type !== 'IEND'; ) {
    const chunkHead = await input.take(8);
    const length = chunkHead.readUInt32BE();
    type = chunkHead.toString('latin1', 4);
    if (type === 'acTL') isAnimated = true;
    if (!isKeptChunk(type)) {
      hadPrivateData = true;
      if (type !== 'eXIf') await input.skip(length + 4);
      else {
        orientation = readOrientation(await takeCameraData(input, length));
        await input.skip(4);
        if (orientation > 1) await write(buildChunk('eXIf', buildOrientation(orientation)));
      }
    } else if (type === 'iCCP' && length > MAX_PROFILE_BYTES) await input.skip(length + 4);
    else {
      await write(chunkHead);
      await input.pass(length + 4, write);
    }
  }
  return { ...orient(size, orientation), isAnimated, hadPrivateData };
};

function buildChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** GIF: https://www.w3.org/Graphics/GIF/spec-gif89a.txt */
export const readGif: ReadPicture = async (input, write) => {
  const head = await input.take(13);
  await write(head);
  const size = { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
  await input.pass(getColourTableBytes(head[10]), write);
  let [images, hadPrivateData] = [0, false];
  for (;;) {
    const [kind = 0] = await input.take(1);
    if (kind === 0x3b) break;
    if (kind === 0x2c) {
      images += 1;
      const descriptor = await input.take(9);
      await write(Buffer.concat([Buffer.from([kind]), descriptor]));
      await input.pass(getColourTableBytes(descriptor[8]) + 1, write);
      await passSubBlocks(input, write);
    } else if (kind === 0x21) {
      const [label = 0] = await input.take(1);
      // Comments, and application data except the one with the number of repetitions.
      const isRepetition = label === 0xff && (await input.peek(12)).toString('latin1', 1) === 'NETSCAPE2.0';
      const isPrivate = label === 0xfe || (label === 0xff && !isRepetition);
      hadPrivateData ||= isPrivate;
      if (!isPrivate) await write(Buffer.from([kind, label]));
      await passSubBlocks(input, isPrivate ? async () => {} : write);
    } else throw new UnusableMedia(DAMAGED);
  }
  await write(Buffer.from([0x3b]));
  if (images === 0) throw new UnusableMedia(DAMAGED);
  return { ...size, isAnimated: images > 1, hadPrivateData };
};

function getColourTableBytes(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Copies blocks of up to 255 bytes, which end with an empty one. */
async function passSubBlocks(input: ByteInput, write: Write): Promise<void> {
  /** The position of the next block in the piece that is read next. */
  let next = 0;
  const findEnd = (piece: Buffer) => {
    let at = next;
    while (at < piece.length) {
      const length = piece[at] ?? 0;
      at += 1 + length;
      if (length === 0) return at;
    }
    next = at - piece.length;
    return undefined;
  };
  if (!(await input.passUntil(findEnd, write))) throw new UnusableMedia(TRUNCATED);
}

const [HAS_EXIF, HAS_XMP, HAS_ANIMATION] = [0x08, 0x04, 0x02];
/** The chunks that a picture needs. All others are left out: camera data, XMP, and data of programs. */
const KEPT_WEBP_CHUNKS = ['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP'];

/** WebP: https://www.rfc-editor.org/rfc/rfc9649 */
export const readWebp: ReadPicture = async (input, write) => {
  const head = await input.take(12);
  await write(head);
  const end = 8 + head.readUInt32LE(4);
  let size: { width: number; height: number } | undefined;
  let [flags, orientation, written, hadPrivateData] = [undefined as number | undefined, 1, 12, false];
  const copy: Write = (bytes) => {
    written += bytes.length;
    return write(bytes);
  };
  while (input.getPosition() + 8 <= end) {
    const chunkHead = await input.take(8);
    const type = chunkHead.toString('latin1', 0, 4);
    const length = chunkHead.readUInt32LE(4);
    const padded = length + (length % 2);
    if (!KEPT_WEBP_CHUNKS.includes(type)) {
      hadPrivateData = true;
      const data = await takeCameraData(input, padded);
      if (type === 'EXIF')
        orientation = readOrientation(data.toString('latin1', 0, 6) === EXIF ? data.subarray(6) : data);
    } else {
      const start = await input.peek(Math.min(10, padded));
      if (type === 'VP8X' && written === 12 && start.length === 10) flags = start[0];
      size ??= readWebpSize(type, start);
      await copy(chunkHead);
      await input.pass(padded, copy);
    }
  }
  if (!size) throw new UnusableMedia(DAMAGED);
  if (orientation > 1 && flags !== undefined) {
    const data = buildOrientation(orientation);
    const chunkHead = Buffer.from('EXIF\0\0\0\0', 'latin1');
    chunkHead.writeUInt32LE(data.length, 4);
    await copy(Buffer.concat([chunkHead, data]));
  }
  const riffSize = Buffer.alloc(4);
  riffSize.writeUInt32LE(written - 8);
  const keptFlags = (flags ?? 0) & ~(HAS_XMP | (orientation > 1 ? 0 : HAS_EXIF));
  return {
    ...orient(size, orientation),
    isAnimated: ((flags ?? 0) & HAS_ANIMATION) !== 0,
    hadPrivateData,
    patches: [
      { position: 4, bytes: riffSize },
      // The flags are the first byte of VP8X, which is always the first chunk.
      ...(flags === undefined ? [] : [{ position: 20, bytes: Buffer.from([keptFlags]) }]),
    ],
  };
};

function readWebpSize(type: string, data: Buffer): { width: number; height: number } | undefined {
  if (type === 'VP8X' && data.length >= 10)
    return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
  if (type === 'VP8L' && data.length >= 5) {
    const bits = data.readUInt32LE(1);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (type === 'VP8 ' && data.length >= 10)
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
  return undefined;
}
