import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NOW } from '../../support/bot.ts';
import { holdPost, reviewedBy } from '../../support/hold-posts.ts';
import { createPostingTimes } from '../../support/posting-times.ts';
import { RECEIPT_PACE, setUpBot } from '../../support/set-up-bot.ts';
import { askAndPress, pressForForm } from '../../support/steps.ts';

/** Somebody takes the last slots of the project while Ben moves a post of Ana's to the next one. */
const { ben, database, running, setPolicy, startBot } = setUpBot();
const POLICY = {
  ...reviewedBy('U02BENOKAF'),
  postingTimes: [createPostingTimes(['X'], 'every monday 9:00')],
  channel: 'C02HARBOUR',
};

beforeEach(async () => {
  await startBot({ pace: RECEIPT_PACE, followsClock: true, startTime: NOW });
  await setPolicy(POLICY);
  await holdPost(running, { text: 'We open at nine', at: '2026-11-24T09:00:00Z', policy: POLICY });
});
afterEach(() => sql`drop function if exists lose_slot cascade`.execute(database.db));

async function loseSlots() {
  await sql`create function lose_slot() returns trigger language plpgsql as
    $$ begin return null; end $$`.execute(database.db);
  await sql`create trigger lose_slot before insert on slot_reservation for each row
    execute function lose_slot()`.execute(database.db);
}

test.each([
  [
    'moved',
    async () => {
      await askAndPress(ben, '/upnext posts 24 nov', 'Open');
      return pressForForm(ben, 'Move to…', 'Move to…');
    },
  ],
  [
    'approved too late',
    async () => {
      await ben.sees('Please review this post');
      running.workspace.clock.set(Date.parse('2026-11-24T09:05:00Z'));
      await running.bot.heldPosts.handleClockChange();
      return pressForForm(ben, 'Approve and schedule for…', 'Approve for…');
    },
  ],
])('a post that is %s keeps its time, and the form says that no slot is free', async (_how, openForm) => {
  const form = await openForm();
  const readPosts = () => database.db.selectFrom('held_post').select(['state', 'publish_at']).execute();
  const before = await readPosts();
  await form.fill('When', 'next slot');
  await ben.sees('9:00 AM (Lisbon). The next free X slot.');
  await loseSlots();
  expect((await form.submit()).errors).toEqual({
    When: expect.stringMatching(/^No X slot of the next 13 weeks is free from Mon \d+ Nov on\. Enter a time/),
  });
  expect(form.value('When')).toBe('next slot');
  expect(await readPosts()).toEqual(before);
});
