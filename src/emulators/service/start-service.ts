import type { Hono } from 'hono';
import type { Kysely } from 'kysely';
import { readContract } from './contract/read-contract.ts';
import { createOperationLookup } from './faults/create-operation-lookup.ts';
import { createFaultControl, FAULTS_PATH } from './faults/fault-control.ts';
import { FaultInjector, type ServiceFaults } from './faults/service-faults.ts';
import { createStoredPosts, type StoredPosts } from './faults/stored-posts.ts';
import { createApp } from './http/create-app.ts';
import { listen } from './http/listen.ts';
import { allOperations } from './operations/all-operations.ts';
import { createPostIndex } from './posts/post-index.ts';
import { startPublisher } from './posts/publisher.ts';
import { insertSamples } from './samples/insert-samples.ts';
import type { ServiceSchema } from './schema.ts';

const DOCUMENT = new URL('../../../openapi/scheduling-service.yaml', import.meta.url);

export interface PracticeService {
  url: string;
  /** Sets its faults. */
  faults: ServiceFaults;
  /** Its stored posts, read without faults. */
  posts: StoredPosts;
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
  document?: URL;
  onFault?: (error: unknown) => void;
  control?: boolean;
}): Promise<PracticeService> {
  const { db, port, token, now = () => new Date(), document = DOCUMENT, onFault = () => undefined } = options;
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
  const control = options.control
    ? await listenForControl(createFaultControl({ faults, posts: held, token }), opened)
    : undefined;
  const kept = opened.move();
  return { url: server.url, faults, posts: held, control, close: () => kept.disposeAsync() };
}

async function listenForControl(app: Hono, opened: AsyncDisposableStack): Promise<string> {
  const server = await listen(async (request) => app.fetch(request), 0);
  opened.defer(() => server.close());
  return `${server.url}${FAULTS_PATH}`;
}
