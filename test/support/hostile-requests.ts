import { connect } from 'node:net';
import { createRandom } from './random.ts';

/** Ways to end the connection after the last byte. */
const ENDINGS = ['waits', 'half-closes', 'resets', 'resets at once'] as const;
type Ending = (typeof ENDINGS)[number];

const TARGETS = [
  '/',
  '//',
  '///evil.example/',
  '*',
  'http://[',
  'http://evil.example/',
  'evil.example:443',
  '/%',
  '/%zz?person=%ff&ticket=%',
  '/page/live',
  '/page/live?person=%E0%A4%A',
  '/page/%c0%ae%c0%ae/app.js',
  '/page/slack-file?url=http://[',
  '/link?ticket=none',
  '/api/chat.postMessage?channel=%F0',
  '/archives/C/p%',
  '/files-pri/T-F%/%',
  '/oauth/v2/authorize?redirect_uri=http://[&client_id=%',
  '/control',
  '/control/openapi.json?team=%',
  '/control/people/%/screen',
  '/control/people/__proto__/wait',
  '/control/reset',
  '/slack/events',
  '/\\evil.example',
  '/@evil.example:9/',
  'no-slash',
  `/${'a'.repeat(3_000)}`,
];

const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
const HANDSHAKE = `${UPGRADE}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n`;

/** Headers and bodies of requests. */
const HEADERS_AND_BODIES = [
  '\r\n',
  `${HANDSHAKE}\r\n`,
  `${HANDSHAKE}Origin: https://evil.example\r\n\r\n`,
  `${UPGRADE}\r\n`,
  `${UPGRADE}Sec-WebSocket-Version: 99\r\nSec-WebSocket-Key: short\r\n\r\n`,
  `${HANDSHAKE}\r\n\xff\xff\xff\xff\xff garbage instead of a frame`,
  'Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
  'Content-Length: 5\r\nContent-Type: application/json\r\n\r\n{"a":',
  'Content-Length: 100\r\n\r\nhalf',
  'Transfer-Encoding: chunked\r\n\r\nzz\r\n',
  'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'Expect: something-else\r\n\r\n',
  'Cookie: %; =; a\x80b\r\nAuthorization: Bearer \xff\r\nX Bad: y\r\n\r\n',
];

const METHODS = ['GET', 'POST', 'HEAD', 'CONNECT', 'OPTIONS', 'PROPFIND', 'G\x00T'];

/** Sends bytes (Latin-1) over a new connection, and resolves when it is closed. */
export function sendRaw(port: number, bytes: string, ending: Ending): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const data = Buffer.from(bytes, 'latin1');
    socket.on('error', () => undefined).once('close', () => resolve());
    // A server that sends nothing for this time keeps the connection open on purpose.
    socket.setTimeout(300, () => socket.destroy());
    socket.once('end', () => socket.end());
    socket.once('connect', () => {
      if (ending === 'half-closes') socket.end(data);
      else socket.write(data);
      if (ending === 'resets at once') socket.resetAndDestroy();
    });
    socket.on('data', () => {
      if (ending === 'resets') socket.resetAndDestroy();
    });
  });
}

function createHostileRequests(
  port: number,
  seed: number,
  randomCount: number,
): { bytes: string; ending: Ending }[] {
  const random = createRandom(seed);
  const hosts = [`127.0.0.1:${port}`, 'evil.example', '[', 'a b', ''];
  const ownHost = `Host: 127.0.0.1:${port}\r\n`;
  const allCombinations = TARGETS.flatMap((target) =>
    [HANDSHAKE, `${HANDSHAKE}Origin: https://evil.example\r\n`, ''].flatMap((headers) =>
      ENDINGS.map((ending) => ({ bytes: `GET ${target} HTTP/1.1\r\n${ownHost}${headers}\r\n`, ending })),
    ),
  );
  const randomRequests = Array.from({ length: randomCount }, () => {
    const version = random.pick(['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/9.9']);
    const host = random.drawBoolean(0.6) ? ownHost : `Host: ${random.pick(hosts)}\r\n`;
    const bytes = `${random.pick(METHODS)} ${random.pick(TARGETS)} ${version}\r\n${host}${random.pick(HEADERS_AND_BODIES)}`;
    return { bytes: random.drawBoolean(0.3) ? garble(bytes, random) : bytes, ending: random.pick(ENDINGS) };
  });
  return [...allCombinations, ...randomRequests];
}

/** Cuts off the request, or replaces a byte. */
function garble(bytes: string, random: ReturnType<typeof createRandom>): string {
  const index = random.drawInteger(bytes.length);
  const replacement = String.fromCharCode(random.drawInteger(256)).repeat(1 + random.drawInteger(3));
  return random.drawBoolean(0.5)
    ? bytes.slice(0, index)
    : `${bytes.slice(0, index)}${replacement}${bytes.slice(index + 1)}`;
}

/** Sends hundreds of malformed requests. A seed always gives the same requests. */
export async function sendHostileRequests(port: number, { seed = 1, randomCount = 200 } = {}): Promise<void> {
  const pendingRequests = createHostileRequests(port, seed, randomCount);
  const sendInTurn = async () => {
    for (let next = pendingRequests.pop(); next; next = pendingRequests.pop())
      await sendRaw(port, next.bytes, next.ending);
  };
  await Promise.all(Array.from({ length: 25 }, sendInTurn));
}
