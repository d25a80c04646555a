import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { editHeldPost } from '../../../src/held-posts/change.ts';
import { approveHeldPost, returnForChanges, sendForReview } from '../../../src/held-posts/review/decide.ts';
import { OPENED_REVIEW } from '../../../src/held-posts/review/review-request.ts';
import { pauseSeries, resumeSeries, undoSeriesEdit } from '../../../src/held-posts/series/change-series.ts';
import { listEvents } from '../../../src/held-posts/sql/events.ts';
import { createPostAt } from '../../support/post-submissions.ts';
import { press, REVIEWED, TWO_STEPS } from '../../support/start-held-posts.ts';
import { createStoredSlack } from '../../support/stored-slack.ts';
import { START, startTestSeries, ZONE } from '../../support/test-series.ts';

/** A series whose policy asks its reviewers once about each of its texts. */

const { fixture, reset, runAt, start, edit, listPosts, read } = await startTestSeries();
let slack = createStoredSlack();
let instance = fixture.heldPosts;
beforeEach(async () => {
  await reset();
  slack = createStoredSlack();
  instance = fixture.createInstance({}, slack.client);
  await setPolicy(REVIEWED);
});
afterAll(() => fixture.close());

async function setPolicy(policy: typeof REVIEWED, seriesReview: 'once' | 'each' = 'once') {
  await fixture.setPolicy({ ...policy, seriesReview });
}
const decisionOn = ({ row }: Awaited<ReturnType<typeof listPosts>>[number], actor = 'U2') => ({
  ...press(row, actor),
  hash: row.content_hash,
});
const countRequests = () => slack.listRecipients().filter((recipient) => recipient === 'DU2').length;
const listStates = async () => (await listPosts()).map(({ text, state }) => `${text} ${state}`);
async function getPost(index: number) {
  const post = (await listPosts())[index];
  if (!post) throw new Error('the post is missing');
  return post;
}

test('reviewers are asked about one post, and its approval counts for all with its text, also later ones', async () => {
  await start('every day at 09:00', { instance });
  await runAt('2027-02-22T12:01Z', instance);
  expect([(await listPosts()).length, countRequests()]).toEqual([35, 1]);
  await approveHeldPost(instance.context, decisionOn(await getPost(0)));
  await runAt('2027-02-22T12:02Z', instance);
  expect(new Set(await listStates())).toEqual(new Set(['Hello held']));
  for (const day of [23, 24]) await runAt(`2027-02-${day}T07:00Z`, instance);
  expect((await listStates()).filter((state) => state.endsWith('awaiting-review'))).toEqual([]);
  expect([countRequests(), fixture.listSentTexts().length]).toEqual([1, 2]);
  // The author reads of the approval once.
  expect(slack.listRecipients().filter((recipient) => recipient === 'DU1')).toHaveLength(1);
});

test('the request says for which other posts an approval counts', async () => {
  await start('every monday at 9', { instance });
  await runAt('2027-02-22T12:01Z', instance);
  const readRequest = () =>
    JSON.stringify(slack.messages.findLast(({ channel }) => channel === 'DU2')?.blocks);
  expect(readRequest()).toMatch(
    /An approval also counts for 4 other posts of its series with this text \(.+ and 1 more\), and those that I make later\./,
  );
  await setPolicy(REVIEWED, 'each');
  const view = await OPENED_REVIEW.render(
    { context: instance.context, client: slack.client, row: (await getPost(0)).row },
    {},
  );
  expect(JSON.stringify(view.blocks)).not.toContain('also counts');
});

test('an approval counts for all also if its copies lost every race at first', async () => {
  await start('every monday at 9', { instance });
  await approveHeldPost(instance.context, decisionOn(await getPost(0)));
  const races = vi.spyOn(instance.context.verbs, 'byPerson').mockResolvedValue(undefined);
  await runAt('2027-02-22T12:01Z', instance);
  races.mockRestore();
  expect(new Set(await listStates())).toEqual(new Set(['Hello held', 'Hello awaiting-review']));
  await runAt('2027-02-22T12:10Z', instance);
  expect(new Set(await listStates())).toEqual(new Set(['Hello held']));
});

test('another text needs another approval', async () => {
  const series = await start('every day at 09:00', { texts: ['A', 'B'], instance });
  await runAt('2027-02-22T12:01Z', instance);
  expect(countRequests()).toBe(2);
  await approveHeldPost(instance.context, decisionOn(await getPost(0)));
  await runAt('2027-02-22T12:02Z', instance);
  expect(new Set(await listStates())).toEqual(new Set(['A held', 'B awaiting-review']));
  await edit(press(series), 'every day at 09:00', { texts: ['A', 'C'] });
  await runAt('2027-02-22T12:03Z', instance);
  await runAt('2027-02-22T12:04Z', instance);
  expect(new Set(await listStates())).toEqual(new Set(['A held', 'C awaiting-review']));
});

