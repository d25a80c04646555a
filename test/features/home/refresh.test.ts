import type { WebClient } from '@slack/web-api';
import { beforeEach, expect, test } from 'vitest';
import { refreshHome } from '../../../src/features/home/home.ts';
import { openBotDatabase } from '../../support/bot-database.ts';

type Args = Parameters<typeof refreshHome>;
type Narrow = Args[1];

const { db } = await openBotDatabase();
const actor = { workspace: 'T1', user: 'UANA' };
const now = () => new Date('2026-11-20T12:00:00Z');

beforeEach(async () => {
  await db.deleteFrom('home_tab').execute();
  await db
    .insertInto('home_tab')
    .values({ workspace: 'T1', person: 'UANA', hash: '', opened_at: now() })
    .execute();
});

/** A request whose client notes what it publishes under this name. */
function createCall(name: string, published: string[]): Args[0] {
  const client = {
    views: {
      publish: async () => {
        published.push(name);
        return { view: { hash: 'h' } };
      },
    },
  } as unknown as WebClient;
  return { context: { db }, actor, client, now } as unknown as Args[0];
}

/**
 * Sends a second request while the first one finds out what its actor may see, which then fails. Returns who published, and
 * whether the second request was asked what its actor may see.
 */
async function requestTwice(first: { isNarrowed: boolean }, second: { isNarrowed: boolean }) {
  const published: string[] = [];
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let count = 0;
  const failOnce: Narrow = async () => {
    count += 1;
    if (count > 1) return { refusal: { text: 'You need a role.' } };
    asked.resolve();
    await answered.promise;
    throw new Error('the token was revoked');
  };
  let isSecondAsked = false;
  const narrow: Narrow = async () => {
    isSecondAsked = true;
    return { refusal: { text: 'You need a role.' } };
  };
  const running = refreshHome(createCall('first', published), failOnce, { debounceMs: 0, ...first });
  await asked.promise;
  await refreshHome(createCall('second', published), narrow, { debounceMs: 0, ...second });
  answered.resolve();
  await running;
  return { published, isSecondAsked };
}

test.each([
  ['that asks, after one that knew before,', true, false, true],
  ['that knew before, after another such one,', true, true, true],
  ['that knew before, after one that asks,', false, true, false],
])(
  'a request %s what its actor may see, and is carried out after a failure',
  async (_name, first, second, isAsked) => {
    const result = await requestTwice({ isNarrowed: first }, { isNarrowed: second });
    expect(result).toEqual({ published: ['second'], isSecondAsked: isAsked });
  },
);
