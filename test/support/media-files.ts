import { crc32, deflateSync } from 'node:zlib';

/** Builders of small media files, with the parts that tests are about. */

const PLACE = 'N 38 42 26.5 W 9 8 11.5';

/** Camera data with an orientation and, as their last bytes, a place. */
export function buildCameraData(orientation = 1): Buffer {
  const head = Buffer.alloc(26);
  head.write('MM\0*', 0, 'latin1');
  head.writeUInt32BE(8, 4);
  head.writeUInt16BE(1, 8);
  head.writeUInt16BE(0x0112, 10);
  head.writeUInt16BE(3, 12);
  head.writeUInt32BE(1, 14);
  head.writeUInt16BE(orientation, 18);
  return Buffer.concat([head, Buffer.from(PLACE)]);
}

/** Whether a file contains the place that the builders put into private data. */
export const hasPlace = (file: Buffer) => file.includes(PLACE);

function segment(code: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, code, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

export const u16 = (number: number) => Buffer.from([number >> 8, number & 0xff]);
export const u32 = (number: number) =>
  Buffer.from([number >>> 24, (number >> 16) & 0xff, (number >> 8) & 0xff, number & 0xff]);

/** A JPEG with camera data, XMP, a comment, a colour profile and, after its end, another picture with a place. */
export function buildJpeg({ width = 40, height = 30, orientation = 1, scanBytes = 64 } = {}): Buffer {
  // FF 00 and restart markers belong to the scan.
  const scan = Buffer.alloc(scanBytes, Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd3, 0x56]));
  if (scan.at(-1) === 0xff) scan[scanBytes - 1] = 0;
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), buildCameraData(orientation)])),
    segment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0<x>${PLACE}</x>`)),
    segment(0xe2, Buffer.from('ICC_PROFILE\0\x01\x01profile', 'latin1')),
    segment(0xe2, Buffer.from(`MPF\0${PLACE}`)),
    segment(0xfe, Buffer.from(PLACE)),
    segment(0xdb, Buffer.alloc(65, 1)),
    segment(0xc0, Buffer.concat([Buffer.from([8]), u16(height), u16(width), Buffer.from([1, 1, 0x11, 0])])),
    segment(0xc4, Buffer.alloc(20)),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    scan,
    Buffer.from([0xff, 0xd9]),
    Buffer.from(PLACE),
  ]);
}

export function buildChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([u32(data.length), body, u32(crc32(body))]);
}

/** A PNG with camera data, XMP and a text. `chunks` are added before the pixels. */
export function buildPng({ width = 4, height = 3, chunks = [] as Buffer[] } = {}): Buffer {
  const rows = deflateSync(Buffer.alloc(height > 1_000 ? 100 : (width * 3 + 1) * height));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    buildChunk('IHDR', Buffer.concat([u32(width), u32(height), Buffer.from([8, 2, 0, 0, 0])])),
    buildChunk('eXIf', buildCameraData()),
    buildChunk('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${PLACE}`)),
    buildChunk('tEXt', Buffer.from(`Comment\0${PLACE}`)),
    ...chunks,
    buildChunk('IDAT', rows),
    buildChunk('IEND', Buffer.alloc(0)),
    Buffer.from(PLACE),
  ]);
}

/** A GIF with a comment and this many pictures. */
export function buildGif({ images = 1 } = {}): Buffer {
  const image = Buffer.from([0x2c, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, 2, 0x4c, 0x01, 0]);
  return Buffer.concat([
    Buffer.from('GIF89a\x02\0\x02\0\x80\0\0', 'latin1'),
    Buffer.alloc(6, 0x55),
    Buffer.from([0x21, 0xfe, PLACE.length]),
    Buffer.from(`${PLACE}\0`),
    Buffer.from('\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0', 'latin1'),
    ...Array.from({ length: images }, () => image),
    Buffer.from([0x3b]),
  ]);
}

function riffChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

