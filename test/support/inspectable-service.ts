import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnFreePort } from './listening-port.ts';

/** What the service does next. `cut`: closes the connection without a response. Undefined: continues. */
type Action = 'cut' | undefined;

/** The stage of a request to create a post, as the service sees it. */
export type Stage = 'mid-body' | 'after-body' | 'after-headers';

interface StoredPost {
  Id: string;
  Content: string;
  ScheduleDate?: string;
}

/** A scheduling service that lists and creates posts. Tests can read the stored posts. */
export interface InspectableService {
  url: string;
  posts: StoredPost[];
  /** Counts the posts with exactly this content. */
  countByContent(content: string): number;
  /** Counts all requests to create a post, including failed ones. */
  countCreateCalls(): number;
  /** Sets the watcher. The service calls the watcher at each stage of a creation. */
  setWatcher(watcher: (stage: Stage) => Action | Promise<Action>): void;
  stop(): Promise<void>;
}

export async function startInspectableService(): Promise<InspectableService> {
  const posts: StoredPost[] = [];
  let createCallCount = 0;
  let watcher: (stage: Stage) => Action | Promise<Action> = () => undefined;
  const createPost = async (request: IncomingMessage, response: ServerResponse) => {
    createCallCount += 1;
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) {
        if (chunks.length === 0) await watcher('mid-body');
        chunks.push(chunk);
      }
    } catch {
      // The client is gone. The service doesn't store an incomplete request.
      return;
    }
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Omit<StoredPost, 'Id'>;
    posts.push({ ...body, Id: `post_${posts.length + 1}` });
    if ((await watcher('after-body')) === 'cut') return void response.destroy();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    await watcher('after-headers');
    response.end(JSON.stringify({ success: true, data: posts.at(-1) }));
  };
  const listPosts = (request: IncomingMessage, response: ServerResponse) => {
    const { searchParams: query } = new URL(request.url ?? '', 'http://service');
    const readTime = (name: string) => new Date(query.get(name) ?? Number.NaN).getTime();
    const [from, to] = [readTime('schedule_date_from'), readTime('schedule_date_to')];
    const matchingPosts = posts.filter(({ ScheduleDate = '' }) => {
      const scheduledAt = new Date(ScheduleDate).getTime();
      return scheduledAt >= from && scheduledAt <= to;
    });
    const skip = Number(query.get('skip') ?? 0);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ success: true, data: matchingPosts.slice(skip, skip + 100) }));
  };
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    if (request.method === 'POST') void createPost(request, response);
    else listPosts(request, response);
  });
  const port = await listenOnFreePort(server);
  return {
    url: `http://127.0.0.1:${port}`,
    posts,
    countByContent: (content) => posts.filter(({ Content }) => Content === content).length,
    countCreateCalls: () => createCallCount,
    setWatcher(next) {
      watcher = next;
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
