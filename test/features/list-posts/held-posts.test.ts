import { describe, expect, test } from 'vitest';
import { addMs } from '../../../src/engine/clock.ts';
import { formatPostCsv } from '../../../src/features/list-posts/export-csv.ts';
import { cancelHeldPost } from '../../../src/held-posts/change.ts';
import { findAuthor } from '../../../src/held-posts/sql/authors.ts';
import { noteUsedOrder } from '../../../src/preferences/date-order.ts';
import { NOW } from '../../support/bot.ts';
import { expectParts } from '../../support/form-steps.ts';
import { changeHeldPosts, copyHeldPost, holdPost } from '../../support/hold-posts.ts';
import { readExportedCsv } from '../../support/read-exported-csv.ts';
import { data, json, listedPost } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask, pressAndSee, pressForForm } from '../../support/steps.ts';

const { ana, running, startBot } = setUpBot({});

const BEN_ID = 'U02BENOKAF';
const TUESDAY = '2026-11-24T09:00:00Z';

const getLastMessage = (person: { messages(): string[] }) => person.messages().at(-1) ?? '';

/** Types `/upnext posts …` as Ana, and returns the answer. */
async function list(filter: string): Promise<string> {
  await ask(ana, `/upnext posts ${filter}`, 'Harbour Coffee');
  return getLastMessage(ana);
}

describe('held posts in a list', () => {
  test('are posts of their days that say until when they are editable, and open as a card', async () => {
    await holdPost(running, { text: 'We open at nine', at: TUESDAY });
    const answer = await list('24 nov');
    expectParts(answer, 'Harbour Coffee: 1 post, Tue 24 Nov', '✏️ Editable until Tue 08:00');
    expect(answer).toContain('We open at nine');
    // Whoever opens it hasn’t saved anything.
    await pressAndSee(ana, 'Open', '· Editable until Tue 24 Nov, 08:00. I’ll hand it over');
  });

  test('are found as scheduled, as editable, by platform, author and text', async () => {
    await holdPost(running, { text: 'We open at nine', at: TUESDAY });
    await holdPost(running, {
      text: 'Ben’s cold brew',
      at: TUESDAY,
      author: BEN_ID,
      platforms: ['LINKEDIN'],
    });
    expect(await list('scheduled')).toContain('Harbour Coffee: 2 scheduled posts');
    expect(await list('editable')).toContain('Harbour Coffee: 2 editable posts');
    for (const filter of ['mine', 'on x', 'held open nine', 'scheduled on x'])
      expect(await list(filter)).toMatch(/: 1 .*We open at nine/s);
    expect(await list('cold brew')).toMatch(/: 1 .*Ben’s cold brew/s);
    expect(await list('published')).not.toContain('We open at nine');
    expect(await list('failed')).not.toContain('We open at nine');
  });

  test('are listed as drafts, as in review, as cancelled, or as needing a decision, waiting and failed', async () => {
    await holdPost(running, { text: 'A thought', isDraft: true });
    await holdPost(running, { text: 'Check this', at: TUESDAY, policy: { review: 'required' } });
    const { id, workspace } = await holdPost(running, { text: 'Not this', at: TUESDAY });
    await cancelHeldPost(running.bot.heldPosts, { id, workspace, actor: 'U01ANAFERR' });
    expect(await list('drafts')).toMatch(/1 draft.*A thought/s);
    expect(await list('undated drafts')).toMatch(/1 draft.*A thought/s);
    expect(await list('waiting for review')).toMatch(/1 unreviewed post.*Check this/s);
    expect(await list('in review')).toMatch(/1 unreviewed post.*Check this/s);
    expect(await list('cancelled')).toMatch(/1 cancelled post.*Not this/s);
    const all = await list('all');
    expect(all).toContain('Harbour Coffee: 1 post and 1 draft');
    expect(all).not.toContain('Not this');
    const late = await holdPost(running, { text: 'Too late', at: TUESDAY });
    await changeHeldPosts(running, { state: 'needs-person', reason: 'overdue', next_at: null }, late.id);
    expect(await list('needs a decision')).toMatch(/1 undecided post.*Too late/s);
    expect(await list('waiting')).toMatch(/❌ Overdue.*Too late/s);
    expect(await list('failed')).toMatch(/1 failed post.*Too late/s);
  });

  test('stand among the service’s posts', async () => {
    await holdPost(running, { text: 'We open at nine', at: TUESDAY });
    running.service.on('GET /posts', data([listedPost('At ten', '2026-11-24T10:00:00Z', { Id: 'a' })]));
    expect(await list('scheduled')).toMatch(/2 scheduled posts.*We open at nine.*At ten/s);
  });

  test.each([
    ['isn’t answering', 'scheduled', true],
    ['hasn’t answered since the bot’s start', 'harbour coffee scheduled', false],
  ])('are shown although the service %s, and the list says so', async (_since, filter, hasAnswered) => {
    if (hasAnswered) await list('scheduled');
    await holdPost(running, { text: 'We open at nine', at: TUESDAY });
    await running.service.stop();
    const answer = await list(filter);
    expectParts(answer, 'We open at nine', 'I couldn’t load the service’s posts, so there may be more.');
  });

  test('are shown although the service refuses the token, and offered to be changed', async () => {
    await list('scheduled');
    await holdPost(running, { text: 'We open at nine', at: TUESDAY });
    for (const path of ['GET /projects', 'GET /posts']) running.service.on(path, json(401, {}));
    for (const command of ['/upnext posts scheduled', '/upnext move nine to friday 9am']) {
      await ask(ana, command, 'We open at nine');
      await ana.sees('I couldn’t load the service’s posts, so there may be more.');
      expect(getLastMessage(ana)).toContain('refused my access token');
    }
  });

  test('of another project aren’t listed', async () => {
    await holdPost(running, { text: 'We open at nine', at: TUESDAY, project: { id: 'p2', name: 'Books' } });
    expect(await list('scheduled')).toContain('There are no scheduled Harbour Coffee posts.');
  });
});

