import type { Changes } from './changes.ts';

export type NamedKind = 'user' | 'channel' | 'usergroup';

/** Context of reading one message: lookups for names and dates, and the collected changes. */
export interface Reading {
  /** The name without `@` or `#`; undefined if it is unknown. */
  names: (kind: NamedKind, id: string) => string | undefined;
  /** Renders a date that has no fallback text. */
  renderDate: (at: Date) => string;
  changes: Changes;
}

const SIGNS: Readonly<Record<NamedKind, string>> = { user: '@', channel: '#', usergroup: '@' };
const NAMELESS: Readonly<Record<NamedKind, string>> = {
  user: '@someone',
  channel: '#channel',
  usergroup: '@group',
};

/** "@Ann", "#general". `label`: the name in the message itself. */
export function renderName(reading: Reading, kind: NamedKind, id: string, label?: string): string {
  const name = (reading.names(kind, id) ?? label ?? '').replace(/^[@#]/, '');
  if (name === '') {
    reading.changes.nameless = true;
    return NAMELESS[kind];
  }
  const text = SIGNS[kind] + name;
  reading.changes.mentions.add(text);
  return text;
}

/** "@here". */
export function renderBroadcast(reading: Reading, range: string): string {
  reading.changes.mentions.add(`@${range}`);
  return `@${range}`;
}

/** The address of a link, without `mailto:` or `tel:`. */
export function renderLink(reading: Reading, url: string, label?: string): string {
  const address = url.replace(/^(?:mailto|tel):/i, '');
  if (label !== undefined && label !== '' && label !== address) reading.changes.links.set(label, address);
  return address;
}

/** A date, which Slack shows to each reader in their own zone. `seconds`: since the epoch. */
export function renderDate(reading: Reading, seconds: number, fallback?: string): string {
  const at = new Date(seconds * 1000);
  const text = fallback || (Number.isNaN(at.getTime()) ? '' : reading.renderDate(at));
  if (text !== '') reading.changes.dates.add(text);
  return text;
}
