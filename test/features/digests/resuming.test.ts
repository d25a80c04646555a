import { expect, test } from 'vitest';
import { RESUME } from '../../../src/digests/messages/notices.ts';
import { noticeHandlers } from '../../../src/features/digests/digest-buttons.ts';
import type { ActionCall } from '../../../src/handlers/call.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { settings, startDigests } from '../../support/start-digests.ts';
import { ask, askForForm, pressAndSee, pressForForm, seeAll } from '../../support/steps.ts';

const { database, running } = setUpBot({ membersDefaultRole: 'manager' });

const as = (person: string) => running.workspace.as(person).in('#harbour-coffee');

async function listStates() {
  return (await database.db.selectFrom('digest').select('state').execute()).map(({ state }) => state);
}

async function listSharedWith() {
  const rows = await database.db.selectFrom('digest').select('shared_with').execute();
  return rows.map(({ shared_with: teams }) => teams);
}

function shareWithAnotherTeam(): string {
  const team = running.workspace.admin.addTeam({
    name: 'Night Market Books',
    people: [{ name: 'Rosa Lima' }],
  });
  running.workspace.admin.share('#harbour-coffee', team.id);
  return team.id;
}

/** Presses “Resume” in the list of digests. */
async function pressResume(person: string): Promise<void> {
  await as(person).type('/upnext digest list');
  await as(person).choose('More options', 'Resume');
}

/** Creates a digest that is paused because its channel was shared. */
async function createPausedDigest(owner = 'Ana'): Promise<void> {
  await ask(as(owner), '/upnext digest weekdays 8:30 for Harbour Coffee', 'The first digest comes on');
  running.workspace.admin.share('#harbour-coffee', 'T02ROASTER');
  await expect.poll(listStates).toEqual(['paused']);
}

test('after the app was removed from the channel, “Resume” says how to invite the app again, and another channel ends the pause', async () => {
  await ask(as('Ana'), '/upnext digest weekdays 8:30 for Harbour Coffee', 'The first digest comes on');
  running.workspace.admin.remove('#harbour-coffee', 'upnext');
  await expect.poll(listStates).toEqual(['paused']);
  await as('Ana').type('/upnext digest list');
  await as('Ana').sees('Paused: I was removed from the channel. Type /invite @Upnext there first.');
  await as('Ana').choose('More options', 'Resume');
  await as('Ana').sees(
    'Not resumed. I’m not in its channel: type /invite @Upnext there, then resume it again.',
  );
  expect(await listStates()).toEqual(['paused']);
  await as('Ana').choose('More options', 'Send now');
  await pressAndSee(as('Ana'), 'Send now', 'Not sent: I was removed from the channel.');
  running.workspace.admin.invite('#random', 'Upnext');
  const form = await pressForForm(as('Ana'), 'Edit', 'Digest');
  await form.choose('Channel', '#random');
  expect((await form.submit()).view?.text()).toContain('Saved. The next digest comes on');
  expect(await listStates()).toEqual(['on']);
});

test('only an owner can resume a digest in a channel that is now shared', async () => {
  await createPausedDigest();
  await pressResume('Ben');
  await as('Ben').sees('only an Owner can choose');
  expect(await listStates()).toEqual(['paused']);
  await pressResume('Ana');
  await seeAll(as('Ana'), 'This channel is shared with Roastery North.', 'It’s still paused.');
  expect(await listStates()).toEqual(['paused']);
  await pressAndSee(as('Ana'), 'Resume anyway', 'Resumed: #harbour-coffee');
  expect(await listStates()).toEqual(['on']);
  expect(await listSharedWith()).toEqual(['["T02ROASTER"]']);
});

test('a digest that an owner resumed in a shared channel pauses again when another organisation joins', async () => {
  await createPausedDigest();
  await resumeAsAna();
  const addedTeam = shareWithAnotherTeam();
  await expect.poll(listStates).toEqual(['paused']);
  await resumeAsAna();
  expect(await listSharedWith()).toEqual([JSON.stringify(['T02ROASTER', addedTeam].toSorted())]);
});

test('if an organisation joins after the owner was asked, the owner is asked again', async () => {
  await createPausedDigest();
  await pressResume('Ana');
  await as('Ana').sees('It’s still paused.');
  shareWithAnotherTeam();
  await pressAndSee(as('Ana'), 'Resume anyway', 'Night Market Books');
  expect(await listStates()).toEqual(['paused']);
});

async function resumeAsAna(): Promise<void> {
  await pressResume('Ana');
  await as('Ana').sees('It’s still paused.');
  await as('Ana').press('Resume anyway');
  await expect.poll(listStates).toEqual(['on']);
}

test('a digest that was resumed after the organisation had left pauses when the organisation returns', async () => {
  await createPausedDigest();
  running.workspace.admin.unshare('#harbour-coffee', 'T02ROASTER');
  await pressResume('Ben');
  await as('Ben').sees('Resumed.');
  expect(await listSharedWith()).toEqual([null]);
  running.workspace.admin.share('#harbour-coffee', 'T02ROASTER');
  await expect.poll(listStates).toEqual(['paused']);
});

test('in a shared channel, only an owner can resume a digest with the button in a notification', async () => {
  await createPausedDigest('Ben');
  await running.bot.engine.runOnce();
  const ben = await running.workspace.as('Ben').inDirectMessage();
  await ben.sees('shared with another organisation');
  await pressAndSee(ben, 'Resume', 'only an Owner can choose');
  expect(await listStates()).toEqual(['paused']);
});

