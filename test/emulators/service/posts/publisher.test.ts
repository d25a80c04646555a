import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { migrations } from '../../../../src/emulators/service/migrations.ts';
import { startPublisher } from '../../../../src/emulators/service/posts/publisher.ts';
import type { ServiceSchema } from '../../../../src/emulators/service/schema.ts';
import { openDatabase } from '../../../../src/store/database.ts';
import { openPGlite } from '../../../../src/store/pglite/pglite.ts';
import { temporaryFolder } from '../running-service.ts';

let db: Kysely<ServiceSchema>;
let tidy: () => Promise<void>;
const faults: unknown[] = [];
const onFault = (error: unknown) => faults.push(error);

beforeAll(async () => {
  const { folder, remove } = await temporaryFolder();
  const database = await openPGlite(folder);
  db = await openDatabase<ServiceSchema>({ dialect: database.dialect, migrations });
  const project = { name: 'P', description: '', created_at: new Date() };
  await db.insertInto('projects').values(project).execute();
  tidy = async () => {
    await db.destroy();
    await database.close();
    await remove();
  };
});

afterAll(() => tidy());

async function schedule(...moments: Date[]): Promise<number[]> {
  const common = {
    project_id: 1,
    platforms: ['X'],
    status: 'SCHEDULED',
    timezone: 'UTC',
    created_at: new Date(),
  };
  const posts = moments.map((schedule_at) => ({ ...common, schedule_at }));
  const rows = await db.insertInto('posts').values(posts).returning('id').execute();
  return rows.map(({ id }) => id);
}

async function statuses(ids: number[]): Promise<string[]> {
  const rows = await db.selectFrom('posts').select('status').where('id', 'in', ids).orderBy('id').execute();
  return rows.map(({ status }) => status);
}

const soon = (ms: number) => new Date(Date.now() + ms);
const published = (ids: number[]) => ids.map(() => 'PUBLISHED');

test('posts that became due while the service was down are published at start, each with a log', async () => {
  const ids = await schedule(...Array.from({ length: 1_100 }, (_, at) => new Date(at)));
  const publisher = await startPublisher({ db, now: () => new Date(), onFault });
  expect(await statuses(ids)).toEqual(published(ids));
  const logs = await db.selectFrom('logs').select('message').execute();
  expect(logs).toHaveLength(ids.length);
  await publisher.close();
});

test('a post is published at its moment without a request, even if it was announced later', async () => {
  const first = await schedule(soon(150));
  const publisher = await startPublisher({ db, now: () => new Date(), onFault });
  const moments = [soon(100), soon(250)];
  const later = await schedule(...moments);
  for (const moment of moments) publisher.expect(moment);
  const ids = [...first, ...later];
  expect(await statuses(ids)).not.toEqual(published(ids));
  await vi.waitFor(async () => expect(await statuses(ids)).toEqual(published(ids)), { timeout: 5_000 });
  await publisher.close();
  expect(faults).toEqual([]);
});

test('nothing is published before its moment, nor after closing', async () => {
  const moment = soon(60_000);
  const ids = await schedule(moment);
  let clock = new Date();
  const publisher = await startPublisher({ db, now: () => clock, onFault });
  clock = new Date(moment.getTime() - 1);
  await publisher.publishDue();
  expect(await statuses(ids)).toEqual(['SCHEDULED']);
  await publisher.close();
  clock = moment;
  await publisher.publishDue();
  expect(await statuses(ids)).toEqual(['SCHEDULED']);
});
