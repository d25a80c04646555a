import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAccessRequest, offerRequest } from '../../../src/access/access.ts';
import { type BotDatabase, NOW, openBotDatabase } from '../../support/bot.ts';

let database: BotDatabase;

beforeAll(async () => {
  database = await openBotDatabase();
});
afterAll(() => database.close());

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const addMs = (ms: number) => new Date(NOW.getTime() + ms);

test('an access request that is older than a week can be neither sent nor answered', async () => {
  const request = { id: 'r', workspace: 'T1', person: 'U1', role: 'contributor', project: '' };
  await offerRequest(database.db, { ...request, createdAt: NOW });
  const key = { workspace: 'T1', id: 'r' };
  expect(await findAccessRequest(database.db, { ...key, now: addMs(WEEK_MS) })).toMatchObject(request);
  expect(await findAccessRequest(database.db, { ...key, now: addMs(WEEK_MS + 1) })).toBeUndefined();
});
