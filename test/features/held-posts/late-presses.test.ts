import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { CARD } from '../../../src/held-posts/show.ts';
import { disableParsing } from '../../../src/slack/message.ts';
import { emptyAuditRecord } from '../../support/audit-record.ts';
import { captureRequest, captureSubmission, copyLastRequest, deliver } from '../../support/doubled-form.ts';
import { submitWith } from '../../support/form-steps.ts';
import { changeHeldPosts, editAsBen, holdPost, listHeldPosts, reviewedBy } from '../../support/hold-posts.ts';
import { RECEIPT_PACE, setUpBot } from '../../support/set-up-bot.ts';
import { ask, askAndPress, pressAndSee, pressForForm } from '../../support/steps.ts';
import { grantBen } from '../../support/two-projects.ts';

// What people read after a press that came too late, and what the audit log says of it.

const { ana, database, running, setPolicy, startBot } = setUpBot();

beforeEach(async () => {
  await startBot({ mode: 'http', pace: RECEIPT_PACE, membersDefaultRole: null });
  await setPolicy({ leadMinutes: 60 });
  await grantBen(database.db, 'publisher', 'p1');
});

/** Sends a card to the channel that doesn't change with the post, as one of an earlier day. */
async function sendCards(
  count: number,
  times: { at?: string; isDraft?: true } = { at: '2026-12-01T09:00:00Z' },
) {
  const context = running.bot.heldPosts;
  const row = await holdPost(running, { text: 'We open at nine', ...times });
  const client = await context.findSlackClient(row.workspace);
  if (!client || client === 'unknown') throw new Error('no client');
  const card = await CARD.render({ context, client, row }, 'everyone');
  for (let sent = 0; sent < count; sent += 1)
    await client.chat.postMessage({ channel: 'C02HARBOUR', ...disableParsing(card) });
}

const count = (text: string, part: string) => text.split(part).length - 1;

const inChannel = (name: 'Ana' | 'Ben') => running.workspace.as(name).in('#harbour-coffee');

async function readAudit(words = '') {
  await ask(ana, `/upnext audit ${words}`.trim(), 'Audit log');
  return ana.messages().at(-1) ?? '';
}

test('a late press says who has changed the post, and the audit log has the change once', async () => {
  await sendCards(2);
  await pressAndSee(inChannel('Ben'), 'Cancel post', 'It won’t be sent.');
  await pressAndSee(
    inChannel('Ana'),
    'Cancel post',
    'This post has changed since, so nothing was done. @Ben Okafor cancelled it, ',
  );
  const audit = await readAudit();
  expect(audit.match(/.* cancel(?:led)? a post.*/g)?.map((line) => line.replace(/^.*?@/, '@'))).toEqual([
    '@Ana Ferreira tried to cancel a post in Harbour Coffee, but nothing was done',
    '@Ben Okafor cancelled a post in Harbour Coffee',
  ]);
});

test('a form with an error has done nothing in the audit log, and its correction has', async () => {
  await sendCards(1);
  const form = await pressForForm(inChannel('Ana'), 'Move to…', 'Move to…');
  await form.fill('When', 'blorp');
  expect((await form.submit()).errors).not.toEqual({});
  await submitWith(form, { When: '2 Dec 10am' });
  const audit = await readAudit();
  expect(audit.match(/@Ana Ferreira (?:moved|tried to move) a post.*/g)).toEqual([
    '@Ana Ferreira moved a post in Harbour Coffee',
    '@Ana Ferreira tried to move a post, but nothing was done',
  ]);
});

test('a press on a post that its person may not see any more has done nothing in the audit log', async () => {
  await emptyAuditRecord(database.db);
  await sendCards(1);
  const ben = inChannel('Ben');
  const form = await pressForForm(ben, 'Move to…', 'Move to…');
  await form.fill('When', '2 Dec 10am');
  await changeHeldPosts(database, { project: 'p2' });
  await form.submit();
  expect((await ben.modal('Upnext')).text()).toContain('This button isn’t yours, or it’s too old.');
  await pressAndSee(ben, 'Cancel post', 'This button isn’t yours, or it’s too old.');
  expect((await readAudit()).match(/@Ben .*/g)).toEqual([
    '@Ben Okafor tried to cancel a post, but nothing was done',
    '@Ben Okafor tried to move a post, but nothing was done',
  ]);
});

test('a press that only opens a form has done nothing in the audit log', async () => {
  await emptyAuditRecord(database.db);
  await holdPost(running, { text: 'We open at nine', at: '2026-12-01T09:00:00Z' });
  await askAndPress(ana, '/upnext posts 1 dec', 'Open', 'Harbour Coffee · by @Ana Ferreira');
  await ana.choose('More options', 'Hand over now');
  const question = await ana.modal('Hand it over now?');
  expect(question.text()).toContain(
    'You can’t edit or delete it from Slack once the scheduling service has it.',
  );
  await question.close();
  await sendCards(1, { isDraft: true });
  await (await pressForForm(inChannel('Ana'), 'Schedule', 'Schedule')).close();
  expect((await readAudit()).match(/@Ana .*/g)).toEqual([
    '@Ana Ferreira tried to schedule a draft in Harbour Coffee, but nothing was done',
    '@Ana Ferreira tried to hand a post over at once in Harbour Coffee, but nothing was done',
  ]);
});

