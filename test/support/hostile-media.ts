import {
  box,
  buildCameraData,
  buildChunk,
  buildGif,
  buildHeic,
  buildJpeg,
  buildPng,
  buildVideo,
  u16,
  u32,
} from './media-files.ts';

/** A file with this beginning, then so many bytes of a repeated part, and an end. */
export interface HostileFile {
  start: Buffer;
  part?: Buffer;
  bytes?: number;
  end?: Buffer;
}

const DAMAGED = 'This file is damaged. Save it again, and upload the copy.';
const TRUNCATED = 'This file ends too early. Upload it again.';
const CANT_CLEAN = 'I can’t remove the location from this HEIC file. Save it as JPEG, and upload that.';

const FTYP = buildVideo().subarray(0, 20);
const JPEG_START = Buffer.from([0xff, 0xd8]);
/** A JPEG up to the middle of its scan. */
const JPEG_SCAN = buildJpeg().subarray(0, -28 - 60);
const PNG_HEAD = buildPng().subarray(0, 33);
const GIF_HEAD = buildGif().subarray(0, 13 + 6);
/** A WebP that says that it has four GB. */
const WEBP_HEAD = Buffer.from('RIFF\xff\xff\xff\xffWEBP', 'latin1');
const GIF_COMMENT = Buffer.from([0x21, 0xfe]);
const EMPTY_FRAME = Buffer.from([0x2c, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, 0]);

/** A movie that is as long as the file. */
const fillMovie = (part: Buffer, bytes: number) => {
  const length = bytes - (bytes % part.length);
  return { start: Buffer.concat([FTYP, u32(length + 8), Buffer.from('moov')]), part, bytes: length };
};
const PICTURE_SIZE = box('ispe', u32(0), u32(40), u32(30));
/** The bytes at the end of a HEIC of this file. */
export const HEIC_DATA = Buffer.alloc(100_000, 7);
/** A HEIC whose description has these items, places and properties. */
const withMeta = (iinf: Buffer, iloc: Buffer, properties = PICTURE_SIZE) => ({
  start: Buffer.concat([
    buildHeic().subarray(0, 24),
    box(
      'meta',
      ...[u32(0), box('iinf', u32(0), u16(1), iinf), box('iloc', iloc)],
      box('iprp', box('ipco', properties)),
    ),
    box('mdat', HEIC_DATA),
  ]),
});
const infe = (id: number, type: string) =>
  box('infe', Buffer.from([2, 0, 0, 0]), u16(id), u16(0), Buffer.from(`${type}\0`, 'latin1'));
/** The places of an item, each with its start and length. */
const locations = (id: number, places: Buffer) =>
  Buffer.concat([
    ...[Buffer.from([1, 0, 0, 0, 0x44, 0]), u16(1)],
    ...[u16(id), u16(0), u16(0), u16(places.length / 8), places],
  ]);
const WHOLE_FILE = Buffer.concat([u32(0), u32(100_000_000)]);
const EXIF = infe(2, 'Exif');
/** As many of these as there may be in a description, beside others. */
const many = (part: Buffer, bytes: number) => {
  const length = Math.min(bytes, 400_000);
  return Buffer.alloc(length - (length % part.length), part);
};
/** Places of an item whose starts and lengths have no bytes, in many entries. */
const emptyPlaces = (id: number, bytes: number) => {
  const items = many(Buffer.concat([u32(id), u16(0), u16(0), u16(0xffff)]), bytes);
  return Buffer.concat([Buffer.from([2, 0, 0, 0, 0, 0]), u32(items.length / 10), items]);
};

/** A HEIC whose camera data are in these places, each with its start and length. */
export const buildHeicWithPlaces = (places: readonly (readonly [number, number])[]) =>
  withMeta(EXIF, locations(2, Buffer.concat(places.flat().map(u32))));

/**
 * The worst files of each kind, with about this many bytes, and what people read about them. 'read': it is taken, because
 * it may be a real one.
 */
