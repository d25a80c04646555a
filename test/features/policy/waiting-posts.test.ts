import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { buildEntryColumns } from '../../../src/engine/lifecycle.ts';
import { resumeSending, stopSending } from '../../../src/engine/sending-stop.ts';
import { LIFECYCLE } from '../../../src/held-posts/held-post.ts';
import { insertHeldPost } from '../../../src/held-posts/sql/held-posts.ts';
import { DEFAULT_POLICY, findPolicy, savePolicy } from '../../../src/preferences/project-policy.ts';
import { NOW } from '../../support/bot.ts';
import { startSeries, submitAndClose } from '../../support/filled-form.ts';
import { fillIn, submitWith } from '../../support/form-steps.ts';
import { listHeldPosts } from '../../support/hold-posts.ts';
import { data, json } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm } from '../../support/steps.ts';
import { startWithTwoProjects } from '../../support/two-projects.ts';

const { database, running, setPolicy, startBot } = setUpBot();
const KEY = { workspace: 'T01HARBOUR', project: 'p1' };
const HOUR_MS = 60 * 60_000;
const PUBLISH_AT = new Date(NOW.getTime() + 48 * HOUR_MS);
const LEAD = 'Hand posts over this long before they go out';
const WHEN = 'When posts go to the scheduling service';

beforeEach(async () => {
  await startWithTwoProjects(startBot);
  await setPolicy({ leadMinutes: 60 });
  await addPost('held');
  await addPost('held');
});

const ana = () => running.workspace.as('Ana').in('#general');
const readPolicy = () => findPolicy(database.db, KEY);

async function addPost(state: 'held' | 'awaiting-review'): Promise<void> {
  const handOverAt = new Date(PUBLISH_AT.getTime() - HOUR_MS);
  await insertHeldPost(database.db, {
    ...{ id: randomUUID(), ...KEY, endpoint: '', author: 'U01ANAFERR', channel: null, origin: randomUUID() },
    ...{ item: 0, content: '', content_hash: '', publish_at: PUBLISH_AT, hand_over_at: handOverAt },
    ...{ in_review: state === 'awaiting-review', maybe_sent: false, version: 1, created_at: new Date() },
    ...buildEntryColumns(LIFECYCLE, state, new Date()),
  });
}

/** The hours between the hand-over of each post and its time. */
async function listLeadHours(): Promise<number[]> {
  const rows = await listHeldPosts(database);
  return rows.map(({ hand_over_at: at }) => (PUBLISH_AT.getTime() - (at?.getTime() ?? 0)) / HOUR_MS);
}

async function openPolicy() {
  return askForForm(ana(), '/upnext policy Harbour Coffee', 'Policy', 'Change policy');
}

/** Fills the form so that Ben or Mira reviews each post. */
async function requireReviews() {
  await (await openPolicy()).choose('Review', 'Required for every post');
  await ana().sees('[Change]');
  await (await ana().modal('Policy')).press('Change');
  await ana().sees('Who approves');
  const longForm = await ana().modal('Policy');
  await longForm.choose('Who approves', 'Only the people and groups below');
  await longForm.choose('And these people', ['Ben', 'Mira']);
  return longForm;
}

async function submitLead(lead: string) {
  const form = await openPolicy();
  await submitWith(form, { [LEAD]: lead });
  return ana().modal('Waiting posts');
}

test('a manager who changes the lead decides in a second step that waiting posts stay, with the new lead', async () => {
  const question = await submitLead('3 hours');
  expect(question.text()).toContain('Upnext keeps 2 posts of Harbour Coffee. The policy hasn’t changed yet.');
  expect(question.text()).toContain('Posts that go out in less than 3 hours are sent to the service now.');
  expect(await readPolicy()).toMatchObject({ leadMinutes: 60 });
  expect(await listLeadHours()).toEqual([1, 1]);
  await question.choose('What should happen to them?', 'Keep them editable until 3 hours before they go out');
  expect((await question.submit()).view?.text()).toContain('Saved for Harbour Coffee.');
  expect(await readPolicy()).toMatchObject({ leadMinutes: 180 });
  expect(await listLeadHours()).toEqual([3, 3]);
});

test('or that they go over now', async () => {
  await addPost('awaiting-review');
  const question = await submitLead('3 hours');
  expect(question.text()).toContain('1 post in review stays with its reviewers.');
  await question.choose('What should happen to them?', 'Send them to the scheduling service now');
  expect((await question.submit()).view?.text()).toContain(
    '2 posts are on their way to the scheduling service.',
  );
  expect((await listLeadHours()).toSorted()).toEqual([3, 48, 48]);
});

test('or that they go over once sending resumes', async () => {
  const question = await submitLead('3 hours');
  await stopSending(database.db, { reason: '', since: NOW });
  await question.choose('What should happen to them?', 'Send them to the scheduling service now');
  const { view } = await question.submit();
  await resumeSending(database.db, [], NOW);
  expect(view?.text()).toContain('Sending is stopped, so 2 posts wait for that to end.');
});