test('an owner who resumes a digest from a notification reads the organisation’s name first', async () => {
  await createPausedDigest();
  await running.bot.engine.runOnce();
  const ana = await running.workspace.as('Ana').inDirectMessage();
  await ana.sees('shared with another organisation');
  await pressAndSee(ana, 'Resume', 'shared with Roastery North');
  expect(await listStates()).toEqual(['paused']);
  await pressAndSee(ana, 'Resume anyway', 'Resumed: #harbour-coffee');
  expect(await listStates()).toEqual(['on']);
  await ask(as('Ana'), '/upnext audit', 'Newest first');
  expect(as('Ana').read()).toMatch(/\nToday\n.*Ana Ferreira resumed a digest for #harbour-coffee/);
});

test('a refused [Resume anyway] keeps its question, so that the owner can press it again', async () => {
  await createPausedDigest();
  await running.bot.engine.runOnce();
  const ana = await running.workspace.as('Ana').inDirectMessage();
  await pressAndSee(ana, 'Resume', 'shared with Roastery North');
  running.workspace.admin.remove('#harbour-coffee', 'upnext');
  await pressAndSee(ana, 'Resume anyway', 'then resume it again');
  running.workspace.admin.invite('#harbour-coffee', 'Upnext');
  await pressAndSee(ana, 'Resume anyway', 'Resumed: #harbour-coffee');
  expect(await listStates()).toEqual(['on']);
});

async function saveInForm(name: string) {
  const form = await askForForm(as(name), '/upnext digest', 'Digest');
  await form.choose('Shared channel', ['People outside may see these posts']);
  return form.submit();
}

test('only an owner can set up a digest of projects that a channel had before it was shared', async () => {
  await ask(as('Ben'), '/upnext use Harbour Coffee', 'This channel now follows Harbour Coffee.');
  running.workspace.admin.share('#harbour-coffee', 'T02ROASTER');
  await saveInForm('Ben');
  await as('Ben').sees('shared with Roastery North, so only an Owner can choose what its digest shows');
  expect(await listSharedWith()).toEqual([]);
  await saveInForm('Ana');
  expect(await listSharedWith()).toEqual(['["T02ROASTER"]']);
});

test('only an owner can save a digest if its channel was shared while the form was open', async () => {
  const form = await askForForm(as('Ben'), '/upnext digest', 'Digest');
  running.workspace.admin.share('#harbour-coffee', 'T02ROASTER');
  await form.submit();
  expect(await listSharedWith()).toEqual([]);
});

test('if an organisation joins while the form is open, the owner reads its name before confirming', async () => {
  running.workspace.admin.share('#harbour-coffee', 'T02ROASTER');
  const form = await askForForm(as('Ana'), '/upnext digest', 'Digest');
  await form.choose('Shared channel', ['People outside may see these posts']);
  const team = shareWithAnotherTeam();
  const { view: updatedForm } = await form.submit();
  expect(updatedForm?.text()).toContain('Night Market Books');
  expect(await listSharedWith()).toEqual([]);
  await updatedForm?.submit();
  expect(await listSharedWith()).toEqual([JSON.stringify(['T02ROASTER', team].toSorted())]);
});

/** Presses [Resume] in a notification. Calls `changeMeanwhile` after the permission check. */
async function pressInNotice(changeMeanwhile: (digest: { id: string }) => Promise<unknown>) {
  const fixture = await startDigests(database.db, { from: '2026-12-01T06:00:00Z' });
  const digest = await fixture.digests.save(settings(), 'UANA');
  if (!digest) throw new Error('the digest was not saved');
  const { id } = digest;
  await fixture.digests.pause({ workspace: 'T1', id });
  const outcomes: string[] = [];
  const messages: string[] = [];
  const readChannel = async () => {
    await changeMeanwhile(digest);
    return { channel: { is_member: true, is_ext_shared: false } };
  };
  const call = {
    context: { db: database.db, digests: fixture.digests, record: { enqueue: () => undefined } },
    actor: { workspace: 'T1', user: 'UANA' },
    ...{ action: { id: RESUME, value: id }, client: { conversations: { info: readChannel } } },
    permit: async () => undefined,
    now: fixture.now,
    reply: async ({ text }: { text: string }) => void messages.push(text),
    recordOutcome: (outcome: string) => void outcomes.push(outcome),
  } as unknown as ActionCall;
  await noticeHandlers[RESUME]?.run(call);
  return {
    outcomes,
    messages: messages.join(),
    state: (await fixture.digests.find({ workspace: 'T1', id }))?.state,
  };
}

test('a digest that nobody changed in the meantime is resumed', async () =>
  expect(await pressInNotice(async () => undefined)).toMatchObject({
    ...{ outcomes: [], messages: expect.stringContaining('Resumed:'), state: 'on' },
  }));

test.each([
  ['projects', { projects: JSON.stringify(['p2']) }],
  ['channel', { channel: 'C2' }],
])('a digest stays paused if its %s changed while somebody resumed it', async (_field, change) => {
  const result = await pressInNotice(({ id }) =>
    database.db.updateTable('digest').set(change).where('id', '=', id).execute(),
  );
  expect(result).toEqual({
    outcomes: ['unchanged'],
    messages: 'Not resumed. Somebody just changed or deleted this digest.',
    state: 'paused',
  });
});
