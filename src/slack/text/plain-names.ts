import type { Changes } from './changes.ts';

export type NamedKind = 'user' | 'channel' | 'usergroup';

/** What reading a message needs to know besides, and where it writes down what it changed. */
export interface Reading {
  /** The name without `@` or `#`; undefined where it is not known. */
  names: (kind: NamedKind, id: string) => string | undefined;
  /** A moment that came without words of its own. */
  renderDate: (at: Date) => string;
  changes: Changes;
}

const SIGNS: Readonly<Record<NamedKind, string>> = { user: '@', channel: '#', usergroup: '@' };
const NAMELESS: Readonly<Record<NamedKind, string>> = {
  user: '@someone',
  channel: '#channel',
  usergroup: '@group',
};

/** "@Ann", "#general"; `label` is what the message itself calls it. */
export function renderName(reading: Reading, kind: NamedKind, id: string, label?: string): string {
  const name = (reading.names(kind, id) ?? label ?? '').replace(/^[@#]/, '');
  if (name === '') {
    reading.changes.nameless = true;
    return NAMELESS[kind];
  }
  const words = SIGNS[kind] + name;
  reading.changes.mentions.add(words);
  return words;
}

/** "@here". */
export function renderBroadcast(reading: Reading, range: string): string {
  reading.changes.mentions.add(`@${range}`);
  return `@${range}`;
}

/** The address of a link, as it would be written out. */
export function renderLink(reading: Reading, url: string, label?: string): string {
  const address = url.replace(/^(?:mailto|tel):/i, '');
  if (label !== undefined && label !== '' && label !== address) reading.changes.links.set(label, address);
  return address;
}

/** A date, which Slack shows to each reader in their own zone. `seconds` since 1970. */
export function renderDate(reading: Reading, seconds: number, fallback?: string): string {
  const at = new Date(seconds * 1000);
  const words = fallback || (Number.isNaN(at.getTime()) ? '' : reading.renderDate(at));
  if (words !== '') reading.changes.dates.add(words);
  return words;
}
