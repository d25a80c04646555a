import { MINUTE_MS } from '../durations.ts';
import { clipLine, escapeFormatting } from '../slack/blocks.ts';
import { clip } from '../words.ts';
import { renderPlatformNames } from './platforms.ts';
import { renderLead } from './post-text.ts';
import { renderPostTime, renderShortTime, type Viewers } from './post-time.ts';
import {
  type Copy,
  getHeldPostCopy,
  getSentCopy,
  HELD,
  type HeldReason,
  type HeldState,
  isDecidedBySubmission,
  LISTED,
  PUBLICATION,
  type PublicationState,
  REVIEW,
  type ReviewState,
  SCHEDULED,
  SENDING,
  type SentRow,
  WAITING_FOR_STOP,
} from './state-copy.ts';

/**
 * Says what state a post is in. Every form, card, list, message and picture renders from this, so a state has one name
 * and one sentence. A form describes the post as it would be after the press.
 */
export function describePost(
  facts: PostFacts,
  { viewers, now }: { viewers: Viewers; now: Date },
): Description {
  const { zone, leadMinutes } = facts;
  const stateCopy = findCopy(facts, now);
  const copy = describeParts(facts, stateCopy);
  const { emoji, name, limit, isQuiet = false } = copy;
  const review: Partial<Copy> = facts.review ? REVIEW[facts.review] : {};
  const moved = (facts.parts?.moved ?? []).map(
    ({ platforms, instant }) =>
      ` ${renderPlatformNames(platforms)}: ${renderShortTime({ instant, zone }, viewers, now)}.`,
  );
  const end = findEnd(facts, now);
  const time = end
    ? renderPostTime({ instant: end, zone }, viewers, now).mrkdwn
    : leadMinutes !== undefined && facts.due !== 'all' && `${renderLead(leadMinutes)} before it goes out`;
  const label = `${emoji} ${name}`.trim();
  const isHeld = stateCopy === HELD.held;
  const savedTitle = facts.isJustSaved ? copy.savedTitle : undefined;
  const approval = isHeld && review.title === undefined ? facts.approvedBy : undefined;
  const title = review.title ?? renderApproval(approval) ?? savedTitle ?? copy.title ?? name;
  const earlier = (facts.parts?.earlier ?? []).map(
    ({ platforms, field }) => ` ${renderPlatformNames(platforms)}: with the earlier ${field}.`,
  );
  const sentence = [review.sentence ?? copy.sentence, ...moved, ...earlier]
    .join('')
    .replace('LEAD', renderLead(leadMinutes ?? 0))
    .replace('UNTIL', () => time || 'its time')
    .replaceAll('NOUN', facts.noun ?? 'post')
    .replace('REASON', () => facts.because ?? findDefaultReason(facts));
  return {
    emoji,
    name,
    label,
    title,
    namesApprover: approval !== undefined && approval !== '',
    ...(limit !== undefined && { limit }),
    isQuiet: isQuiet && review.sentence === undefined && moved.length + earlier.length === 0,
    status:
      isHeld && end
        ? `${label} until ${renderShortTime({ instant: end, zone }, viewers, now)}`
        : escapeFormatting(label),
    sentence,
    details: sentence.startsWith(`${title}. `) ? sentence.slice(title.length + 2) : sentence,
  };
}

/**
 * What a description depends on. Upnext keeps a post (`held`), sends it (`sent`), or the service has it (`status`).
 * Once a held post was handed over, its submission decides.
 */
