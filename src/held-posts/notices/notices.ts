import { isDirectMessage } from '../../slack/audience.ts';
import { getEventFacts } from '../event-kinds.ts';
import type { HeldPostRow } from '../held-post.ts';
import type { HeldPostEventRow } from '../sql/events.ts';
import type { HeldPostMessageRow } from '../sql/messages.ts';

export interface Notice {
  /** The Slack id of a person or a channel. */
  recipient: string;
  isChannel: boolean;
  purpose: 'author' | 'problem' | 'comment';
  /** What others did with the post, and the recipient hasn't been told. Empty for a problem. */
  events: readonly HeldPostEventRow[];
  /** Keys of what the message tells: the ids of the events, or the state with the time at which it was entered. */
  told: readonly string[];
  /** The review request in whose thread a comment is told, and the people whom the reply mentions. */
  reply?: { ts: string };
  /** The people whom a message in a channel mentions. They read it there, so they get no message of their own. */
  mentioned?: readonly string[];
}

export interface NoticeInput {
  row: Pick<
    HeldPostRow,
    'state' | 'reason' | 'author' | 'approver' | 'channel' | 'publish_at' | 'changed_at'
  >;
  /** Oldest first. */
  events: readonly HeldPostEventRow[];
  messages: readonly Pick<HeldPostMessageRow, 'recipient' | 'told' | 'purpose' | 'channel' | 'ts'>[];
  /** The channel that is told of a problem, and which of the people read it, as far as that is known. */
  problemChannel: { id: string; readers: ReadonlySet<string> } | undefined;
  /** The project's managers, if they have to decide. */
  managers: readonly string[];
  /** How long the answer to [Hand over now] waits for the outcome, ms. */
  handOverWaitMs: number;
}

/** Lists the new messages for a changed post. Nobody is notified of their own press. */
export function listNotices(input: NoticeInput): Notice[] {
  return [...listAuthorNotices(input), ...listProblemNotices(input), ...listCommentNotices(input)];
}

/** Each author reads what others, or Upnext, did while the post was theirs, and who has taken it over. */
function listAuthorNotices({ row, events, messages }: NoticeInput): Notice[] {
  const eventsByAuthor = new Map<string, HeldPostEventRow[]>();
  const wasTakenOver = events.some(({ kind }) => kind === 'taken-over');
  let author = (wasTakenOver ? events[0]?.actor : undefined) ?? row.author;
  for (const [index, event] of events.entries()) {
    const { id, kind, actor } = event;
    // The last approval schedules the post at the same moment, and its author reads of the approval.
    const isScheduled = kind === 'scheduled' && events[index - 1]?.at.getTime() !== event.at.getTime();
    const isOwnDeed = actor === '' && (kind === 'sent-for-review' || isScheduled);
    // It was done to another post or to the series, so its author isn't told of each post.
    if (event.by_series) continue;
    const isTold = isOwnDeed || (getEventFacts(kind).notifiesAuthor && actor !== '' && actor !== author);
    if (isTold && !wasTold(messages, author, id))
      eventsByAuthor.set(author, [...(eventsByAuthor.get(author) ?? []), event]);
    if (kind === 'taken-over') author = actor;
  }
  return [...eventsByAuthor].map(([recipient, newEvents]) => ({
    recipient,
    isChannel: false,
    purpose: 'author',
    events: newEvents,
    told: newEvents.map(({ id }) => id),
  }));
}

/** Whether an author is told only that Upnext has sent the post for review. */
export function isReviewNotice({ purpose, events }: Pick<Notice, 'purpose' | 'events'>): boolean {
  return (
    purpose === 'author' && events.every(({ kind, actor }) => kind === 'sent-for-review' && actor === '')
  );
}

