import { html } from '../html.js';
import { emoji, link, mention } from '../mrkdwn.js';
import { formatDate } from '../time.js';
import { useDirectory } from '../use-directory.js';

/**
 * @import { RichTextBlock, RichTextBlockElement, RichTextElement } from '@slack/types'
 * @import { ComponentChildren } from 'preact'
 * @import { Directory } from '../directory.js'
 */

/** @param {{ block: RichTextBlock }} props */
export function RichText({ block }) {
  const directory = useDirectory();
  return html`<div class="mrkdwn rich-text">${block.elements.map((part) => drawPart(part, directory))}</div>`;
}

/**
 * @param {RichTextBlockElement} part
 * @param {Directory} directory
 * @returns {ComponentChildren}
 */
function drawPart(part, directory) {
  switch (part.type) {
    case 'rich_text_list': {
      const items = part.elements.map((item) => html`<li>${drawAll(item.elements, directory)}</li>`);
      const level = `list-level-${Math.min(part.indent ?? 0, 4)}`;
      return part.style === 'ordered'
        ? html`<ol class=${level}>${items}</ol>`
        : html`<ul class=${level}>${items}</ul>`;
    }
    case 'rich_text_quote':
      return html`<span class="quote">${drawAll(part.elements, directory)}</span>`;
    case 'rich_text_preformatted':
      return html`<pre><code>${drawAll(part.elements, directory)}</code></pre>`;
    default:
      return html`<div class="rich-section">${drawAll(part.elements, directory)}</div>`;
  }
}

/**
 * @param {readonly RichTextElement[]} pieces
 * @param {Directory} directory
 */
function drawAll(pieces, directory) {
  return pieces.map((piece) => styled(drawPiece(piece, directory), piece.style ?? {}));
}

/**
 * @param {ComponentChildren} drawn
 * @param {NonNullable<RichTextElement['style']>} style
 */
function styled(drawn, style) {
  let result = drawn;
  if (style.code) result = html`<code>${result}</code>`;
  if (style.bold) result = html`<strong>${result}</strong>`;
  if (style.italic) result = html`<em>${result}</em>`;
  if (style.strike) result = html`<s>${result}</s>`;
  if (style.underline) result = html`<u>${result}</u>`;
  return result;
}

/**
 * @param {RichTextElement} piece
 * @param {Directory} directory
 * @returns {ComponentChildren}
 */
function drawPiece(piece, directory) {
  switch (piece.type) {
    case 'text':
      return piece.text;
    case 'link':
      return /^(?:https?:|mailto:|tel:)/i.test(piece.url)
        ? link(piece.url, piece.text || piece.url)
        : (piece.text ?? piece.url);
    case 'emoji':
      return emoji(piece.name);
    case 'user':
      return mention(
        `@${directory.people.get(piece.user_id)?.realName ?? piece.user_id}`,
        piece.user_id === directory.me.id,
      );
    case 'channel':
      return mention(`#${directory.channels.get(piece.channel_id)?.name ?? piece.channel_id}`, false);
    case 'broadcast':
      return mention(`@${piece.range}`, true);
    case 'date':
      return html`<time>${formatDate(piece.timestamp * 1000, piece.format, directory.reader, Date.now())}</time>`;
    case 'color':
      return html`<code>${piece.value}</code>`;
    case 'usergroup':
      return mention(`@${piece.usergroup_id}`, false);
    default:
      return '';
  }
}
