import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Kysely } from 'kysely';
import { type Contract, readContract } from './contract/read-contract.ts';
import { faultPlan } from './faults/fault-plan.ts';
import { FaultInjector, type ServiceFaults } from './faults/service-faults.ts';
import { createApp } from './http/create-app.ts';
import { createBearerCheck } from './http/create-bearer-check.ts';
import { allOperations, isOperationId, type OperationId } from './operations/all-operations.ts';
import { createPostIndex } from './posts/post-index.ts';
import { startPublisher } from './posts/publisher.ts';
import { remakeProject } from './remake-project.ts';
import { insertSamples } from './samples/insert-samples.ts';
import type { ServiceSchema } from './schema.ts';

/** The stored posts, read without faults, so that tests can compare. */
interface StoredPosts {
  /** The number of posts with exactly this content. */
  countByContent(content: string): Promise<number>;
  /** The number of posts by content. */
  countAllByContent(): Promise<ReadonlyMap<string, number>>;
}

function createStoredPosts(db: Kysely<ServiceSchema>): StoredPosts {
  const counted = db
    .selectFrom('posts')
    .select(({ fn }) => ['content', fn.countAll<number | string>().as('posts')])
    .where('content', 'is not', null)
    .groupBy('content');
  return {
    countByContent: async (content) => {
      const row = await counted.where('content', '=', content).executeTakeFirst();
      return Number(row?.posts ?? 0);
    },
    countAllByContent: async () => {
      const rows = await counted.execute();
      return new Map(rows.map(({ content, posts }) => [content ?? '', Number(posts)]));
    },
  };
}

/** The path at which another process reads and sets the faults. */
const FAULTS_PATH = '/practice/faults';

const POSTS_PATH = '/practice/posts';

const REMAKE_PATH = '/practice/projects/:id/remake';

/**
 * HTTP access to the faults. It needs a separate port, because a fault may close the service's:
 *
 *   GET /practice/faults            { plan, counts }
 *   PUT /practice/faults            a plan; answered like GET, or with 422 and the plan's problems
 *   GET /practice/posts             { content: number of posts, … }
 *   POST /practice/projects/{id}/remake
 *                                   deletes a project, and makes an empty one with its id; 404 if there is none
 */
function createFaultControl(
  options: Pick<PracticeService, 'faults' | 'posts' | 'remakeProject'> & { token: string },
): Hono {
  const { faults, posts } = options;
  const mayEnter = createBearerCheck(options.token);
  const app = new Hono();
  app.use(async (context, next) => {
    if (mayEnter(context.req.header('authorization'))) return next();
    return context.json({ detail: 'Not authenticated' }, 401, { 'WWW-Authenticate': 'Bearer' });
  });
  const state = () => ({ plan: faults.plan, counts: faults.counts() });
  app.get(FAULTS_PATH, (context) => context.json(state()));
  app.put(FAULTS_PATH, async (context) => {
    const body: unknown = await context.req.json().catch(() => undefined);
    const plan = faultPlan.safeParse(body);
    if (!plan.success) return context.json({ detail: plan.error.issues }, 422);
    await faults.set(plan.data);
    return context.json(state());
  });
  app.get(POSTS_PATH, async (context) => context.json(Object.fromEntries(await posts.countAllByContent())));
  app.post(REMAKE_PATH, async (context) => {
    const id = context.req.param('id');
    return (await options.remakeProject(id))
      ? context.json({ id })
      : context.json({ detail: 'There is no such project' }, 404);
  });
  return app;
}

