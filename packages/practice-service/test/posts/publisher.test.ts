import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPublisher } from '../../src/posts/publisher.ts';
import type { ServiceSchema } from '../../src/schema.ts';
import { openDatabase } from '../running-service.ts';

let db: Kysely<ServiceSchema>;
const errors: unknown[] = [];
const onFault = (error: unknown) => errors.push(error);

beforeAll(async () => {
  db = await openDatabase();
  const project = { name: 'P', description: '', created_at: new Date() };
  await db.insertInto('projects').values(project).execute();
});

afterAll(() => db.destroy());

async function insertScheduled(...moments: Date[]): Promise<number[]> {
  const sharedColumns = {
    project_id: 1,
    platforms: ['X'],
    status: 'SCHEDULED',
    timezone: 'UTC',
    created_at: new Date(),
  };
  const posts = moments.map((schedule_at) => ({ ...sharedColumns, schedule_at }));
  const rows = await db.insertInto('posts').values(posts).returning('id').execute();
  return rows.map(({ id }) => id);
}

async function readStatuses(ids: number[]): Promise<string[]> {
  const rows = await db.selectFrom('posts').select('status').where('id', 'in', ids).orderBy('id').execute();
  return rows.map(({ status }) => status);
}

const addToNow = (ms: number) => new Date(Date.now() + ms);
const listPublished = (ids: number[]) => ids.map(() => 'PUBLISHED');

test('posts that became due while the service was stopped are published at the start', async () => {
  const ids = await insertScheduled(...Array.from({ length: 1_100 }, (_, at) => new Date(at)));
  const publisher = await startPublisher({ db, now: () => new Date(), onFault });
  expect(await readStatuses(ids)).toEqual(listPublished(ids));
  const logs = await db.selectFrom('logs').select('message').execute();
  expect(logs).toHaveLength(ids.length);
  await publisher.close();
});

test('posts are published on time without a request, even if they were added later', async () => {
  const firstIds = await insertScheduled(addToNow(150));
  const publisher = await startPublisher({ db, now: () => new Date(), onFault });
  const moments = [addToNow(100), addToNow(250)];
  const laterIds = await insertScheduled(...moments);
  for (const moment of moments) publisher.expect(moment);
  const ids = [...firstIds, ...laterIds];
  expect(await readStatuses(ids)).not.toEqual(listPublished(ids));
  await expect.poll(() => readStatuses(ids)).toEqual(listPublished(ids));
  await publisher.close();
  expect(errors).toEqual([]);
});

test('a post is published neither early nor after closing', async () => {
  const moment = addToNow(60_000);
  const ids = await insertScheduled(moment);
  let clock = new Date();
  const publisher = await startPublisher({ db, now: () => clock, onFault });
  clock = new Date(moment.getTime() - 1);
  await publisher.publishDue();
  expect(await readStatuses(ids)).toEqual(['SCHEDULED']);
  await publisher.close();
  clock = moment;
  await publisher.publishDue();
  expect(await readStatuses(ids)).toEqual(['SCHEDULED']);
});
