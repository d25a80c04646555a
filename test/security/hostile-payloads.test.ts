import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';
import { sendHostilePayloads } from './hostile-payloads.ts';

/** What opens forms, lists and messages with something to press; `npm run bench -- hostile-payloads` types every line. */
const LINES = [
  '/schedule-post',
  '/schedule-post tomorrow 9am on X: Soup',
  '/upnext posts',
  '/upnext digest new',
];

let database: BotDatabase;
beforeAll(async () => {
  database = await openBotDatabase();
});
afterAll(() => database.close());

test('whatever a modified client sets in a signed payload, the app answers, and with more than a reference', {
  timeout: 120_000,
}, async () => {
  const found = await sendHostilePayloads(database.db, {
    seed: 20_261_121,
    lines: LINES,
    isEnough: (sent) => sent >= 300,
  });
  expect(found.shapes).toBeGreaterThan(20);
  expect(found).toMatchObject({ failed: [], unhandled: [], alive: [] });
});
