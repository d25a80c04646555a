import { createServer } from 'node:http';
import type { Socket } from 'node:net';

/** A service that answers every request with the kind of list that LISTS names. Prints its port. */

const MIB = 2 ** 20;
const RECORD = { Name: 'N'.repeat(40), Description: 'x', Content: 'x' };

function createRecords(count: number, changes: object = {}): string {
  const records = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ Id: `p${index}`, ...RECORD, ...changes }),
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

const short = createRecords(2);
const RESPONSES: Record<string, string> = {
  short,
  'huge numbers': createHugeNumbers(),
  'empty lists': createEmptyLists(),
  'many records': createRecords(300_000),
  'long lists': createRecords(15_000, { Content: 'y'.repeat(900) }),
};
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

const { LISTS = 'short' } = process.env;
const listResponse = Buffer.from(RESPONSES[LISTS] ?? short);

const endless = ENDLESS[LISTS];
const server = createServer((request, response) => {
  if (endless) return writeEndlessly(request.socket, endless);
  const isProjects = request.url?.startsWith('/projects') === true;
  response.setHeader('content-type', 'application/json');
  response.end(LISTS === 'long lists' && isProjects ? short : listResponse);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`port ${typeof address === 'object' ? address?.port : ''}`);
});
