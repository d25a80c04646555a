import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { refusals } from '../../src/workspaces/tell-refused.ts';
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

function owners() {
  const told: string[] = [];
  const notifyOwners = async (_workspace: string, { text }: { text: string }) => void told.push(text);
  return { told, ...refusals({ db: database.db, log, now: () => new Date(), notifyOwners }) };
}

test('each token that is refused is told of once, and what waits for it says nothing more', async () => {
  const { told, tell, tellHeld } = owners();
  for (const project of [harbour, mill, harbour, mill]) {
    await tell({ workspace: 'T1', project });
    await tellHeld('T1', { text: 'held' }, project.id);
  }
  expect(told).toEqual([expect.stringContaining('Harbour Coffee'), expect.stringContaining('Mill')]);
});

test('what waits for a token that nobody has told of is told once, for each token', async () => {
  const { told, tellHeld } = owners();
  for (const token of ['', 'p1', '', 'p1']) await tellHeld('T1', { text: `held by ${token}` }, token);
  expect(told).toEqual(['held by ', 'held by p1']);
});

test('a right that is missing is told, also where a token was refused just now', async () => {
  const { told, tell, tellHeld } = owners();
  await tell({ workspace: 'T1', project: harbour });
  await tellHeld('T1', { text: 'more rights, please' });
  expect(told).toHaveLength(2);
});

test('rights that are missing everywhere are told once for a workspace, until there is another token', async () => {
  const { told, tellHeld, forget } = owners();
  for (const text of ['posts', 'drafts', 'another project']) await tellHeld('T1', { text });
  await tellHeld('T2', { text: 'elsewhere' });
  expect(told).toEqual(['posts', 'elsewhere']);
  await forget({ workspace: 'T1', project: harbour });
  await tellHeld('T1', { text: 'drafts' });
  expect(told).toEqual(['posts', 'elsewhere', 'drafts']);
});

test('another token that is refused too is news', async () => {
  const { told, tell, forget } = owners();
  await tell({ workspace: 'T1', project: harbour });
  await forget({ workspace: 'T1', project: harbour });
  await tell({ workspace: 'T1', project: harbour });
  expect(told).toHaveLength(2);
});

test('owners who could not be looked up are told at the next refusal', async () => {
  const told: string[] = [];
  let isDown = true;
  const notifyOwners = async (_workspace: string, { text }: { text: string }) => {
    if (isDown) throw new Error('could not look up the owners');
    told.push(text);
  };
  const { tell, tellHeld } = refusals({ db: database.db, log, now: () => new Date(), notifyOwners });
  await tell({ workspace: 'T1', project: harbour });
  await expect(tellHeld('T1', { text: 'held' }, 'p2')).rejects.toThrow();
  isDown = false;
  await tell({ workspace: 'T1', project: harbour });
  await tellHeld('T1', { text: 'held' }, 'p2');
  expect(told).toEqual([expect.stringContaining('Harbour Coffee'), 'held']);
});
