import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { listenOnFreePort } from '../../test/support/listening-port.ts';

/**
 * A service that answers every request with one kind of list. Prints its port, and that of its control, where
 * `/become/NAME` chooses the kind. The control answers with the media of the last new post.
 */

const MIB = 2 ** 20;
/** Lists are read up to this size. */
const MAX_LIST_BYTES = 4 * MIB;
const RECORD = { Name: 'N'.repeat(40), Description: 'x', Content: 'x' };

function createRecords(count: number, change: (index: number) => object = () => ({})): string {
  const records = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ Id: `p${index}`, ...RECORD, ...change(index) }),
  );
  return `{"success":true,"data":[${records.join(',')}]}`;
}

/** Creates a record of almost the largest size that the app accepts. The first number is too large for a double. */
function createHugeNumbers(): string {
  return `{"success":true,"data":[[1234567890123456789${',7'.repeat((16 * MIB - 1_000) / 2)}]]}`;
}

/** Creates a record of the same size that is slow to skip, because the parser has to examine each byte. */
function createEmptyLists(): string {
  return `{"success":true,"data":[[[]${',[]'.repeat((16 * MIB - 1_000) / 3)}]]}`;
}

/** Marks above and below in turn, which have to be sorted to be normalized. */
const createMarks = (length: number) => `e${'\u0301\u0316'.repeat(length / 2)}`;

/** Records that fill a list with texts in every field. */
function createFullLists(text: string): string {
  const count = Math.floor(MAX_LIST_BYTES / (Buffer.byteLength(JSON.stringify(text)) * 6 + 300));
  const createFields = (index: number) => ({
    ...{
      Name: `${index} ${text}`,
      Title: text,
      Description: text,
      Content: `${index} ${text}`,
      Message: text,
    },
    ...{ Status: 'SCHEDULED', ScheduleDate: new Date(Date.now() + (index + 1) * 60_000).toISOString() },
    ...{ Timezone: 'Europe/Lisbon', Platforms: ['X'], Source: text, Level: 'INFO' },
    CreatedAt: new Date(Date.now() - index * 60_000).toISOString(),
  });
  return createRecords(Math.min(count, 2_000), createFields);
}

const short = createRecords(2);
const RESPONSES: Readonly<Record<string, () => string>> = {
  short: () => short,
  'one project': () => createRecords(1, () => ({ Name: 'Harbour Coffee' })),
  'huge numbers': createHugeNumbers,
  'empty lists': createEmptyLists,
  'many records': () => createRecords(300_000),
  'long lists': () => createRecords(15_000, () => ({ Content: 'y'.repeat(900) })),
  'a name of 200,000 marks': () => createRecords(1, () => ({ Name: createMarks(200_000) })),
  '1,900 names of 1,000 marks': () =>
    createRecords(1_900, (index) => ({ Name: `${index}${createMarks(1_000)}` })),
  '2,000 names of 1.8 kB': () =>
    createRecords(2_000, (index) => ({ Name: `${index} ${'Name '.repeat(360)}` })),
  'every list of 4 MiB, of words': () => createFullLists('our new roast is here '.repeat(14)),
  'every list of 4 MiB, of spaces': () => createFullLists(' \t'.repeat(150)),
  'every list of 4 MiB, of marks': () => createFullLists(createMarks(300)),
  'every list of 4 MiB, of emoji': () => createFullLists('👩‍👩‍👧‍👦'.repeat(12)),
  'every list of 4 MiB, of one text': () => createFullLists('<@U1> *x* `'.repeat(30_000)),
};
const built = new Map<string, Buffer>();
function findResponse(name: string): Buffer {
  const response = built.get(name) ?? Buffer.from((RESPONSES[name] ?? (() => short))());
  built.set(name, response);
  return response;
}

/** Responses without end: their beginning, and what follows it again and again. */
const ENDLESS: Record<string, readonly [head: string, part: string]> = {
  'interim responses': ['', 'HTTP/1.1 102 Processing\r\n\r\n'],
  'chunks of one byte': ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\n \r\n'],
  'a status line': ['HTTP/1.1 200 ', 'OK'],
};

function writeEndlessly(socket: Socket, [head, part]: readonly [string, string]): void {
  const block = part.repeat(Math.ceil(MIB / 16 / part.length));
  const writeMore = () => {
    while (socket.writable) if (!socket.write(block)) return void socket.once('drain', writeMore);
  };
  socket.on('error', () => undefined);
  socket.write(head);
  writeMore();
}

let lists = 'short';
let createdMedia = '';

async function readMedia(request: IncomingMessage): Promise<void> {
  const body = Buffer.concat(await request.toArray()).toString();
  createdMedia = (JSON.parse(body) as { Media?: string }).Media ?? '';
}

const answer: RequestListener = (request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.method === 'POST' && request.url?.endsWith('/posts')) {
    return void readMedia(request).then(() => response.end('{"success":true,"data":{"Id":"n1"}}'));
  }
  const endless = ENDLESS[lists];
  if (endless) return writeEndlessly(request.socket, endless);
  const isProjects = request.url?.endsWith('/projects') === true;
  response.end(lists === 'long lists' && isProjects ? short : findResponse(lists));
};

const control: RequestListener = (request, response) => {
  const [, command, name = ''] = request.url?.split('/') ?? [];
  if (command === 'become') lists = decodeURIComponent(name);
  response.end(createdMedia);
};

const { KEY = '', CERTIFICATE = '' } = process.env;
const port = await listenOnFreePort(createSecureServer({ key: KEY, cert: CERTIFICATE }, answer));
console.log(`port ${port}, control ${await listenOnFreePort(createServer(control))}`);
