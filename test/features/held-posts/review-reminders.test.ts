import { beforeEach, expect, test } from 'vitest';
import { editHeldPost } from '../../../src/held-posts/change.ts';
import type { HeldPostRow } from '../../../src/held-posts/held-post.ts';
import { readHeldContent } from '../../../src/held-posts/held-post-context.ts';
import { findHeldPost } from '../../../src/held-posts/sql/held-posts.ts';
import { DEFAULT_POLICY, type ProjectPolicy } from '../../../src/preferences/project-policy.ts';
import { NOW } from '../../support/bot.ts';
import { holdPost, stepOf } from '../../support/hold-posts.ts';
import { RECEIPT_PACE, setUpBot } from '../../support/set-up-bot.ts';
import { seeAll } from '../../support/steps.ts';

/** Reviewers are asked again in the thread of the request: before the hand-over, and after a change. */
const { database, running, setPolicy, startBot } = setUpBot();

const [ANA, BEN, MIRA] = ['U01ANAFERR', 'U02BENOKAF', 'U03MIRAVOS'];
/** Ben approves first, then Mira. Each gets a direct message. */
const POLICY: ProjectPolicy = {
  ...DEFAULT_POLICY,
  ...{ leadMinutes: 60, review: 'required' },
  reviewSteps: [stepOf([BEN]), stepOf([MIRA])],
};

beforeEach(async () => {
  await startBot({ pace: RECEIPT_PACE, followsClock: true, startTime: NOW });
  await setPolicy(POLICY);
});

/** Ana’s post goes over on Tuesday at 8:00, an hour before its time. */
const hold = () => holdPost(running, { text: 'We open at nine', at: '2026-11-24T09:00:00Z', policy: POLICY });
const inDirectMessage = (name: string) => running.workspace.as(name).inDirectMessage();
async function moveClock(to: string) {
  running.workspace.clock.set(Date.parse(to));
  await running.bot.heldPosts.handleClockChange();
}
const REMINDER = 'This post still waits for your review.';
const count = (reader: { messages(): string[] }, text: string) =>
  reader.messages().filter((message) => message.includes(text)).length;

async function edit({ id, workspace }: HeldPostRow, text: string) {
  const context = running.bot.heldPosts;
  const row = await findHeldPost(database.db, { id, workspace });
  const content = row && (readHeldContent(context, row)?.content as { values: object });
  await editHeldPost(
    context,
    { id, workspace, actor: ANA },
    { ...content, values: { ...content?.values, text } },
  );
}

test('the people who still have to decide are reminded a day and two hours before the hand-over, and read that it is too late', async () => {
  await hold();
  const [ben, mira] = [await inDirectMessage('Ben'), await inDirectMessage('Mira')];
  await ben.sees('Step 1 of 2.');
  await moveClock('2026-11-23T08:00:30Z');
  await expect.poll(() => count(ben, REMINDER)).toBe(1);
  await moveClock('2026-11-23T12:00:00Z');
  await moveClock('2026-11-24T06:00:30Z');
  await expect.poll(() => count(ben, REMINDER)).toBe(2);
  expect(count(mira, 'review')).toBe(0);
  await moveClock('2026-11-24T08:00:30Z');
  await seeAll(ben, 'This post wasn’t approved in time, so I didn’t send it.', 'Approve and schedule for…');
  await (await inDirectMessage('Ana')).sees('Not approved in time');
  expect(running.service.created()).toEqual([]);
});

test('whoever approves next is asked after the step before, and whoever approved a version that was edited is told so', async () => {
  const row = await hold();
  const [ben, mira] = [await inDirectMessage('Ben'), await inDirectMessage('Mira')];
  await ben.sees('Step 1 of 2.');
  await ben.press('Approve');
  await mira.sees('Step 2 of 2.');
  await ben.sees('Step 2 of 2.');
  expect(count(ben, REMINDER)).toBe(0);
  await edit(row, 'We open at ten');
  await ben.sees('This post was changed after it was approved. That approval no longer counts');
  await ben.sees('Step 1 of 2.');
});