export const HOSTILE_MEDIA: Readonly<Record<string, { build(bytes: number): HostileFile; verdict: string }>> =
  {
    'a JPEG of empty segments': {
      build: (bytes) => ({ start: JPEG_START, part: Buffer.from([0xff, 0xe9, 0, 2]), bytes }),
      verdict: DAMAGED,
    },
    'a JPEG that is one long marker': {
      build: (bytes) => ({ start: JPEG_START, part: Buffer.from([0xff]), bytes }),
      verdict: DAMAGED,
    },
    'a JPEG with 20,000 fill bytes before each marker': {
      build: (bytes) => ({
        start: JPEG_START,
        part: Buffer.concat([Buffer.alloc(20_000, 0xff), Buffer.from([0xe9, 0, 2])]),
        bytes,
      }),
      verdict: DAMAGED,
    },
    'a JPEG of empty scans': {
      build: (bytes) => ({ start: JPEG_START, part: Buffer.from([0xff, 0xda, 0, 2]), bytes }),
      verdict: DAMAGED,
    },
    'a JPEG with restart markers only': {
      build: (bytes) => ({
        start: JPEG_SCAN,
        part: Buffer.from([0xff, 0xd0]),
        bytes,
        end: Buffer.from([0xff, 0xd9]),
      }),
      verdict: 'read',
    },
    'a JPEG whose scan is one long marker': {
      build: (bytes) => ({ start: JPEG_SCAN, part: Buffer.from([0xff]), bytes }),
      verdict: TRUNCATED,
    },
    'a JPEG of camera data with thousands of entries': {
      build: (bytes) => ({
        start: JPEG_START,
        part: Buffer.concat([
          Buffer.from([0xff, 0xe1, 0xff, 0xff]),
          Buffer.from('Exif\0\0MM\0*\0\0\0\x08\xff\xff', 'latin1'),
          Buffer.alloc(0xffff - 2 - 16),
        ]),
        bytes,
      }),
      verdict: TRUNCATED,
    },
    'a PNG of empty chunks': {
      build: (bytes) => ({ start: PNG_HEAD, part: buildChunk('tEXt', Buffer.alloc(0)), bytes }),
      verdict: DAMAGED,
    },
    'a PNG of camera data': {
      build: (bytes) => ({ start: PNG_HEAD, part: buildChunk('eXIf', buildCameraData(6)), bytes: bytes * 4 }),
      verdict: DAMAGED,
    },
    'a GIF with blocks of one byte': {
      build: (bytes) => ({
        start: Buffer.concat([GIF_HEAD, EMPTY_FRAME.subarray(0, -1)]),
        part: Buffer.from([1, 0x33]),
        bytes,
        end: Buffer.from([0, 0x3b]),
      }),
      verdict: 'read',
    },
    'a GIF with many comments in blocks of one byte': {
      build: (bytes) => ({
        start: Buffer.concat([GIF_HEAD, EMPTY_FRAME]),
        part: Buffer.concat([GIF_COMMENT, Buffer.alloc(2_000, Buffer.from([1, 0x33])), Buffer.from([0])]),
        bytes,
        end: Buffer.from([0x3b]),
      }),
      verdict: 'read',
    },
    'a GIF of empty frames': {
      build: (bytes) => ({ start: GIF_HEAD, part: EMPTY_FRAME, bytes: bytes * 2 }),
      verdict: DAMAGED,
    },
    'a GIF of empty comments': {
      build: (bytes) => ({ start: GIF_HEAD, part: Buffer.concat([GIF_COMMENT, Buffer.from([0])]), bytes }),
      verdict: DAMAGED,
    },
    'a WebP of empty chunks': {
      build: (bytes) => ({ start: WEBP_HEAD, part: Buffer.from('XMP \0\0\0\0', 'latin1'), bytes }),
      verdict: DAMAGED,
    },
    'a WebP of empty frames': {
      build: (bytes) => ({ start: WEBP_HEAD, part: Buffer.from('ANMF\0\0\0\0', 'latin1'), bytes }),
      verdict: DAMAGED,
    },
    'a HEIC whose places have no bytes': {
      build: (bytes) => withMeta(EXIF, emptyPlaces(2, bytes)),
      verdict: CANT_CLEAN,
    },
    'a HEIC whose pixels are in places without bytes': {
      build: (bytes) => withMeta(EXIF, emptyPlaces(1, bytes)),
      verdict: 'read',
    },
    'a HEIC with thousands of places that overlap': {
      build: (bytes) => withMeta(EXIF, locations(2, many(WHOLE_FILE, bytes))),
      verdict: DAMAGED,
    },
    'a HEIC with thousands of items, none of which is in a place': {
      build: (bytes) => {
        const ids = Array.from({ length: Math.floor(Math.min(bytes, 200_000) / EXIF.length) }, (_, id) => id);
        const items = Buffer.concat(ids.map((id) => infe(id, 'Exif')));
        return withMeta(items, locations(0xffff, many(WHOLE_FILE, Math.min(bytes, 200_000))));
      },
      verdict: 'read',
    },
    'a HEIC with thousands of sizes': {
      build: (bytes) => withMeta(EXIF, Buffer.alloc(8), many(PICTURE_SIZE, bytes)),
      verdict: 'read',
    },
    'a HEIC with thousands of empty properties': {
      build: (bytes) =>
        withMeta(EXIF, Buffer.alloc(8), Buffer.concat([PICTURE_SIZE, many(box('free'), bytes)])),
      verdict: 'read',
    },
    'a HEIC of empty boxes': {
      build: (bytes) => ({ start: buildHeic().subarray(0, 24), part: box('free'), bytes }),
      verdict: DAMAGED,
    },
    'a video of empty boxes': {
      build: (bytes) => ({ start: FTYP, part: box('free'), bytes }),
      verdict: DAMAGED,
    },
    'a video of empty boxes with long lengths': {
      build: (bytes) => ({
        start: FTYP,
        part: Buffer.from('\0\0\0\x01free\0\0\0\0\0\0\0\x10', 'latin1'),
        bytes: bytes * 2,
      }),
      verdict: DAMAGED,
    },
    'a video of empty tracks': { build: (bytes) => fillMovie(box('trak'), bytes), verdict: DAMAGED },
    'a video of headers': {
      build: (bytes) => fillMovie(box('mvhd', Buffer.alloc(32)), bytes * 4),
      verdict: DAMAGED,
    },
    'a video with private data of eight petabytes': {
      build: (bytes) => ({
        start: Buffer.concat([FTYP, u32(1), Buffer.from('udta'), u32(0x1f_ffff), u32(0xffff_ffff)]),
        part: Buffer.alloc(8),
        bytes,
      }),
      verdict: TRUNCATED,
    },
  };

/** The pieces in which a file arrives. */
export function* streamFile({ start, part, bytes = 0, end }: HostileFile, pieceBytes = 64 * 1024) {
  yield* cut(start, pieceBytes);
  if (part) {
    const parts = Buffer.alloc(Math.max(part.length, pieceBytes - (pieceBytes % part.length)), part);
    let left = bytes - (bytes % part.length);
    for (; left > 0; left -= parts.length) yield* cut(parts.subarray(0, left), pieceBytes);
  }
  if (end) yield* cut(end, pieceBytes);
}

function* cut(bytes: Buffer, pieceBytes: number) {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}
