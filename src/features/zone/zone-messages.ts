import type { KnownBlock, ModalView } from '@slack/types';
import type { ZonedContext } from '../../forms/form-context.ts';
import { type KnownZones, pickDefaultZone, type ZoneScope } from '../../preferences/zones.ts';
import { clip, context, plain, plainSection, sanitizeLine, section } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildQuotingMessage, type Message } from '../../slack/message.ts';
import { MAX_ZONE_LENGTH, zoneName } from '../../when/when.ts';

const ORDER_TEXT = 'A zone you type wins; otherwise Upnext uses the first one set:';
const SCHEDULED_POSTS_TEXT = 'Scheduled posts don’t change.';
const HOW_TO_NAME_TEXT =
  'Type a city or a zone, such as `/upnext zone here Berlin`, or `/upnext zone` to search.';
/** Maximum length of a project's name or the typed text in a sentence. */
const MAX_NAME_LENGTH = 60;

export const TITLE = 'Time zone';

/** Renders a zone, such as "Berlin", or "none". */
function renderZone(zone: string | undefined): string {
  return zone === undefined ? 'none' : zoneName(zone);
}

/** Renders the default zone of posts from this channel, and all stored zones in the order in which they apply. */
export function renderZoneSummary({
  zones,
  chosen: project,
}: Pick<ZonedContext, 'zones' | 'chosen'>): KnownBlock[] {
  const defaultZone = pickDefaultZone(zones, project?.id);
  const defaultText = defaultZone
    ? `Default zone: ${zoneName(defaultZone.zone)} (${renderZoneSource(defaultZone.source, project)}).`
    : 'No default zone. I’ll ask each time.';
  const lines = [
    `1. This channel: ${renderZone(zones.channel)}`,
    `2. ${project ? `The project ${clip(project.name, MAX_NAME_LENGTH)}: ${renderZone(zones.byProject[project.id])}` : 'The project: the one that the post is for'}`,
    `3. You: ${renderZone(zones.person)}`,
    `4. Your Slack profile: ${renderZone(zones.profile)}`,
  ];
  return [plainSection(defaultText), context(ORDER_TEXT), plainSection(lines.join('\n'))];
}

function renderZoneSource(
  source: NonNullable<ReturnType<typeof pickDefaultZone>>['source'],
  project: { name: string } | undefined,
): string {
  switch (source) {
    case 'channel':
      return "this channel's zone";
    case 'project':
      return `the zone of the project ${clip(project?.name ?? '', MAX_NAME_LENGTH)}`;
    case 'person':
      return 'your own zone';
    case 'profile':
      return 'the zone of your Slack profile';
  }
}

/** Renders which zone was set, or that it was cleared if `zone` is undefined. Plain text. */
export function renderZoneChange(
  scope: ZoneScope,
  zone: string | undefined,
  project: { name: string } | undefined,
): string {
  const subject = {
    channel: 'Posts from this channel',
    project: `Posts for ${clip(project?.name ?? 'the project', MAX_NAME_LENGTH)}`,
    person: 'Your posts',
  }[scope];
  return zone === undefined
    ? `${subject} no longer have their own zone.`
    : `${subject} now use ${zoneName(zone)}.`;
}

/** Renders the change, and the default zone after the change. */
export function renderZoneChangeMessage(
  changeText: string,
  zones: KnownZones,
  project: { id: string; name: string } | undefined,
): Message {
  const defaultZone = pickDefaultZone(zones, project?.id);
  const defaultText =
    defaultZone &&
    `Default zone: ${zoneName(defaultZone.zone)} (${renderZoneSource(defaultZone.source, project)}).`;
  const line = defaultText === undefined ? changeText : `${changeText}\n${defaultText}`;
  return buildQuotingMessage(line, SCHEDULED_POSTS_TEXT);
}

export function buildZoneChangeView(message: Message): ModalView {
  return {
    type: 'modal',
    title: plain(TITLE, LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks: message.blocks ?? [section(message.text)],
  };
}

export function renderUnknownZone(text: string, suggestedZones: readonly string[]): Message {
  const quotedText = `“${clip(sanitizeLine(text), MAX_NAME_LENGTH)}”`;
  const suggestions = suggestedZones.map((zone) => `“${zone}”`).join(', ');
  return buildQuotingMessage(
    `Nothing was changed: I don’t know the time zone ${quotedText}.${suggestions === '' ? '' : ` Did you mean ${suggestions}?`}`,
    HOW_TO_NAME_TEXT,
  );
}

export function renderZoneTooLong(): Message {
  return {
    text: `Nothing was changed: use at most ${MAX_ZONE_LENGTH} characters. ${HOW_TO_NAME_TEXT}`,
  };
}

export function renderNoChannel(): Message {
  return { text: 'Set a channel’s zone in that channel: `/upnext zone here Berlin`.' };
}
