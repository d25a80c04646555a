import type { Changes } from './changes.ts';

export type NamedKind = 'user' | 'channel' | 'usergroup';

/** The context for reading one message: lookups for names and dates, and the collected changes. */
export interface ReadingContext {
  /** Returns the name without `@` or `#`. Undefined if the name is unknown. */
  findName: (kind: NamedKind, id: string) => string | undefined;
  /** Renders a date that has no fallback text. */
  renderDate: (date: Date) => string;
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
    reading.changes.hasNamelessMention = true;
    return UNKNOWN_NAMES[kind];
  }
  const text = PREFIXES[kind] + name;
  reading.changes.mentions.add(text);
  return text;
}

/** Renders a broadcast: "@here". */
export function renderBroadcast(reading: ReadingContext, range: string): string {
  reading.changes.mentions.add(`@${range}`);
  return `@${range}`;
}

/** Renders the address of a link, without `mailto:` or `tel:`. */
export function renderLink(reading: ReadingContext, url: string, label?: string): string {
  const address = url.replace(/^(?:mailto|tel):/i, '');
  if (label !== undefined && label !== '' && label !== address) reading.changes.links.set(label, address);
  return address;
}

/** Renders a date. Slack shows each reader the date in their own zone. `seconds`: since the epoch. */
export function renderDate(reading: ReadingContext, seconds: number, fallback?: string): string {
  const date = new Date(seconds * 1000);
  const text = fallback || (Number.isNaN(date.getTime()) ? '' : reading.renderDate(date));
  if (text !== '') reading.changes.dates.add(text);
  return text;
}
