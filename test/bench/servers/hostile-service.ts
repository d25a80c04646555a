import { createServer } from 'node:http';

/** A service that answers every request with the kind of list that LISTS names. Prints its port. */

const MIB = 2 ** 20;
const RECORD = { Name: 'N'.repeat(40), Description: 'x', Content: 'x' };

function createRecords(count: number, more: object = {}): string {
  const all = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ Id: `p${index}`, ...RECORD, ...more }),
  );
  return `{"success":true,"data":[${all.join(',')}]}`;
}

/** Creates one record of almost the largest size that the app accepts. Its first number is too large for a double. */
function createNumbers(): string {
  return `{"success":true,"data":[[1234567890123456789${',7'.repeat((16 * MIB - 1_000) / 2)}]]}`;
}

/** Creates a record of the same size that is slow to skip, because the parser has to examine each byte. */
function createEmptyLists(): string {
  return `{"success":true,"data":[[[]${',[]'.repeat((16 * MIB - 1_000) / 3)}]]}`;
}

const short = createRecords(2);
const ANSWERS: Record<string, string> = {
  short,
  'huge numbers': createNumbers(),
  'empty lists': createEmptyLists(),
  'many records': createRecords(300_000),
  'long lists': createRecords(15_000, { Content: 'y'.repeat(900) }),
};
const { LISTS = 'short' } = process.env;
const answer = Buffer.from(ANSWERS[LISTS] ?? short);

const server = createServer((request, response) => {
  const isProjects = request.url?.startsWith('/projects') === true;
  response.setHeader('content-type', 'application/json');
  response.end(LISTS === 'long lists' && isProjects ? short : answer);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`port ${typeof address === 'object' ? address?.port : ''}`);
});