/** The people who took part read later comments of others: in the thread of the request in a channel, or each alone. */
function listCommentNotices({ row, events, messages }: NoticeInput): Notice[] {
  const request = messages.findLast(
    ({ purpose, channel }) => purpose === 'review' && !isDirectMessage(channel),
  );
  const participants = new Set<string>();
  const newComments: { recipient: string; person: string; event: HeldPostEventRow }[] = [];
  for (const event of events) {
    const { id, kind, actor } = event;
    for (const person of kind === 'commented' ? participants : []) {
      const recipient = request?.channel ?? person;
      const isConcerned = person !== actor && person !== row.author;
      if (isConcerned && !wasTold(messages, recipient, id)) newComments.push({ recipient, person, event });
    }
    if (getEventFacts(kind).takesPart && actor !== '') participants.add(actor);
  }
  return [...Map.groupBy(newComments, ({ recipient }) => recipient)].map(([recipient, comments]) => {
    const told = new Set(comments.map(({ event }) => event));
    const mentioned = [...new Set(comments.map(({ person }) => person))];
    return {
      ...{ recipient, isChannel: request !== undefined, purpose: 'comment', events: [...told] },
      told: [...told].map(({ id }) => id),
      ...(request && { reply: { ts: request.ts }, mentioned }),
    };
  });
}

function wasTold(messages: NoticeInput['messages'], recipient: string, key: string): boolean {
  return messages.some((message) => message.recipient === recipient && message.told.includes(key));
}

/** The key of what a message about a problem tells: the state, and when it was entered. */
const getProblemKey = ({ state, changed_at }: NoticeInput['row']) => `${state} ${changed_at.toISOString()}`;

/** Whether somebody besides the author was told of the post's problem, in a message of their own or in a channel. */
export function wereOthersTold({ row, messages }: Pick<NoticeInput, 'row' | 'messages'>): boolean {
  return messages.some(
    ({ recipient, told }) => recipient !== row.author && told.includes(getProblemKey(row)),
  );
}

function listProblemNotices(input: NoticeInput): Notice[] {
  const { row, messages, problemChannel, managers } = input;
  if (row.state !== 'needs-person') return [];
  const presser = findPresser(input);
  const key = getProblemKey(row);
  const isUntold = (recipient: string) => !wasTold(messages, recipient, key);
  const people = [...new Set([row.author, row.approver ?? '', ...managers])].filter(
    (person) => person !== '' && person !== presser && isUntold(person),
  );
  const mentioned = people.filter((person) => problemChannel?.readers.has(person));
  const notice = { purpose: 'problem', events: [], told: [key] } as const;
  return [
    ...people
      .filter((person) => !mentioned.includes(person))
      .map((recipient) => ({ ...notice, recipient, isChannel: false })),
    ...(problemChannel && isUntold(problemChannel.id)
      ? [{ ...notice, recipient: problemChannel.id, isChannel: true, mentioned }]
      : []),
  ];
}

/** The channel that is told if a post needs a decision: the one in the project's policy, or the one it was written in. */
export function findProblemChannel(
  { channel }: Pick<HeldPostRow, 'channel'>,
  policyChannel: string | undefined,
): string | undefined {
  return policyChannel ?? (channel !== null && !isDirectMessage(channel) ? channel : undefined);
}

/**
 * The person whose press has asked for a decision at once, and showed that: they restored or took over a post after its
 * time, or handed over a post that the service refused.
 */
function findPresser({ row, events, handOverWaitMs }: NoticeInput): string | undefined {
  const [beforeLast, ...handOver] = events.filter(({ kind }) => kind !== 'commented').slice(-3);
  if (handOver.map(({ kind }) => kind).join() === 'handed-over,returned' && beforeLast?.kind === 'hurried') {
    const waitedMs = (handOver[1]?.at.getTime() ?? 0) - beforeLast.at.getTime();
    if (waitedMs <= handOverWaitMs) return beforeLast.actor;
  }
  const last = events.findLast(({ kind }) => kind !== 'commented');
  const isCause =
    last !== undefined &&
    getEventFacts(last.kind).continues &&
    (row.reason === 'overdue' || row.reason === 'restored') &&
    row.publish_at !== null &&
    last.at >= row.publish_at;
  return isCause ? last.actor : undefined;
}
