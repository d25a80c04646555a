import type { Socket } from 'node:net';
import { HOSTILE_VALUES } from 'slack-workspace-emulator/test-support/hostile-values';
import { WebSocket } from 'ws';
import { createRandom, type Random } from './random.ts';

/** Bytes that no WebSocket client should send, and messages that no page or app should send. */

/** A masked text frame, like a client's. */
function makeFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(14);
  head[0] = 0x81;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}

export const FRAMES: readonly (readonly [string, Buffer])[] = [
  ['reserved bits and no mask', Buffer.from([0xff, 0x05, 1, 2, 3, 4, 5])],
  ['an impossibly large length', Buffer.from([0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])],
  ['a frame over the size limit', makeFrame('x'.repeat(1_100_000))],
  ['invalid UTF-8', Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28])],
  ['a close frame with an unknown code', Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0, 1])],
  ['invalid JSON', makeFrame('{"id":1,')],
  ['null', makeFrame('null')],
  [
    'a prototype',
    makeFrame('{"id":1,"act":"submit","viewId":"__proto__","values":{"__proto__":{"a":{"type":"x"}}}}'),
  ],
  ['endless brackets', makeFrame(`{"id":1,"act":"submit","viewId":"V","values":${'['.repeat(300_000)}`)],
  [
    'deeply nested values',
    makeFrame(
      `{"id":1,"act":"press","container":{"type":"home"},"blockId":"b","actionId":"a","element":{"type":"x","value":${'['.repeat(200_000)}${']'.repeat(200_000)}},"values":{}}`,
    ),
  ],
  ['an acknowledgement without a request', makeFrame('{"envelope_id":"none","payload":{"a":1}}')],
  ['a clock with an invalid time', makeFrame('{"id":1,"act":"clock","to":1e999}')],
];

/** Sends bytes through an open WebSocket. Resolves after the server has read them or has disconnected. */
export function sendFrames(url: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace('http', 'ws'));
    socket.on('error', () => undefined).once('close', () => resolve());
    socket.once('unexpected-response', (_, { statusCode }) =>
      reject(new Error(`refused with ${statusCode}`)),
    );
    socket.once('open', () => {
      const { _socket: raw } = socket as unknown as { _socket: Socket };
      raw.write(bytes);
      socket.ping();
      socket.once('pong', () => raw.resetAndDestroy());
      // The server reads a ping after an incomplete frame as the rest of that frame.
      raw.setTimeout(300, () => raw.resetAndDestroy());
    });
  });
}

const ACTS = [
  ...'command message press submit close options shortcut open-dm history replies home-opened'.split(' '),
  ...'messages-opened clock fault nothing'.split(' '),
];
const FIELDS = [
  ...'actionId before blockId callbackId channel choice container element envelope_id message'.split(' '),
  ...'payload switch text threadTs to ts user value values viewId'.split(' '),
];

function drawMessage(random: Random): string {
  const fields = Array.from({ length: random.drawInteger(8) }, () => [
    random.pick(FIELDS),
    random.pick(HOSTILE_VALUES),
  ]);
  return JSON.stringify({ id: random.drawInteger(5), act: random.pick(ACTS), ...Object.fromEntries(fields) });
}

/** A message of a page or an app with random fields, often cut off, changed or replaced by noise. */
function drawFrames(random: Random): Buffer {
  const frame = makeFrame(drawMessage(random));
  const change = random.drawInteger(6);
  if (change === 0) return frame.subarray(0, random.drawInteger(frame.length));
  if (change === 1) return Buffer.from(Array.from({ length: 200 }, () => random.drawInteger(256)));
  if (change === 2) frame[random.drawInteger(frame.length)] = random.drawInteger(256);
  if (change === 3) return Buffer.concat([frame, frame, makeFrame(drawMessage(random))]);
  return frame;
}

/** Fewer than the ten sockets that Slack allows an app. */
const CONCURRENCY = 8;

/** Sends random frames, each over a connection to the next address that `open` returns. */
export async function sendHostileFrames(
  open: () => Promise<string> | string,
  { seed, count }: { seed: number; count: number },
): Promise<void> {
  const random = createRandom(seed);
  const waiting = Array.from({ length: count }, () => drawFrames(random));
  const sendInTurn = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await sendFrames(await open(), next);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sendInTurn));
}
