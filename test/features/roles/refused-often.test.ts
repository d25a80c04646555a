import { expect, test } from 'vitest';
import { listAuditRows } from '../../support/audit-record.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, askAndPress } from '../../support/steps.ts';

const { database, running } = setUpBot({
  limits: false,
  membersDefaultRole: null,
  owners: { kind: 'emulator' },
});

const as = (name: string) => running.workspace.as(name).in('#general');
const listAccessRequests = () =>
  database.db.selectFrom('access_request').select(['role', 'requested_at']).execute();

async function listAuditEntries(): Promise<string[]> {
  const rows = await listAuditRows(database.db, 'T01HARBOUR');
  return rows.map(({ action, target, decision }) => [action, target, decision].filter(Boolean).join(' | '));
}

test('a command that is refused 30 times leaves one audit entry, a count of the repeats, and one access request', async () => {
  for (let index = 0; index < 30; index += 1) await as('Mira').type('/upnext posts');
  expect(await listAccessRequests()).toHaveLength(1);
  await ask(as('Ana'), '/upnext audit refused', 'again (29 times)');
  expect((await listAuditEntries()).filter((entry) => entry.includes('refused'))).toEqual([
    'list-posts command posts | refused',
    'list-posts command posts | 29 more times | refused',
  ]);
});

test('simultaneous refusals also create only one access request', async () => {
  await Promise.all(Array.from({ length: 10 }, () => as('Mira').type('/upnext posts')));
  expect(await listAccessRequests()).toHaveLength(1);
});

test('the owners get at most ten access requests of one person a day', async () => {
  const ana = await running.workspace.as('Ana').inDirectMessage();
  const countRequests = () => ana.read().split(' requested the ').length - 1;
  for (let index = 0; index < 10; index += 1) {
    await askAndPress(as('Mira'), '/upnext posts', 'Request access');
    await expect.poll(countRequests).toBe(1);
    await ana.press('Decline');
    await expect.poll(countRequests).toBe(0);
  }
  await expect.poll(() => as('Mira').read()).not.toContain('[Request access]');
  await askAndPress(as('Mira'), '/upnext posts', 'Request access', 'The Owners got many requests today');
  expect(countRequests()).toBe(0);
});
