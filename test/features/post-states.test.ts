import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { buildEntryColumns } from '../../src/engine/lifecycle.ts';
import type { HeldPostRow } from '../../src/held-posts/held-post.ts';
import { type Description, describePost } from '../../src/posts/describe-post.ts';
import type { PublicationState } from '../../src/posts/state-copy.ts';
import { PUBLICATIONS } from '../../src/publications/publication.ts';
import { insertSubmission } from '../../src/submissions/sql/submissions.ts';
import type { SubmissionRow } from '../../src/submissions/submission.ts';
import { NOW } from '../support/bot.ts';
import { holdPost } from '../support/hold-posts.ts';
import { json } from '../support/scripted-service.ts';
import { setUpBot } from '../support/set-up-bot.ts';

const { ana, running, startBot } = setUpBot();
beforeAll(async () => {
  await startBot();
  running.service.on('POST /posts', json(429, {}));
});

const TODAY = '2026-11-20T15:00:00Z';
const LATER = new Date('2099-01-01T00:00:00Z');

interface PostState {
  held?: { state: HeldPostRow['state']; reason?: HeldPostRow['reason']; inReview?: boolean };
  sent?: { state: SubmissionRow['state']; reason?: SubmissionRow['reason'] };
  publication?: PublicationState;
}

const STATES: Record<string, PostState> = {
  'a draft': { held: { state: 'draft' } },
  'returned by a reviewer': { held: { state: 'draft', reason: 'changes-requested' } },
  rejected: { held: { state: 'draft', reason: 'rejected' } },
  'in review': { held: { state: 'awaiting-review', inReview: true } },
  'kept until its hand-over': { held: { state: 'held' } },
  approved: { held: { state: 'held', inReview: true } },
  'waiting for a stop to end': { held: { state: 'held', reason: 'stopped' } },
  'not checked yet': { held: { state: 'held', reason: 'not-checked' } },
  'handed over, on its way': { held: { state: 'handed-over' }, sent: { state: 'sending' } },
  'handed over, while the service is down': { held: { state: 'handed-over' }, sent: { state: 'retryable' } },
  'handed over, without an answer': { held: { state: 'handed-over' }, sent: { state: 'reconciling' } },
  'handed over, uncertain': {
    held: { state: 'handed-over' },
    sent: { state: 'unsure', reason: 'not-found' },
  },
  'not accepted': { held: { state: 'needs-person', reason: 'refused' } },
  'not sent for 24 hours': { held: { state: 'needs-person', reason: 'gave-up' } },
  'taken back': { held: { state: 'needs-person', reason: 'taken-back' } },
  'too late': { held: { state: 'needs-person', reason: 'overdue' } },
  'without anybody who may schedule it': { held: { state: 'needs-person', reason: 'not-allowed' } },
  'not approved in time': { held: { state: 'needs-person', reason: 'not-approved' } },
  'written for another service': { held: { state: 'needs-person', reason: 'other-service' } },
  'restored from a backup': { held: { state: 'needs-person', reason: 'restored' } },
  cancelled: { held: { state: 'cancelled' } },
  delivered: { held: { state: 'delivered' }, sent: { state: 'confirmed' } },
  'published at its time': {
    ...{ held: { state: 'delivered' }, sent: { state: 'confirmed' }, publication: 'published' },
  },
  'failed at its time': {
    ...{ held: { state: 'delivered' }, sent: { state: 'confirmed' }, publication: 'failed' },
  },
  'late at its time': { held: { state: 'delivered' }, sent: { state: 'confirmed' }, publication: 'late' },
  'unclear at its time': {
    ...{ held: { state: 'delivered' }, sent: { state: 'confirmed' }, publication: 'unclear' },
  },
  'not confirmed yet after its time': {
    ...{ held: { state: 'delivered' }, sent: { state: 'confirmed' }, publication: 'checking' },
  },
  'sent directly, on its way': { sent: { state: 'sending' } },
  'sent directly, while the service is down': { sent: { state: 'retryable' } },
  'sent directly, while the project is stopped': { sent: { state: 'retryable', reason: 'sending-stopped' } },
  'sent directly, without an answer': { sent: { state: 'reconciling' } },
  'sent directly, uncertain': { sent: { state: 'unsure', reason: 'not-found' } },
  'sent directly, for another service': { sent: { state: 'blocked', reason: 'other-service' } },
  'sent directly, perhaps to another service': {
    sent: { state: 'unsure', reason: 'other-service-uncertain' },
  },
  'sent directly, too late': { sent: { state: 'blocked', reason: 'overdue' } },
  'sent directly, not accepted': { sent: { state: 'refused' } },
  'sent directly, not sent for 24 hours': { sent: { state: 'gave-up' } },
};

