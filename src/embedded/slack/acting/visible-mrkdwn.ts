import { formatDate } from '../page/time.js';
import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { channelById, personById } from '../state/directory.ts';

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** `<…>`: mentions, dates and links. */
function entity(site: Site, reader: Person, inner: string): string {
  const [target = '', label] = inner.split('|');
  if (target.startsWith('@')) return `@${personById(site, target.slice(1))?.realName ?? label ?? target}`;
  if (target.startsWith('#')) return `#${channelById(site, target.slice(1))?.name ?? label ?? target}`;
  if (target.startsWith('!date^')) {
    const [, seconds = '', format = ''] = target.split('^');
    return formatDate(Number(seconds) * 1000, format, { zone: reader.tz, locale: reader.locale }, site.now());
  }
  if (target.startsWith('!')) return `@${label ?? target.slice(1)}`;
  return label ?? target;
}

/** Marks that only count as pairs around words: `*bold*`, `_italic_`, `~struck~`, code. */
const MARKS = /(^|[\s("'])([*_~`])(\S(?:[^\n]*?\S)?)\2(?=$|[\s.,:;!?)"'])/gm;

function withoutMarks(text: string): string {
  const once = text.replaceAll(MARKS, '$1$3');
  return once === text ? text : withoutMarks(once);
}

/** mrkdwn as this person reads it: no marks, names for ids, dates in their zone. */
export function visibleMrkdwn(site: Site, reader: Person, text: string): string {
  return unescaped(
    withoutMarks(text).replaceAll(/<([^<>]+)>/g, (_, inner: string) => entity(site, reader, inner)),
  );
}