/** Finds the operation of a request line (`GET`, `/api/v1/projects?limit=1`). */
function createOperationLookup({
  operations,
}: Contract): (method: string, target: string) => OperationId | undefined {
  const routes = operations.map(({ id, method, path }) => ({
    id,
    method,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  return (method, target) => {
    const [path = ''] = target.split('?');
    const id = routes.find((route) => route.method === method && route.pattern.test(path))?.id;
    return isOperationId(id) ? id : undefined;
  };
}

export interface PracticeService {
  url: string;
  /** Sets its faults. */
  faults: ServiceFaults;
  /** Its stored posts, read without faults. */
  posts: StoredPosts;
  /** Deletes a project, and makes an empty one with its id. Resolves with false if there is none. */
  remakeProject(id: string): Promise<boolean>;
  /** The address at which another process sets its faults; undefined unless requested. */
  control: string | undefined;
  close(): Promise<void>;
}

/**
 * Starts the emulator of the scheduling service on 127.0.0.1; `port` 0 takes a free one. An empty database gets the
 * sample projects. Closing it also closes the database. `onFault` gets internal errors: they may contain
 * content, so only their name and code may be logged. `control`: whether other processes can set its faults, over a
 * separate port with the same token.
 */
export async function startService(options: {
  /** A database with the emulator's migrations. */
  db: Kysely<ServiceSchema>;
  port: number;
  token: string;
  now?: () => Date;
  /** The OpenAPI document of the service. */
  document: URL;
  onFault?: (error: unknown) => void;
  control?: boolean;
}): Promise<PracticeService> {
  const { db, port, token, now = () => new Date(), document, onFault = () => undefined } = options;
  const contract = await readContract(document);
  // Everything closes in reverse order, also if a later step fails.
  await using opened = new AsyncDisposableStack();
  opened.defer(() => db.destroy());
  await insertSamples(db, now());
  const fetch = async (request: Request) => app.fetch(request);
  const faults = new FaultInjector({ fetch, findOperation: createOperationLookup(contract), onFault });
  const posts = createPostIndex(db, contract.platforms);
  const isFailing = () => faults.plan.failsToPublish === true;
  const publisher = await startPublisher({ db, now, onFault, isFailing, onFailed: posts.markFailed });
  opened.defer(() => publisher.close());
  const tools = { db, posts, publisher, platforms: contract.platforms };
  const app = createApp({ contract, operations: allOperations, tools, token, now, onFault });
  const server = await listen(faults.answer, port);
  faults.guard(server);
  const warming = posts.warm().catch(onFault);
  opened.defer(() => warming);
  opened.defer(() => posts.close());
  opened.defer(() => server.close());
  opened.defer(() => faults.close());
  const held = createStoredPosts(db);
  const remake = async (id: string) => {
    const projectId = await remakeProject(db, { id, now: now() });
    if (projectId !== undefined) posts.forget(projectId);
    return projectId !== undefined;
  };
  const controls = { faults, posts: held, remakeProject: remake };
  const control = options.control
    ? await listenForControl(createFaultControl({ ...controls, token }), opened)
    : undefined;
  const kept = opened.move();
  return { ...controls, url: server.url, control, close: () => kept.disposeAsync() };
}

async function listenForControl(app: Hono, opened: AsyncDisposableStack): Promise<string> {
  const server = await listen(async (request) => app.fetch(request), 0);
  opened.defer(() => server.close());
  return `${server.url}${FAULTS_PATH}`;
}

/** How long requests in flight may take to finish when the service closes, ms. */
const CLOSE_TIMEOUT_MS = 2_000;

interface Listening {
  url: string;
  /** Closes every connection and refuses new ones. */
  goDown(): Promise<void>;
  /** Listens on the same port again. Rejects if another program has taken it meanwhile. */
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

/**
 * How long an idle connection stays open. After Node's 5 s, a process that was busy for so long would close it while the
 * client sends its next request.
 */
const KEEP_ALIVE_MS = 60_000;

/** Listens on loopback. `port` 0 takes a free one. Rejects if the port is taken. */
async function listen(
  answer: (request: Request, env: HttpBindings) => Promise<Response>,
  port: number,
): Promise<Listening> {
  // The service may run in the app's process, whose `Request` and `Response` stay those of Node.
  const options = { overrideGlobalObjects: false };
  const listener = getRequestListener((request, { incoming, outgoing }) => {
    if (!(incoming instanceof IncomingMessage && outgoing instanceof ServerResponse)) return undefined;
    return answer(request, { incoming, outgoing });
  }, options);
  const server = createServer((incoming, outgoing) => {
    listener(incoming, outgoing).catch((error: unknown) => {
      console.error('The service failed at a request:', error);
      outgoing.destroy();
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const listenOn = (chosen: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(chosen, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  const end = () => new Promise<void>((resolve) => server.close(() => resolve()));
  await listenOn(port);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the service listens on no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async goDown() {
      if (!server.listening) return;
      const ended = end();
      server.closeAllConnections();
      await ended;
    },
    async comeBack() {
      if (!server.listening) await listenOn(address.port);
    },
    async close() {
      const cutOff = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS);
      await end();
      clearTimeout(cutOff);
    },
  };
}
