import { expect, test } from 'vitest';
import { compareWithSnapshot, takeSnapshot } from '../../../src/digests/content/changes.ts';
import { renderQuestion } from '../../../src/features/digests/digest-messages.ts';
import { listHeldPlan } from '../../../src/held-posts/listed-posts.ts';
import { createPlan, createPlannedPost } from '../../digests/content/weeks.ts';
import { stretchDeadlines } from '../../support/busyness.ts';
import { expectNone, fillIn, submitWith } from '../../support/form-steps.ts';
import { holdPost } from '../../support/hold-posts.ts';
import { data, json, listedPost, listProjects } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { settings } from '../../support/start-digests.ts';
import {
  ask,
  askAndPress,
  askForForm,
  chooseAndSee,
  pressAndSee,
  pressForForm,
} from '../../support/steps.ts';

const { ana, ben, database, running, startBot } = setUpBot({});

const TWO_PROJECTS = listProjects('Harbour Coffee', 'Night Market Books');

async function findStoredDigests() {
  const rows = await database.db
    .selectFrom('digest')
    .select(['channel', 'kind', 'projects', 'days', 'minute', 'zone', 'state'])
    .orderBy('created_at')
    .execute();
  return rows;
}

test('a command with days, time, zone and project saves a digest, and says when it starts and who reads it', async () => {
  running.service.on('GET /projects', TWO_PROJECTS);
  await ana.type('/upnext digest weekdays 8:30 in Europe/Berlin for Night Market Books');
  await ana.sees('Weekdays at 08:30 (Berlin)\n#harbour-coffee · Night Market Books');
  await ana.sees('Saved. The first digest comes on Mon 23 Nov, 08:30 (Berlin).');
  await ana.sees('Everyone in the channel will see the posts.');
  expect(await findStoredDigests()).toMatchObject([
    {
      kind: 'daily',
      projects: '["p2"]',
      days: '1,2,3,4,5',
      minute: 510,
      zone: 'Europe/Berlin',
      state: 'on',
    },
  ]);
});

test('all that is said of a digest has the clock of its reader', async () => {
  await ask(ben, '/upnext digest daily at 7', 'Is that every day at 7:00 AM, or every day at 7:00 PM?');
  await ask(ben, '/upnext digest weekdays 8:30 in Europe/Berlin', 'Weekdays at 8:30 AM (Berlin)');
  await ben.sees('Saved. The first digest comes on Mon 23 Nov, 8:30 AM (Berlin).');
  await ask(ben, '/upnext status', 'The next digest comes Mon 23 Nov, 8:30 AM (Berlin).');
  await ben.type('/upnext digest');
  await ben.sees('Weekdays at 8:30 AM (Berlin)\n#harbour-coffee · this channel’s projects\nNext:');
  await (await pressForForm(ben, 'Edit: Weekdays at 8:30 AM (Berlin)', 'Digest')).close();
  await askAndPress(ben, '/upnext digest now', 'Send now: Weekdays at 8:30 AM (Berlin)');
});

test.each([
  ['weekly monday 9:00', { kind: 'weekly', days: '1', minute: 540, projects: null }],
  ['daily at 7am', { kind: 'daily', days: '1,2,3,4,5,6,7', minute: 420, projects: null }],
  ['8:30 in Berlin', { kind: 'daily', days: '1,2,3,4,5', minute: 510, zone: 'Europe/Berlin' }],
  ['for Harbour Coffee mon, wed 5pm', { days: '1,3', minute: 1020, projects: '["p1"]' }],
  ['me weekdays 8:00', { kind: 'daily', minute: 480, projects: '["p1"]' }],
])('the command "%s" saves a digest', async (command, expected) => {
  await ask(ana, `/upnext digest ${command}`, 'Saved.');
  expect(await findStoredDigests()).toMatchObject([expected]);
});

test('an ambiguous time, and a zone with several meanings, are asked about, and a city answers', async () => {
  await ask(ana, '/upnext digest daily at 7', 'Is that every day at 07:00');
  await ana.type('/upnext digest weekdays 8:30 IST');
  await ana.sees('Is that weekdays at 08:30 (Kolkata), or weekdays at 08:30 (Dublin), or');
  await ana.sees('Write a city in place of the zone, such as “in Kolkata”.');
  expect(await findStoredDigests()).toEqual([]);
  await ask(ana, '/upnext digest weekdays 8:30 in Kolkata', 'Saved.');
  expect(await findStoredDigests()).toMatchObject([{ zone: 'Asia/Kolkata' }]);
});

