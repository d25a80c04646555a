import { createServer } from 'node:http';

/**
 * A service that answers every call after DELAY_MS: lists are empty, and posts are created. `/arrivals` lists when each
 * post first arrived (Unix time, ms), by its text. Prints its port.
 */

const { DELAY_MS = '100' } = process.env;
const arrivals = new Map<string, number>();

async function readBody(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const server = createServer((request, response) => {
  const answer = (body: object) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  };
  if (request.url === '/arrivals') return answer(Object.fromEntries(arrivals));
  if (request.method !== 'POST')
    return void setTimeout(answer, Number(DELAY_MS), { success: true, data: [] });
  void readBody(request).then((text) => {
    const post: { Content: string } = JSON.parse(text);
    if (!arrivals.has(post.Content)) arrivals.set(post.Content, Date.now());
    const created = { Id: `post_${arrivals.size}`, ...post };
    setTimeout(answer, Number(DELAY_MS), { success: true, data: created });
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`port ${typeof address === 'object' ? address?.port : ''}`);
});
