import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** A frame of an animation: a screenshot, and how long it is shown. */
export interface Frame {
  png: Buffer;
  showMs: number;
}

interface Image {
  width: number;
  height: number;
  pixels: Buffer;
}

interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Screenshots without transparency have three bytes for each pixel (color type 2). */
const COLOR_TYPE = 2;
const PIXEL_BYTES = 3;

/**
 * Joins screenshots of the same size into an animated PNG that repeats forever. Each frame after the first stores only
 * the area that changed. Equal neighbours become one longer frame. Format: "Portable Network Graphics (PNG)
 * Specification (Third Edition)", W3C 2025, section 11.3.6.
 */
export function buildAnimatedPng(frames: readonly Frame[]): Buffer {
  const parts: { image: Image; area: Area; showMs: number }[] = [];
  let previous: Image | undefined;
  for (const { png, showMs } of frames) {
    const image = decodePng(png);
    const area = previous
      ? findChangedArea(previous, image)
      : { left: 0, top: 0, width: image.width, height: image.height };
    const last = parts.at(-1);
    if (area) parts.push({ image, area, showMs });
    else if (last) last.showMs += showMs;
    previous = image;
  }
  const [first] = parts;
  if (!first) throw new Error('an animation needs a frame');
  const header = encodeNumbers(
    [first.image.width, 4],
    [first.image.height, 4],
    [8, 1],
    [COLOR_TYPE, 1],
    [0, 3],
  );
  let sequence = 0;
  const chunks = parts.flatMap(({ image, area, showMs }, index) => {
    const { left, top, width, height } = area;
    const control = encodeChunk(
      'fcTL',
      encodeNumbers(
        [sequence++, 4],
        ...[width, height, left, top].map((value): [number, number] => [value, 4]),
        [showMs, 2],
        [1_000, 2],
        [0, 2],
      ),
    );
    const data = encodePixels(image, area);
    return [
      control,
      index === 0
        ? encodeChunk('IDAT', data)
        : encodeChunk('fdAT', Buffer.concat([encodeNumbers([sequence++, 4]), data])),
    ];
  });
  return Buffer.concat([
    SIGNATURE,
    encodeChunk('IHDR', header),
    encodeChunk('acTL', encodeNumbers([parts.length, 4], [0, 4])),
    ...chunks,
    encodeChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Big-endian numbers, each with its length in bytes. */
function encodeNumbers(...values: readonly (readonly [value: number, bytes: number])[]): Buffer {
  return Buffer.concat(
    values.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeUIntBE(value, 0, bytes);
      return buffer;
    }),
  );
}

function encodeChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([encodeNumbers([data.length, 4]), body, encodeNumbers([crc32(body), 4])]);
}

function findChangedArea(before: Image, after: Image): Area | undefined {
  let [left, top, right, bottom] = [after.width, after.height, -1, -1];
  const rowBytes = after.width * PIXEL_BYTES;
  for (let y = 0; y < after.height; y += 1) {
    const rows = [before, after].map(({ pixels }) => pixels.subarray(y * rowBytes, (y + 1) * rowBytes));
    const [rowBefore, rowAfter] = rows;
    if (!rowBefore || !rowAfter || rowBefore.equals(rowAfter)) continue;
    const isSame = (byte: number) => rowBefore[byte] === rowAfter[byte];
    let start = 0;
    while (isSame(start)) start += 1;
    let end = rowBytes - 1;
    while (isSame(end)) end -= 1;
    top = Math.min(top, y);
    bottom = y;
    left = Math.min(left, Math.floor(start / PIXEL_BYTES));
    right = Math.max(right, Math.floor(end / PIXEL_BYTES));
  }
  return bottom < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** Compresses the pixels of an area. Each row begins with its filter: none. */
function encodePixels({ width, pixels }: Image, area: Area): Buffer {
  const rows = Array.from({ length: area.height }, (_, row) => {
    const start = ((area.top + row) * width + area.left) * PIXEL_BYTES;
    return Buffer.concat([Buffer.from([0]), pixels.subarray(start, start + area.width * PIXEL_BYTES)]);
  });
  return deflateSync(Buffer.concat(rows), { level: 9, memLevel: 9 });
}

/** Reads a screenshot: 8 bits for each color, not interlaced. */
function decodePng(png: Buffer): Image {
  const data: Buffer[] = [];
  for (let offset = SIGNATURE.length; offset < png.length; ) {
    const length = png.readUInt32BE(offset);
    if (png.toString('latin1', offset + 4, offset + 8) === 'IDAT')
      data.push(png.subarray(offset + 8, offset + 8 + length));
    offset += length + 12;
  }
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  if (png[25] !== COLOR_TYPE) throw new Error(`the screenshot has color type ${png[25]}, not ${COLOR_TYPE}`);
  return { width, height, pixels: undoFilters(inflateSync(Buffer.concat(data)), width, height) };
}

/** Undoes the filter of each row (PNG specification, section 9). */
function undoFilters(filtered: Buffer, width: number, height: number): Buffer {
  const rowBytes = width * PIXEL_BYTES;
  const pixels = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    const filter = filtered[y * (rowBytes + 1)] ?? 0;
    for (let x = 0; x < rowBytes; x += 1) {
      const at = y * rowBytes + x;
      const left = x < PIXEL_BYTES ? 0 : (pixels[at - PIXEL_BYTES] ?? 0);
      const up = y === 0 ? 0 : (pixels[at - rowBytes] ?? 0);
      const upLeft = x < PIXEL_BYTES || y === 0 ? 0 : (pixels[at - rowBytes - PIXEL_BYTES] ?? 0);
      pixels[at] = (filtered[y * (rowBytes + 1) + 1 + x] ?? 0) + predict(filter, left, up, upLeft);
    }
  }
  return pixels;
}

/** Predicts a byte from its neighbours. */
function predict(filter: number, left: number, up: number, upLeft: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return Math.floor((left + up) / 2);
  // Paeth predictor.
  const [distanceToLeft, distanceToUp, distanceToUpLeft] = [
    up - upLeft,
    left - upLeft,
    left + up - 2 * upLeft,
  ].map(Math.abs);
  if (distanceToLeft === undefined || distanceToUp === undefined || distanceToUpLeft === undefined) return 0;
  if (distanceToLeft <= distanceToUp && distanceToLeft <= distanceToUpLeft) return left;
  return distanceToUp <= distanceToUpLeft ? up : upLeft;
}