test.each([
  ['weekdays 8:30 in Atlantis', 'If “in Atlantis” is a place, write its time zone'],
  ['weekdays 8:30 for Nobody Ltd', 'If “for Nobody Ltd” is a project, /upnext projects'],
  ['blursday 8:30', 'Use weekdays and one time a day.'],
  ['every blue moon <!channel>', 'Nothing was saved'],
  ['🎉 👩‍👩‍👧‍👦', 'Nothing was saved'],
])('the command "%s" is rejected with a reason and a hint', async (command, message) => {
  await ask(ana, `/upnext digest ${command}`, `I didn’t understand “${command}”.`, message);
  expect(await findStoredDigests()).toEqual([]);
});

test('a command opens the form to choose a project, if there are several and the channel has none', async () => {
  running.service.on('GET /projects', TWO_PROJECTS);
  const general = running.workspace.as('Ana').in('#general');
  const form = await askForForm(general, '/upnext digest weekdays 8:30', 'Digest');
  expect(form.value('Time')).toBe('08:30');
  expect(form.text()).toContain('This channel follows no project yet, so choose one.');
  expect((await form.submit()).errors).toEqual({
    Projects: 'Choose a project. This channel doesn’t follow one yet.',
  });
  await form.choose('Projects', ['Night Market Books']);
  expect((await form.submit()).view?.text()).toContain('The first digest comes on Mon 23 Nov, 08:30');
});

test('a digest is about the project that its channel is named after, as all other commands are', async () => {
  running.service.on('GET /projects', TWO_PROJECTS);
  const channel = running.workspace.as('Ana').in('#night-market-books');
  await ask(channel, '/upnext digest weekdays 8:30', '#night-market-books · Night Market Books', 'Saved.');
  expect(await findStoredDigests()).toMatchObject([{ projects: '["p2"]', minute: 510 }]);
});

test('a command for a digest that exists already saves nothing, also if it names the channel’s project', async () => {
  await ask(ana, '/upnext digest weekdays 8:30', 'Saved.');
  await ana.type('/upnext digest mon, tue, wed, thu, fri 8:30');
  await ana.sees('This digest exists already. /upnext digest list shows it.');
  await ana.type('/upnext digest weekdays 8:30 for Harbour Coffee');
  expect(await findStoredDigests()).toHaveLength(1);
  await ask(ana, '/upnext digest weekdays 8:45', '08:45');
  expect(await findStoredDigests()).toHaveLength(2);
});

test('a command in a channel without the app says how to invite the app, and saves nothing', async () => {
  running.workspace.admin.remove('#random', 'upnext');
  const random = running.workspace.as('Ana').in('#random');
  await random.type('/upnext digest weekdays 8:30');
  await random.sees('Type /invite @Upnext in it, then save again.\nNothing was saved.');
  expect(await findStoredDigests()).toEqual([]);
});

test('a command says that the service is down, and saves nothing', async () => {
  running.service.on('GET /projects', json(500, 'oops'));
  await ask(ana, '/upnext digest weekdays 8:30', 'Nothing was saved.');
  expect(await findStoredDigests()).toEqual([]);
});

test('the form opens if the channel has no digest, and suggests weekdays at 9:00 in the default zone', async () => {
  const form = await askForForm(ana, '/upnext digest', 'Digest');
  expect(form.text()).toContain(
    'Everyone in the channel, including its guests, will see the posts of these projects.',
  );
  expect(form.value('Time')).toBe('09:00');
  expect(form.value('Time zone')).toContain('Europe/Lisbon');
  const { view } = await form.submit();
  expect(view?.text()).toContain('Weekdays at 09:00 (Lisbon)');
  expect(view?.text()).toContain('The first digest comes on Mon 23 Nov, 09:00 (Lisbon).');
  expect(await findStoredDigests()).toMatchObject([{ projects: '["p1"]', days: '1,2,3,4,5', minute: 540 }]);
});

test('the form takes the project that the chosen channel is named after', async () => {
  running.service.on('GET /projects', TWO_PROJECTS);
  const general = running.workspace.as('Ana').in('#general');
  const form = await askForForm(general, '/upnext digest new', 'Digest');
  await form.choose('Channel', '#night-market-books');
  await expect
    .poll(() => form.text())
    .toContain('This channel is named after Night Market Books. Leave this empty for that project.');
  expect((await form.submit()).view?.text()).toContain('#night-market-books · Night Market Books');
  expect(await findStoredDigests()).toMatchObject([{ projects: '["p2"]' }]);
});

