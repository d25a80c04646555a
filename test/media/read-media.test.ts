import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUDGETS, createBudget } from '../../src/budget.ts';
import { UnusableMedia } from '../../src/media/byte-input.ts';
import { readMedia } from '../../src/media/read-media.ts';
import { readOwnTime } from '../support/busyness.ts';
import {
  box,
  buildCameraData,
  buildChunk,
  buildGif,
  buildHeic,
  buildJpeg,
  buildPng,
  buildVideo,
  buildWebp,
  hasPlace,
} from '../support/media-files.ts';

async function* inPieces(file: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size);
}

/** Reads a file in pieces, and returns its facts and the copy. */
async function read(source: Buffer | AsyncIterable<Uint8Array>, pieceBytes = 64 * 1024) {
  const pieces: Buffer[] = [];
  const facts = await readMedia(
    Buffer.isBuffer(source) ? inPieces(source, pieceBytes) : source,
    async (bytes) => {
      pieces.push(Buffer.from(bytes));
    },
    createBudget(BUDGETS.media),
  );
  const { patches = [], ...rest } = facts;
  const copy = Buffer.concat(pieces);
  for (const { position, bytes } of patches) bytes.copy(copy, position);
  return { ...rest, copy };
}

const findProblem = async (source: Buffer | AsyncIterable<Uint8Array>) =>
  read(source).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof UnusableMedia) return error.problem;
      throw error;
    },
  );

test('data of programs are left out too, such as the provenance of a picture', async () => {
  const provenance = Buffer.from('c2pa with N 38 42 26.5 W 9 8 11.5');
  const png = buildPng({ chunks: [buildChunk('caBX', provenance), buildChunk('gAMA', Buffer.alloc(4, 1))] });
  const { copy } = await read(png);
  expect([hasPlace(copy), copy.includes('gAMA')]).toEqual([false, true]);
  const webp = buildWebp();
  const chunk = Buffer.concat([
    Buffer.from('C2PA'),
    Buffer.from([provenance.length + 1, 0, 0, 0]),
    provenance,
    Buffer.from([0]),
  ]);
  const extended = Buffer.concat([webp, chunk]);
  extended.writeUInt32LE(extended.length - 8, 4);
  expect(hasPlace((await read(extended)).copy)).toBe(false);
});

const FILES = {
  JPEG: [buildJpeg(), { type: 'image/jpeg', width: 40, height: 30 }],
  PNG: [buildPng(), { type: 'image/png', width: 4, height: 3 }],
  GIF: [buildGif(), { type: 'image/gif', width: 2, height: 2 }],
  WebP: [buildWebp(), { type: 'image/webp', width: 50, height: 20 }],
  HEIC: [buildHeic(), { type: 'image/heic', width: 4032, height: 3024 }],
  MP4: [buildVideo(), { type: 'video/mp4', width: 1080, height: 1920, durationMs: 45_000 }],
  MOV: [buildVideo({ brand: 'qt  ' }), { type: 'video/quicktime', width: 1080, height: 1920 }],
} as const;

describe.each(Object.entries(FILES))('a %s file', (_name, [file, facts]) => {
  test('its facts are read, and the copy says nothing about the place', async () => {
    expect(hasPlace(file)).toBe(true);
    const found = await read(file);
    expect(found).toMatchObject({ ...facts, hadPrivateData: true });
    expect(hasPlace(found.copy)).toBe(false);
  });

  test('the size of the pieces in which it arrives makes no difference', async () => {
    const { copy } = await read(file);
    for (const size of [1, 2, 7, 100]) expect((await read(file, size)).copy.equals(copy)).toBe(true);
  });

  test('the copy has nothing left to remove', async () => {
    const { copy } = await read(file);
    expect((await read(copy)).copy.equals(copy)).toBe(true);
  });

  test('it is refused wherever it is cut off, or read as a shorter file', async () => {
    for (let length = 12; length < file.length; length += 5) {
      const problem = await findProblem(file.subarray(0, length));
      expect(problem ?? '').toMatch(/^$|too early|damaged|don’t know|can’t remove|can’t take/);
    }
  });
});

test('a JPEG keeps its scan, its colour profile and its orientation', async () => {
  const file = buildJpeg({ orientation: 6, scanBytes: 200_000 });
  const { copy, width, height } = await read(file);
  expect([width, height]).toEqual([30, 40]);
  const scanAt = file.indexOf(Buffer.from([0xff, 0xda]));
  const scan = file.subarray(scanAt, file.lastIndexOf(Buffer.from([0xff, 0xd9])));
  expect(copy.includes(scan)).toBe(true);
  expect(copy.includes('ICC_PROFILE')).toBe(true);
  expect((await read(copy)).width).toBe(30);
});

test('a WebP keeps its orientation, and its head agrees with what follows', async () => {
  const { copy, width } = await read(buildWebp({ orientation: 8 }));
  expect(width).toBe(20);
  expect(copy.readUInt32LE(4)).toBe(copy.length - 8);
  expect(copy[20]).toBe(0x08);
  expect((await read(buildWebp())).copy[20]).toBe(0);
});

test('an animated GIF and an animated PNG are told apart from pictures', async () => {
  expect((await read(buildGif({ images: 2 }))).isAnimated).toBe(true);
  expect((await read(buildGif())).isAnimated).toBe(false);
  expect((await read(buildPng({ chunks: [buildChunk('acTL', Buffer.alloc(8))] }))).isAnimated).toBe(true);
});

test('a video that was filmed upright has the size that people see', async () => {
  expect(await read(buildVideo({ width: 1920, height: 1080, isTurned: true }))).toMatchObject({
    width: 1080,
    height: 1920,
  });
  expect(await read(buildHeic({ isTurned: true }))).toMatchObject({ width: 3024, height: 4032 });
});