test('a press that fails has an unknown result in the audit log', async () => {
  await sendCards(1);
  await sql`alter table held_post_event rename to held_post_event_gone`.execute(database.db);
  await pressAndSee(inChannel('Ana'), 'Cancel post', 'Something went wrong.');
  await sql`alter table held_post_event_gone rename to held_post_event`.execute(database.db);
  expect(await readAudit('result')).toContain('@Ana Ferreira cancelled a post (result unknown)');
});

test('a press that is denied again has done nothing in the audit log', async () => {
  await grantBen(database.db, 'contributor', 'p1');
  await emptyAuditRecord(database.db);
  await sendCards(2);
  for (const time of [1, 2]) {
    await inChannel('Ben').press('Cancel post');
    await expect.poll(() => count(inChannel('Ben').read(), 'You need the Publisher role')).toBe(time);
  }
  const audit = await readAudit('cancel');
  expect(audit.match(/.* cancel(?:led)? a post.*/g)?.map((line) => line.replace(/^.*?@/, '@'))).toEqual([
    '@Ben Okafor tried to cancel a post in Harbour Coffee again',
    '@Ben Okafor tried to cancel a post, but nothing was done',
    '@Ben Okafor tried to cancel a post in Harbour Coffee',
  ]);
  expect(await readAudit('nothing')).toContain('@Ben Okafor tried to cancel a post, but nothing was done');
});

describe('a press on a version that its person has changed', () => {
  test('moves nothing, offers no undo, and gives the typed time back', async () => {
    await sendCards(1);
    const form = await pressForForm(inChannel('Ana'), 'Move to…', 'Move to…');
    await form.fill('When', '2 Dec 10am');
    await deliver(running, await captureSubmission(running, form));
    await submitWith(form, { When: '4 Dec 10am' });
    const answer = await inChannel('Ana').modal('Upnext');
    expect(answer.text()).toMatch(/so nothing more was done\. You moved it, /);
    expect(answer.text()).toContain('This is what you wrote:\n4 Dec 10am');
    expect(answer.text()).not.toContain('Undo move');
    const [row] = await listHeldPosts(database);
    expect(row?.publish_at).toEqual(new Date('2026-12-02T10:00:00Z'));
  });

  test('approves nothing', async () => {
    const policy = { ...reviewedBy('U02BENOKAF'), channel: 'C02HARBOUR' };
    await setPolicy(policy);
    await holdPost(running, { text: 'We open at nine', at: '2026-12-01T09:00:00Z', policy });
    const ben = inChannel('Ben');
    await ben.sees('Please review this post');
    const press = await captureRequest(running, 'block_actions', () => ben.press('Approve'));
    await editAsBen(running, 'We open at ten');
    await deliver(running, press);
    await ben.sees('This post has changed since, so nothing more was done. You edited it, ');
  });
});

test('a double click on [Undo] says that the post was restored', async () => {
  await sendCards(1);
  await pressAndSee(inChannel('Ana'), 'Cancel post', 'It won’t be sent.');
  await pressAndSee(inChannel('Ana'), 'Undo', 'Editable until');
  await deliver(running, copyLastRequest(running));
  await inChannel('Ana').sees('so nothing more was done. You restored it, ');
});

test('a press on a post that was handed over says so, also to the one who had moved it before', async () => {
  await sendCards(2);
  const form = await pressForForm(inChannel('Ana'), 'Move to…', 'Move to…');
  await submitWith(form, { When: '2 Dec 10am' });
  await changeHeldPosts(database, { hand_over_at: new Date('2026-01-01T00:00:00Z') });
  await running.bot.heldPosts.handleClockChange();
  await expect.poll(() => running.service.created()).toHaveLength(1);
  await pressAndSee(inChannel('Ana'), 'Cancel post', 'I handed it over to the service, ');
});

test.each([
  ['nobody', ''],
  ['not the one who presses either', 'U01ANAFERR'],
])('a press on a post that became due by itself blames %s', async (_who, editor) => {
  await sendCards(1);
  await editAsBen(running, 'We open at ten');
  if (editor !== '')
    await database.db
      .updateTable('held_post_event')
      .set({ actor: editor, at: new Date('2026-11-19T12:00:00Z') })
      .execute();
  await askAndPress(ana, '/upnext posts 1 dec', 'Open', 'Harbour Coffee · by @Ana Ferreira');
  await ana.choose('More options', 'Hand over now');
  const form = await ana.modal('Hand it over now?');
  await changeHeldPosts(database, { hand_over_at: new Date('2026-01-01T00:00:00Z'), next_at: null });
  await form.submit();
  const answer = await ana.modal('Upnext');
  expect(answer.text()).toContain('so nothing was done. This is how it is now.');
});
