import { createServer as createTcpServer } from 'node:net';
import { createGzip, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createPost, listPosts } from '../../src/api/posts.ts';
import { answering, clientOf, listening, say } from './answering-server.ts';

const MIB = 2 ** 20;
const post = { projectId: 'p1', content: 'Hi', platforms: ['X'], status: 'DRAFT' } as const;

describe('a response over the limit', () => {
  test('about one post, of 1 MiB, is unknown, and reading stops there', async () => {
    let written = 0;
    let closed = false;
    const { url } = await answering((response) => {
      const chunk = Buffer.alloc(MIB, 0x20);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.on('close', () => {
        closed = true;
      });
      const more = () => {
        while (!closed && written < 1_024 * MIB) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
      };
      more();
    });
    const { client } = clientOf(url);
    const outcome = await createPost(client, post);
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'response-too-large', status: 200 });
    await expect.poll(() => closed).toBe(true);
    expect(written).toBeLessThan(32 * MIB);
  });

  test('is measured after decoding, so a gzip bomb isn’t inflated', async () => {
    const { url } = await answering((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const gzip = createGzip({ level: 9 });
      gzip.pipe(response);
      let left = 1_024;
      const more = () => {
        while (left > 0) {
          left -= 1;
          if (!gzip.write(Buffer.alloc(MIB))) return void gzip.once('drain', more);
        }
        gzip.end();
      };
      response.on('close', () => {
        left = 0;
      });
      more();
    });
    const { client } = clientOf(url);
    const before = process.memoryUsage().rss;
    const outcome = await createPost(client, post);
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'response-too-large' });
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * MIB);
  });

  test('can be over it by one byte, and a response at the limit is read', async () => {
    const body = JSON.stringify({ success: true, data: null });
    const answer = async (bytes: number) => {
      const padded = gzipSync(body.padEnd(bytes));
      const { url } = await answering(say(200, padded, { 'content-encoding': 'gzip' }));
      return createPost(clientOf(url).client, post);
    };
    expect(await answer(MIB)).toMatchObject({ kind: 'done' });
    expect(await answer(MIB + 1)).toMatchObject({ kind: 'unknown', cause: 'response-too-large' });
  });

  test('with a status that means refused stays refused, unread', async () => {
    const { url } = await answering(say(413, Buffer.alloc(20 * MIB)));
    const { client } = clientOf(url);
    expect(await createPost(client, post)).toMatchObject({ kind: 'refused', status: 413 });
  });
});

describe('a request over 1 MiB', () => {
  test('is not sent, and a request of 1 MiB is sent', async () => {
    const { url, seen } = await answering(say(200, { success: true }));
    const { client, calls } = clientOf(url);
    const empty = JSON.stringify({ Content: '', Platforms: ['X'], Status: 'DRAFT' }).length;
    const fits = await createPost(client, { ...post, content: 'x'.repeat(MIB - empty) });
    const tooLarge = await createPost(client, { ...post, content: 'x'.repeat(MIB - empty + 1) });
    const inBytes = await createPost(client, { ...post, content: '🦊'.repeat(MIB / 4) });
    expect(fits.kind).toBe('done');
    expect(tooLarge).toMatchObject({ kind: 'not-applied', cause: 'too-large' });
    expect(inBytes).toMatchObject({ kind: 'not-applied', cause: 'too-large' });
    expect(seen).toHaveLength(1);
    expect(calls.map((call) => call.status)).toEqual([200, undefined, undefined]);
  });
});

describe('the limit of the whole call', () => {
  /** Shorter than the default, which is 15 s. */
  const callMs = 400;

  async function expectTimeout(url: string, expected: object = {}) {
    const { client } = clientOf(url, { maxCallMs: callMs });
    const started = performance.now();
    const outcome = await createPost(client, post);
    const took = performance.now() - started;
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'timed-out', ...expected });
    expect(took).toBeGreaterThan(callMs - 50);
    expect(took).toBeLessThan(callMs + 1_000);
  }

  test('ends a call without a response', async () => {
    const { url } = await answering(() => {});
    await expectTimeout(url);
  });

  test('ends a response that arrives byte by byte', async () => {
    const { url } = await answering((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    });
    await expectTimeout(url, { status: 200 });
  });

  test('ends headers that arrive one at a time', async () => {
    const server = createTcpServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('X-More: 1\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    await expectTimeout(await listening(server));
  });

  test('doesn’t make a 422 unknown if its body never ends', async () => {
    const { url } = await answering((response) => {
      response.writeHead(422);
      response.write('{');
    });
    const { client } = clientOf(url, { maxCallMs: callMs });
    expect(await createPost(client, post)).toMatchObject({ kind: 'invalid', problems: [] });
  });
});

test('endless headers are cut off', async () => {
  const server = createTcpServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const more = () => {
      while (socket.writable && socket.write(`X-More: ${'y'.repeat(1_000)}\r\n`));
      if (socket.writable) socket.once('drain', more);
    };
    more();
  });
  const { client } = clientOf(await listening(server));
  const outcome = await listPosts(client, { projectId: 'p1' });
  expect(outcome).toMatchObject({ kind: 'unknown', cause: 'connection-lost' });
});

test('one client has at most 16 reads in flight, and the others follow', async () => {
  const waiting: (() => void)[] = [];
  const { url, seen } = await answering((response) => {
    waiting.push(() => response.end('{"success":true,"data":[]}'));
  });
  const { client } = clientOf(url);
  const reads = Array.from({ length: 40 }, () => listPosts(client, { projectId: 'p1' }));
  await expect.poll(() => seen.length).toBe(16);
  let answered = 0;
  while (answered < 40) {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    expect(waiting.length).toBeLessThanOrEqual(16);
    for (const end of waiting.splice(0)) {
      end();
      answered += 1;
    }
  }
  expect((await Promise.all(reads)).every(({ kind }) => kind === 'done')).toBe(true);
});
