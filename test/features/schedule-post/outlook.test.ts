import { expect, test } from 'vitest';
import { stopSending } from '../../../src/engine/sending-stop.ts';
import { NOW } from '../../support/bot.ts';
import { reviewedBy } from '../../support/hold-posts.ts';
import { listProjects } from '../../support/scripted-service.ts';
import { RECEIPT_PACE, setUpBot } from '../../support/set-up-bot.ts';
import { askForForm } from '../../support/steps.ts';

/** What a form says before the press is what happens after it. */
const { ana, database, running, setPolicy } = setUpBot({ pace: RECEIPT_PACE });
const PROJECT = { workspace: 'T01HARBOUR', project: 'p1' };

async function openForm(line: string) {
  await ana.type(`/schedule-post ${line}`);
  return ana.modal('Schedule a post');
}

test.each([
  ['1 Dec 9am', 'Editable until Tue 1 Dec, 08:00'],
  [
    'in 20 minutes',
    'That’s less than 1 hour away, so I’ll schedule it at once. You can’t edit or delete it from Slack after that.',
  ],
])('where posts are kept until an hour before, a post for “%s”: %s', async (time, limit) => {
  await setPolicy({ leadMinutes: 60 });
  const shown = (await openForm(`${time} on x: We open at nine`)).text();
  expect(shown).toContain(limit);
  expect(shown.match(/Editable until|can’t edit/g)).toHaveLength(1);
  // It is read before the press, so it stands above the fields that are below the fold.
  expect(shown.indexOf(limit)).toBeLessThan(shown.indexOf('When you submit'));
});

test.each([
  ['1 Dec 9am', 'Without approval by Tue 1 Dec, 08:00'],
  ['in 20 minutes', 'It goes out as soon as it’s approved.'],
])('where posts are reviewed, a post for “%s” is sent for review: %s', async (time, deadline) => {
  await setPolicy(reviewedBy('U02BENOKAF'));
  const form = await openForm(`${time} on x: We open at nine`);
  const shown = form.text();
  expect(shown).toContain('[Send for review]');
  expect(shown).toContain(deadline);
  expect(shown).not.toContain('Editable until');
  await form.submit();
});

test('without a project, the form promises nothing that holds only in some projects', async () => {
  running.service.on('GET /projects', listProjects('Plain', 'Kept'));
  await setPolicy({ leadMinutes: 60 }, 'p2');
  const general = running.workspace.as('Ana').in('#general');
  const form = await askForForm(general, '/schedule-post 1 Dec 9am on x: We open at nine', 'Schedule a post');
  await general.sees('Choose a project to see until when the post can be edited.');
  expect(form.text()).not.toContain('You can’t edit');
  await form.choose('Project', 'Kept');
  await general.sees('Editable until Tue 1 Dec, 08:00');
});

test('while the project is stopped, the form says that the post waits', async () => {
  await stopSending(database.db, { reason: 'wrong copy', since: NOW, stoppedBy: 'U01ANAFERR' }, PROJECT);
  expect((await openForm('1 Dec 9am on x: We open at nine')).text()).toContain(
    'Sending is stopped, so it waits. I’ll send it if that ends in time.',
  );
});