test('a post that somebody edits needs an approval of its own', async () => {
  await start('every monday at 9', { instance });
  const second = await getPost(1);
  await editHeldPost(instance.context, press(second.row), {
    ...createPostAt('Edited', 0),
    moment: { instant: second.row.publish_at?.toISOString() ?? '', zone: ZONE },
  });
  await approveHeldPost(instance.context, decisionOn(await getPost(0)));
  await runAt('2027-02-22T12:02Z', instance);
  const states = await listStates();
  expect(states.filter((state) => state !== 'Hello held')).toEqual(['Edited awaiting-review']);
});

test('if the first is returned to its author, reviewers are asked about the next', async () => {
  await start('every day at 09:00', { instance });
  await returnForChanges(instance.context, decisionOn(await getPost(0)), {
    ...{ decision: 'changes-requested', text: 'Not this day' },
  });
  await runAt('2027-02-22T12:01Z', instance);
  // Its step comes twice a day.
  await runAt('2027-02-23T00:01Z', instance);
  await runAt('2027-02-23T00:02Z', instance);
  expect(countRequests()).toBe(2);
});

test('a post that was returned and sent again unchanged needs an approval of its own', async () => {
  await setPolicy(TWO_STEPS);
  await start('every monday at 9', { instance });
  const first = await getPost(0);
  await approveHeldPost(instance.context, decisionOn(first));
  await returnForChanges(instance.context, decisionOn(first, 'U3'), {
    ...{ decision: 'rejected', text: 'Not this day' },
  });
  await runAt('2027-02-22T12:01Z', instance);
  const countApprovals = async () =>
    (
      await fixture.db
        .selectFrom('held_post_event')
        .select('id')
        .where('kind', '=', 'approved')
        .where('held_post', '<>', first.row.id)
        .execute()
    ).length;
  expect(await countApprovals()).toBe(0);
  for (const user of ['U2', 'U3'])
    await approveHeldPost(instance.context, decisionOn(await getPost(1), user));
  await sendForReview(instance.context, press(first.row));
  await runAt('2027-02-22T12:02Z', instance);
  expect((await listStates()).toSorted()).toEqual([
    'Hello awaiting-review',
    ...Array.from({ length: 4 }, () => 'Hello held'),
  ]);
  expect((await getPost(0)).state).toBe('awaiting-review');
  // Its reviewers are asked about it.
  await runAt('2027-02-22T12:03Z', instance);
  expect(slack.listRecipients()).toContain('DU3');
  await approveHeldPost(instance.context, decisionOn(await getPost(0), 'U3'));
  expect((await getPost(0)).state).toBe('held');
});

test('each step is approved once', async () => {
  await setPolicy(TWO_STEPS);
  await start('every monday at 9', { instance });
  await approveHeldPost(instance.context, decisionOn(await getPost(0)));
  await runAt('2027-02-22T12:01Z', instance);
  expect(new Set(await listStates())).toEqual(new Set(['Hello awaiting-review']));
  await approveHeldPost(instance.context, decisionOn(await getPost(0), 'U3'));
  await runAt('2027-02-22T12:02Z', instance);
  expect(new Set(await listStates())).toEqual(new Set(['Hello held']));
});

test('an approval counts for no other step, also of somebody who may approve both', async () => {
  const [step] = TWO_STEPS.reviewSteps;
  if (!step) throw new Error('the step is missing');
  await setPolicy({ ...TWO_STEPS, reviewSteps: [step, step], stepPeople: 'any' });
  await start('every monday at 9', { instance });
  await approveHeldPost(instance.context, decisionOn(await getPost(0)));
  await runAt('2027-02-22T12:01Z', instance);
  // Another post is made, and all of them are looked at again.
  await runAt('2027-03-02T12:00Z', instance);
  await runAt('2027-03-03T12:00Z', instance);
  expect((await listPosts()).length).toBeGreaterThan(5);
  expect((await listStates()).filter((state) => state === 'Hello held')).toEqual([]);
});

