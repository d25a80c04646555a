import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createRefusedTokenNotifications } from '../../src/workspaces/refused-token-notifications.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';

let database: BotDatabase;
beforeAll(async () => {
  database = await openBotDatabase();
});
beforeEach(() => database.db.deleteFrom('done_once').execute());
afterAll(() => database.close());

const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const harbour = { id: 'p1', name: 'Harbour Coffee' };
const mill = { id: 'p2', name: 'Mill' };

function createTestNotifications() {
  const sent: string[] = [];
  const notifyOwners = async (_workspace: string, { text }: { text: string }) => void sent.push(text);
  return {
    sent,
    ...createRefusedTokenNotifications({ db: database.db, log, now: () => new Date(), notifyOwners }),
  };
}

test('owners are notified once about each refused token, and not about the submissions that it pauses', async () => {
  const { sent, notifyRefused, notifyPaused } = createTestNotifications();
  for (const project of [harbour, mill, harbour, mill]) {
    await notifyRefused({ workspace: 'T1', project });
    await notifyPaused('T1', { text: 'paused' }, project.id);
  }
  expect(sent).toEqual([expect.stringContaining('Harbour Coffee'), expect.stringContaining('Mill')]);
});

test('owners are notified once per token about paused submissions', async () => {
  const { sent, notifyPaused } = createTestNotifications();
  for (const token of ['', 'p1', '', 'p1']) await notifyPaused('T1', { text: `paused by ${token}` }, token);
  expect(sent).toEqual(['paused by ', 'paused by p1']);
});

test('owners are notified about a missing permission, even if a token was refused just before', async () => {
  const { sent, notifyRefused, notifyPaused } = createTestNotifications();
  await notifyRefused({ workspace: 'T1', project: harbour });
  await notifyPaused('T1', { text: 'more rights, please' });
  expect(sent).toHaveLength(2);
});

test('each workspace is notified once about missing permissions, and again after its token was replaced', async () => {
  const { sent, notifyPaused, reset } = createTestNotifications();
  for (const text of ['posts', 'drafts', 'another project']) await notifyPaused('T1', { text });
  await notifyPaused('T2', { text: 'elsewhere' });
  expect(sent).toEqual(['posts', 'elsewhere']);
  await reset({ workspace: 'T1', project: harbour });
  await notifyPaused('T1', { text: 'drafts' });
  expect(sent).toEqual(['posts', 'elsewhere', 'drafts']);
});

test('owners are notified again if the replacement token is also refused', async () => {
  const { sent, notifyRefused, reset } = createTestNotifications();
  await notifyRefused({ workspace: 'T1', project: harbour });
  await reset({ workspace: 'T1', project: harbour });
  await notifyRefused({ workspace: 'T1', project: harbour });
  expect(sent).toHaveLength(2);
});

test('if the owners could not be looked up, they are notified at the next refusal', async () => {
  const sent: string[] = [];
  let isDown = true;
  const notifyOwners = async (_workspace: string, { text }: { text: string }) => {
    if (isDown) throw new Error('could not look up the owners');
    sent.push(text);
  };
  const { notifyRefused, notifyPaused } = createRefusedTokenNotifications({
    db: database.db,
    log,
    now: () => new Date(),
    notifyOwners,
  });
  await notifyRefused({ workspace: 'T1', project: harbour });
  await expect(notifyPaused('T1', { text: 'paused' }, 'p2')).rejects.toThrow();
  isDown = false;
  await notifyRefused({ workspace: 'T1', project: harbour });
  await notifyPaused('T1', { text: 'paused' }, 'p2');
  expect(sent).toEqual([expect.stringContaining('Harbour Coffee'), 'paused']);
});