/** Stores a post of Ana's in a state, as it would be after all that leads there. */
async function storePost(text: string, { held, sent, publication }: PostState): Promise<string> {
  const { db } = running;
  const row = await holdPost(running, { text, at: TODAY });
  const submission = randomUUID();
  if (sent) {
    await insertSubmission(db, {
      ...{ id: submission, workspace: row.workspace, author: row.author, kind: 'post' },
      ...{ origin: held ? row.id : randomUUID(), item: 0, revision: 0, channel: null, project: 'p1' },
      ...{ content: row.content, publish_at: row.publish_at, createdAt: row.created_at },
    });
    await db
      .updateTable('submission')
      .set({
        ...{ state: sent.state, reason: sent.reason ?? null, next_at: LATER },
        retrying_since: row.created_at,
        ...(sent.state === 'sending' && { lease_until: LATER }),
      })
      .where('id', '=', submission)
      .execute();
  }
  if (publication) {
    const at = row.created_at;
    await db
      .insertInto('publication')
      .values({
        ...{ id: submission, workspace: row.workspace, endpoint: '', author: row.author },
        ...{ ...buildEntryColumns(PUBLICATIONS.lifecycle, 'checking', at), retrying_since: at },
        ...{ state: publication, next_at: null, notify_at: null },
      })
      .execute();
    // After its time.
    for (const table of ['held_post', 'submission'] as const)
      await db
        .updateTable(table)
        .set({ publish_at: new Date(NOW.getTime() - 3_600_000) })
        .execute();
  }
  if (held)
    await db
      .updateTable('held_post')
      .set({
        ...{ state: held.state, reason: held.reason ?? null, next_at: null },
        in_review: held.inReview ?? false,
        submission: sent ? submission : null,
        ...(held.inReview && held.state === 'held' && { approver: 'U03MIRAVOS' }),
      })
      .where('id', '=', row.id)
      .execute();
  else await db.deleteFrom('held_post').where('id', '=', row.id).execute();
  return row.id;
}

/** Reads the week's digest as its preview shows it, with its picture's alternative text. */
async function readDigest(): Promise<string> {
  const digest = await running.bot.digests.save(
    {
      ...{ workspace: 'T01HARBOUR', channel: 'C02HARBOUR', kind: 'weekly', projects: ['p1'] },
      ...{ days: [1], time: { hour: 9, minute: 0 }, zone: 'Europe/Lisbon', sections: [] },
      ...{ isSilentWhenEmpty: false, sharedWith: null, requestId: 'digest' },
    },
    'U01ANAFERR',
  );
  const preview = digest && (await running.bot.digests.preview(digest));
  if (preview?.kind !== 'message') throw new Error('the digest has no preview');
  const strings: string[] = [];
  JSON.stringify(preview, (key, value: unknown) => {
    if (typeof value === 'string' && ['text', 'alt'].includes(key)) strings.push(value);
    return value;
  });
  return strings.join('\n');
}

