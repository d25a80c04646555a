import { beforeEach, expect, test } from 'vitest';
import type { Role } from '../../../src/access/access.ts';
import { openFilledForm } from '../../support/filled-form.ts';
import { data, later, listProjects } from '../../support/scripted-service.ts';
import { failSlack, setUpBot } from '../../support/set-up-bot.ts';
import { askAndPress, pressAndSee } from '../../support/steps.ts';

const { running, startBot } = setUpBot();

beforeEach(() => startWithRole('viewer'));

/** Starts with one project and an unbound channel. Ana is an owner, and everybody else has this role. */
async function startWithRole(membersDefaultRole: Role, pace = {}): Promise<void> {
  await startBot({ membersDefaultRole, pace });
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  running.service.on(
    'GET /upnext-post',
    data({ Id: 'a', Content: 'New roast', ScheduleDate: '2026-12-01T09:00:00+01:00', Platforms: ['X'] }),
  );
}

const as = (name: string) => running.workspace.as(name).in('#harbour-coffee');
/** Reads the messages that everybody in the channel sees, including the other organisation. */
const readChannel = () => as('Mira').messages().join('\n');

function shareWith(...names: string[]): void {
  for (const name of names) {
    const team = running.workspace.admin.addTeam({ name, people: [{ name: 'Rosa Lima' }] });
    running.workspace.admin.share('#harbour-coffee', team.id);
  }
}

test('a viewer can’t share posts in a channel that another organisation reads', async () => {
  shareWith('Roaster Supplies');
  await askAndPress(as('Ben'), '/upnext', 'Share with channel');
  await as('Ben').sees(
    'This channel is shared with Roaster Supplies, so only an Owner can share posts here.',
  );
  expect(readChannel()).not.toContain('New roast');
});

test('an owner reads which organisations are in the channel, and can share posts anyway', async () => {
  shareWith('Roaster Supplies', 'Night <!channel> Books');
  await askAndPress(as('Ana'), '/upnext', 'Share with channel', 'Roaster Supplies', 'Night <!channel> Books');
  await as('Ana').sees('Nothing has been shared yet.');
  expect(readChannel()).not.toContain('New roast');
  await pressAndSee(as('Ana'), 'Share anyway', 'Shared with #harbour-coffee.');
  expect(readChannel()).toContain('New roast');
});

test('an organisation whose name Slack doesn’t return is shown as unknown', async () => {
  running.workspace.admin.share('#harbour-coffee', 'T0UNKNOWN');
  await as('Ana').type('/upnext');
  await pressAndSee(as('Ana'), 'Share with channel', 'another organisation (I couldn’t find out its name)');
});

test('an owner who was asked about one organisation is asked again when another joins', async () => {
  shareWith('Roaster Supplies');
  await askAndPress(as('Ana'), '/upnext', 'Share with channel', 'shared with Roaster Supplies.');
  shareWith('Night Market Books');
  await pressAndSee(as('Ana'), 'Share anyway', 'Night Market Books');
  expect(readChannel()).not.toContain('New roast');
  await pressAndSee(as('Ana'), 'Share anyway', 'Shared with #harbour-coffee.');
});

test('a former owner can’t share posts with an old button', async () => {
  shareWith('Roaster Supplies');
  await askAndPress(as('Ana'), '/upnext', 'Share with channel', 'Nothing has been shared yet.');
  running.workspace.admin.changePerson('Ana', { role: 'member' });
  await pressAndSee(as('Ana'), 'Share anyway', 'You need the Owner role for this.');
  expect(readChannel()).not.toContain('New roast');
});

test.each([
  ['a pending invitation to share', () => running.workspace.admin.offerShare('#harbour-coffee')],
  [
    'a channel whose readers Slack does not name',
    () => failSlack(running, { method: 'conversations.info', fault: 'error', error: 'fatal_error' }),
  ],
])('%s counts as read by another organisation', async (_case, setUp) => {
  setUp();
  for (const name of ['Ben', 'Ana']) {
    await askAndPress(as(name), '/upnext', 'Share with channel');
  }
  await as('Ana').sees('Nothing has been shared yet.');
  expect(as('Ben').read()).toMatch(/only an Owner can share posts here|couldn’t check/);
  expect(readChannel()).not.toContain('New roast');
  await pressAndSee(as('Ana'), 'Share anyway', 'Shared with #harbour-coffee.');
});

/** Submits a form while the service is slow, so that its view shows the result. */
async function submitSlowly(
  ana: ReturnType<typeof as>,
  form: Awaited<ReturnType<typeof openFilledForm>>['form'],
) {
  running.service.on('POST /posts', later(300, data({ Id: 'made' })));
  await form.submit();
  return ana.modal('Scheduled');
}

test('an owner who decides not to share their own post returns to its confirmation, and is asked again', async () => {
  await running.close();
  await startWithRole('publisher', { acknowledgementTimeoutMs: 100 });
  shareWith('Roaster Supplies');
  const { ana, form } = await openFilledForm(running);
  const view = await submitSlowly(ana, form);
  const earlier = { channel: readChannel(), modal: view.text() };
  await view.press('Share with channel');
  await ana.sees('shared with Roaster Supplies');
  const question = await ana.modal('Upnext');
  expect(question.text()).toContain('[Don’t share]');
  await question.close();
  expect(view.text()).toBe(earlier.modal);
  expect(readChannel()).toBe(earlier.channel);
  shareWith('Night Market Books');
  await view.press('Share with channel');
  const secondQuestion = await ana.modal('Upnext');
  expect(secondQuestion.text()).toContain('Night Market Books');
  await secondQuestion.press('Share anyway');
  await ana.sees('Shared with #harbour-coffee.');
  expect(readChannel()).not.toBe(earlier.channel);
  await expect.poll(() => view.text()).not.toContain('[Share with channel]');
});

test('an owner who closes the question while their post is being shared reads that it was shared', async () => {
  await running.close();
  await startWithRole('publisher', { acknowledgementTimeoutMs: 100 });
  shareWith('Roaster Supplies');
  const { ana, form } = await openFilledForm(running);
  const view = await submitSlowly(ana, form);
  await view.press('Share with channel');
  const question = await ana.modal('Upnext');
  failSlack(running, { method: 'chat.postMessage', fault: 'slow', delayMs: 300, times: 1 });
  const sharing = question.press('Share anyway');
  await question.close();
  await view.close();
  await sharing;
  const dm = await running.workspace.as('Ana').inDirectMessage();
  await dm.sees('Shared with #harbour-coffee.');
  expect(dm.read()).not.toContain('went wrong');
});
