import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { DateTime } from 'luxon';
import { z } from 'zod';
import { listenOnFreePort } from '../listening-port.ts';
import type { Random } from '../random.ts';

/** A request to create a post. */
export interface SimulatedCall {
  text: string;
  /** Time of the request, ms on the simulated clock. */
  at: number;
  publishAt: number;
  project: string;
  /** Whether the service stored the post. */
  isApplied: boolean;
}

/** How often the service answers in an unusual way. */
interface FaultShares {
  refused: number;
  /** The connection breaks before the answer; the service has stored the post or not. */
  unknown: number;
}

const newPost = z.object({
  Content: z.string(),
  ScheduleDate: z.string(),
  Timezone: z.string(),
  Platforms: z.array(z.string()),
});

/** Starts a scheduling service with refusals, lost answers and outages. `onCall` gets each request to create a post. */
export async function startSimulatedService(options: {
  random: Random;
  readTime: () => number;
  faults: FaultShares;
  onCall(call: SimulatedCall): void;
}) {
  const { random, readTime, faults, onCall } = options;
  const calls: SimulatedCall[] = [];
  const refusedTexts = new Set<string>();

  async function createPost(request: IncomingMessage, response: ServerResponse, project: string) {
    const post = newPost.parse(await readJson(request));
    const call = {
      ...{ text: post.Content, at: readTime(), project },
      publishAt: DateTime.fromISO(post.ScheduleDate, { zone: post.Timezone }).toMillis(),
    };
    const isRefused = refusedTexts.has(call.text) || random.drawBoolean(faults.refused);
    if (isRefused) refusedTexts.add(call.text);
    const isLost = !isRefused && random.drawBoolean(faults.unknown);
    const isApplied = !isRefused && (!isLost || random.drawBoolean(0.5));
    const made = { ...call, isApplied };
    calls.push(made);
    onCall(made);
    if (isLost) response.destroy();
    else if (isRefused) reply(response, 400, { success: false });
    else reply(response, 200, { success: true, data: { ...post, Id: `post_${calls.length}` } });
  }
  function listPosts(response: ServerResponse, project: string, query: URLSearchParams) {
    const readBound = (name: string) => new Date(query.get(name) ?? Number.NaN).getTime();
    const [from, to] = [readBound('schedule_date_from'), readBound('schedule_date_to')];
    const posts = calls.filter(
      (call) => call.isApplied && call.project === project && call.publishAt >= from && call.publishAt <= to,
    );
    const skip = Number(query.get('skip') ?? 0);
    const data = posts.slice(skip, skip + Number(query.get('limit') ?? 100)).map((call) => ({
      ...{ Id: call.text, Content: call.text, Platforms: ['X'], Status: 'SCHEDULED' },
      ScheduleDate: new Date(call.publishAt).toISOString(),
    }));
    reply(response, 200, { success: true, data });
  }
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
    const project = /\/projects\/([^/]+)\/posts$/.exec(pathname)?.[1] ?? '';
    if (request.method === 'GET') listPosts(response, project, searchParams);
    // A killed process may leave half a request, which creates nothing.
    else createPost(request, response, project).catch(() => response.destroy());
  });
  const port = await listenOnFreePort(server);
  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    /** Ends or begins an outage, in which the service refuses connections. */
    async setDown(isDown: boolean) {
      if (isDown === !server.listening) return;
      if (isDown) return stop();
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    stop: () => (server.listening ? stop() : Promise.resolve()),
  };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