/** Reads what each surface shows of Ana's only post. A surface that doesn't show it is left out. */
async function readSurfaces(postText: string): Promise<Record<string, string>> {
  const read = async (act: () => Promise<unknown>) => {
    const count = ana.messages().length;
    await act();
    await expect.poll(() => ana.messages().length).toBeGreaterThan(count);
    return ana.messages().at(-1) ?? '';
  };
  const surfaces: Record<string, string> = {};
  for (const filter of ['all', 'cancelled', 'pending', 'uncertain', 'failed']) {
    surfaces.list = await read(() => ana.type(`/upnext posts ${filter}`));
    if (!surfaces.list.includes(postText)) continue;
    if (surfaces.list.includes('[Open]')) surfaces.card = await read(() => ana.press('Open'));
    break;
  }
  surfaces.outbox = await read(() => ana.type('/upnext outbox'));
  surfaces['up next'] = await read(() => ana.type('/upnext'));
  surfaces.digest = await readDigest();
  const home = await running.workspace.as('Ana').home('Commands');
  surfaces.home = home.text().replace('[Outbox]', '');
  return Object.fromEntries(
    Object.entries(surfaces).filter(
      ([surface, text]) =>
        text.includes(postText) || (surface === 'outbox' && text.includes('Post for Harbour')),
    ),
  );
}

/** A name in a row or a field has its emoji, and as a title it has a line of its own. */
const has = (text: string, { name, label }: Pick<Description, 'name' | 'label'>) =>
  new RegExp(`${label}(?= ·| until|$)`, 'mu').test(text) || text.split('\n').includes(name);

/** The lines of a surface that say something about the state, for the printed table. */
function findStateLines(text: string): string {
  const lines = text
    .split('\n')
    .filter((line) => ALL.some((one) => has(line, one) || line.includes(one.sentence)));
  return lines.join(' / ');
}

const describe = (state: PostState) => {
  const { held, sent, publication } = state;
  const handOverAt = new Date(Date.parse(TODAY) - 3_600_000);
  return describePost(
    {
      ...(held && { held: { ...held, reason: held.reason ?? null, hand_over_at: handOverAt } }),
      ...(sent && { sent: { ...sent, reason: sent.reason ?? null } }),
      zone: 'Europe/Lisbon',
      publication,
    },
    { viewers: { zone: 'Europe/Lisbon' }, now: NOW },
  );
};
const ALL = Object.values(STATES).map(describe);

/** Set PRINT_STATES=1 to print the table: what each surface says of a post in each state. */
test.each(Object.entries(STATES))(
  'a post %s has one name and one sentence on every surface',
  async (name, state) => {
    await running.db.deleteFrom('held_post').execute();
    await running.db.deleteFrom('submission').execute();
    await running.db.deleteFrom('publication').execute();
    // Home may still show the post of the state before.
    const postText = `We open at nine, ${name}`;
    await storePost(postText, state);
    const surfaces = await readSurfaces(postText);
    // A list shows the service's status, which is five minutes behind at most.
    if (state.publication) delete surfaces.list;
    const own = describe(state);
    const table = Object.entries(surfaces).map(([surface, text]) => `  ${surface}: ${findStateLines(text)}`);
    if (process.env.PRINT_STATES) process.stdout.write(`${name}\n${table.join('\n')}\n`);
    expect(Object.keys(surfaces).length).toBeGreaterThan(0);
    for (const [surface, text] of Object.entries(surfaces)) {
      const others = ALL.filter((other) => other.name !== own.name && has(text, other));
      const strange = ALL.filter(
        (other) => !own.sentence.includes(other.sentence) && text.includes(other.sentence),
      );
      expect([surface, others, strange]).toEqual([surface, [], []]);
    }
    const { card, list, outbox } = surfaces;
    // A heading or the count of drafts names the state of plain drafts, scheduled and cancelled posts.
    const isInHeading = ['Draft', 'Scheduled', 'Cancelled'].includes(own.name);
    if (list !== undefined && !isInHeading) expect(list).toContain(own.label);
    const title = state.held?.inReview && state.held.state === 'held' ? 'Approved' : own.title;
    // A title isn't repeated by the sentence below it.
    const sentence = own.sentence.startsWith(`${title}. `)
      ? own.sentence.slice(title.length + 2)
      : own.sentence;
    if (card !== undefined) {
      const [first, ...others] = card.split('\n');
      expect(first).toMatch(new RegExp(`^${own.label.split(' ')[0]} ${title} · Fri 20 Nov, 15:00`));
      expect(others.filter((line) => has(line, own) || line === title)).toEqual([]);
    }
    for (const text of [card, outbox]) if (text !== undefined) expect(text).toContain(sentence);
  },
);
