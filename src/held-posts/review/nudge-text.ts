import { renderMomentForReaders } from '../../posts/post-time.ts';
import { escapeText } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';

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
const ASKED_LISTS = {
  all: new Intl.ListFormat('en-GB', { type: 'conjunction' }),
  any: new Intl.ListFormat('en-GB', { type: 'disjunction' }),
} as const;

/** Renders who is asked (mrkdwn): "@Ana or @Ben", or "@Ana and @Ben" if both have to approve. */
export function renderAskedPeople(users: readonly string[], needs: keyof typeof ASKED_LISTS): string {
  const names = users.slice(0, MAX_NAMED).map((user) => renderPeople([user]));
  const hiddenCount = users.length - names.length;
  return ASKED_LISTS[needs].format([...names, ...(hiddenCount > 0 ? [`${hiddenCount} more`] : [])]);
}

/** Why reviewers are asked again in the thread of a request. */
export type NudgeCause = 'asked' | 'again' | 'voided' | 'version' | 'step' | 'reminder' | 'missed';

const NUDGES: Readonly<Record<NudgeCause, string>> = {
  asked: 'This post waits for your review.',
  again: 'This post needs a review again. Please look at it.',
  voided:
    'This post was changed after you approved it. Your approval no longer counts, so please look again.',
  version: 'There’s a new version of this post. Please review it.',
  step: 'The step before is approved, so it’s your turn. Please review this post.',
  reminder: 'This post still waits for your review.',
  missed: 'This post wasn’t approved in time, so I didn’t send it. You can still approve it for a new time.',
};

/** Renders a reply in the thread of a request. */
export function renderNudge(cause: NudgeCause, people: readonly string[], deadline: Date | null): Message {
  const text =
    cause === 'reminder' && deadline
      ? `${NUDGES.reminder} Without approval by ${renderMomentForReaders(deadline, escapeText(deadline.toUTCString()))}, it isn’t sent.`
      : NUDGES[cause];
  return { text: `${people.length === 0 ? '' : `${renderPeople(people)} `}${text}` };
}
