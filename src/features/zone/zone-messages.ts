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
const NAME = 60;

export const TITLE = 'Time zone';

/** "Berlin", "none". */
function zoneLabel(zone: string | undefined): string {
  return zone === undefined ? 'none' : zoneName(zone);
}

/** What applies here, and why. */
export function whichApplies({ zones, chosen }: Pick<ZonedContext, 'zones' | 'chosen'>): KnownBlock[] {
  const usual = pickDefaultZone(zones, chosen?.id);
  const now = usual
    ? `Posts from here begin in ${zoneName(usual.zone)}: ${because(usual.of, chosen)}.`
    : 'Posts from here begin in no zone: it is asked each time.';
  const lines = [
    `1. This channel: ${zoneLabel(zones.channel)}`,
    `2. ${chosen ? `The project ${clip(chosen.name, NAME)}: ${zoneLabel(zones.byProject[chosen.id])}` : 'The project: the one that the post is for'}`,
    `3. You: ${zoneLabel(zones.own)}`,
    `4. Your Slack profile: ${zoneLabel(zones.profile)}`,
  ];
  return [plainSection(now), context(ORDER), plainSection(lines.join('\n'))];
}

function because(
  of: NonNullable<ReturnType<typeof pickDefaultZone>>['of'],
  project: { name: string } | undefined,
): string {
  switch (of) {
    case 'channel':
      return "this channel's zone";
    case 'project':
      return `the zone of the project ${clip(project?.name ?? '', NAME)}`;
    case 'own':
      return 'your own zone';
    case 'profile':
      return 'the zone of your Slack profile';
  }
}

/** What was set, or cleared with `zone` undefined. Plain text. */
export function setWords(
  scope: ZoneScope,
  zone: string | undefined,
  project: { name: string } | undefined,
): string {
  const whose = {
    channel: 'Posts from this channel',
    project: `Posts for ${clip(project?.name ?? 'the project', NAME)}`,
    person: 'Your posts',
  }[scope];
  return zone === undefined
    ? `${whose} have no zone of their own any more.`
    : `${whose} are meant in ${zoneName(zone)} from now on.`;
}

/** After the form, or for a message: what was set, and what applies now. */
export function setMessage(
  words: string,
  zones: KnownZones,
  project: { id: string; name: string } | undefined,
): Message {
  const usual = pickDefaultZone(zones, project?.id);
  const now = usual && `Posts from here begin in ${zoneName(usual.zone)}: ${because(usual.of, project)}.`;
  const line = now === undefined ? words : `${words} ${now}`;
  return buildQuotingMessage(line, SCHEDULED);
}

export function setView(message: Message): ModalView {
  return {
    type: 'modal',
    title: plain(TITLE, LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks: message.blocks ?? [section(message.text)],
  };
}

export function unknownZone(words: string, near: readonly string[]): Message {
  const asked = `“${clip(sanitizeLine(words), NAME)}”`;
  const meant = near.map((zone) => `“${zone}”`).join(', ');
  return buildQuotingMessage(
    `I know no single time zone ${asked}. Nothing was changed.${meant === '' ? '' : ` Perhaps ${meant}?`}`,
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
