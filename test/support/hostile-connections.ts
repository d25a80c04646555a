import { connect, type Socket } from 'node:net';

/** Attacks by strangers, who have no signature: connections that are begun and not ended, or that cost more than they send. */
interface ConnectionAttack {
  name: string;
  /**
   * Opens `count` connections from the address `from`, and opens another one for each that the server closes. `mediaPath`
   * is the path of a large file, for those that read one. Resolves when each connection has sent its first bytes.
   */
  start(target: AttackTarget): Promise<RunningAttack>;
}

export interface AttackTarget {
  port: number;
  mediaPath?: string;
  count?: number;
  /** An address of this machine, such as 127.0.0.2. */
  from?: string;
}

interface RunningAttack {
  /** The connections that are open now, the oldest first. */
  readonly openSockets: readonly Socket[];
  /** How many connections the server has closed or refused. */
  countClosed(): number;
  stop(): void;
}

/** Long enough that an attack doesn't become a flood of bytes or connections, which only a proxy or firewall can limit. */
const RECONNECT_MS = 1_000;
const ATTACKER_ADDRESS = '127.0.0.2';

interface Shape {
  name: string;
  count: number;
  begin(socket: Socket, target: AttackTarget): void;
}

const POST =
  'POST /slack/events HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n';
const MEBIBYTE = 1024 * 1024;
const ALMOST_A_BODY = Buffer.alloc(MEBIBYTE - 1, 'x');
const CHUNKS_OF_ONE_BYTE = Buffer.alloc(6 * (MEBIBYTE - 1), '1\r\nx\r\n');
const LONG_EXTENSIONS = `1;${'x'.repeat(8_000)}\r\nx\r\n`.repeat(8);

function sendRepeatedly(socket: Socket, text: string | Buffer, everyMs: number): void {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.once('close', () => clearInterval(timer));
}

/** Sends the text again and again, as fast as the server takes it. */
function sendEndlessly(socket: Socket, text: string | Buffer): void {
  const send = () => {
    while (socket.writable && socket.write(text));
  };
  socket.on('drain', send);
  send();
}

function readOneByteEach(socket: Socket, everyMs: number): void {
  socket.pause();
  const timer = setInterval(() => void socket.read(1), everyMs);
  socket.once('close', () => clearInterval(timer));
}

const getMedia = ({ mediaPath = '/media/' }: AttackTarget) =>
  `GET ${mediaPath} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;

/** The counts are those that held up others, with some more. */
const SHAPES: readonly Shape[] = [
  { name: 'connections that send nothing', count: 2_100, begin: () => undefined },
  {
    name: 'half heads',
    count: 2_100,
    begin: (socket) => void socket.write('POST /slack/events HTTP/1.1\r\nHost: 127'),
  },
  {
    name: 'heads of one byte a second',
    count: 2_100,
    begin(socket) {
      socket.write('POST /slack/events HTTP/1.1\r\nX-Slow: ');
      sendRepeatedly(socket, 'x', 1_000);
    },
  },
  {
    name: 'a length and no body',
    count: 2_100,
    begin: (socket) => void socket.write(`${POST}Content-Length: ${MEBIBYTE}\r\n\r\n`),
  },
  {
    name: 'unfinished bodies',
    count: 100,
    begin(socket) {
      socket.write(`${POST}Content-Length: ${MEBIBYTE}\r\n\r\n`);
      socket.write(ALMOST_A_BODY);
    },
  },
  {
    name: 'expectations without a body',
    count: 2_100,
    begin: (socket) =>
      void socket.write(`${POST}Content-Length: ${MEBIBYTE}\r\nExpect: 100-continue\r\n\r\n`),
  },
  {
    name: 'chunks of one byte',
    count: 16,
    begin(socket) {
      socket.write(`${POST}Transfer-Encoding: chunked\r\n\r\n`);
      sendEndlessly(socket, CHUNKS_OF_ONE_BYTE);
    },
  },
  {
    name: 'unfinished bodies in chunks of one byte',
    count: 100,
    begin(socket) {
      socket.write(`${POST}Transfer-Encoding: chunked\r\n\r\n`);
      socket.write(CHUNKS_OF_ONE_BYTE);
    },
  },
  {
    name: 'long chunk extensions',
    count: 16,
    begin(socket) {
      socket.write(`${POST}Transfer-Encoding: chunked\r\n\r\n`);
      sendEndlessly(socket, LONG_EXTENSIONS);
    },
  },
  {
    name: 'many headers',
    count: 64,
    begin: (socket) =>
      void socket.write(
        `GET /slack/events HTTP/1.1\r\nHost: 127.0.0.1\r\n${'a:\r\n'.repeat(1_950)}Connection: close\r\n\r\n`,
      ),
  },
  {
    name: 'idle connections after an answer',
    count: 2_100,
    begin: (socket) => void socket.write('GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'),
  },
  {
    name: 'pipelined requests without reading',
    count: 160,
    begin(socket) {
      socket.pause();
      socket.write('GET /slack/none HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(1_000));
    },
  },
  {
    name: 'pipelined unknown expectations',
    count: 160,
    begin(socket) {
      socket.pause();
      socket.write('GET /slack/none HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: x\r\n\r\n'.repeat(1_000));
    },
  },
  ...['CONNECT', 'TRACE', 'OPTIONS'].map((method) => ({
    name: `${method} requests`,
    count: 64,
    begin: (socket: Socket) =>
      void socket.write(`${method} /slack/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`),
  })),
  {
    name: 'upgrades',
    count: 2_100,
    begin: (socket) =>
      void socket.write(
        'GET /slack/events HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      ),
  },
  {
    name: 'readers of no byte of one file',
    count: 100,
    begin: (socket, target) => void socket.pause().write(getMedia(target)),
  },
  {
    name: 'readers of one byte a second of one file',
    count: 100,
    begin(socket, target) {
      socket.write(getMedia(target));
      readOneByteEach(socket, 1_000);
    },
  },
  {
    name: 'fast readers of one file',
    count: 100,
    begin: (socket, target) => void socket.resume().write(getMedia(target)),
  },
  {
    name: 'guesses of file names',
    count: 200,
    begin(socket) {
      const name = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
      socket.write(`GET /media/${name}.jpg HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    },
  },
];

export const CONNECTION_ATTACKS: readonly ConnectionAttack[] = SHAPES.map((shape) => ({
  name: shape.name,
  start: (target) => startAttack(shape, target),
}));

async function startAttack(shape: Shape, target: AttackTarget): Promise<RunningAttack> {
  const { port, count = shape.count, from = ATTACKER_ADDRESS } = target;
  const openSockets = new Set<Socket>();
  let [isStopped, closedCount] = [false, 0];
  const open = () =>
    new Promise<void>((resolve) => {
      if (isStopped) return resolve();
      const socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true });
      socket.on('error', () => undefined);
      socket.once('connect', () => {
        openSockets.add(socket);
        shape.begin(socket, target);
        if (!socket.isPaused()) socket.resume();
        // Only then does it notice that the server has closed the connection. Empty lines between requests are ignored.
        else sendRepeatedly(socket, '\r\n', 500);
        resolve();
      });
      socket.once('close', () => {
        openSockets.delete(socket);
        closedCount += 1;
        resolve();
        if (!isStopped) setTimeout(() => void open(), RECONNECT_MS);
      });
    });
  await Promise.all(Array.from({ length: count }, open));
  return {
    get openSockets() {
      return [...openSockets];
    },
    countClosed: () => closedCount,
    stop() {
      isStopped = true;
      for (const socket of openSockets) socket.destroy();
    },
  };
}
