import { createServer } from 'node:http';

/** A service that answers every list with the kind of answer that LISTS names. Prints its port. */

const MIB = 2 ** 20;
const RECORD = { Name: 'N'.repeat(40), Description: 'x', Content: 'x' };

function records(count: number, more: object = {}): string {
  const all = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ Id: `p${index}`, ...RECORD, ...more }),
  );
  return `{"success":true,"data":[${all.join(',')}]}`;
}

/** One record of almost the largest answer that the app accepts. Its first number is too large for a double. */
function numbers(): string {
  return `{"success":true,"data":[[1234567890123456789${',7'.repeat((16 * MIB - 1_000) / 2)}]]}`;
}

/** The same size in one record that is slow to skip, because the parser has to look at each byte. */
function emptyLists(): string {
  return `{"success":true,"data":[[[]${',[]'.repeat((16 * MIB - 1_000) / 3)}]]}`;
}

const short = records(2);
const ANSWERS: Record<string, string> = {
  short,
  'huge numbers': numbers(),
  'empty lists': emptyLists(),
  'many records': records(300_000),
  'long lists': records(15_000, { Content: 'y'.repeat(900) }),
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