export interface PostFacts {
  held?:
    | {
        state: HeldState;
        reason: HeldReason | null;
        /** When the post goes over. Absent before a form knows one time. */
        hand_over_at?: Date | null;
      }
    | undefined;
  /** A submission, which may be something else than a post. */
  sent?: SentRow | undefined;
  /** The status in the service. */
  status?: string | undefined;
  /** When the service said so. A post that it lists as scheduled long after its time is overdue only then. */
  readAt?: Date | undefined;
  parts?: PartsFacts | undefined;
  /** Its publishing time, after which a post that nobody saw published isn't called scheduled. */
  at?: Date | null | undefined;
  /** How far its review is, for its reviewers. */
  review?: ReviewState | undefined;
  /** Set if it was approved: the name of who did it, or '' if that isn't known. */
  approvedBy?: string | undefined;
  zone?: string | undefined;
  /** How long before its time the post goes over, while the time isn't known. */
  leadMinutes?: number | undefined;
  /** Of the posts of a form, how many have a time within the lead. */
  due?: 'all' | 'some' | undefined;
  /** Whether the reader has just saved it, which the title says. */
  isJustSaved?: boolean | undefined;
  /** Whether the reviewers are asked again, after an edit. */
  isAskedAgain?: boolean | undefined;
  isStopped?: boolean | undefined;
  /** What became of it at its time, as far as that was found out. */
  publication?: PublicationState | undefined;
  /** What was submitted. Defaults to "post". */
  noun?: string | undefined;
  /** Why the service refused it, or what keeps it from being sent; a whole sentence. */
  because?: string | undefined;
}

/**
 * Says which platforms have their text, if not all have it: "Scheduled on 2 of 3 platforms: X and Threads." A cancelled
 * post stays where it is, because the service has no operation for that.
 */
function describeParts({ parts, held }: PostFacts, copy: Copy): Copy {
  if (!parts || parts.others.length === parts.total) return copy;
  const { sent, unsure = [], others, total } = parts;
  const isDone = held?.state === 'delivered';
  if (others.length === 0 && !(isDone && unsure.length > 0)) return copy;
  const doubt = unsure.length > 0 ? `I don’t know whether ${renderPlatformNames(unsure)} got it. ` : '';
  if (held?.state === 'cancelled') {
    const rest = copy.sentence.replace('be sent', () => `be sent to ${renderPlatformNames(others)}`);
    const has = sent.length === 1 ? 'has' : 'have';
    const stays = `${renderPlatformNames(sent)} already ${has} it, and I can’t remove it there.`;
    return { ...copy, isQuiet: false, sentence: `${doubt}${rest}${sent.length > 0 ? ` ${stays}` : ''}` };
  }
  const sentence = `${doubt}${renderPlatformNames(others)}: ${copy.sentence}`;
  if (sent.length === 0) return { ...copy, sentence };
  // Somebody has discarded the others.
  const absence = others.length > 0 ? `Not on ${renderPlatformNames(others)}.` : '';
  const rest = isDone ? `${doubt}${absence}`.trimEnd() : sentence;
  return {
    ...copy,
    ...((isDone || held?.state === 'needs-person') && { name: 'Partly scheduled' }),
    isQuiet: false,
    sentence: `Scheduled on ${sent.length} of ${total} platforms: ${renderPlatformNames(sent)}. ${rest}`,
  };
}

/** Of a post with different texts, the platforms that have theirs, that may have it, and that the rest is about. */
export interface PartsFacts {
  sent: readonly string[];
  unsure?: readonly string[];
  others: readonly string[];
  total: number;
  /** The platforms that were sent for another time, before the post was moved. */
  moved?: readonly { platforms: readonly string[]; instant: Date }[];
  /** The platforms that were sent before an edit changed the field. */
  earlier?: readonly { platforms: readonly string[]; field: string }[];
}

export interface Description extends Copy {
  /** Emoji and name, in plain text. */
  label: string;
  /** The label, and until when the post is editable (mrkdwn): "✏️ Editable until Tue 08:00". */
  status: string;
  /** The title of a card: what changed, or else the state. Plain text. */
  title: string;
  /** Whether the title says who approved it. */
  namesApprover: boolean;
  /** The sentence below the title, which it doesn't repeat (mrkdwn). */
  details: string;
}

/** Says what a press leads to, and what can't be done after it (mrkdwn). */
export function renderOutlook({ sentence, limit }: Description): string {
  return limit === undefined ? sentence : `${sentence} ${limit}`;
}

/** How long after its time a post of the service counts as overdue. */
export const OVERDUE_AFTER_MS = 15 * MINUTE_MS;

