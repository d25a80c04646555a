import type { KnownBlock } from '@slack/types';
import { explainUnknownZone, renderDefaultZone, type ZonedContext } from '../../forms/form-context.ts';
import { DATE_ORDER_NAMES } from '../../preferences/date-order.ts';
import type { KnownZones, ZoneScope } from '../../preferences/zones.ts';
import {
  addAccessibilityLabel,
  buildButtonRow,
  button,
  clipLine,
  context,
  plainSection,
} from '../../slack/blocks.ts';
import { buildQuotingMessage, type Message } from '../../slack/message.ts';
import { DATE_ORDERS, type DateOrder } from '../../when/when.ts';
import { MAX_ZONE_LENGTH, zoneName } from '../../when/zones.ts';
import { clip, joinWithOr } from '../../words.ts';

const ORDER_TEXT =
  'A zone that you type in a post wins. Otherwise the channel’s comes first, then the project’s, then yours.';
const HOW_TO_NAME_TEXT =
  'Type a city or a zone, such as `/upnext zone here Berlin`, or `/upnext zone` to search.';
/** Maximum length of a project's name or the typed text in a sentence. */
const MAX_NAME_LENGTH = 60;

export const TITLE = 'Time zone';

/** Prefix of the action ids of the orders of day and month, such as `zone.dates-day-first`. */
export const DATE_ORDER_PREFIX = 'zone.dates-';

/** Prefix of the action ids of [Remove], such as `zone.remove-channel`. */
export const REMOVE_ZONE_PREFIX = 'zone.remove-';

/** Renders the default zone of posts from this channel, and the zones that were set, in their order of precedence. */
export function renderZoneSummary(
  summary: Pick<ZonedContext, 'zones' | 'preselectedProject' | 'isZoneUnread'> & { isManager: boolean },
): KnownBlock[] {
  const { zones, preselectedProject: project, isManager } = summary;
  const unknownText = summary.isZoneUnread
    ? explainUnknownZone(summary)
    : 'I’ll ask for the time zone of each post.';
  const projectName = clip(project?.name ?? '', MAX_NAME_LENGTH);
  const setZones = [
    { scope: 'channel', name: 'This channel', zone: zones.channel },
    { scope: 'project', name: projectName, zone: project && zones.byProject[project.id] },
    { scope: 'person', name: 'My own posts', zone: zones.person },
  ] as const;
  const rows = setZones.flatMap(({ scope, name, zone }) => {
    if (zone === undefined) return [];
    const row = plainSection(`${name}: ${zoneName(zone)}`);
    if (scope !== 'person' && !isManager) return [row];
    const removeButton = button('Remove', `${REMOVE_ZONE_PREFIX}${scope}`);
    return [{ ...row, accessory: addAccessibilityLabel(removeButton, `Remove the time zone of: ${name}`) }];
  });
  return [plainSection(renderDefaultZone(zones, project) ?? unknownText), ...rows, context(ORDER_TEXT)];
}

const ORDERS: Readonly<Record<DateOrder, string>> = {
  'day-first': 'day first, as 3 April',
  'month-first': 'month first, as 4 March',
};

/** Says in which order the person writes day and month, with buttons for the others. */
export function renderDateOrder({ dateOrder = 'unsure' }: Pick<ZonedContext, 'dateOrder'>): KnownBlock[] {
  const text =
    dateOrder === 'unsure'
      ? 'I ask about your dates such as 3/4, because your language and time zone write them differently.'
      : describeOrder(dateOrder);
  const others = DATE_ORDERS.filter((order) => order !== dateOrder);
  const buttons = others.map((order) => button(DATE_ORDER_NAMES[order], `${DATE_ORDER_PREFIX}${order}`));
  return [plainSection(text), ...buildButtonRow(buttons)];
}

const describeOrder = (order: DateOrder) => `I read your dates such as 3/4 ${ORDERS[order]}.`;

export function renderDateOrderChange(order: DateOrder): Message {
  return buildQuotingMessage(describeOrder(order), 'Scheduled posts don’t change.');
}

/** Says which zone was set, or that it was cleared if `zone` is undefined, and which one counts in the channel now. */
export function renderZoneChange(
  { scope, zone, project }: { scope: ZoneScope; zone?: string; project?: { name: string } },
  channel: { zones: KnownZones; project: { id: string; name: string } | undefined },
): Message {
  const subject = {
    channel: 'Posts from this channel',
    project: `Posts for ${clip(project?.name ?? 'the project', MAX_NAME_LENGTH)}`,
    person: 'Your posts',
  }[scope];
  const changeText =
    zone === undefined
      ? `${subject} no longer have their own zone.`
      : `${subject} now use ${zoneName(zone)}.`;
  const defaultText = renderDefaultZone(channel.zones, channel.project);
  const line = defaultText === undefined ? changeText : `${changeText}\n${defaultText}`;
  return buildQuotingMessage(line, 'Scheduled posts don’t change.');
}

export function renderUnknownZone(text: string, suggestedZones: readonly string[]): Message {
  const quotedText = `“${clipLine(text)}”`;
  const suggestions = suggestedZones.map((zone) => `“${zone}”`).join(', ');
  return buildQuotingMessage(
    `Nothing was changed: I don’t know the time zone ${quotedText}.${suggestions === '' ? '' : ` Did you mean ${suggestions}?`}`,
    HOW_TO_NAME_TEXT,
  );
}

const SCOPE_WORDS: Readonly<Record<ZoneScope, string>> = {
  channel: 'here',
  project: 'project',
  person: 'me',
};

/** Asks which clock an abbreviation such as "IST" means. */
export function renderAmbiguousZone(
  text: string,
  zones: readonly string[],
  scope: ZoneScope = 'channel',
): Message {
  const places = zones.map(zoneName);
  const [first = ''] = places;
  return buildQuotingMessage(
    `Nothing was changed: “${clipLine(text)}” can be the time of ${joinWithOr(places)}.`,
    `Type the city that you mean, such as \`/upnext zone ${SCOPE_WORDS[scope]} ${first}\`.`,
  );
}

export const ZONE_TOO_LONG: Message = {
  text: `Nothing was changed: use at most ${MAX_ZONE_LENGTH} characters. ${HOW_TO_NAME_TEXT}`,
};

export const NO_CHANNEL: Message = {
  text: 'Set a channel’s zone in that channel: `/upnext zone here Berlin`.',
};
