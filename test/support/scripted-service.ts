import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnFreePort } from './listening-port.ts';

/** A request that the service received. */
export interface ServiceCall {
  method: string;
  path: string;
  query: URLSearchParams;
  authorization: string | undefined;
  body: unknown;
}

/** Answers a request. */
type Answer = (call: ServiceCall, response: ServerResponse) => void | Promise<void>;

/** A scripted scheduling service that records its requests. */
export interface ScriptedService {
  url: string;
  calls: ServiceCall[];
  /** Returns the bodies of all requests to create a post. */
  created(): Record<string, unknown>[];
  /** Sets the answer of a route, such as `POST /posts`, `GET /projects`, `GET /posts`, `GET /upnext-post` or `GET /templates`. */
  on(route: string, answer: Answer): void;
  /** Stops the service, which then refuses connections. */
  stop(): Promise<void>;
}

/** Answers with JSON. */
export function json(status: number, body: unknown): Answer {
  return (_call, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
}

/** Answers with data, as the service does after success. */
export const data = (value: unknown) => json(200, { data: value, success: true });

/** Builds a post as the service lists it. Defaults to one that is scheduled on X. */
export const listedPost = (content: string, at: string, changes: object = {}) => ({
  ...{ Id: content, Content: content, ScheduleDate: at, Platforms: ['X'], Status: 'SCHEDULED' },
  ...changes,
});

/** Answers a list of projects, with the ids p1, p2 and so on. */
export const listProjects = (...names: readonly string[]) =>
  data(names.map((Name, index) => ({ Id: `p${index + 1}`, Name })));

/** Answers with validation errors of fields. */
export const invalid = (...problems: { loc: (string | number)[]; msg: string }[]) =>
  json(422, { detail: problems.map((problem) => ({ ...problem, type: 'value_error' })) });

/** Accepts the request and never answers. */
export const hang: Answer = () => undefined;

/** Delays an answer by `ms`. */
export const later =
  (ms: number, answer: Answer): Answer =>
  async (call, response) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    await answer(call, response);
  };

export async function startScriptedService(): Promise<ScriptedService> {
  const calls: ServiceCall[] = [];
  const answers = new Map<string, Answer>([
    ['GET /projects', listProjects('Harbour Coffee')],
    ['POST /posts', data({ Id: 'made' })],
    ['GET /posts', data([])],
    ['GET /upnext-post', data(null)],
    ['GET /templates', data([])],
  ]);
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://service');
    const call: ServiceCall = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      authorization: request.headers.authorization,
      body: await readBody(request),
    };
    calls.push(call);
    const answer =
      answers.get(`${call.method} /${url.pathname.split('/').at(-1)}`) ?? json(404, { detail: 'Not found' });
    await answer(call, response);
  };
  const server = createServer((request, response) => void receive(request, response));
  // A keep-alive connection that closes when it is reused would look like an unreachable service.
  server.keepAliveTimeout = 60_000;
  const port = await listenOnFreePort(server);
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    created: () =>
      calls
        .filter(({ method, path }) => method === 'POST' && path.endsWith('/posts'))
        .map(({ body }) => body as Record<string, unknown>),
    on: (route, answer) => void answers.set(route, answer),
    async stop() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? undefined : JSON.parse(text);
}
