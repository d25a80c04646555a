import { expect, test } from 'vitest';
import { purgeDeliveries } from '../../src/engine/poll.ts';
import { findAuthor } from '../../src/held-posts/sql/authors.ts';
import { applyDecision } from '../../src/submissions/press.ts';
import { SUBMISSIONS, type SubmissionRow } from '../../src/submissions/submission.ts';
import type { SubmissionContext } from '../../src/submissions/submission-context.ts';
import { createPurgeChange } from '../../src/submissions/submissions.ts';
import { renderSubmission } from '../../src/submissions/text/render-submission.ts';
import { setUpWords } from '../support/set-up-words.ts';
import { createTestClock } from '../support/test-clock.ts';
import { createWordSubmission, findAuthorsOfText } from '../support/word-submissions.ts';

const words = setUpWords();

const { service, readRows } = words;

/** Sends a word to a service that gives it an id. */
const sendWord = async () => ({ kind: 'done', data: 'word_1', requestId: 'r' }) as const;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Runs the purge as of this many days from now. Returns the number of purged submissions. */
function purge(context: SubmissionContext, days: number): Promise<number> {
  const { retentionMs } = context.pace;
  const purged = {
    ...{ table: 'submission', retentionMs },
    purgeTo: (row: SubmissionRow, now: Date) => createPurgeChange(context, row, now),
  };
  return purgeDeliveries(words.db, purged, { now: new Date(Date.now() + days * DAY_MS) });
}

test('content is purged 30 days after a submission has ended, and its author stays known', async () => {
  const kind = service.kind('reconcile', { send: sendWord });
  const { context, submissions } = words.createStopped(kind);
  await words.submit(context, kind, createWordSubmission('hello'));
  expect(await purge(context, 29)).toBe(0);
  expect(await submissions.listConfirmed(kind, { workspace: 'T1', project: 'p1' })).toEqual([
    { serviceId: 'word_1', content: { text: 'hello' } },
  ]);
  expect(await purge(context, 31)).toBe(1);
  expect(await purge(context, 32)).toBe(0);
  expect((await readRows())[0]).toMatchObject({ content: null, state: 'confirmed' });
  expect(await findAuthor(words.db, { workspace: 'T1', kind: 'word', serviceId: 'word_1' })).toBe('U1');
});

test('a submission is deleted 400 days after its content, and a scheduled post not before it goes out', async () => {
  const kind = service.kind('reconcile', { send: sendWord });
  const { context } = words.createStopped(kind);
  await words.submit(context, kind, createWordSubmission('hello'));
  await words.submit(context, kind, createWordSubmission('in two years'));
  const publishAt = new Date(Date.now() + 730 * DAY_MS);
  await words.db
    .updateTable('submission')
    .set({ awaits_publication: true, publish_at: publishAt })
    .where('origin', '=', (await readRows())[1]?.origin ?? '')
    .execute();
  expect(await purge(context, 30)).toBe(2);
  await purge(context, 429);
  expect(await readRows()).toHaveLength(2);
  await purge(context, 431);
  expect(await readRows()).toMatchObject([{ content: null, publish_at: publishAt }]);
  await purge(context, 730 + 399);
  expect(await readRows()).toHaveLength(1);
  await purge(context, 730 + 401);
  expect(await readRows()).toEqual([]);
});

test('the summary of a submission remains after its content is purged', async () => {
  const kind = service.kind('reconcile', {
    send: sendWord,
    summarize: ({ text }) => ({ text: text.slice(0, 1) }),
  });
  const { context, submissions } = words.createStopped(kind);
  await words.submit(context, kind, createWordSubmission('hello'));
  await words.submit(context, kind, createWordSubmission('encrypted with a lost key'));
  await words.db
    .updateTable('submission')
    .set({ content: 'v1:lost:AAAA' })
    .where('id', '=', (await readRows())[1]?.id ?? '')
    .execute();
  const scope = { workspace: 'T1', project: 'p1' };
  expect(await submissions.listConfirmed(kind, scope)).toEqual([
    { serviceId: 'word_1', content: { text: 'hello' } },
  ]);
  expect(await purge(context, 31)).toBe(2);
  expect((await readRows()).map(({ content }) => content)).toEqual([null, null]);
  expect(JSON.stringify(await readRows())).not.toContain('hello');
  // Nothing else knows the people and prompts in summaries.
  await purge(context, 2_000);
  expect(await submissions.listConfirmed(kind, scope)).toEqual([
    { serviceId: 'word_1', content: { text: 'h' } },
  ]);
  expect(await readRows()).toHaveLength(1);
});

test('a submission that waits for its author is never purged', async () => {
  service.scriptCalls({ ending: { kind: 'unknown', cause: 'timed-out' } });
  const kind = service.kind('ask');
  const { context } = words.createStopped(kind);
  await words.submit(context, kind, createWordSubmission('hello'));
  expect(await purge(context, 400)).toBe(0);
});

test('the author of a post is found by its content in the same workspace, unless two people sent the same content', async () => {
  const kind = service.kind();
  const { context, submissions } = words.createStopped(kind);
  await words.submit(context, kind, createWordSubmission('hello'));
  const find = (workspace: string) => findAuthorsOfText(words.db, submissions, { workspace, text: 'hello' });
  expect(await find('T1')).toEqual(['U1']);
  expect(await find('T2')).toEqual([]);
  await words.submit(context, kind, createWordSubmission('hello', { author: 'U2' }));
  expect(await find('T1')).toEqual([]);
});