test('a post that was handed over is listed once', async () => {
  await startBot({ followsClock: true, startTime: new Date('2026-11-24T08:30:00Z') });
  await holdPost(running, { text: 'We open at nine', at: '2026-11-24T09:15:00Z' });
  running.service.on('POST /posts', data({ Id: 'made' }));
  await running.bot.engine.runOnce();
  await expect.poll(() => running.service.created().length).toBe(1);
  expect(await list('scheduled')).toMatch(/1 scheduled post[ ,\n].*We open at nine/s);
  // Its author may not schedule posts, so an approver's role has sent it.
  await changeHeldPosts(running, { author: BEN_ID });
  running.service.on(
    'GET /posts',
    data([listedPost('We open at nine', '2026-11-24T09:15:00Z', { Id: 'made' })]),
  );
  expect(await list('scheduled')).toMatch(/1 scheduled post[ ,\n].*by @Ben.*We open at nine/s);
  const { service_id: serviceId } = await running.db
    .selectFrom('submission')
    .select('service_id')
    .executeTakeFirstOrThrow();
  const filter = { workspace: 'T01HARBOUR', kind: 'post', serviceId: serviceId ?? '' };
  expect(await findAuthor(running.db, filter)).toBe(BEN_ID);
});

test('the posts of a list are exported as CSV, with their state and the time of their hand-over', async () => {
  await holdPost(running, { text: 'We open at nine, "daily"', at: TUESDAY });
  await ana.type('/upnext zone project America/New_York');
  await list('scheduled');
  await pressAndSee(ana, 'Export as CSV', '1 post of Harbour Coffee, as CSV.');
  const { name, text } = await readExportedCsv(running);
  expect(name).toBe('posts-harbour-coffee-2026-11-20.csv');
  expect(text).toContain(
    'Time (America/New_York),Post’s time zone,Status,Hand-over (America/New_York),Project',
  );
  expect(text).toContain('2026-11-24 04:00:00,');
  const posts = [
    {
      post: { content: 'We open at nine', platforms: ['X'], status: 'HELD', scheduleDate: new Date(TUESDAY) },
      author: 'U1',
      held: {
        ...{ id: 'h', version: 1, hash: '', state: 'held' as const, changedAt: new Date(TUESDAY) },
        handOverAt: new Date('2026-11-24T08:00:00Z'),
        facts: { status: 'HELD' },
      },
    },
  ];
  const csv = formatPostCsv({ id: 'p1', name: 'Harbour Coffee' }, posts, {
    names: new Map([['U1', 'Ana']]),
    zone: 'Europe/Berlin',
    now: NOW,
  });
  expect(csv).toContain(
    '2026-11-24 10:00:00,,Editable,2026-11-24 09:00:00,Harbour Coffee,X,Ana,We open at nine,',
  );
});