test('the form saves no digest that exists already, and no second one by an edit', async () => {
  await ana.type('/upnext digest weekdays 9:00');
  const form = await askForForm(ana, '/upnext digest new', 'Digest');
  expect((await form.submit()).errors).toEqual({
    For: 'This digest exists already. Type /upnext digest list to see it.',
  });
  await (await submitWith(form, { Time: '10:00' })).view?.close();
  const edit = await askForForm(ana, '/upnext digest list', 'Digest', 'Edit');
  await edit.fill('Time', edit.value('Time') === '09:00' ? '10:00' : '9:00');
  expect((await edit.submit()).errors).toEqual({
    For: 'This digest exists already. Type /upnext digest list to see it.',
  });
  expect(await findStoredDigests()).toHaveLength(2);
});

test('the form asks for one day for a weekly digest, and for no channel for a personal digest', async () => {
  const form = await askForForm(ana, '/upnext digest new', 'Digest');
  expect(form.labels()).toContain('Days');
  await form.choose('How often', 'Weekly: the week ahead, with a picture');
  await expect.poll(() => form.labels()).toContain('Day');
  expect(form.labels()).not.toContain('Days');
  await form.choose('For', 'Only me, in a direct message');
  await expect.poll(() => form.labels()).not.toContain('Channel');
  expect(form.value('Day')).toBe('Monday');
  expect((await submitWith(form, { Day: ['Wednesday'] })).view?.text()).toContain(
    'Weekly · Wednesdays at 09:00 (Lisbon)\nDirect message to you ·',
  );
});

test('the form restores all values when the person switches between kinds of digests and back', async () => {
  running.service.on('GET /projects', TWO_PROJECTS);
  const form = await askForForm(ana, '/upnext digest new', 'Digest');
  await fillIn(form, { Projects: ['Night Market Books'], Days: ['Monday', 'Thursday'] });
  await form.choose('How often', 'Weekly: the week ahead, with a picture');
  await expect.poll(() => form.labels()).toContain('Day');
  await form.choose('For', 'Only me, in a direct message');
  await expect.poll(() => form.labels()).not.toContain('Channel');
  expect(form.text()).not.toContain('this channel’s projects');
  await form.choose('How often', 'Daily: today and what’s next');
  await expect.poll(() => form.labels()).toContain('Days');
  await form.choose('For', 'A channel');
  await expect.poll(() => form.labels()).toContain('Channel');
  expect((await form.submit()).view?.text()).toContain('Saved.');
  expect(await findStoredDigests()).toMatchObject([
    { channel: expect.stringMatching(/^C/), kind: 'daily', days: '1,4', projects: '["p2"]' },
  ]);
});

test('a digest of a project that was deleted is saved without it', async () => {
  running.service.on('GET /projects', TWO_PROJECTS);
  await ask(ana, '/upnext digest weekdays 8:30 for Night Market Books', 'Saved.');
  running.service.on('GET /projects', listProjects('Harbour Coffee'));
  const form = await askForForm(ana, '/upnext digest list', 'Digest', 'Edit');
  expect((await form.submit()).view?.text()).toContain('Saved.');
  expect(await findStoredDigests()).toMatchObject([{ projects: '["p1"]' }]);
});

test('a digest is not saved with a day that its form did not show', async () => {
  const form = await askForForm(ana, '/upnext digest new', 'Digest');
  running.workspace.faults.set({ deliveries: [{ kind: 'block_actions', fault: 'lost', times: 1 }] });
  const restoreDeadlines = stretchDeadlines(0.1);
  await form.choose('How often', 'Weekly: the week ahead, with a picture').catch(() => undefined);
  restoreDeadlines();
  expect((await form.submit()).view?.text()).not.toContain('Saved.');
  await expect.poll(() => form.labels()).toContain('Day');
  expect(await findStoredDigests()).toEqual([]);
});

test('the form shows errors under their fields for a channel without the app and for an invalid time', async () => {
  running.workspace.admin.remove('#random', 'upnext');
  const form = await askForForm(ana, '/upnext digest', 'Digest');
  await form.choose('Channel', '#random');
  await expect.poll(() => form.text()).toContain('/invite @Upnext');
  expect((await submitWith(form, { Time: 'soonish' })).errors).toEqual({
    Channel: 'I’m not in this channel, so I can’t post there. Type /invite @Upnext in it, then save again.',
    Time: 'Write a time such as 8:30, 17:00 or 5pm.',
  });
  expect(await findStoredDigests()).toEqual([]);
});

