import type { EventKind } from './lifecycle.ts';
import type { HeldPostEventRow } from './sql/events.ts';
import type { HeldPostRow } from './sql/held-posts.ts';
import type { HeldPostMessageRow } from './sql/messages.ts';

/** A message to a person or a channel about a held post. */
export interface Notice {
  /** The Slack id of a person or a channel. */
  recipient: string;
  isChannel: boolean;
  purpose: 'author' | 'problem';
  /** What others did with the post since the author was last notified. Empty for a problem. */
  events: readonly HeldPostEventRow[];
}

/** What the author is told if somebody else did it. */
const TOLD_EVENTS: readonly EventKind[] = [
  'edited',
  'moved',
  'commented',
  'approved',
  'changes-requested',
  'rejected',
  'scheduled',
  'cancelled',
  'restored',
  'hurried',
];

/** Everything that decides who is notified. */
export interface NoticeInput {
  row: Pick<HeldPostRow, 'state' | 'reason' | 'author' | 'approver' | 'channel' | 'publish_at'>;
  /** When the post entered its state, on the clock that people see. */
  enteredAt: Date;
  /** Oldest first. */
  events: readonly HeldPostEventRow[];
  messages: readonly Pick<HeldPostMessageRow, 'purpose' | 'sent_at'>[];
  /** The channel in the policy of the project. */
  policyChannel: string | undefined;
  /** The project's managers, if they have to decide. */
  managers: readonly string[];
}

/** Lists the new messages for a changed post. Nobody is notified of their own press. */
export function listNotices(input: NoticeInput): Notice[] {
  return [...listAuthorNotices(input), ...listProblemNotices(input)];
}

function listAuthorNotices({ row, events, messages }: NoticeInput): Notice[] {
  const lastSentAt = findLastSentAt(messages, 'author');
  const newEvents = events.filter(
    ({ kind, actor, at }) =>
      TOLD_EVENTS.includes(kind) && actor !== '' && actor !== row.author && at.getTime() > lastSentAt,
  );
  return newEvents.length === 0
    ? []
    : [{ recipient: row.author, isChannel: false, purpose: 'author', events: newEvents }];
}

function listProblemNotices(input: NoticeInput): Notice[] {
  const { row, enteredAt, messages, policyChannel, managers } = input;
  if (row.state !== 'needs-person') return [];
  if (findLastSentAt(messages, 'problem') >= enteredAt.getTime()) return [];
  const presser = findPresser(input);
  const people = [row.author, row.approver ?? '', ...managers];
  const writtenIn = row.channel !== null && !isDirectMessage(row.channel) ? row.channel : undefined;
  const channel = policyChannel ?? writtenIn;
  const notice = { purpose: 'problem', events: [] } as const;
  return [
    ...[...new Set(people)]
      .filter((recipient) => recipient !== '' && recipient !== presser)
      .map((recipient) => ({ ...notice, recipient, isChannel: false })),
    ...(channel === undefined ? [] : [{ ...notice, recipient: channel, isChannel: true }]),
  ];
}

/** The person whose press has asked for a decision at once: they restored or took over a post after its time. */
function findPresser({ row, events }: NoticeInput): string | undefined {
  const last = events.findLast(({ kind }) => kind !== 'commented');
  const isCause =
    last !== undefined &&
    ['restored', 'taken-over'].includes(last.kind) &&
    row.reason === 'overdue' &&
    row.publish_at !== null &&
    last.at >= row.publish_at;
  return isCause ? last.actor : undefined;
}

function findLastSentAt(messages: NoticeInput['messages'], wanted: Notice['purpose']): number {
  return Math.max(
    0,
    ...messages.flatMap(({ purpose, sent_at }) => (purpose === wanted ? [sent_at.getTime()] : [])),
  );
}

/** The ids of direct messages begin with D. */
const isDirectMessage = (channel: string) => channel.startsWith('D');