test('somebody who edited the series can’t approve their own words, also in later posts', async () => {
  const series = await start('every monday at 9', { instance });
  await edit(press(series, 'U2'), 'every monday at 9', { texts: ['New'] });
  await runAt('2027-02-22T12:01Z', instance);
  await runAt('2027-03-02T12:00Z', instance);
  const posts = await listPosts();
  expect(posts.length).toBeGreaterThan(5);
  for (const post of posts.slice(-2))
    expect(await approveHeldPost(instance.context, decisionOn(post))).toMatchObject({ kind: 'edited' });
  const last = posts.at(-1);
  if (!last) throw new Error('the post is missing');
  expect(await approveHeldPost(instance.context, decisionOn(last, 'U3'))).toMatchObject({ kind: 'changed' });
  // The author isn't told of the edit of each post.
  await runAt('2027-03-02T12:01Z', instance);
  expect(JSON.stringify(slack.messages)).not.toContain('<@U2> edited');
});

test('nor can an earlier editor, but one whose edit is undone can; each change names its person', async () => {
  const series = await start('every monday at 9', { instance });
  const change = async (version: number, actor: string, text: string) =>
    edit(press({ ...series, version }, actor), 'every monday at 9', { texts: [text] });
  await change(1, 'U2', 'New');
  await change(2, 'U4', 'Newer');
  await change(3, 'U3', 'Newest');
  await undoSeriesEdit(instance.context, press({ ...series, version: 4 }, 'U5'));
  await runAt('2027-02-22T12:01Z', instance);
  await runAt('2027-03-02T12:00Z', instance);
  const [first, last] = [await getPost(0), (await listPosts()).at(-1)];
  if (!last) throw new Error('the post is missing');
  const readEvents = async ({ row }: typeof last) =>
    (await listEvents(fixture.db, row)).map(({ kind, actor }) => ({ kind, actor }));
  const toEdits = (...actors: string[]) => actors.map((actor) => ({ kind: 'edited', actor }));
  const sent = { kind: 'sent-for-review', actor: 'U1' };
  expect(await readEvents(last)).toEqual([sent, ...toEdits('U2', 'U4')]);
  // The post that existed before was changed once, after the undo, whose person wrote nothing.
  expect(await readEvents(first)).toEqual([sent, ...toEdits('U2', 'U4', '')]);
  expect(await approveHeldPost(instance.context, decisionOn(last))).toMatchObject({ kind: 'edited' });
  expect(await approveHeldPost(instance.context, decisionOn(last, 'U3'))).toMatchObject({ kind: 'changed' });
});

test.each([
  { when: 'an edit', isUndone: false, editors: ['U4'] },
  { when: 'the undo of an edit', isUndone: true, editors: [] },
])(
  'somebody who pauses and resumes a series after $when can approve posts whose texts take other turns',
  async ({ isUndone, editors }) => {
    const series = await start('every day at 09:00', { texts: ['A', 'B'], instance });
    await edit(press(series, 'U4'), 'every day at 09:00', { texts: ['A', 'C'] });
    if (isUndone) await undoSeriesEdit(instance.context, press({ ...series, version: 2 }, 'U2'));
    await runAt('2027-02-22T12:01Z', instance);
    const textsBefore = (await listPosts()).slice(1, 5).map(({ text }) => text);
    const { version } = await read(series.id);
    await pauseSeries(instance.context, press({ ...series, version }, 'U2'));
    await runAt('2027-02-23T12:00Z', instance);
    await resumeSeries(instance.context, press({ ...series, version }, 'U2'));
    await runAt('2027-02-23T12:01Z', instance);
    const posts = (await listPosts()).slice(1, 5);
    // The text of the date that passed goes to the next one.
    expect(posts.map(({ text }) => text)).toEqual(textsBefore.toReversed());
    for (const post of posts) {
      const actors = (await listEvents(fixture.db, post.row)).filter(({ kind }) => kind === 'edited');
      expect(new Set(actors.map(({ actor }) => actor).filter((actor) => actor !== ''))).toEqual(
        new Set(editors),
      );
    }
    expect(await approveHeldPost(instance.context, decisionOn(await getPost(1)))).toMatchObject({
      kind: 'changed',
    });
  },
);

test('somebody who may no longer approve has approved no later post', async () => {
  await start('every monday at 9', { instance });
  fixture.permissions.set('U2', 'no');
  await fixture.db
    .insertInto('held_post_event')
    .values({
      ...{
        id: 'approval',
        workspace: 'T1',
        held_post: (await getPost(0)).row.id,
        version: 1,
        kind: 'approved',
      },
      ...{ actor: 'U2', step: 0, content_hash: (await getPost(0)).row.content_hash, at: new Date(START) },
    })
    .execute();
  await runAt('2027-02-23T00:01Z', instance);
  expect(new Set(await listStates())).toEqual(new Set(['Hello awaiting-review']));
});
