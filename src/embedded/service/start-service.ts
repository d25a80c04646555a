import type { Dialect } from 'kysely';
import { openDatabase } from '../../store/database.ts';
import { readContract } from './contract/read-contract.ts';
import { createApp } from './http/create-app.ts';
import { listen } from './http/listen.ts';
import { migrations } from './migrations.ts';
import { allOperations } from './operations/all-operations.ts';
import { createPostIndex } from './posts/post-index.ts';
import { startPublisher } from './posts/publisher.ts';
import { plantSamples } from './samples/plant-samples.ts';
import type { ServiceSchema } from './schema.ts';

const DOCUMENT = new URL('../../../openapi/scheduling-service.yaml', import.meta.url);

/**
 * Starts the practice scheduling service on 127.0.0.1; `port` 0 takes a free one. An empty database is given the sample
 * projects. Closing it closes the dialect's database too. `onFault` gets what went wrong inside: such an error may hold
 * content and must be logged by its name and code alone.
 */
export async function startService(options: {
  dialect: Dialect;
  port: number;
  token: string;
  now?: () => Date;
  document?: URL;
  onFault?: (error: unknown) => void;
}): Promise<{ url: string; close(): Promise<void> }> {
  const {
    dialect,
    port,
    token,
    now = () => new Date(),
    document = DOCUMENT,
    onFault = () => undefined,
  } = options;
  const contract = await readContract(document);
  // What was opened closes in the opposite order, also when a later step fails.
  await using opened = new AsyncDisposableStack();
  const db = await openDatabase<ServiceSchema>({ dialect, migrations });
  opened.defer(() => db.destroy());
  await plantSamples(db, now());
  const publisher = await startPublisher({ db, now, onFault });
  opened.defer(() => publisher.close());
  const posts = createPostIndex(db, contract.platforms);
  const tools = { db, posts, publisher, platforms: contract.platforms };
  const app = createApp({ contract, operations: allOperations, tools, token, now, onFault });
  const server = await listen(app, port);
  const warming = posts.warm().catch(onFault);
  opened.defer(() => warming);
  opened.defer(() => posts.close());
  opened.defer(() => server.close());
  const kept = opened.move();
  return { url: server.url, close: () => kept.disposeAsync() };
}
