import type { TextObject } from '@slack/types';
import type { ComponentChildren } from 'preact';
import { allowAddress } from './address.ts';
import { type Directory, useDirectory } from './directory.ts';
import { decodeEmoji, findEmoji, replaceEmojiCodes } from './emoji.ts';
import { html } from './html.ts';
import { type Entity, type Piece, readInline, readMrkdwn } from './read-mrkdwn.ts';
import { formatDate, formatFullDate } from './time.ts';

/** A text object of either type. */
export function Text({ of }: { of: TextObject | undefined }) {
  if (of === undefined) return null;
  return of.type === 'mrkdwn'
    ? html`<${Mrkdwn} text=${of.text} />`
    : html`<span class="plain">${replaceEmojiCodes(of.text)}</span>`;
}

/** A text in Slack's mrkdwn. */
export function Mrkdwn({ text }: { text: string }) {
  const directory = useDirectory();
  return html`<span class="mrkdwn">${renderPieces(readMrkdwn(text), directory)}</span>`;
}

function renderPieces(pieces: Piece[], directory: Directory): ComponentChildren {
  return pieces.map((piece) => renderPiece(piece, directory));
}

function renderPiece(piece: Piece, directory: Directory): ComponentChildren {
  switch (piece.type) {
    case 'text':
      return piece.text;
    case 'bold':
      return html`<strong>${renderPieces(piece.children, directory)}</strong>`;
    case 'italic':
      return html`<em>${renderPieces(piece.children, directory)}</em>`;
    case 'strike':
      return html`<s>${renderPieces(piece.children, directory)}</s>`;
    case 'code':
      return html`<code>${piece.text}</code>`;
    case 'pre':
      return html`<pre><code>${piece.text}</code></pre>`;
    case 'quote':
      return html`<span class="quote">${renderPieces(piece.children, directory)}</span>`;
    case 'item':
      return html`<span class="item"><span class="item-mark">${piece.mark}</span><span>${renderPieces(piece.children, directory)}</span></span>`;
    case 'emoji':
      return renderEmoji(piece.name);
    case 'break':
      return html`<br />`;
    default:
      return renderEntity(piece, directory);
  }
}

/** `unicode`: code points of an emoji in rich text, such as `1f44b-1f3fd`. */
export function renderEmoji(name: string, unicode?: string) {
  const emoji = findEmoji(name) ?? decodeEmoji(unicode);
  return emoji === undefined
    ? `:${name}:`
    : html`<span class="emoji" role="img" aria-label=${name.replaceAll('_', ' ')}>${emoji}</span>`;
}

/** A mention, a date or a link. */
export function renderEntity(piece: Entity, directory: Directory): ComponentChildren {
  switch (piece.type) {
    case 'link':
      // An address without a label may contain formatting characters.
      return renderLink(
        piece.url,
        piece.url.endsWith(piece.label) ? piece.label : renderPieces(readInline(piece.label), directory),
      );
    case 'user': {
      const person = directory.people.get(piece.id);
      return renderMention(`@${person?.realName ?? piece.label ?? piece.id}`, piece.id === directory.me.id);
    }
    case 'channel':
      return renderMention(`#${directory.channels.get(piece.id)?.name ?? piece.label ?? piece.id}`, false);
    case 'usergroup':
      return renderMention(piece.label ?? `@${piece.id}`, false);
    case 'broadcast':
      return renderMention(`@${piece.name}`, true);
    case 'date': {
      const text = formatDate(piece.ms, piece.format, directory.reader, directory.now());
      const time = html`<time title=${formatFullDate(piece.ms, directory.reader)}>${text}</time>`;
      return piece.url === undefined ? time : renderLink(piece.url, time);
    }
    default:
      return piece.text;
  }
}

/** Without an address that is allowed, renders only the label. */
export function renderLink(url: string, label: ComponentChildren, className?: string) {
  if (allowAddress(url) === undefined) return label;
  return html`<a class=${className} href=${allowAddress(url)} target="_blank" rel="noopener noreferrer">${label}</a>`;
}

export function renderMention(text: string, isMe: boolean) {
  return html`<span class=${isMe ? 'mention mention-me' : 'mention'}>${text}</span>`;
}
