import { NAMED_DEEDS, toPastTense } from '../access/access.ts';

/** What happens to held posts, for their history. One entry says all that depends on the kind of an event. */
interface EventFacts {
  /** Its action in the audit log, whose words the history has too. Null for what only Upnext does, without an entry. */
  action: keyof typeof NAMED_DEEDS | null;
  /** What Upnext did, as a whole sentence. Absent if it never does. */
  ownDeed?: string;
  /** Whether the author is told if somebody else did it. */
  notifiesAuthor?: true;
  /** Whether whoever did it is told of later comments. */
  takesPart?: true;
  /** Whether its content, if it has one, is a version of the post, and not the text of a comment or of a reason. */
  storesVersion?: true;
  /** Whether the time for the review of a post begins with it. */
  beginsReview?: true;
  /** Whether a post that stood still goes on with it as it was before. */
  continues?: true;
}

const TABLE = {
  created: { action: 'held-posts save', storesVersion: true, beginsReview: true },
  edited: {
    action: 'held-posts edit',
    ownDeed: 'I updated it from its series',
    notifiesAuthor: true,
    takesPart: true,
    storesVersion: true,
    beginsReview: true,
  },
  moved: {
    action: 'held-posts move',
    notifiesAuthor: true,
    takesPart: true,
    storesVersion: true,
    beginsReview: true,
  },
  commented: { action: 'held-posts comment', notifiesAuthor: true, takesPart: true },
  'sent-for-review': {
    action: 'held-posts send-for-review',
    ownDeed: 'It needs an approval before it goes out, so I sent it for review',
    storesVersion: true,
    beginsReview: true,
  },
  approved: {
    action: 'held-posts approve',
    notifiesAuthor: true,
    takesPart: true,
    storesVersion: true,
  },
  'changes-requested': {
    action: 'held-posts request-changes',
    notifiesAuthor: true,
    takesPart: true,
  },
  rejected: { action: 'held-posts reject', notifiesAuthor: true, takesPart: true },
  'approval-voided': {
    action: null,
    ownDeed: 'An edit voided an approval',
  },
  scheduled: {
    action: 'held-posts schedule',
    ownDeed: 'Its approvals are enough, so I scheduled it',
    notifiesAuthor: true,
    storesVersion: true,
    beginsReview: true,
  },
  cancelled: {
    action: 'held-posts cancel',
    ownDeed: 'Its series was paused or cancelled, or no longer has it, so I cancelled it',
    notifiesAuthor: true,
  },
  restored: {
    action: 'held-posts restore',
    ownDeed: 'Its series has it, or its project is there again, so I restored it',
    notifiesAuthor: true,
    beginsReview: true,
    continues: true,
  },
  'taken-over': {
    action: 'held-posts take-over',
    notifiesAuthor: true,
    beginsReview: true,
    continues: true,
  },
  /** Somebody asked for the hand-over before its time. */
  hurried: { action: 'held-posts hand-over', notifiesAuthor: true },
  'handed-over': { action: null, ownDeed: 'I handed it over to the service' },
  returned: { action: null, ownDeed: 'It came back, because it wasn’t sent' },
} as const satisfies Record<string, EventFacts>;

export type EventKind = keyof typeof TABLE;

/** Returns what the table says of a kind of events. A newer version may have stored one that this version doesn't know. */
export function getEventFacts(kind: EventKind): EventFacts {
  return Object.hasOwn(TABLE, kind) ? TABLE[kind] : { action: null, ownDeed: 'I changed it' };
}

/** What a person did, after their name: "moved it". The audit log says it in the same words: "moved a post". */
export function renderPersonDeed(kind: EventKind): string {
  const { action } = getEventFacts(kind);
  if (action === null) return 'changed it';
  const deed = toPastTense(NAMED_DEEDS[action]);
  return deed.replace(/ (?:on|to) a post(?! )/, '').replace('a post', 'it');
}

/** Whether somebody has written a version of the post. Comments and decisions leave it as it is. */
export function isEdit({ kind, actor, content }: { kind: EventKind; actor: string; content: string | null }) {
  return actor !== '' && content !== null && getEventFacts(kind).storesVersion === true;
}

export const DECISIONS = ['approved', 'changes-requested', 'rejected'] as const;
export type DecisionKind = (typeof DECISIONS)[number];

export function isDecision(kind: EventKind): kind is DecisionKind {
  return DECISIONS.some((decision) => decision === kind);
}

/** Lists the approvals of a version by people, oldest first. An approval is bound to the content too. */
export function listApprovals<
  Event extends { kind: EventKind; actor: string; version: number; content_hash: string | null },
>(
  events: readonly Event[],
  { version, content_hash: hash }: { version: number; content_hash: string },
): Event[] {
  return events.filter(
    (event) =>
      event.kind === 'approved' &&
      event.actor !== '' &&
      event.version === version &&
      event.content_hash === hash,
  );
}
