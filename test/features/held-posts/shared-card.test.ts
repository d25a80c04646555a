import { beforeEach, expect, test } from 'vitest';
import { submitLine } from '../../support/filled-form.ts';
import { listProjects } from '../../support/scripted-service.ts';
import { failSlack, RECEIPT_PACE, setUpBot } from '../../support/set-up-bot.ts';
import { ask, chooseAndSee, pressAndSee } from '../../support/steps.ts';

const { ana, ben, database, running, setPolicy, startBot } = setUpBot();

beforeEach(async () => {
  await startBot({ pace: RECEIPT_PACE });
  await setPolicy({ leadMinutes: 60 });
});

const countShared = async () =>
  (await database.db.selectFrom('held_post_message').select('ts').where('purpose', '=', 'shared').execute())
    .length;

test('a card is shared with a channel once, and again after somebody has deleted it there', async () => {
  await submitLine(ana, '/schedule-post 1 Dec 9am on x: We open at nine');
  await ana.sees('Author: you');
  await chooseAndSee(ana, 'More options', 'Share', 'Shared with #harbour-coffee.');
  await ana.choose('More options', 'Share');
  await ana.sees('I already shared this in #harbour-coffee. That message changes with the post.');
  expect(await countShared()).toBe(1);
  failSlack(running, { method: 'chat.update', fault: 'error', error: 'message_not_found' });
  await ana.press('Cancel post');
  await expect.poll(countShared).toBe(0);
  running.workspace.faults.set({});
  await ana.choose('More options', 'Share');
  await expect.poll(countShared).toBe(1);
});

test('a shared card has the new name of its project from its next change on', async () => {
  await submitLine(ana, '/schedule-post 1 Dec 9am on x: We open at nine');
  await ana.sees('Author: you');
  await ana.choose('More options', 'Share');
  await ben.sees('Harbour Coffee');
  running.service.on('GET /projects', listProjects('Harbour Tea'));
  await ask(ana, '/upnext projects', 'Harbour Tea');
  await pressAndSee(ana, 'Cancel post', 'It won’t be sent.');
  await ben.sees('It won’t be sent.');
  expect(ben.read()).toContain('Harbour Tea');
  expect(ben.read()).not.toContain('Harbour Coffee');
});

test('in a channel that another organisation reads, only an owner shares a card, after a question', async () => {
  await startBot({ pace: RECEIPT_PACE, membersDefaultRole: 'publisher', owners: { kind: 'emulator' } });
  await setPolicy({ leadMinutes: 60 });
  const team = running.workspace.admin.addTeam({ name: 'Roaster Supplies', people: [{ name: 'Rosa Lima' }] });
  running.workspace.admin.share('#harbour-coffee', team.id);
  for (const author of [ben, ana]) {
    await submitLine(author, '/schedule-post 1 Dec 9am on x: We open at nine');
    await chooseAndSee(author, 'More options', 'Share', 'This channel is shared with Roaster Supplies');
  }
  await ben.sees('so only an Owner can share posts here.');
  expect(await countShared()).toBe(0);
  await pressAndSee(ana, 'Share anyway', 'Shared with #harbour-coffee.');
  expect(await countShared()).toBe(1);
});