/** A WebP with camera data and XMP after its picture. */
export function buildWebp({ width = 50, height = 20, orientation = 1 } = {}): Buffer {
  const extended = Buffer.alloc(10);
  extended[0] = 0x0c;
  extended.writeUIntLE(width - 1, 4, 3);
  extended.writeUIntLE(height - 1, 7, 3);
  const chunks = Buffer.concat([
    riffChunk('VP8X', extended),
    riffChunk('VP8 ', Buffer.from([0, 0, 0, 0x9d, 0x01, 0x2a, width, 0, height, 0, 1])),
    riffChunk('EXIF', buildCameraData(orientation)),
    riffChunk('XMP ', Buffer.from(PLACE)),
  ]);
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(chunks.length + 4, 4);
  return Buffer.concat([head, chunks]);
}

export function box(type: string, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([u32(content.length + 8), Buffer.from(type, 'latin1'), content]);
}

/** A video with a place in its movie, in a track and beside it. The movie comes last, as cameras write it. */
export function buildVideo({
  brand = 'mp42',
  durationMs = 45_000,
  width = 1080,
  height = 1920,
  isTurned = false,
  dataBytes = 100,
} = {}): Buffer {
  const movieHeader = Buffer.alloc(100);
  movieHeader.writeUInt32BE(1000, 12);
  movieHeader.writeUInt32BE(durationMs, 16);
  const trackHeader = Buffer.alloc(84);
  trackHeader.writeInt32BE(isTurned ? 0 : 0x10000, 40);
  trackHeader.writeInt32BE(isTurned ? 0x10000 : 0, 44);
  trackHeader.writeUInt32BE(width * 0x10000, 76);
  trackHeader.writeUInt32BE(height * 0x10000, 80);
  const place = box('\xa9xyz', Buffer.from(PLACE));
  return Buffer.concat([
    box('ftyp', Buffer.from(`${brand}\0\0\0\0${brand}`, 'latin1')),
    box('uuid', Buffer.from(PLACE)),
    box('mdat', Buffer.alloc(dataBytes, 7)),
    box(
      'moov',
      box('mvhd', movieHeader),
      box('trak', box('tkhd', trackHeader), box('udta', place)),
      box('meta', Buffer.from(PLACE)),
      box('udta', place),
    ),
  ]);
}

/** A HEIC picture whose description comes before its data. */
export function buildHeic({ width = 4032, height = 3024, isTurned = false } = {}): Buffer {
  const infe = (id: number, type: string) =>
    box('infe', Buffer.from([2, 0, 0, 0]), u16(id), u16(0), Buffer.from(`${type}\0`, 'latin1'));
  const type = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'));
  const camera = Buffer.concat([u32(0), buildCameraData()]);
  const xmp = Buffer.from(`<x>${PLACE}</x>`);
  const pixels = Buffer.alloc(50, 9);
  const buildMeta = (dataAt: number) => {
    const location = (id: number, start: number, length: number) =>
      Buffer.concat([u16(id), u16(0), u16(0), u16(1), u32(start), u32(length)]);
    const extents = [
      location(1, dataAt, pixels.length),
      location(2, dataAt + pixels.length, camera.length),
      location(3, dataAt + pixels.length + camera.length, xmp.length),
    ];
    return box(
      'meta',
      u32(0),
      box('iinf', u32(0), u16(3), infe(1, 'hvc1'), infe(2, 'Exif'), infe(3, 'mime')),
      box('iloc', Buffer.from([1, 0, 0, 0, 0x44, 0x00]), u16(3), ...extents),
      box(
        'iprp',
        box(
          'ipco',
          box('ispe', u32(0), u32(512), u32(512)),
          box('ispe', u32(0), u32(width), u32(height)),
          ...(isTurned ? [box('irot', Buffer.from([1]))] : []),
        ),
      ),
    );
  };
  const dataAt = type.length + buildMeta(0).length + 8;
  return Buffer.concat([type, buildMeta(dataAt), box('mdat', pixels, camera, xmp)]);
}
