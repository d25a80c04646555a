import { clip, escapeFormatting, sanitizeLine } from '../slack/blocks.ts';
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
  LISTED,
  PUBLICATION,
  type PublicationState,
  SENDING,
  type SentState,
  WAITING_FOR_STOP,
} from './state-copy.ts';

/**
 * Says what state a post is in. Every form, card, list, message and picture renders from this, so a state has one name and
 * one sentence. A form describes the post as it would be after the press.
 */
export function describePost(facts: PostFacts, { viewers, now }: DescriptionReaders): Description {
  const { held, zone, leadMinutes } = facts;
  const { emoji, name, sentence, limit } = describeParts(facts, findCopy(facts, now));
  const moved = (facts.parts?.moved ?? []).map(
    ({ platforms, instant }) =>
      ` ${renderPlatformNames(platforms)}: ${renderShortTime({ instant, zone }, viewers, now)}.`,
  );
  const end = held?.hand_over_at ?? undefined;
  const time = end
    ? renderPostTime({ instant: end, zone }, viewers, now).mrkdwn
    : leadMinutes !== undefined && `${renderLead(leadMinutes)} before it goes out`;
  const label = `${emoji} ${name}`.trim();
  const isEditable = end !== undefined && name === HELD.held.name;
  return {
    emoji,
    name,
    label,
    ...(limit !== undefined && { limit }),
    status: isEditable
      ? `${label} until ${renderShortTime({ instant: end, zone }, viewers, now)}`
      : escapeFormatting(label),
    sentence: [sentence, ...moved]
      .join('')
      .replace('UNTIL', () => time || 'its hand-over')
      .replaceAll('NOUN', facts.noun ?? 'post')
      .replace('REASON', () => facts.because ?? findDefaultReason(facts)),
  };
}

/**
 * What a description depends on. Upnext keeps a post (`held`), sends it (`sent`), or the service has it (`status`). Once a
 * held post was handed over, its submission decides.
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
  sent?: SentState | undefined;
  /** The status in the service. */
  status?: string | undefined;
  /**
   * Of a post with different texts, the platforms that have theirs, those that may have it, and those that the rest of the
   * description is about.
   */
  parts?:
    | {
        sent: readonly string[];
        unsure?: readonly string[];
        others: readonly string[];
        total: number;
        /** The platforms that were sent for another time, before the post was moved. */
        moved?: readonly { platforms: readonly string[]; instant: Date }[];
      }
    | undefined;
  /** The post's time zone. */
  zone?: string | undefined;
  /** How long before its time the post goes over, while the time isn't known. */
  leadMinutes?: number | undefined;
  /** Whether sending is stopped for the project. */
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
  if (!parts || parts.others.length === 0 || parts.others.length === parts.total) return copy;
  const { sent, unsure = [], others, total } = parts;
  const doubt = unsure.length > 0 ? `I don’t know whether ${renderPlatformNames(unsure)} got it. ` : '';
  if (held?.state === 'cancelled') {
    const rest = copy.sentence.replace('be sent', () => `be sent to ${renderPlatformNames(others)}`);
    const has = sent.length === 1 ? 'has' : 'have';
    const stays = `${renderPlatformNames(sent)} already ${has} it, and I can’t remove it there.`;
    return { ...copy, sentence: `${doubt}${rest}${sent.length > 0 ? ` ${stays}` : ''}` };
  }
  const sentence = `${doubt}${renderPlatformNames(others)}: ${copy.sentence}`;
  if (sent.length === 0) return { ...copy, sentence };
  const isDone = held?.state === 'delivered';
  // Somebody has discarded the others.
  const rest = isDone ? `Not on ${renderPlatformNames(others)}.` : sentence;
  return {
    ...copy,
    ...((isDone || held?.state === 'needs-person') && { name: 'Partly scheduled' }),
    sentence: `Scheduled on ${sent.length} of ${total} platforms: ${renderPlatformNames(sent)}. ${rest}`,
  };
}

interface DescriptionReaders {
  viewers: Viewers;
  now: Date;
}

/** A state as people read it. */
export interface Description extends Copy {
  /** Emoji and name, in plain text. */
  label: string;
  /** The label, and until when the post is editable (mrkdwn): "✏️ Editable until Tue 08:00". */
  status: string;
}

const MAX_STATUS_LENGTH = 60;

function findCopy({ held, sent, status, leadMinutes, isStopped, publication }: PostFacts, now: Date): Copy {
  if (publication) return PUBLICATION[publication];
  if (sent && (!held || held.state === 'handed-over')) return getSentCopy(sent);
  if (!held) return LISTED[status?.toUpperCase() ?? ''] ?? describeUnknownStatus(status);
  const copy = getHeldPostCopy(held);
  const isDue = held.hand_over_at ? held.hand_over_at <= now : leadMinutes === undefined;
  if (copy === HELD['awaiting-review']) {
    const sentence = isDue ? 'It goes out as soon as it’s approved.' : copy.sentence;
    return {
      ...copy,
      sentence: isStopped ? `${sentence} Sending is stopped, so it also waits for that.` : sentence,
    };
  }
  if (copy !== HELD.held) return copy;
  if (isStopped) return WAITING_FOR_STOP;
  return isDue ? SENDING : copy;
}

function describeUnknownStatus(status: string | undefined): Copy {
  const name = status === undefined ? 'No status' : clip(sanitizeLine(status), MAX_STATUS_LENGTH);
  return { emoji: '', name, sentence: 'The scheduling service has it.' };
}

/** Why a submission isn't sent yet, if the service hasn't said anything about it. */
function findDefaultReason({ sent, held }: PostFacts): string {
  if (sent?.state === 'retryable') return 'The service is unavailable.';
  const hasGivenUp = sent?.state === 'gave-up' || held?.reason === 'gave-up';
  return hasGivenUp ? 'I couldn’t reach the service for 24 hours.' : 'The service didn’t accept this.';
}