test('the form requires a confirmation for a channel that is shared with another organisation', async () => {
  running.workspace.admin.share('#harbour-coffee', 'T02ROASTER');
  const form = await askForForm(ana, '/upnext digest', 'Digest');
  expect(form.text()).toContain('The channel is shared with Roastery North, whose people are members too.');
  expect((await form.submit()).errors).toEqual({
    'Shared channel': 'Tick this if they may, or choose another channel.',
  });
  await form.choose('Shared channel', ['People outside may see these posts']);
  expect((await form.submit()).view?.text()).toContain('including people from outside your organisation');
});

test('the list shows the channel’s digests, which can be paused, resumed, changed and deleted there', async () => {
  await ana.type('/upnext digest weekdays 8:30 in Berlin');
  await ana.type('/upnext digest weekly monday 9:00 in Berlin');
  await ana.type('/upnext digest');
  await ana.sees(
    'Weekly · Mondays at 09:00 (Berlin)\n#harbour-coffee · this channel’s projects\nNext: Mon 23 Nov',
  );
  const list = ana.messages().at(-1) ?? '';
  expect(list.match(/\[[^\]]+\]/g)).toEqual([
    ...['[Edit]', '[More options]', '[Edit]', '[More options]', '[New digest]'],
  ]);
  await chooseAndSee(ana, 'More options', 'Pause', 'Paused.');
  expect((await findStoredDigests()).map(({ state }) => state).sort()).toEqual(['on', 'paused']);
  await chooseAndSee(ana, 'More options', 'Resume', 'Resumed.');
  await submitWith(await pressForForm(ana, 'Edit', 'Digest'), { Time: '7:15' });
  expect((await findStoredDigests()).some(({ minute }) => minute === 435)).toBe(true);
  await ana.choose('More options', 'Delete');
  await ana.press('Delete');
  await expect.poll(async () => (await findStoredDigests()).length).toBe(1);
});

test('a digest is deleted or sent only after a confirmation, and cancelling it shows the list again', async () => {
  await ana.type('/upnext digest weekly monday 9:00 in Berlin');
  await ana.type('/upnext digest list');
  await ana.choose('More options', 'Delete');
  await ana.sees('Delete this digest?\nThis can’t be undone.\nWeekly · Mondays at 09:00 (Berlin)');
  await pressAndSee(ana, 'Cancel', 'Next: Mon 23 Nov\n[Edit]');
  await ana.choose('More options', 'Send now');
  await ana.sees('Send this digest now?\nEverybody in the channel will see it.');
  expect(await findStoredDigests()).toHaveLength(1);
  await pressAndSee(ana, 'Send now', 'On its way.');
});

test('a digest whose project the service does not name counts it', () => {
  const digest = { ...settings(), id: 'd1', owner: 'UANA', state: 'on' } as const;
  const question = (projects: readonly string[]) =>
    JSON.stringify(renderQuestion('send', { ...digest, projects }, { projects: [], locale: 'en-US' }));
  expect(question(['p1'])).toContain('· one project"');
  expect(question(['p1', 'p2'])).toContain('· 2 projects"');
});

test('/upnext digest now sends a digest with one press', async () => {
  await ana.type('/upnext digest weekly monday 9:00 in Berlin');
  await ask(ana, '/upnext digest now', 'Send this digest now?\nWeekly · Mondays at 09:00 (Berlin)');
  const press = () => ana.press('Send now: Weekly · Mondays at 09:00 (Berlin)');
  await Promise.all([press(), press()]);
  await ana.sees('On its way.');
  const requested = database.db
    .selectFrom('digest_occurrence')
    .select('id')
    .where('requested_at', 'is not', null);
  expect(await requested.execute()).toHaveLength(1);
  await ana.type('/upnext digest me weekdays 8:30');
  await ask(ana, '/upnext digest now', 'Which digest should I send now?');
});

test('/upnext digest now offers nothing to somebody who may not send a digest', async () => {
  await startBot({ membersDefaultRole: 'viewer' });
  await ana.type('/upnext digest weekly monday 9:00 in Berlin');
  await ask(ben, '/upnext digest now', '[Preview for me');
  expect(ben.read()).not.toContain('Send now');
});

