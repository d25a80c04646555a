import type { KnownBlock } from '@slack/types';
import { type Digest, type DigestSettings, isPersonal, type PauseReason } from '../../digests/digest.ts';
import type { NamedRecord } from '../../forms/field.ts';
import { renderMoment } from '../../posts/post-time.ts';
import { clip, context, escapeText, sanitizeLine, section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { renderRecurrence } from '../../when/when.ts';

const MAX_NAME_LENGTH = 60;
const MAX_NAMED_PROJECTS = 3;

const PAUSE_TEXTS: Readonly<Record<PauseReason, string>> = {
  requested: 'Paused.',
  archived: 'Paused: its channel is archived.',
  'not-in-channel': 'Paused: I’m no longer in its channel.',
  restricted: 'Paused: this workspace’s rules don’t let me post there.',
  'no-access': 'Paused: Slack doesn’t let me in.',
  uninstalled: 'Paused: I was removed from this workspace.',
  shared: 'Paused: its channel is now shared with another organisation.',
  'project-gone': 'Paused: its project no longer exists.',
};

/** Renders a digest as mrkdwn, such as "Daily digest in <#C1>: weekdays at 09:00 (Berlin), Harbour Coffee". */
export function renderDigest(
  digest: Pick<DigestSettings, 'channel' | 'kind' | 'days' | 'time' | 'zone' | 'projects'>,
  projects: readonly NamedRecord[],
): string {
  const placeText = isPersonal(digest) ? 'for you' : `in <#${digest.channel}>`;
  const kindText = digest.kind === 'weekly' ? 'Weekly digest' : 'Daily digest';
  return `${kindText} ${placeText}: ${escapeText(`${renderRecurrence(digest)}, ${renderProjects(digest, projects)}`)}`;
}

/** Renders the first projects' names as plain text. All other projects, also those without a name, are counted. */
function renderProjects(
  { projects: ids }: Pick<DigestSettings, 'projects'>,
  projects: readonly NamedRecord[],
): string {
  if (ids === 'channel') return 'this channel’s projects';
  const names = ids.flatMap((id) => projects.find((project) => project.id === id)?.name ?? []);
  const shownNames = names
    .slice(0, MAX_NAMED_PROJECTS)
    .map((name) => clip(sanitizeLine(name), MAX_NAME_LENGTH));
  const hiddenCount = ids.length - shownNames.length;
  return [
    ...shownNames,
    ...(hiddenCount > 0 ? [`${hiddenCount} ${shownNames.length > 0 ? 'more' : 'projects'}`] : []),
  ].join(', ');
}

/** Renders the digest's next occurrence, or the reason for its pause, as mrkdwn. */
export function renderNextOccurrence(digest: Digest, now: Date): string {
  if (digest.state === 'paused') return PAUSE_TEXTS[digest.pauseReason ?? 'requested'];
  return digest.nextSlot
    ? `Next: ${escapeText(renderMoment(digest.nextSlot.instant, digest.zone, now))}.`
    : 'This digest will stop.';
}

/** Renders the confirmation that a digest was saved. */
export function renderSavedDigest(
  digest: Digest,
  projects: readonly NamedRecord[],
  now: Date,
): Message & { blocks: KnownBlock[] } {
  const nextText = digest.nextSlot
    ? `The first one comes ${escapeText(renderMoment(digest.nextSlot.instant, digest.zone, now))}.`
    : renderNextOccurrence(digest, now);
  const text = `Saved. ${nextText}`;
  const readersText = digest.sharedWith
    ? 'Every member of the channel will see the plans, also those of the other organisation.'
    : 'Every member of the channel will see the plans.';
  return {
    text: `${text} ${renderDigest(digest, projects)}.`,
    blocks: [
      section(text),
      section(`*${renderDigest(digest, projects)}*`),
      ...(isPersonal(digest) ? [] : [context(readersText)]),
    ],
  };
}