/**
 * Whether a post that isn't published is overdue: its time has passed. One that needs a decision certainly doesn't go out,
 * and of the others the service, or Upnext, may only be late.
 */
export function isOverdue({ held, at }: Pick<PostFacts, 'held' | 'at'>, now: Date): boolean {
  const graceMs = held?.state === 'needs-person' ? 0 : OVERDUE_AFTER_MS;
  return at instanceof Date && now.getTime() - at.getTime() > graceMs;
}

const [MAX_STATUS_LENGTH, MAX_TITLE_LENGTH] = [60, 150];

/** A scheduled post whose time has passed is overdue only if the service has been asked since. */
function findCopy(facts: PostFacts, now: Date): Copy {
  const { publication, held, sent, at, readAt } = facts;
  if (publication) return PUBLICATION[publication];
  const copy = findCopyBefore(facts, now);
  if (copy !== SCHEDULED || !isOverdue({ at }, now)) return copy;
  return !held && !sent && readAt && isOverdue({ at }, readAt) ? PUBLICATION.late : PUBLICATION.checking;
}

/** Finds the name and the emoji of a post's state, without its sentence, whose times take longer to render. */
export function findStateName(facts: PostFacts, now: Date): Pick<Copy, 'emoji' | 'name'> {
  return describeParts(facts, findCopy(facts, now));
}

/** Until when a post can be edited or approved: its hand-over, and after that, of one in review, its own time. */
function findEnd({ held, at }: PostFacts, now: Date): Date | undefined {
  const handOverAt = held?.hand_over_at ?? undefined;
  const isWithinLead = handOverAt === undefined || handOverAt <= now;
  return (held?.state === 'awaiting-review' && isWithinLead && at) || handOverAt;
}

/** The copy of a post whose publication nobody looks for yet. */
function findCopyBefore({ held, sent, status, ...facts }: PostFacts, now: Date): Copy {
  const { leadMinutes, due, isAskedAgain, isStopped } = facts;
  if (sent && (!held || isDecidedBySubmission(held.state))) return getSentCopy(sent);
  if (!held) {
    const copy = LISTED[status ?? ''] ?? describeUnknownStatus(status);
    const sentence = 'That’s less than LEAD away, so I’ll schedule it at once.';
    return due === 'all' ? { ...copy, sentence } : copy;
  }
  const copy = getHeldPostCopy(held);
  if (copy === HELD['awaiting-review']) {
    const exception = due === 'some' ? ' A post less than LEAD away has until its time.' : '';
    const outcome = `${copy.sentence}${exception}`;
    const sentence = isAskedAgain ? `Its reviewers are asked again. ${outcome}` : outcome;
    return {
      ...copy,
      sentence: isStopped ? `${sentence} Sending is stopped, so it also waits for that.` : sentence,
    };
  }
  if (copy !== HELD.held) return copy;
  if (isStopped) return WAITING_FOR_STOP;
  const isDue = held.hand_over_at ? held.hand_over_at <= now : leadMinutes === undefined;
  if (isDue) return SENDING;
  const sentence = `${copy.sentence} A post less than LEAD away is scheduled at once.`;
  return due === 'some' ? { ...copy, sentence } : copy;
}

function renderApproval(approvedBy: string | undefined): string | undefined {
  if (approvedBy === undefined) return undefined;
  return clip(approvedBy === '' ? 'Approved' : `Approved by ${approvedBy}`, MAX_TITLE_LENGTH);
}

function describeUnknownStatus(status: string | undefined): Copy {
  const name = status === undefined ? 'No status' : clipLine(status, MAX_STATUS_LENGTH);
  return { emoji: '', name, sentence: 'The scheduling service has it.' };
}

/** Why a submission isn't sent yet, if the service hasn't said anything about it. */
function findDefaultReason({ sent, held }: PostFacts): string {
  if (sent?.state === 'retryable') return 'The service is unavailable.';
  const hasGivenUp = sent?.state === 'gave-up' || held?.reason === 'gave-up';
  return hasGivenUp ? 'I couldn’t send it for 24 hours.' : 'The service didn’t accept this.';
}
