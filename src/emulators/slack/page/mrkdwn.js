import { emojiFrom, emojiOf } from './emoji.js';
import { html } from './html.js';
import { readInline, readMrkdwn } from './read-mrkdwn.js';
import { formatDate, fullMoment } from './time.js';
import { useDirectory } from './use-directory.js';

/**
 * @import { ComponentChildren } from 'preact'
 * @import { Directory } from './directory.js'
 * @import { Piece } from './read-mrkdwn.js'
 */

/**
 * Draws Slack's mrkdwn.
 * @param {{ text: string }} props
 */
export function Mrkdwn({ text }) {
  const directory = useDirectory();
  return html`<span class="mrkdwn">${drawAll(readMrkdwn(text), directory)}</span>`;
}

/**
 * @param {Piece[]} pieces
 * @param {Directory} directory
 * @returns {ComponentChildren}
 */
function drawAll(pieces, directory) {
  return pieces.map((piece) => draw(piece, directory));
}

/**
 * @param {Piece} piece
 * @param {Directory} directory
 * @returns {ComponentChildren}
 */
function draw(piece, directory) {
  switch (piece.type) {
    case 'text':
      return piece.text;
    case 'bold':
      return html`<strong>${drawAll(piece.children, directory)}</strong>`;
    case 'italic':
      return html`<em>${drawAll(piece.children, directory)}</em>`;
    case 'strike':
      return html`<s>${drawAll(piece.children, directory)}</s>`;
    case 'code':
      return html`<code>${piece.text}</code>`;
    case 'pre':
      return html`<pre><code>${piece.text}</code></pre>`;
    case 'quote':
      return html`<span class="quote">${drawAll(piece.children, directory)}</span>`;
    case 'item':
      return html`<span class="item"><span class="item-mark">${piece.mark}</span><span>${drawAll(piece.children, directory)}</span></span>`;
    case 'emoji':
      return emoji(piece.name);
    case 'break':
      return html`<br />`;
    default:
      return entity(piece, directory);
  }
}

/**
 * @param {string} name
 * @param {string} [unicode] hexadecimal code points with dashes between, as rich text brings them along
 */
export function emoji(name, unicode) {
  const sign = emojiOf(name) ?? emojiFrom(unicode);
  return sign === undefined
    ? `:${name}:`
    : html`<span class="emoji" role="img" aria-label=${name.replaceAll('_', ' ')}>${sign}</span>`;
}

/**
 * @param {import('./read-entity.js').Entity} piece
 * @param {Directory} directory
 * @returns {ComponentChildren}
 */
function entity(piece, directory) {
  switch (piece.type) {
    case 'link':
      // An address without a label may contain formatting characters.
      return link(
        piece.url,
        piece.url.endsWith(piece.label) ? piece.label : drawAll(readInline(piece.label), directory),
      );
    case 'user': {
      const person = directory.people.get(piece.id);
      return mention(`@${person?.realName ?? piece.label ?? piece.id}`, piece.id === directory.me.id);
    }
    case 'channel':
      return mention(`#${directory.channels.get(piece.id)?.name ?? piece.label ?? piece.id}`, false);
    case 'usergroup':
      return mention(piece.label ?? `@${piece.id}`, false);
    case 'broadcast':
      return mention(`@${piece.name}`, true);
    case 'date': {
      const words = formatDate(piece.ms, piece.format, directory.reader, directory.now());
      const time = html`<time title=${fullMoment(piece.ms, directory.reader)}>${words}</time>`;
      return piece.url === undefined ? time : link(piece.url, time);
    }
    default:
      return piece.text;
  }
}

/**
 * @param {string} url
 * @param {ComponentChildren} label
 */
export function link(url, label) {
  return html`<a href=${url} target="_blank" rel="noopener noreferrer">${label}</a>`;
}

/**
 * @param {string} words
 * @param {boolean} isMe
 */
export function mention(words, isMe) {
  return html`<span class=${isMe ? 'mention mention-me' : 'mention'}>${words}</span>`;
}
