import { decodeEmoji, findEmoji } from './emoji.js';
import { html } from './html.js';
import { readInline, readMrkdwn } from './read-mrkdwn.js';
import { formatDate, formatFullDate } from './time.js';
import { useDirectory } from './use-directory.js';

/**
 * @import { ComponentChildren } from 'preact'
 * @import { Directory } from './directory.js'
 * @import { Piece } from './read-mrkdwn.js'
 */

/**
 * A text in Slack's mrkdwn.
 * @param {{ text: string }} props
 */
export function Mrkdwn({ text }) {
  const directory = useDirectory();
  return html`<span class="mrkdwn">${renderPieces(readMrkdwn(text), directory)}</span>`;
}

/**
 * @param {Piece[]} pieces
 * @param {Directory} directory
 * @returns {ComponentChildren}
 */
function renderPieces(pieces, directory) {
  return pieces.map((piece) => renderPiece(piece, directory));
}

/**
 * @param {Piece} piece
 * @param {Directory} directory
 * @returns {ComponentChildren}
 */
function renderPiece(piece, directory) {
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

/**
 * @param {string} name
 * @param {string} [unicode] code points of an emoji in rich text: `1f44b-1f3fd`
 */
export function renderEmoji(name, unicode) {
  const emoji = findEmoji(name) ?? decodeEmoji(unicode);
  return emoji === undefined
    ? `:${name}:`
    : html`<span class="emoji" role="img" aria-label=${name.replaceAll('_', ' ')}>${emoji}</span>`;
}

/**
 * @param {import('./read-entity.js').Entity} piece
 * @param {Directory} directory
 * @returns {ComponentChildren}
 */
function renderEntity(piece, directory) {
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

/**
 * @param {string} url
 * @param {ComponentChildren} label
 */
export function renderLink(url, label) {
  return html`<a href=${url} target="_blank" rel="noopener noreferrer">${label}</a>`;
}

/**
 * @param {string} text
 * @param {boolean} isMe
 */
export function renderMention(text, isMe) {
  return html`<span class=${isMe ? 'mention mention-me' : 'mention'}>${text}</span>`;
}
