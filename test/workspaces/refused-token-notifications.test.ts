import { beforeEach, expect, test, vi } from 'vitest';
import { createRefusedTokenNotifications } from '../../src/workspaces/credentials.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';

const database = await setUpBotDatabase();
beforeEach(() => database.db.deleteFrom('once_claim').execute());

const harbour = { id: 'p1', name: 'Harbour Coffee' };
const mill = { id: 'p2', name: 'Mill' };

function createTestNotifications() {
  const sentTexts: string[] = [];
  const notifyOwners = async (_workspace: string, { text }: { text: string }) => void sentTexts.push(text);
  return { sentTexts, ...createRefusedTokenNotifications({ db: database.db, notifyOwners }) };
}

test('owners are notified once about each refused token, and not about the submissions that it pauses', async () => {
  const { sentTexts, notifyRefused, notifyPaused } = createTestNotifications();
  for (const project of [harbour, mill, harbour, mill]) {
    await notifyRefused({ workspace: 'T1', project });
    await notifyPaused('T1', { text: 'paused' }, project.id);
  }
  expect(sentTexts).toEqual([expect.stringContaining('Harbour Coffee'), expect.stringContaining('Mill')]);
});

test('owners are notified once per token about paused submissions', async () => {
  const { sentTexts, notifyPaused } = createTestNotifications();
  for (const token of ['', 'p1', '', 'p1']) await notifyPaused('T1', { text: `paused by ${token}` }, token);
  expect(sentTexts).toEqual(['paused by ', 'paused by p1']);
});

test('owners are notified about a missing permission, even if a token was refused just before', async () => {
  const { sentTexts, notifyRefused, notifyPaused } = createTestNotifications();
  await notifyRefused({ workspace: 'T1', project: harbour });
  await notifyPaused('T1', { text: 'more rights, please' });
  expect(sentTexts).toHaveLength(2);
});

test('each workspace is notified once about missing permissions, and again after its token was replaced', async () => {
  const { sentTexts, notifyPaused, reset } = createTestNotifications();
  for (const text of ['posts', 'drafts', 'another project']) await notifyPaused('T1', { text });
  await notifyPaused('T2', { text: 'elsewhere' });
  expect(sentTexts).toEqual(['posts', 'elsewhere']);
  await reset({ workspace: 'T1', project: harbour });
  await notifyPaused('T1', { text: 'drafts' });
  expect(sentTexts).toEqual(['posts', 'elsewhere', 'drafts']);
});

test('owners are notified again if the replacement token is also refused', async () => {
  const { sentTexts, notifyRefused, reset } = createTestNotifications();
  await notifyRefused({ workspace: 'T1', project: harbour });
  await reset({ workspace: 'T1', project: harbour });
  await notifyRefused({ workspace: 'T1', project: harbour });
  expect(sentTexts).toHaveLength(2);
});

test('if the owners could not be looked up, they are notified at the next refusal', async () => {
  const sentTexts: string[] = [];
  let isDown = true;
  const notifyOwners = async (_workspace: string, { text }: { text: string }) => {
    if (isDown) throw new Error('could not look up the owners');
    sentTexts.push(text);
  };
  const { notifyRefused, notifyPaused } = createRefusedTokenNotifications({
    db: database.db,
    notifyOwners,
  });
  await expect(notifyRefused({ workspace: 'T1', project: harbour })).rejects.toThrow();
  await expect(notifyPaused('T1', { text: 'paused' }, 'p2')).rejects.toThrow();
  isDown = false;
  await notifyRefused({ workspace: 'T1', project: harbour });
  await notifyPaused('T1', { text: 'paused' }, 'p2');
  expect(sentTexts).toEqual([expect.stringContaining('Harbour Coffee'), 'paused']);
});

test('if a name can’t be released, the others are, and the caller gets the first error', async () => {
  const notifyOwners = async () => {
    throw new Error('Slack is down');
  };
  const { db } = database;
  const deleteFrom = vi.spyOn(db, 'deleteFrom').mockImplementationOnce(() => {
    throw new Error('the database is down');
  });
  const { notifyRefused } = createRefusedTokenNotifications({ db, notifyOwners });
  const notifying = notifyRefused({ workspace: 'T1', project: harbour });
  await expect(notifying).rejects.toThrow('Slack is down');
  deleteFrom.mockRestore();
  const claims = await database.db.selectFrom('once_claim').select('name').execute();
  expect(claims).toEqual([{ name: `refused.${harbour.id}` }]);
});
