import { type Digest, type DigestSettings, isPersonal, type PauseReason } from '../../digests/digest.ts';
import type { NamedRecord } from '../../forms/field.ts';
import { renderMoment } from '../../posts/render-post.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/escape.ts';
import { sayRecurrence } from '../../when/when.ts';

const MAX_NAME_LENGTH = 60;
const MAX_NAMED_PROJECTS = 3;

const PAUSE_TEXT: Readonly<Record<PauseReason, string>> = {
  requested: 'Paused.',
  archived: 'Paused: its channel is archived.',
  'not-in-channel': 'Paused: I am not in its channel any more.',
  restricted: 'Paused: the rules of this workspace do not let me post there.',
  'no-access': 'Paused: Slack did not let me in.',
  uninstalled: 'Paused: I was removed from this workspace.',
  shared: 'Paused: its channel is shared with another organisation now.',
  'project-gone': 'Paused: its project is not there any more.',
};

/** Renders a digest as mrkdwn: "Daily in <#C1>, weekdays at 09:00 (Berlin): Harbour Coffee". */
export function renderDigest(
  digest: Pick<DigestSettings, 'channel' | 'kind' | 'days' | 'time' | 'zone' | 'projects'>,
  projects: readonly NamedRecord[],
): string {
  const place = isPersonal(digest) ? 'to you alone' : `in <#${digest.channel}>`;
  const kind = digest.kind === 'weekly' ? 'The week' : 'The day';
  return `${kind} ${place}, ${escapeText(sayRecurrence(digest))}: ${escapeText(renderProjects(digest, projects))}`;
}

/** Renders the projects' names as plain text. Projects without a known name are counted. */
function renderProjects(
  { projects: ids }: Pick<DigestSettings, 'projects'>,
  projects: readonly NamedRecord[],
): string {
  if (ids === 'channel') return 'what the channel is about';
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

/** Renders the next occurrence, or why there is none, as mrkdwn. */
export function renderNext(digest: Digest, now: Date): string {
  if (digest.state === 'paused') return PAUSE_TEXT[digest.pauseReason ?? 'requested'];
  return digest.nextSlot
    ? `Next: ${escapeText(renderMoment(digest.nextSlot.instant, digest.zone, now))}.`
    : 'It does not come again.';
}

/** Renders the confirmation that a digest was saved, as mrkdwn. */
export function renderSaved(digest: Digest, projects: readonly NamedRecord[], now: Date): string {
  const firstText = digest.nextSlot
    ? `The first one comes ${escapeText(renderMoment(digest.nextSlot.instant, digest.zone, now))}.`
    : renderNext(digest, now);
  const audience = isPersonal(digest)
    ? ''
    : ` Every member of the channel will see the plans${digest.sharedWith ? ', also those of the other organisation' : ''}.`;
  return `Saved. ${renderDigest(digest, projects)}. ${firstText}${audience}`;
}