test('drafts are found although the project has more planned posts than a list reads', async () => {
  await copyHeldPost(running, await holdPost(running, { text: 'Planned', at: TUESDAY }), 500);
  await holdPost(running, { text: 'A thought', isDraft: true });
  const answer = await list('drafts');
  expect(answer).toMatch(/Harbour Coffee: 1 draft\n.*A thought/s);
  expect(answer).not.toContain('There may be more posts');
});

// Of posts for the same time, a list has those first that were made first.

test('a list by a typed name says if there are too many authors to compare', async () => {
  const row = await holdPost(running, { text: 'We open at nine', at: TUESDAY });
  await copyHeldPost(running, row, 30, (index) => ({ author: `U0AUTHOR${index}` }));
  await copyHeldPost(
    running,
    { ...row, id: 'of-ben', author: BEN_ID, created_at: addMs(row.created_at, 1) },
    1,
  );
  expect(await list('by @ben')).toContain(
    'There are no Harbour Coffee posts by @ben, among those I can read.',
  );
});

test('all pages of such a list say so, and keep the typed name', async () => {
  const row = await holdPost(running, { text: 'We open at nine', at: TUESDAY, author: BEN_ID });
  await copyHeldPost(running, row, 10);
  await copyHeldPost(running, { ...row, id: 'z', created_at: addMs(row.created_at, 1) }, 30, (index) => ({
    author: `U0AUTHOR${index}`,
  }));
  expect(await list('by @ben')).toContain('11 posts by @ben, 1 to 10, among those I can read');
  await pressAndSee(ana, 'Next page', '11 posts by @ben, 11 to 11, among those I can read');
});

test('[Filter] keeps the author of a list by a typed name', async () => {
  await holdPost(running, { text: 'We open at nine', at: TUESDAY });
  await holdPost(running, { text: 'Ben’s cold brew', at: TUESDAY, author: BEN_ID });
  await list('by @ben');
  await (await pressForForm(ana, 'Filter', 'Filter posts')).submit();
  expect((await ana.modal('Posts')).text()).toContain('Harbour Coffee: 1 post by Ben Okafor');
});

test('/upnext duplicate says what it looked for, and how many posts it doesn’t show', async () => {
  const row = await holdPost(running, { text: 'We open at nine', at: TUESDAY });
  await copyHeldPost(running, row, 6);
  await ask(ana, '/upnext duplicate', 'Which Harbour Coffee post?');
  expect(getLastMessage(ana)).toContain('…and 2 more.');
  await ask(ana, '/upnext cancel published', 'There are no published Harbour Coffee posts.');
  await noteUsedOrder(running.db, { workspace: 'T01HARBOUR', user: 'U01ANAFERR' }, '12/25');
  await ask(ana, '/upnext reschedule 03/04', 'Which days do you mean by “03/04”?');
});
