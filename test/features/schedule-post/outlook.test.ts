import { beforeEach, expect, test } from 'vitest';
import { stopSending } from '../../../src/engine/sending-stop.ts';
import { DEFAULT_POLICY, savePolicy } from '../../../src/preferences/project-policy.ts';
import { NOW } from '../../support/bot.ts';
import { RECEIPT_PACE, setUpBot } from '../../support/set-up-bot.ts';

/** What a form and a preview say before the press is what happens after it. */
const { database, running, startBot } = setUpBot();
const PROJECT = { workspace: 'T01HARBOUR', project: 'p1' };

beforeEach(async () => {
  await startBot({ pace: RECEIPT_PACE });
});

const setPolicy = (policy: Partial<typeof DEFAULT_POLICY>) =>
  savePolicy(
    database.db,
    PROJECT,
    { ...DEFAULT_POLICY, ...policy },
    { changedBy: 'U01ANAFERR', changedAt: NOW },
  );

async function preview(line: string): Promise<string> {
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type(`/schedule-post ${line}`);
  await ana.sees('Ready to');
  return ana.read();
}

test.each([
  ['1 Dec 9am', 'Editable until Tue 1 Dec, 08:00'],
  [
    'in 20 minutes',
    'The scheduling service publishes it at its time. You can’t edit or delete it from Slack.',
  ],
])('where posts are kept until an hour before, a post for “%s”: %s', async (time, limit) => {
  await setPolicy({ leadMinutes: 60 });
  const shown = await preview(`${time} on x: We open at nine`);
  expect(shown).toContain(limit);
  expect(shown.match(/Editable until|can’t edit/g)).toHaveLength(1);
});

test.each([
  ['1 Dec 9am', 'Without approval by Tue 1 Dec, 08:00'],
  ['in 20 minutes', 'It goes out as soon as it’s approved.'],
])('where posts are reviewed, a post for “%s” is sent for review: %s', async (time, deadline) => {
  await setPolicy({
    leadMinutes: 60,
    review: 'required',
    reviewSteps: [{ approvers: [{ kind: 'person', id: 'U02BENOKAF' }], needs: 'any' }],
  });
  const shown = await preview(`${time} on x: We open at nine`);
  expect(shown).toContain('Ready to send for review?');
  expect(shown).toContain(deadline);
  expect(shown).not.toContain('Editable until');
  await running.workspace.as('Ana').in('#harbour-coffee').press('Send for review');
});

test('while the project is stopped, the preview says that the post waits', async () => {
  await stopSending(database.db, { reason: 'wrong copy', since: NOW, stoppedBy: 'U01ANAFERR' }, PROJECT);
  expect(await preview('1 Dec 9am on x: We open at nine')).toContain(
    'Sending is stopped, so it waits. I’ll send it if that ends in time.',
  );
});
