import { renderPostTime } from '../../posts/post-time.ts';
import { clipLine, escapeText } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { joinNames } from '../../slack/name.ts';
import { joinWithAnd, joinWithOr } from '../../words.ts';
import { type EventKind, getEventFacts, renderPersonDeed } from '../event-kinds.ts';

interface ToldEvent {
  kind: EventKind;
  /** Slack id; '' for Upnext. */
  actor: string;
  /** The text of a comment or of a reason. */
  text?: string | undefined;
}

/** Renders an event in mrkdwn: "<@U1> edited it". */
export function renderDeed({ kind, actor }: Pick<ToldEvent, 'kind' | 'actor'>): string {
  if (actor !== '') return `<@${escapeText(actor)}> ${renderPersonDeed(kind)}`;
  return getEventFacts(kind).ownDeed ?? 'I changed it';
}

const MAX_QUOTE_LENGTH = 300;
const MAX_TOLD_EVENTS = 5;

/** Renders for the author what others did with the post (mrkdwn). */
export function renderNoticeText(events: readonly ToldEvent[]): string {
  const lines = renderEvents(events);
  // A single event needs no heading.
  if (lines.length === 1) return lines.join('');
  return ['This happened to your post:', ...lines.map((line) => `• ${line}`)].join('\n');
}

/** Renders new comments for somebody who took part (mrkdwn). */
export function renderCommentText(comments: readonly ToldEvent[]): string {
  return ['New on a post you worked on:', ...renderEvents(comments).map((line) => `• ${line}`)].join('\n');
}

/** Renders new comments as a reply in the thread of a review request, which mentions who took part (mrkdwn). */
export function renderCommentReply(comments: readonly ToldEvent[], mentioned: readonly string[]): string {
  const lines = renderEvents(comments);
  return mentioned.length === 0 ? lines.join('\n') : [`For ${renderPeople(mentioned)}:`, ...lines].join('\n');
}

/**
 * Renders what somebody reads in place of a notice about posts that they may not read any more: nothing of the posts, and
 * nothing that somebody has written.
 */
export function renderHiddenNotice(purpose: 'author' | 'problem', count: number): Message {
  const [posts, they] = count === 1 ? ['A post', 'it'] : [`${count} posts`, 'them'];
  const needs = count === 1 ? 'needs a decision' : 'need a decision';
  const what = purpose === 'problem' ? needs : count === 1 ? 'has changed' : 'have changed';
  return buildHiddenMessage(`${posts} that you worked on ${what}. I can’t show ${they} to you`);
}

export function renderHiddenSeries(): Message {
  return buildHiddenMessage('A series that you worked on has changed. I can’t show it to you');
}

function buildHiddenMessage(text: string): Message {
  return { text: `${text}, because you no longer have a role in the project.` };
}

function renderEvents(events: readonly ToldEvent[]): string[] {
  const lines = events.slice(-MAX_TOLD_EVENTS).map((event) => {
    const quote = event.text === undefined ? '' : clipLine(event.text, MAX_QUOTE_LENGTH);
    return `${renderDeed(event)}${quote === '' ? '.' : `: “${escapeText(quote)}”`}`;
  });
  const hiddenCount = events.length - lines.length;
  return [...lines, ...(hiddenCount > 0 ? [`…and ${hiddenCount} more in its history.`] : [])];
}

/** Maximum number of people that a text names. */
const MAX_NAMED = 8;

/** Mentions people (mrkdwn). */
export function renderPeople(users: readonly string[]): string {
  return users
    .slice(0, MAX_NAMED)
    .map((user) => `<@${escapeText(user)}>`)
    .join(', ');
}

/** The words between people who all have to approve, or of whom anyone may. */
const ASKED_LISTS = { all: joinWithAnd, any: joinWithOr } as const;

/** Renders who is asked (mrkdwn): "@Ana or @Ben", or "@Ana and @Ben" if both have to approve. */
export function renderAskedPeople(users: readonly string[], needs: keyof typeof ASKED_LISTS): string {
  const names = users.map((user) => renderPeople([user]));
  return joinNames(names, MAX_NAMED, ASKED_LISTS[needs]);
}

/** Why reviewers are asked again in the thread of a request. */
export type NudgeCause = 'asked' | 'again' | 'voided' | 'version' | 'step' | 'reminder' | 'missed';

const NUDGES: Readonly<Record<NudgeCause, string>> = {
  asked: 'This post waits for your review.',
  again: 'This post needs a review again. Please look at it.',
  voided:
    // Also for those who are asked again, but hadn't approved it.
    'This post was changed after it was approved. That approval no longer counts, so please look again.',
  version: 'There’s a new version of this post. Please review it.',
  step: 'The step before is approved, so it’s your turn to review this post.',
  reminder: 'This post still waits for your review.',
  missed: 'This post wasn’t approved in time, so I didn’t send it. You can still approve it.',
};

/** What a nudge says once it asks nobody any more: the review has ended or goes on without them, or a later nudge asks. */
export const CLOSED_NUDGES = {
  settled: { text: 'This is settled: the request above shows how it is now.' },
  superseded: { text: 'I’ve asked again below.' },
};

/** The causes after which people have to know how long they have. */
const WITH_DEADLINE: readonly NudgeCause[] = ['reminder', 'step'];

export function renderNudge(
  cause: NudgeCause,
  people: readonly string[],
  { deadline: instant, now }: { deadline: Date | undefined; now: Date },
): Message {
  const text =
    WITH_DEADLINE.includes(cause) && instant
      ? `${NUDGES[cause]} Without approval by ${renderPostTime({ instant, zone: undefined }, 'everyone', now).mrkdwn}, it isn’t sent.`
      : NUDGES[cause];
  return { text: `${people.length === 0 ? '' : `${renderPeople(people)} `}${text}` };
}