test('the list hides personal digests from everybody else', async () => {
  await ana.type('/upnext digest me weekdays 8:30');
  await ask(ben, '/upnext digest list', 'There’s no digest here or for you.');
});

test('a preview from the list is shown only to the person who asked for it', async () => {
  await ana.type('/upnext digest weekdays 8:30');
  await chooseAndSee(ana, 'More options', 'Preview for me', 'Nothing is scheduled for Harbour Coffee until');
  expect(running.workspace.as('Ben').in('#harbour-coffee').read()).not.toContain('Nothing is scheduled');
});

/** Saves a digest with a command, and returns its preview. */
async function preview(command: string, text: string): Promise<string> {
  await ana.type(`/upnext digest ${command}`);
  await chooseAndSee(ana, 'More options', 'Preview for me', text);
  return ana.messages().at(-1) ?? '';
}

test('a daily digest lists held posts, and says until when they are editable', async () => {
  await holdPost(running, { text: 'We open at nine', at: '2026-11-20T15:00:00Z' });
  expect(await preview('weekdays 8:30', 'We open at nine')).toContain('✏️ Editable until Fri 14:00');
});

test('held posts fill gaps, and are too close to posts of the service', async () => {
  for (const day of [20, 23, 24, 25, 26])
    await holdPost(running, { text: `Day ${day}`, at: `2026-11-${day}T15:00:00Z` });
  running.service.on('GET /posts', data([listedPost('At ten past', '2026-11-20T15:10:00Z', { Id: 'a' })]));
  const message = await preview('weekdays 8:30', 'At ten past');
  expect(message).toContain('under 30 minutes apart');
  expect(message).not.toContain('Nothing on');
});

test('the picture of a weekly digest shows held posts', async () => {
  await holdPost(running, { text: 'We open at nine', at: '2026-11-24T15:00:00Z' });
  await ana.type('/upnext digest weekly monday 9:00');
  await ana.choose('More options', 'Preview for me');
  const directMessages = await running.workspace.as('Ana').inDirectMessage();
  await directMessages.sees('1 post to go');
  expect(directMessages.read()).toMatch(/We open at nine.*\(editable\)/s);
});

test('a post that the service gets between two digests isn’t new', async () => {
  const { id } = await holdPost(running, { text: 'We open at nine', at: '2026-11-24T15:00:00Z' });
  const context = running.bot.heldPosts;
  const query = { workspace: 'T01HARBOUR', projects: ['p1'] };
  const now = new Date('2026-11-20T12:00:00Z');
  const toPlan = (planned: ReturnType<typeof createPlannedPost>, heldId: string | undefined) => {
    const plan = createPlan([{ ...planned, heldId }], [planned.project]);
    return { ...plan, end: new Date('2026-11-29T00:00:00Z') };
  };
  const [held] = (await listHeldPlan(context, query)).posts;
  expect(held?.held.id).toBe(id);
  const earlier = createPlannedPost('2026-11-24T15:00:00Z', { ...held?.post });
  const snapshot = takeSnapshot(toPlan(earlier, held?.held.id), now);
  const sent = createPlannedPost('2026-11-24T15:00:00Z', { ...held?.post, id: 'made', status: 'SCHEDULED' });
  const changes = compareWithSnapshot(snapshot, toPlan(sent, id), now);
  expect(changes).toEqual([]);
  const withoutIds = compareWithSnapshot(snapshot, toPlan(sent, undefined), now);
  expect(withoutIds).toMatchObject([{ kind: 'added', planned: { post: { id: 'made' } } }]);
});

test('while the service is down, a digest lists held posts and says that the others couldn’t be read', async () => {
  await holdPost(running, { text: 'We open at nine', at: '2026-11-20T15:00:00Z' });
  await ask(ana, '/upnext use Harbour Coffee', 'Harbour Coffee');
  await ask(ana, '/upnext digest weekdays 8:30', 'The first digest comes');
  running.service.on('GET /posts', json(500, 'oops'));
  running.service.on('GET /projects', json(500, 'oops'));
  await ana.choose('More options', 'Preview for me');
  await ana.sees('I couldn’t read the scheduling service’s posts. These are only the posts that I keep.');
  const message = ana.messages().at(-1) ?? '';
  expect(message).toContain('Harbour Coffee, Fri 20 Nov');
  expect(message).toMatch(/15:00.*Editable until Fri 14:00/s);
  expectNone(message, 'Nothing on', 'more posts than I can read');
});
