import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { Json } from '../json.ts';
import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';

/** Sizes of a profile's picture in pixels (slackapi/java-slack-sdk, json-logs/samples/api/users.info.json). */
export const AVATAR_SIZES = [24, 32, 48, 72, 192, 512] as const;
/** Sizes of an app's icon in pixels (json-logs/samples/api/bots.info.json). */
export const ICON_SIZES = [36, 48, 72] as const;

const hashId = (id: string) => createHash('sha256').update(id).digest();

function buildPictureUrls(site: Site, userId: string, sizes: readonly number[]): Json {
  return Object.fromEntries(
    sizes.map((size) => [`image_${size}`, `${site.url}/avatars/${userId}-${size}.png`]),
  );
}

/** There are no uploaded pictures, for which Slack adds `image_original` and `is_custom_image`. */
export function buildAvatarPart(site: Site, { id }: Person): Json {
  return {
    avatar_hash: `g${hashId(id).toString('hex', 0, 6).slice(1)}`,
    ...buildPictureUrls(site, id, AVATAR_SIZES),
  };
}

/** The icon of the app, in `bot_profile` and in bots.info. */
export function buildIconsPart(site: Site): Json {
  return buildPictureUrls(site, site.state.app.botUserId, ICON_SIZES);
}

/** Squares of the pattern in each direction. */
const CELLS = 5;
const BACKGROUND = [240, 243, 242];

/** Draws a PNG with a pattern in the person's colour. The pattern depends on the id only. `size` in pixels. */
export function drawAvatar({ id, color }: Pick<Person, 'id' | 'color'>, size: number): Buffer {
  const foreground = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) || 0);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // One bit for each pixel: its colour in a palette of two.
  header.set([1, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    encodeChunk('IHDR', header),
    encodeChunk('PLTE', Buffer.from([...BACKGROUND, ...foreground])),
    encodeChunk('IDAT', deflateSync(encodeRows(hashId(id), size))),
    encodeChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Encodes the rows of pixels, each after a filter byte of 0, for no filter (W3C, PNG specification, "Filtering"). */
function encodeRows(hash: Buffer, size: number): Buffer {
  const cell = Math.floor(size / (CELLS + 1));
  const margin = (size - cell * CELLS) / 2;
  const width = Math.ceil(size / 8);
  const findCell = (pixel: number) => Math.floor((pixel - margin) / cell);
  const rows = Array.from({ length: size }, (_, y) => {
    const row = Buffer.alloc(width + 1);
    for (let x = 0; x < size; x += 1) {
      if (isFilled(hash, findCell(x), findCell(y)))
        row[1 + (x >> 3)] = (row[1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
    }
    return row;
  });
  return Buffer.concat(rows);
}

/** Whether the pattern fills a square. The right half mirrors the left half. */
function isFilled(hash: Buffer, column: number, row: number): boolean {
  if (column < 0 || column >= CELLS || row < 0 || row >= CELLS) return false;
  const byte = hash[row * CELLS + Math.min(column, CELLS - 1 - column)] ?? 0;
  return byte % 2 === 0;
}

function encodeChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
