import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { CARD } from '../../../src/held-posts/show.ts';
import { disableParsing } from '../../../src/slack/message.ts';
import { submitWith } from '../../support/form-steps.ts';
import { holdPost } from '../../support/hold-posts.ts';
import { RECEIPT_PACE, setUpBot } from '../../support/set-up-bot.ts';
import { ask, pressAndSee, pressForForm } from '../../support/steps.ts';
import { grantBen } from '../../support/two-projects.ts';

// What people read after a press that came too late, and what the audit log says of it.

const { ana, database, running, setPolicy, startBot } = setUpBot();

beforeEach(async () => {
  await startBot({ pace: RECEIPT_PACE, membersDefaultRole: null });
  await setPolicy({ leadMinutes: 60 });
  await grantBen(database.db, 'publisher', 'p1');
});

/** Sends a card to the channel that doesn't change with the post, as one of an earlier day. */
async function sendCards(count: number) {
  const context = running.bot.heldPosts;
  const row = await holdPost(running, { text: 'We open at nine', at: '2026-12-01T09:00:00Z' });
  const client = await context.findSlackClient(row.workspace);
  if (!client || client === 'unknown') throw new Error('no client');
  const card = await CARD.render({ context, client, row }, 'everyone');
  for (let sent = 0; sent < count; sent += 1)
    await client.chat.postMessage({ channel: 'C02HARBOUR', ...disableParsing(card) });
}

const inChannel = (name: 'Ana' | 'Ben') => running.workspace.as(name).in('#harbour-coffee');

async function readAudit() {
  await ask(ana, '/upnext audit', 'Audit log');
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
    '@Ben Okafor cancelled a post',
  ]);
});

test('a form with an error has done nothing in the audit log, and its correction has', async () => {
  await sendCards(1);
  const form = await pressForForm(inChannel('Ana'), 'Move to…', 'Move to…');
  await form.fill('When', 'blorp');
  expect((await form.submit()).errors).not.toEqual({});
  await submitWith(form, { When: '2 Dec 10am' });
  const audit = await readAudit();
  expect(audit.match(/@Ana Ferreira .* the time of a post.*/g)).toEqual([
    '@Ana Ferreira changed the time of a post',
    '@Ana Ferreira tried to change the time of a post, but nothing was done',
  ]);
});

test('a press that fails has an unknown result in the audit log', async () => {
  await sendCards(1);
  await sql`alter table held_post_event rename to held_post_event_gone`.execute(database.db);
  await pressAndSee(inChannel('Ana'), 'Cancel post', 'Something went wrong.');
  await sql`alter table held_post_event_gone rename to held_post_event`.execute(database.db);
  expect(await readAudit()).toContain('@Ana Ferreira cancelled a post (result unknown)');
});
