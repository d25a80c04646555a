import type { KnownBlock, ModalView } from '@slack/types';
import type { ZonedContext } from '../../forms/form-context.ts';
import { type KnownZones, pickDefaultZone, type ZoneScope } from '../../preferences/zones.ts';
import { context, plain, plainSection, section } from '../../slack/blocks.ts';
import { clip, sanitizeLine } from '../../slack/escape.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildQuotingMessage, type Message } from '../../slack/message.ts';
import { MAX_ZONE_LENGTH, zoneName } from '../../when/when.ts';

const ORDER =
  'First counts a zone in the words (“9am in Tokyo”), then the one that the form shows; it begins with the first of these that there is.';
const SCHEDULED = 'Posts that are scheduled already stay as they are.';
const HOW_TO_NAME = 'Type a city or a zone, such as `/upnext zone here Berlin`, or `/upnext zone` to search.';
const MAX_NAME_LENGTH = 60;

export const TITLE = 'Time zone';

/** "Berlin", "none". */
function zoneLabel(zone: string | undefined): string {
  return zone === undefined ? 'none' : zoneName(zone);
}

/** The default zone of posts from here, its source, and the other zones that could apply. */
export function zoneSummary({ zones, chosen }: Pick<ZonedContext, 'zones' | 'chosen'>): KnownBlock[] {
  const defaultZone = pickDefaultZone(zones, chosen?.id);
  const now = defaultZone
    ? `Posts from here begin in ${zoneName(defaultZone.zone)}: ${zoneSource(defaultZone.source, chosen)}.`
    : 'Posts from here begin in no zone: it is asked each time.';
  const lines = [
    `1. This channel: ${zoneLabel(zones.channel)}`,
    `2. ${chosen ? `The project ${clip(chosen.name, MAX_NAME_LENGTH)}: ${zoneLabel(zones.byProject[chosen.id])}` : 'The project: the one that the post is for'}`,
    `3. You: ${zoneLabel(zones.person)}`,
    `4. Your Slack profile: ${zoneLabel(zones.profile)}`,
  ];
  return [plainSection(now), context(ORDER), plainSection(lines.join('\n'))];
}

function zoneSource(
  of: NonNullable<ReturnType<typeof pickDefaultZone>>['source'],
  project: { name: string } | undefined,
): string {
  switch (of) {
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

/** Says which zone was set, or cleared if `zone` is undefined. Plain text. */
export function zoneChangeText(
  scope: ZoneScope,
  zone: string | undefined,
  project: { name: string } | undefined,
): string {
  const posts = {
    channel: 'Posts from this channel',
    project: `Posts for ${clip(project?.name ?? 'the project', MAX_NAME_LENGTH)}`,
    person: 'Your posts',
  }[scope];
  return zone === undefined
    ? `${posts} have no zone of their own any more.`
    : `${posts} are meant in ${zoneName(zone)} from now on.`;
}

/** Says what was changed and which zone is the default now. */
export function zoneChangeMessage(
  changeText: string,
  zones: KnownZones,
  project: { id: string; name: string } | undefined,
): Message {
  const defaultZone = pickDefaultZone(zones, project?.id);
  const now =
    defaultZone &&
    `Posts from here begin in ${zoneName(defaultZone.zone)}: ${zoneSource(defaultZone.source, project)}.`;
  const line = now === undefined ? changeText : `${changeText} ${now}`;
  return buildQuotingMessage(line, SCHEDULED);
}

export function zoneChangeView(message: Message): ModalView {
  return {
    type: 'modal',
    title: plain(TITLE, LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks: message.blocks ?? [section(message.text)],
  };
}

export function unknownZone(words: string, near: readonly string[]): Message {
  const quoted = `“${clip(sanitizeLine(words), MAX_NAME_LENGTH)}”`;
  const suggestions = near.map((zone) => `“${zone}”`).join(', ');
  return buildQuotingMessage(
    `I know no single time zone ${quoted}. Nothing was changed.${suggestions === '' ? '' : ` Perhaps ${suggestions}?`}`,
    HOW_TO_NAME,
  );
}

export function zoneTooLong(): Message {
  return {
    text: `That is too long for a time zone: use at most ${MAX_ZONE_LENGTH} characters. Nothing was changed. ${HOW_TO_NAME}`,
  };
}

export function noChannel(): Message {
  return { text: 'A channel’s zone is chosen in the channel: type `/upnext zone here Berlin` there.' };
}