test('a project that no longer holds posts pauses its series at once', async () => {
  await database.db.deleteFrom('held_post').execute();
  await startSeries(ana(), '/schedule-post every monday at 9 on x for Harbour Coffee: Hello');
  const listStates = () => database.db.selectFrom('series').select(['state', 'reason']).execute();
  await expect.poll(() => listHeldPosts(database)).toHaveLength(5);
  const form = await openPolicy();
  await submitWith(form, { [WHEN]: ['Right away'] });
  const question = await ana().modal('Waiting posts');
  const note = 'The project’s series pauses: I can make posts ahead only while they stay editable.';
  expect(question.text()).toContain(note);
  expect((await question.submit()).view?.text()).toContain(note);
  await expect.poll(listStates).toEqual([{ state: 'paused', reason: 'not-held' }]);
});

test('a series without a post yet is named when the project no longer holds posts', async () => {
  await database.db.deleteFrom('held_post').execute();
  await startSeries(ana(), '/schedule-post every 24 december at 9 on x for Harbour Coffee: Hello');
  const form = await openPolicy();
  await form.choose(WHEN, 'Right away');
  expect((await form.submit()).view?.text()).toContain('The project’s series pauses');
});

test('a manager who changes the review of series changes it for the series of that project only', async () => {
  await database.db.deleteFrom('held_post').execute();
  const approvers = ['U02BENOKAF', 'U03MIRAVOS'].map((id) => ({ kind: 'person', id }) as const);
  const reviewSteps = [{ approvers, needs: 'any' }] as const;
  for (const project of ['p1', 'p2'])
    await setPolicy({ leadMinutes: 60, review: 'required', reviewSteps }, project);
  for (const project of ['Harbour Coffee', 'Night Market Books'])
    await startSeries(ana(), `/schedule-post every monday at 9 on x for ${project}: Hello`);
  const readSeries = (project: string) =>
    database.db
      .selectFrom('series')
      .select(['fence', 'lease_until', 'next_at'])
      .where('project', '=', project)
      .executeTakeFirstOrThrow();
  for (const project of ['p1', 'p2'])
    await expect.poll(() => readSeries(project)).toMatchObject({ fence: 1, lease_until: null });
  const other = await readSeries('p2');
  const form = await openPolicy();
  await form.press('More options');
  await ana().sees('Posts that repeat');
  await form.choose('Posts that repeat', 'Review each text once');
  expect((await form.submit()).view?.text()).toContain('Posts that repeat are reviewed once for each text.');
  await expect.poll(async () => (await readSeries('p1')).fence).toBeGreaterThan(1);
  expect(await readSeries('p2')).toEqual(other);
});

test('posts of a project that no longer holds posts stay as they are', async () => {
  const form = await openPolicy();
  await submitWith(form, { [WHEN]: ['Right away'] });
  const question = await ana().modal('Waiting posts');
  await question.choose('What should happen to them?', 'Keep them until the time they would have gone over');
  await question.submit();
  expect(await readPolicy()).toEqual(DEFAULT_POLICY);
  expect(await listLeadHours()).toEqual([1, 1]);
});

test('posts of a project whose posts all have to be reviewed from now on wait for their reviewers', async () => {
  await (await requireReviews()).submit();
  const question = await ana().modal('Waiting posts');
  expect(question.text()).toContain(
    'Scheduled posts without the approvals that are needed now go to the reviewers first.',
  );
  expect(question.text()).not.toContain('Send them to the scheduling service now');
  const { view } = await question.submit();
  expect(view?.text()).toContain(
    'Scheduled posts without the approvals that are needed go to their reviewers within a few minutes.',
  );
  // Their next step asks the reviewers.
  const rows = await listHeldPosts(database);
  expect(rows.map(({ next_at }) => next_at !== null)).toEqual([true, true]);
});

test('a post in the outbox needs a review that is required from now on, and its manager reads that', async () => {
  await database.db.deleteFrom('held_post').execute();
  await setPolicy({});
  running.service.on('POST /posts', json(429, {}));
  await submitAndClose(running);
  running.service.on('POST /posts', data({ Id: 'made' }));
  running.service.calls.length = 0;
  const longForm = await requireReviews();
  expect((await longForm.submit()).view?.text()).toContain(
    '1 post in the outbox needs a review too, and goes to its reviewers.',
  );
  await expect
    .poll(() => database.db.selectFrom('held_post').select('state').execute())
    .toEqual([{ state: 'awaiting-review' }]);
  expect(running.service.created()).toEqual([]);
});