test('after a restored backup, submissions are reconciled, and authors are asked about overdue submissions', async () => {
  const unavailable = {
    ending: { kind: 'not-applied', cause: 'rate-limited', retryAfterMs: 60_000 } as const,
  };
  service.scriptCalls(unavailable, unavailable);
  const kind = service.kind();
  const { context } = words.createStopped(kind);
  await words.submit(context, kind, createWordSubmission('sent after the backup'));
  const due = new Date(Date.now() + 60_000).toISOString();
  await words.submit(
    words.createStopped(kind).context,
    kind,
    createWordSubmission('due after the backup', { due }),
  );
  service.storedTexts.push('sent after the backup');
  const transitionCounts = await SUBMISSIONS.restore(words.db, new Date(Date.now() + 120_000));
  expect(transitionCounts.map(({ count }) => count)).toEqual([1, 1]);
  const sentCount = service.sentTexts.length;
  const laterInstance = words.createStopped(kind, {
    clock: createTestClock(() => new Date(Date.now() + 120_000)),
  });
  laterInstance.submissions.start();
  await expect
    .poll(async () => (await readRows()).map(({ state, reason }) => [state, reason]))
    .toEqual([
      ['confirmed', null],
      ['unsure', 'restored'],
    ]);
  await laterInstance.submissions.stop();
  expect(service.sentTexts).toHaveLength(sentCount);
});

test('a submission that was given up before a restored backup is reconciled before it is sent again', async () => {
  service.scriptCalls({ ending: { kind: 'not-applied', cause: 'connection-refused' } });
  const kind = service.kind();
  // Gives up before the first call, so equal posts weren't counted before.
  const firstInstance = words.createStopped(kind, { pace: { giveUpMs: -1 } });
  await words.submit(firstInstance.context, kind, createWordSubmission('hello'));
  firstInstance.submissions.start();
  await expect.poll(words.readStates).toEqual(['gave-up']);
  await firstInstance.submissions.stop();
  await SUBMISSIONS.restore(words.db, new Date());
  service.storedTexts.push('hello');
  const { context } = words.createStopped(kind);
  const [row] = await readRows();
  const actor = { workspace: 'T1', user: 'U1', managesProject: () => false };
  const pressResult = await applyDecision(context, actor, row?.id ?? '', 'retry');
  expect(pressResult).toMatchObject({
    kind: 'current',
    row: { state: 'unsure', reason: 'equal-found' },
  });
  expect(service.sentTexts).toEqual([]);
});

test('a submission that was refused before a restored backup is reconciled before its correction is sent', async () => {
  service.scriptCalls({ ending: { kind: 'invalid', problems: [] } });
  const kind = service.kind();
  const { context } = words.createStopped(kind);
  const form = createWordSubmission('helo', { origin: 'form' });
  await words.submit(context, kind, form);
  await SUBMISSIONS.restore(words.db, new Date());
  service.storedTexts.push('hello');
  await words.submit(context, kind, { ...form, content: { text: 'hello' } });
  expect((await readRows()).map(({ state, reason }) => [state, reason])).toEqual([
    ['discarded', 'replaced'],
    ['unsure', 'equal-found'],
  ]);
  expect(service.storedTexts).toEqual(['hello']);
});

test('a change that is safe to repeat is not sent again after a backup is restored', async () => {
  service.scriptCalls({ ending: { kind: 'unknown', cause: 'timed-out' } });
  const kind = service.kind('repeat');
  const { context } = words.createStopped(kind);
  await words.submit(context, kind, createWordSubmission('hello'));
  await SUBMISSIONS.restore(words.db, new Date());
  const { submissions } = words.createStopped(kind);
  submissions.start();
  await expect.poll(async () => (await readRows()).map(({ reason }) => reason)).toEqual(['restored']);
  await expect.poll(words.readStates).toEqual(['unsure']);
  await submissions.stop();
  expect(service.sentTexts).toEqual(['hello']);
});

test('a submission that cannot be decrypted stays unchanged and does not block others', async () => {
  const unavailable = { ending: { kind: 'not-applied', cause: 'connection-refused' } as const };
  service.scriptCalls(unavailable, unavailable);
  const kind = service.kind();
  const { context, submissions, logLines } = words.createStopped(kind, {
    pace: { probeIntervalMs: 60_000 },
  });
  await words.submit(context, kind, createWordSubmission('encrypted with a lost key'));
  const undecryptable = 'v1:lost:AAAA';
  await words.db.updateTable('submission').set({ content: undecryptable, refusal: undecryptable }).execute();
  await words.submit(context, kind, createWordSubmission('hello'));
  submissions.start();
  await expect.poll(words.readStates).toEqual(['retryable', 'confirmed']);
  await expect.poll(() => logLines.join()).toContain('could not read the content of a submission');
  await submissions.stop();
  const [row] = await readRows();
  expect(row && renderSubmission(context, row)).toMatchObject({
    title: 'Your word',
    stateCopy: {
      sentence: 'Saved, not sent yet. I can’t read it, so ask whoever runs Upnext. I’ll keep retrying.',
    },
    // Its retries don't end before it can be read again.
    retries: undefined,
  });
});
