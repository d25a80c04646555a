import { type Piece, readMrkdwn } from '../page/read-mrkdwn.js';
import { formatDate } from '../page/time.js';
import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { channelById, personById } from '../state/directory.ts';

/** Drawn with lines of their own. */
const OWN_LINES: ReadonlySet<string> = new Set(['quote', 'item', 'pre']);

function joined(site: Site, reader: Person, pieces: readonly Piece[]): string {
  return pieces
    .map((piece, index) => {
      const before = pieces[index - 1]?.type ?? 'break';
      const begins = before !== 'break' && (OWN_LINES.has(before) || OWN_LINES.has(piece.type));
      return (begins ? '\n' : '') + visible(site, reader, piece);
    })
    .join('');
}

function visible(site: Site, reader: Person, piece: Piece): string {
  switch (piece.type) {
    case 'text':
    case 'code':
    case 'pre':
      return piece.text;
    case 'bold':
    case 'italic':
    case 'strike':
    case 'quote':
      return joined(site, reader, piece.children);
    case 'item':
      return `${piece.mark} ${joined(site, reader, piece.children)}`;
    case 'break':
      return '\n';
    case 'emoji':
      return `:${piece.name}:`;
    case 'link':
      return piece.label;
    case 'user':
      return `@${personById(site, piece.id)?.realName ?? piece.label ?? piece.id}`;
    case 'channel':
      return `#${channelById(site, piece.id)?.name ?? piece.label ?? piece.id}`;
    case 'usergroup':
      return piece.label ?? `@${piece.id}`;
    case 'broadcast':
      return `@${piece.name}`;
    case 'date':
      return formatDate(piece.ms, piece.format, { zone: reader.tz, locale: reader.locale }, site.now());
  }
}

/**
 * mrkdwn as this person reads it on the page: no marks (those in code are no marks), names for ids, dates in their zone.
 * Emoji stay codes, which a test can be read by.
 */
export function visibleMrkdwn(site: Site, reader: Person, text: string): string {
  return joined(site, reader, readMrkdwn(text));
}