test('a decision after somebody else changed the policy changes nothing', async () => {
  const question = await submitLead('3 hours');
  const otherPolicy = { ...DEFAULT_POLICY, leadMinutes: 30 };
  await savePolicy(database.db, KEY, otherPolicy);
  const { view } = await question.submit();
  expect(view?.text()).toContain('Nothing was saved: somebody just changed this policy.');
  const audit = 'tried to choose what becomes of waiting posts in Harbour Coffee, but nothing was done';
  await ask(ana(), '/upnext audit', audit);
  expect(await readPolicy()).toMatchObject({ leadMinutes: 30 });
  expect(await listLeadHours()).toEqual([1, 1]);
});

test('a change that isn’t about posts asks nothing, and the channel must have the bot', async () => {
  running.workspace.admin.addChannel('#launch', { members: ['Ana'] });
  const form = await openPolicy();
  await form.press('More options');
  await ana().sees('Where requests and problems go');
  expect((await submitWith(form, { 'Where requests and problems go': ['#launch'] })).errors).toEqual({
    'Where requests and problems go': expect.stringContaining('I’m not in this channel'),
  });
  await form.choose('Where requests and problems go', '#harbour-coffee');
  expect((await form.submit()).view?.text()).toContain('Requests and problems go to #harbour-coffee.');
});

describe('the form for a post', () => {
  const CANNOT_EDIT = 'You can’t edit or delete it from Slack once the scheduling service has it.';

  beforeEach(() =>
    startWithTwoProjects(startBot, { membersDefaultRole: 'publisher', owners: { kind: 'emulator' } }),
  );

  const as = (name: string) => running.workspace.as(name).in('#general');

  async function openPostForm(name = 'Ana', outlook = CANNOT_EDIT) {
    await (await askForForm(as(name), '/schedule-post', 'Schedule a post')).choose(
      'Project',
      'Harbour Coffee',
    );
    await as(name).sees(outlook);
    return as(name).modal('Schedule a post');
  }

  const QUESTION = 'Should posts of this project stay editable?';
  const findPolicyRow = () =>
    database.db
      .selectFrom('project_policy')
      .select('lead_minutes')
      .where('project', '=', 'p1')
      .executeTakeFirst();

  test.each([
    ['Keep them until 1 hour before', 60, 'Editable until 1 hour before it goes out.'],
    ['Send them at once', null, CANNOT_EDIT],
  ])('a manager is asked once, and [%s] is the policy for everybody', async (answer, lead, outlook) => {
    const form = await openPostForm();
    await as('Ana').sees(QUESTION);
    await form.fill('Text', 'Open at nine');
    await form.press(answer);
    await expect.poll(() => form.text()).not.toContain(QUESTION);
    expect(form.text()).toContain(outlook);
    expect(form.value('Text')).toBe('Open at nine');
    expect((await findPolicyRow())?.lead_minutes).toBe(lead);
    await form.close();
    expect((await openPostForm('Ana', outlook)).text()).not.toContain(QUESTION);
  });

  test.each([
    ['Send them at once', 120, 'Editable until 2 hours before it goes out.'],
    ['Keep them until 1 hour before', undefined, CANNOT_EDIT],
  ])('[%s] changes nothing if somebody has decided meanwhile', async (answer, leadMinutes, outlook) => {
    const form = await openPostForm();
    await as('Ana').sees(QUESTION);
    const key = { workspace: 'T01HARBOUR', project: 'p1' };
    await savePolicy(database.db, key, { ...DEFAULT_POLICY, leadMinutes });
    await form.press(answer);
    await expect.poll(() => form.text()).not.toContain(QUESTION);
    expect(form.text()).toContain(outlook);
    expect((await findPolicyRow())?.lead_minutes).toBe(leadMinutes ?? null);
  });

  test('a post is kept editable if [Schedule] is pressed while the answer is still being stored', async () => {
    const form = await openPostForm();
    await as('Ana').sees(QUESTION);
    await fillIn(form, { Text: 'Open at nine', Platforms: ['X'], When: '1 Dec 9am' });
    await as('Ana').sees('Tue 1 Dec, 09:00');
    const answering = form.press('Keep them until 1 hour before');
    await form.submit();
    await answering;
    await as('Ana').sees('Editable until Tue 1 Dec, 08:00');
    expect(running.service.created()).toEqual([]);
    expect(await listHeldPosts(database)).toMatchObject([{ state: 'held' }]);
  });

  test('people who can’t change the policy aren’t asked', async () => {
    const form = await openPostForm('Mira');
    expect(form.text()).toContain(CANNOT_EDIT);
    expect(form.text()).not.toContain(QUESTION);
  });

  test('the list of projects shows the policies that aren’t the default', async () => {
    await setPolicy({ leadMinutes: 60, review: 'required' });
    await as('Mira').type('/upnext projects');
    await as('Mira').sees('• Harbour Coffee · editable until 1 hour before · required review');
    await as('Mira').sees('See how posts are kept and reviewed with /upnext policy.');
  });
});
