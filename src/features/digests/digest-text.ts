import type { KnownBlock } from '@slack/types';
import { renderDay } from '../../digests/content/days.ts';
import { type Digest, type DigestSettings, isPersonal, type PauseReason } from '../../digests/digest.ts';
import type { NamedRecord } from '../../forms/field.ts';
import { renderMoment } from '../../posts/post-time.ts';
import { clip, context, escapeText, sanitizeLine, section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { renderRecurrence, toRecurrence } from '../../when/when.ts';

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

/** Renders a digest's schedule as plain text, such as "Weekly · Mondays at 09:00 (Lisbon)". */
export function renderSchedule(digest: Pick<DigestSettings, 'kind' | 'days' | 'time' | 'zone'>): string {
  const recurrence = renderRecurrence(toRecurrence(digest)).replace(/^every (\w+day) /, '$1s ');
  const days = `${recurrence.charAt(0).toUpperCase()}${recurrence.slice(1)}`;
  return `${digest.kind === 'weekly' ? 'Weekly' : 'Daily'} · ${days}`;
}

/** Renders a digest as two lines of mrkdwn: its schedule, and below its channel and projects. */
export function renderDigest(
  digest: Pick<DigestSettings, 'channel' | 'kind' | 'days' | 'time' | 'zone' | 'projects'>,
  projects: readonly NamedRecord[],
): string {
  const place = isPersonal(digest) ? 'Direct message to you' : `<#${digest.channel}>`;
  return `*${escapeText(renderSchedule(digest))}*\n${place} · ${escapeText(renderProjects(digest, projects))}`;
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

/** Renders the day of the digest's next occurrence, or the reason for its pause, as mrkdwn. */
export function renderNextOccurrence(digest: Digest): string {
  if (digest.state === 'paused') return PAUSE_TEXTS[digest.pauseReason ?? 'requested'];
  return digest.nextSlot ? `Next: ${renderDay(digest.nextSlot.date)}` : 'This digest will stop.';
}

/** Renders the confirmation that a digest was saved. */
export function renderSavedDigest(
  digest: Digest,
  projects: readonly NamedRecord[],
  now: Date,
): Message & { blocks: KnownBlock[] } {
  const nextText = digest.nextSlot
    ? `The first digest comes on ${escapeText(renderMoment(digest.nextSlot.instant, digest.zone, now))}.`
    : renderNextOccurrence(digest);
  const text = `Saved. ${nextText}`;
  const readersText = digest.sharedWith
    ? 'Everyone in the channel will see the posts, including people from the other organisation.'
    : 'Everyone in the channel will see the posts.';
  return {
    text: `${text} ${renderDigest(digest, projects)}`,
    blocks: [
      section(text),
      section(renderDigest(digest, projects)),
      ...(isPersonal(digest) ? [] : [context(readersText)]),
    ],
  };
}
