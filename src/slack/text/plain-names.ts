import { clip, renderCount } from '../../words.ts';

/** Maximum number of listed changes of one kind. Further changes are only counted. */
const MAX_LISTED_CHANGES = 5;
/** Maximum length of one listed change, in UTF-16 units. */
const MAX_QUOTE_LENGTH = 60;

/** Differences between a message in Slack and its plain text, each once. Collected while the message is read. */
interface Changes {
  /** The addresses of links, by label. */
  links: Map<string, string>;
  mentions: Set<string>;
  formats: Set<string>;
  dates: Set<string>;
  /** What the text says instead of names that are unknown. */
  unknownNames: Set<string>;
  /** True if the message has a part that isn't text. */
  hasUnreadablePart: boolean;
}

export function createChanges(): Changes {
  return {
    links: new Map(),
    mentions: new Set(),
    formats: new Set(),
    dates: new Set(),
    unknownNames: new Set(),
    hasUnreadablePart: false,
  };
}

/** Renders the changes as sentences in plain text. */
export function renderChanges(changes: Changes, files: readonly string[]): string[] {
  const { links, mentions, formats, dates } = changes;
  const firstLinks = [...links].slice(0, MAX_LISTED_CHANGES);
  const moreLinks = links.size - firstLinks.length;
  return [
    ...firstLinks.map(([label, address]) => `“${shorten(label)}” becomes ${shorten(address)}.`),
    ...(moreLinks > 0
      ? [`${renderCount(moreLinks, 'more link becomes its address', 'more links become their addresses')}.`]
      : []),
    ...renderSentence(mentions, (names) => `Mentions become plain names: ${names}.`),
    ...renderSentence(
      changes.unknownNames,
      (names) => `Where I couldn’t read a name, the text says ${names}.`,
    ),
    ...renderSentence(dates, (dateList) => `Dates become plain text: ${dateList}.`),
    ...renderSentence(formats, (names) => `Formatting isn’t sent: ${names}.`),
    ...(changes.hasUnreadablePart ? ['I left out parts of the message that aren’t text.'] : []),
    ...renderSentence(new Set(files), (names) => `Files stay in Slack and aren’t sent: ${names}.`),
  ];
}

function renderSentence(items: ReadonlySet<string>, render: (list: string) => string): string[] {
  if (items.size === 0) return [];
  const firstItems = [...items].slice(0, MAX_LISTED_CHANGES).map(shorten);
  const unlistedCount = items.size - firstItems.length;
  return [render(firstItems.join(', ') + (unlistedCount > 0 ? ` and ${unlistedCount} more` : ''))];
}

function shorten(text: string): string {
  return clip(text.replace(/\s+/g, ' '), MAX_QUOTE_LENGTH);
}

export type NamedKind = 'user' | 'channel' | 'usergroup';

/** The context for reading one message: a lookup for names, and the collected changes. */
export interface ReadingContext {
  /** Returns the name without `@` or `#`. Undefined if the name is unknown. */
  findName: (kind: NamedKind, id: string) => string | undefined;
  changes: Changes;
}

const PREFIXES: Readonly<Record<NamedKind, string>> = { user: '@', channel: '#', usergroup: '@' };
const UNKNOWN_NAMES: Readonly<Record<NamedKind, string>> = {
  user: '@someone',
  channel: '#channel',
  usergroup: '@group',
};

/** Renders a mention: "@Ann", "#general". `label`: the name that the message contains. */
export function renderName(reading: ReadingContext, kind: NamedKind, id: string, label?: string): string {
  const name = (reading.findName(kind, id) ?? label ?? '').replace(/^[@#]/, '');
  if (name === '') {
    reading.changes.unknownNames.add(UNKNOWN_NAMES[kind]);
    return UNKNOWN_NAMES[kind];
  }
  const text = PREFIXES[kind] + name;
  reading.changes.mentions.add(text);
  return text;
}

export function renderBroadcast(reading: ReadingContext, range: string): string {
  reading.changes.mentions.add(`@${range}`);
  return `@${range}`;
}

/** Renders the address of a link, without `mailto:` or `tel:`. Slack adds `http://` to a typed domain, which stays. */
export function renderLink(reading: ReadingContext, url: string, label = ''): string {
  const isTypedDomain = /\.\p{L}/u.test(label) && url === `http://${label}`;
  const address = isTypedDomain ? label : url.replace(/^(?:mailto|tel):/i, '');
  if (label !== '' && label !== address) reading.changes.links.set(label, address);
  return address;
}

/**
 * Renders a date, without a fallback text as "2026-11-20 09:30 UTC". Slack shows each reader the date in their own zone.
 * `seconds`: since the epoch.
 */
export function renderDate(reading: ReadingContext, seconds: number, fallback?: string): string {
  const date = new Date(seconds * 1000);
  const text =
    fallback ||
    (Number.isNaN(date.getTime()) ? '' : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`);
  if (text !== '') reading.changes.dates.add(text);
  return text;
}
