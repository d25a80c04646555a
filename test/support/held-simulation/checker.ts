import type { Kysely } from 'kysely';
import type { BotSchema } from '../../../src/app/schema.ts';
import type { HeldPostRow } from '../../../src/held-posts/held-post.ts';
import type { SubmissionRow } from '../../../src/submissions/submission.ts';
import type { SimulatedCall } from './simulated-service.ts';
import { type Ledger, REVIEWERS, type World } from './world.ts';

/** Defects. All counts must be 0. */
const DEFECTS = {
  /** In a state in which nobody can decide, or in one that contradicts the service. */
  lost: 0,
  doubled: 0,
  late: 0,
  sentAfterCancel: 0,
  sentWhileStopped: 0,
  /** Another text or time than in the last version that somebody was told is saved. */
  otherContent: 0,
  /** Handed over without the approvals that the policy requires for exactly this content. */
  notApproved: 0,
  /** Handed over although neither its author nor its editor or an approver may schedule it. */
  withoutRole: 0,
  /** Ended in a way that nobody was told of. */
  untold: 0,
};
type Defects = typeof DEFECTS;
export const NO_DEFECTS: Readonly<Defects> = DEFECTS;

export interface Figures extends Defects {
  posts: number;
  delivered: number;
  askedPerson: number;
  cancelledOrDraft: number;
}

/** Checks a request at the time at which the service gets it. */
export function checkCall(
  { postIds, ledgers, projects }: World,
  { text, at, publishAt, project }: SimulatedCall,
  defects: Defects,
): void {
  const id = postIds.get(text) ?? '';
  const stop = projects.get(project)?.stop;
  if (at >= publishAt) defects.late += 1;
  const ledger = ledgers.get(id);
  if (ledger?.answer.state === 'cancelled' && ledger.restoring === 0) defects.sentAfterCancel += 1;
  if (stop && !stop.unstoppable.has(id)) defects.sentWhileStopped += 1;
}

/** What people read in Slack, and when posts were handed over. */
interface Evidence {
  /** The keys of notifications, by the id of the held post or submission. */
  notifications: ReadonlyMap<string, readonly string[]>;
  submissions: ReadonlyMap<string, SubmissionRow>;
  /** Times on the simulated clock by post. */
  handedOverAt: ReadonlyMap<string, number>;
  /** The ids of the latest returns of posts by reviewers. */
  returns: ReadonlyMap<string, string>;
  /** The ids of the events that people read of in a message. */
  told: ReadonlySet<string>;
}

/** Compares what the service got with what people were told, and reports each post with a defect. */
export async function checkSimulation(
  db: Kysely<BotSchema>,
  world: World,
  options: {
    calls: readonly SimulatedCall[];
    notifications: Evidence['notifications'];
    defects: Defects;
    report(text: string): void;
  },
): Promise<Figures> {
  const { calls, notifications, defects, report } = options;
  const rows = await db.selectFrom('held_post').selectAll().execute();
  const submissions = await db.selectFrom('submission').selectAll().execute();
  const events = await db
    .selectFrom('held_post_event')
    .select(['id', 'held_post', 'at', 'kind'])
    .where('kind', 'in', ['handed-over', 'changes-requested', 'rejected'])
    .orderBy('at')
    .execute();
  const messages = await db.selectFrom('held_post_message').select('told').execute();
  const [handOvers, returns] = [true, false].map((isHandOver) =>
    events.filter(({ kind }) => (kind === 'handed-over') === isHandOver),
  );
  const evidence: Evidence = {
    notifications,
    submissions: new Map(submissions.map((row) => [row.id, row])),
    handedOverAt: new Map(handOvers?.map(({ held_post, at }) => [held_post, at.getTime()])),
    returns: new Map(returns?.map(({ held_post, id }) => [held_post, id])),
    told: new Set(messages.flatMap(({ told }) => told)),
  };
  const appliedCalls = Map.groupBy(
    calls.filter(({ isApplied }) => isApplied),
    ({ text }) => world.postIds.get(text) ?? '',
  );
  const figures = { ...defects, posts: rows.length, delivered: 0, askedPerson: 0, cancelledOrDraft: 0 };
  figures.lost += world.ledgers.size - rows.length;
  for (const row of rows) {
    const ledger = world.ledgers.get(row.id);
    if (!ledger) throw new Error('a post that nobody stored');
    const sent = appliedCalls.get(row.id) ?? [];
    const found = [...checkSent(world, { row, ledger, sent, evidence })];
    const end = findEnd(row, evidence);
    if (end) figures[end] += 1;
    const isSent = end === 'delivered' || (end === 'askedPerson' && row.state === 'handed-over');
    if (!end || (end === 'delivered' && sent.length === 0) || (!isSent && sent.length > 0))
      found.push('lost');
    if (!wasTold(row, ledger, evidence)) found.push('untold');
    for (const defect of found) figures[defect] += 1;
    if (found.length > 0) report(`${found.join(', ')}: ${await describePost(db, row, ledger, evidence)}`);
  }
  return figures;
}

