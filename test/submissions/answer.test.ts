import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createEncryption } from '../../src/access/encryption.ts';
import { createApiClient } from '../../src/api/client.ts';
import { answerSubmission, type Surface } from '../../src/submissions/answer.ts';
import { PACE } from '../../src/submissions/pace.ts';
import type { Parts } from '../../src/submissions/parts.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';

let database: BotDatabase;
let parts: Parts;

beforeAll(async () => {
  database = await openBotDatabase();
  parts = {
    db: database.db,
    api: createApiClient({ baseUrl: 'http://127.0.0.1:1', token: 'never used' }),
    encryption: createEncryption([{ id: 'test', key: randomBytes(32) }]),
    practice: false,
    pace: { ...PACE, saveMs: 5_000, afterAcknowledgementMs: 1 },
  };
});
beforeEach(async () => {
  await database.db.deleteFrom('submission').execute();
});
afterAll(() => database.close());

/** What a person is told of a post that the service has, where only these ways reach them. */
async function told(reaching: { acknowledgement: boolean; view: boolean }, answerMs = 5_000) {
  const said: string[] = [];
  const surface: Surface<string, string> = {
    acknowledge: async (answer) => {
      if (reaching.acknowledgement)
        said.push(`acknowledgement: ${'view' in answer ? answer.view : 'errors'}`);
      return reaching.acknowledgement;
    },
    show: async (view) => {
      if (reaching.view) said.push(`view: ${view}`);
      return reaching.view;
    },
    tell: async (message) => void said.push(`message: ${message}`),
  };
  await answerSubmission<string, string, string>({
    parts: { ...parts, pace: { ...parts.pace, answerMs } },
    kind: {
      name: 'word',
      content: z.string(),
      send: async () => ({ kind: 'done', data: null, requestId: 'r' }),
    },
    received: { workspace: 'T1', asker: 'U1', origin: 'form', item: 0, content: 'hello' },
    receivedAt: performance.now(),
    now: () => new Date(),
    surface,
    words: {
      inline: () => undefined,
      again: () => 'again',
      sending: () => 'sending',
      ended: ({ state }) => state,
      message: ({ state }) => state,
    },
  });
  return said;
}

test('where it ended is said in the acknowledgement', async () => {
  expect(await told({ acknowledgement: true, view: true })).toEqual(['acknowledgement: confirmed']);
});

test('where Slack does not take the acknowledgement, the view says where it ended', async () => {
  expect(await told({ acknowledgement: false, view: true })).toEqual(['view: confirmed']);
});

test('where neither reaches the person, a direct message does', async () => {
  expect(await told({ acknowledgement: false, view: false })).toEqual(['message: confirmed']);
});

test('where the service is slow and Slack does not take that either, the end is said all the same', async () => {
  expect(await told({ acknowledgement: false, view: true }, 0)).toEqual(['view: confirmed']);
});
