import { type Digest, type DigestSettings, isPersonal, type PauseReason } from '../../digests/digest.ts';
import type { NamedRecord } from '../../forms/field.ts';
import { renderMoment } from '../../posts/render-post.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/escape.ts';
import { sayRecurrence } from '../../when/when.ts';

const MAX_NAME_LENGTH = 60;
const MAX_NAMED = 3;

const PAUSED: Readonly<Record<PauseReason, string>> = {
  asked: 'Paused.',
  archived: 'Paused: its channel is archived.',
  'not-in-channel': 'Paused: I am not in its channel any more.',
  restricted: 'Paused: the rules of this workspace do not let me post there.',
  'no-access': 'Paused: Slack did not let me in.',
  uninstalled: 'Paused: I was removed from this workspace.',
  shared: 'Paused: its channel is shared with another organisation now.',
  'project-gone': 'Paused: its project is not there any more.',
};

/** mrkdwn: "Daily in <#C1>, weekdays at 09:00 (Berlin): Harbour Coffee". */
export function digestText(
  digest: Pick<DigestSettings, 'channel' | 'kind' | 'days' | 'time' | 'zone' | 'projects'>,
  projects: readonly NamedRecord[],
): string {
  const where = isPersonal(digest) ? 'to you alone' : `in <#${digest.channel}>`;
  const kind = digest.kind === 'weekly' ? 'The week' : 'The day';
  return `${kind} ${where}, ${escapeText(sayRecurrence(digest))}: ${escapeText(projectsText(digest, projects))}`;
}

/** Plain text: the projects' names. Projects without a known name are counted. */
function projectsText(
  { projects: ids }: Pick<DigestSettings, 'projects'>,
  projects: readonly NamedRecord[],
): string {
  if (ids === 'channel') return 'what the channel is about';
  const names = ids.flatMap((id) => projects.find((project) => project.id === id)?.name ?? []);
  const shown = names.slice(0, MAX_NAMED).map((name) => clip(sanitizeLine(name), MAX_NAME_LENGTH));
  const rest = ids.length - shown.length;
  return [...shown, ...(rest > 0 ? [`${rest} ${shown.length > 0 ? 'more' : 'projects'}`] : [])].join(', ');
}

/** mrkdwn: the next occurrence, or why there is none. */
export function nextText(digest: Digest, now: Date): string {
  if (digest.state === 'paused') return PAUSED[digest.pauseReason ?? 'asked'];
  return digest.next
    ? `Next: ${escapeText(renderMoment(digest.next.instant, digest.zone, now))}.`
    : 'It does not come again.';
}

/** mrkdwn: confirms that a digest was saved. */
export function savedText(digest: Digest, projects: readonly NamedRecord[], now: Date): string {
  const comes = digest.next
    ? `The first one comes ${escapeText(renderMoment(digest.next.instant, digest.zone, now))}.`
    : nextText(digest, now);
  const audience = isPersonal(digest)
    ? ''
    : ` Every member of the channel will see the plans${digest.sharedWith ? ', also those of the other organisation' : ''}.`;
  return `Saved. ${digestText(digest, projects)}. ${comes}${audience}`;
}