function findEnd(row: HeldPostRow, { submissions }: Evidence) {
  const submission = submissions.get(row.submission ?? '');
  if (row.state === 'delivered') return 'delivered';
  if (row.state === 'needs-person') return 'askedPerson';
  if (row.state === 'handed-over' && submission?.state === 'needs-person') return 'askedPerson';
  return row.state === 'cancelled' || row.state === 'draft' ? 'cancelledOrDraft' : undefined;
}

/** Checks what the service has of a post. */
function* checkSent(
  { rounds, projects }: World,
  {
    row,
    ledger,
    sent,
    evidence,
  }: { row: HeldPostRow; ledger: Ledger; sent: readonly SimulatedCall[]; evidence: Evidence },
): Generator<keyof Defects> {
  if (sent.length > 1) yield 'doubled';
  const [call] = sent;
  if (!call) return;
  const version = ledger.versions.get(row.version);
  if (call.text !== version?.text || call.publishAt !== version.publishAt) yield 'otherContent';
  const handedOverAt = evidence.handedOverAt.get(row.id) ?? 0;
  const round = rounds.findLast(({ time }) => time <= handedOverAt);
  const isAllowed = (user: string) => round?.permissions.get(user) === undefined;
  const approvers = [...(ledger.approvals.get(call.text) ?? [])];
  // The row names who asked for the hand-over, also if the answer to the press was lost with its process.
  const responsible = [ledger.author, version?.editor ?? '', row.approver ?? '', ...approvers];
  if (!responsible.some(isAllowed)) yield 'withoutRole';
  if (projects.get(row.project)?.policy.review !== 'required') return;
  // If everybody has to approve, nobody waits for a person who has lost their role.
  const needed = round?.needingAll.has(row.project)
    ? REVIEWERS.filter((user) => round.permissions.get(user) !== 'no')
    : REVIEWERS.slice(0, 1);
  if (!needed.every((user) => approvers.includes(user)) || !needed.some(isAllowed)) yield 'notApproved';
}

/** Whether somebody knows how the post ended: from an answer to a press, or from a message. */
function wasTold(row: HeldPostRow, ledger: Ledger, evidence: Evidence): boolean {
  const { notifications, submissions } = evidence;
  // As people were told when they saved it.
  if (row.state === 'delivered') return true;
  const submission = submissions.get(row.submission ?? '');
  const told = (id: string, text: string) => (notifications.get(id) ?? []).some((key) => key.includes(text));
  // A reviewer has returned the draft, and its author has to know.
  if (row.state === 'draft' && row.reason !== null)
    return evidence.told.has(evidence.returns.get(row.id) ?? '');
  if (ledger.answer.state === row.state && ledger.answer.changedAt === row.changed_at.getTime()) return true;
  if (row.state === 'handed-over' && submission) return told(submission.id, submission.state);
  return told(row.id, `problem ${row.state} ${row.changed_at.toISOString()}`);
}

/** Describes what happened to a post with a defect. */
async function describePost(
  db: Kysely<BotSchema>,
  row: HeldPostRow,
  ledger: Ledger,
  { notifications }: Evidence,
): Promise<string> {
  const events = await db
    .selectFrom('held_post_event')
    .select(['at', 'kind', 'actor', 'version'])
    .where('held_post', '=', row.id)
    .orderBy('at')
    .execute();
  const told = [row.id, row.submission ?? ''].flatMap((id) => notifications.get(id) ?? []);
  return JSON.stringify({ ...row, content: undefined, events, answer: ledger.answer, told }, null, 2);
}
