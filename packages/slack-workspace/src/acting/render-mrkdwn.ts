import { type Piece, readMrkdwn } from '../page/read-mrkdwn.ts';
import { formatDate } from '../page/time.ts';
import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findChannel, findPerson } from '../state/directory.ts';

/** Pieces that begin and end with a line break. */
const OWN_LINES: ReadonlySet<string> = new Set(['quote', 'item', 'pre']);

function renderAll(site: Site, reader: Person, pieces: readonly Piece[]): string {
  return pieces
    .map((piece, index) => {
      const before = pieces[index - 1]?.type ?? 'break';
      const startsLine = before !== 'break' && (OWN_LINES.has(before) || OWN_LINES.has(piece.type));
      return (startsLine ? '\n' : '') + renderPiece(site, reader, piece);
    })
    .join('');
}

function renderPiece(site: Site, reader: Person, piece: Piece): string {
  switch (piece.type) {
    case 'text':
    case 'code':
    case 'pre':
      return piece.text;
    case 'bold':
    case 'italic':
    case 'strike':
    case 'quote':
      return renderAll(site, reader, piece.children);
    case 'item':
      return `${piece.mark} ${renderAll(site, reader, piece.children)}`;
    case 'break':
      return '\n';
    case 'emoji':
      return `:${piece.name}:`;
    case 'link':
      return piece.label;
    case 'user':
      return `@${findPerson(site, piece.id)?.realName ?? piece.label ?? piece.id}`;
    case 'channel':
      return `#${findChannel(site, piece.id)?.name ?? piece.label ?? piece.id}`;
    case 'usergroup':
      return piece.label ?? `@${piece.id}`;
    case 'broadcast':
      return `@${piece.name}`;
    case 'date':
      return formatDate(piece.ms, piece.format, { zone: reader.tz, locale: reader.locale }, site.now());
  }
}

/**
 * Renders mrkdwn as this person reads it on the page: without markup, with names instead of ids, and with dates in
 * their time zone. Emoji stay names, which are easier to read in tests.
 */
export function renderMrkdwn(site: Site, reader: Person, text: string): string {
  return renderAll(site, reader, readMrkdwn(text));
}
