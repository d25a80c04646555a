import { expect, test } from 'vitest';
import { HOUR_MS } from '../../../src/durations.ts';
import { SENT_REASONS } from '../../../src/posts/state-copy.ts';
import { FINAL_STATES, STATES, type SubmissionRow } from '../../../src/submissions/submission.ts';
import { NOW } from '../../support/bot.ts';
import { openFilledForm } from '../../support/filled-form.ts';
import { invalid, json } from '../../support/scripted-service.ts';
import { watchSent } from '../../support/sent-to-slack.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { pressAndSee } from '../../support/steps.ts';

const { ana, database, startBot, running } = setUpBot();

/** Slack’s limit for a message: https://docs.slack.dev/reference/block-kit/blocks */
const MAX_BLOCKS = 50;

const states = STATES.filter((state) => !FINAL_STATES.includes(state));
const cases = [
  ...states.map((state) => ({ state, reason: null })),
  ...Object.entries(SENT_REASONS).flatMap(([reason, { state }]) =>
    FINAL_STATES.some((final) => final === state)
      ? []
      : [{ state, reason: reason as keyof typeof SENT_REASONS }],
  ),
];

test('the largest page of the outbox fits into a message in every state', async () => {
  await startBot({ startTime: NOW, scanIntervalMs: 3_600_000 });
  running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too loud' }));
  const { form } = await openFilledForm(running);
  await form.submit();
  await form.close();
  const { id, ...row } = await database.db.selectFrom('submission').selectAll().executeTakeFirstOrThrow();
  const counts = new Map<string, number>();
  // Nothing is sent when the outbox opens.
  running.service.on('GET /posts', json(503, {}));
  for (const { state, reason } of cases) {
    const copy = (index: number, change: Partial<SubmissionRow>): SubmissionRow => ({
      ...{ ...row, id: `${id}-${index}`, origin: `${row.origin}-${index}`, next_at: null, lease_until: null },
      ...{ state, reason, publish_at: NOW, changed_at: new Date(Date.now() - 2 * HOUR_MS), notify_at: null },
      ...{ lock_key: null, locked: false },
      ...change,
    });
    // The second page has one of Ana's own entries, seven of Ben's, and both notes that a last page can have.
    const own = Array.from({ length: 21 }, (_, index) =>
      copy(
        index,
        index < 9 ? {} : { state: 'from-later' as SubmissionRow['state'], created_at: new Date(0) },
      ),
    );
    const others = Array.from({ length: 7 }, (_, index) => copy(index + 21, { author: 'U02BENOKAF' }));
    await database.db.deleteFrom('submission').execute();
    await database.db
      .insertInto('submission')
      .values([...own, ...others])
      .execute();
    const watched = watchSent({
      onSent({ payload: { blocks } }) {
        const length = typeof blocks === 'string' ? JSON.parse(blocks).length : (blocks as [])?.length;
        const name = `${state} ${reason}`;
        counts.set(name, Math.max(counts.get(name) ?? 0, length ?? 0));
      },
    });
    await ana.type('/upnext outbox');
    await pressAndSee(ana, 'Next page', '9 to 16 of at least 27', 'You have more submissions.');
    watched.stop();
  }
  expect(counts.size).toBe(cases.length);
  for (const [name, count] of counts) expect([name, count <= MAX_BLOCKS]).toEqual([name, true]);
  expect(Math.max(...counts.values())).toBeGreaterThan(MAX_BLOCKS - 5);
});