describe('hostile files', () => {
  test('a file that isn’t what its name says is refused by its content', async () => {
    expect(await findProblem(Buffer.from('%PDF-1.7\n%âãÏÓ\n'))).toBe(
      'I can’t take PDF. I take JPEG, PNG, GIF, WebP, HEIC, MP4 and MOV.',
    );
    expect(await findProblem(Buffer.from('MZ\x90\0'.padEnd(400, '\0'), 'latin1'))).toContain(
      'I can’t take EXE.',
    );
    expect(await findProblem(Buffer.from('just text'))).toContain('I don’t know this kind of file.');
    expect(await findProblem(Buffer.alloc(0))).toBe('This file is empty.');
  });

  test.each([
    ['II*\0\x08\0\0\0', 'TIFF'],
    ['\0\0\0\x1cftypavif', 'AVIF'],
    ['\0\0\0\x1cftypM4A ', 'M4A'],
    ['\x1aE\xdf\xa3\x9fB\x82\x84webm', 'WEBM'],
    ['RIFF\x24\0\0\0WAVEfmt ', 'WAV'],
    ['PK\x03\x04\x14\0\x06\0[Content_Types].xml…word/document.xml', 'Office files'],
    ['PK\x03\x04\x14\0\0\0photo.jpg', 'ZIP'],
    ['\x1f\x8b\x08', 'GZ'],
  ])('a file that begins with %j is refused by its name', async (start, name) => {
    expect(await findProblem(Buffer.from(start, 'latin1'))).toContain(`I can’t take ${name}. I take JPEG,`);
  });

  test.each([
    ['mp42', 'video/mp4'],
    ['isom', 'video/mp4'],
    ['M4V ', 'video/mp4'],
    ['qt  ', 'video/quicktime'],
  ])('a video of the brand %j is %s', async (brand, type) => {
    expect(await read(buildVideo({ brand }))).toMatchObject({ type });
  });

  test('an SVG with a script is refused', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    expect(await findProblem(Buffer.from(svg))).toContain('I can’t take SVG.');
    expect(await findProblem(Buffer.from(`<?xml version="1.0"?>\n${svg}`))).toContain('I can’t take SVG.');
  });

  test('a picture of 60,000 × 60,000 is refused without decoding it', async () => {
    const expected = 'This has 60,000 × 60,000 pixels, and I take at most 250 million.';
    expect(await findProblem(buildPng({ width: 60_000, height: 60_000 }))).toBe(expected);
    expect(await findProblem(buildJpeg({ width: 60_000, height: 60_000 }))).toBe(expected);
    expect(await findProblem(buildHeic({ width: 60_000, height: 60_000 }))).toBe(expected);
  });

  test('compressed chunks of a PNG are never decompressed, and don’t reach the copy', async () => {
    const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024));
    const names = ['zTXt', 'iTXt', 'eXIf'];
    const chunks = names.map((name) => buildChunk(name, Buffer.concat([Buffer.from('Comment\0\0'), bomb])));
    const profile = buildChunk(
      'iCCP',
      Buffer.concat([Buffer.from('icc\0\0'), deflateSync(Buffer.alloc(300 * 1024 * 1024))]),
    );
    const startedAt = readOwnTime();
    const { copy } = await read(buildPng({ chunks: [...chunks, profile] }));
    expect(readOwnTime() - startedAt).toBeLessThan(1_000);
    expect(copy.length).toBeLessThan(400);
  });

  test('an endless file is refused at the limit, with little of it in memory', async () => {
    const piece = Buffer.alloc(1024 * 1024, 0x11);
    async function* endless() {
      yield buildJpeg().subarray(0, -40);
      for (;;) yield piece;
    }
    expect(await findProblem(endless())).toBe('I take files up to 100 MB, and this is larger.');
  });

  test('boxes that contain each other without end, or claim to be longer than the file, are refused', async () => {
    const type = box('ftyp', Buffer.from('mp42\0\0\0\0mp42', 'latin1'));
    const depth = 30_000;
    const headers = Array.from({ length: depth }, (_, index) => {
      const header = box('trak');
      header.writeUInt32BE(header.length * (depth - index + 1));
      return header;
    });
    const nested = box('moov', Buffer.concat([...headers, box('free')]));
    expect(await findProblem(Buffer.concat([type, nested]))).toBe(
      'This file is damaged. Save it again, and upload the copy.',
    );
    const huge = Buffer.from([
      0, 0, 0, 1, 0x6d, 0x64, 0x61, 0x74, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    ]);
    expect(await findProblem(Buffer.concat([type, huge]))).toContain('damaged');
  });

  test('a HEIC whose camera data come before their description is refused', async () => {
    const file = buildHeic();
    const metaAt = file.indexOf('meta') - 4;
    const dataAt = file.indexOf('mdat') - 4;
    const swapped = Buffer.concat([
      file.subarray(0, metaAt),
      file.subarray(dataAt),
      file.subarray(metaAt, dataAt),
    ]);
    expect(await findProblem(swapped)).toContain('I can’t remove the location from this HEIC file.');
  });

  test('changed files are read or refused, and nothing else', async () => {
    const originals = [...Object.values(FILES).map(([file]) => file), buildCameraData()];
    const change = fc.tuple(fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 4 }));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...originals),
        fc.array(change, { maxLength: 5 }),
        async (file, changes) => {
          const changed = Buffer.from(file);
          for (const [at, bytes] of changes) changed.set(bytes, at % (changed.length - 4));
          const problem = await findProblem(changed);
          expect(problem).toSatisfy((text: unknown) => text === undefined || typeof text === 'string');
        },
      ),
      { numRuns: 500 },
    );
  });
});
