import { html } from '../html.js';
import { renderEmoji, renderLink, renderMention } from '../mrkdwn.js';
import { formatDate } from '../time.js';
import { useDirectory } from '../use-directory.js';

/**
 * @import { RichTextBlock, RichTextBlockElement, RichTextDate, RichTextElement } from '@slack/types'
 * @import { ComponentChildren } from 'preact'
 * @import { Directory } from '../directory.js'
 */

/** @param {{ block: RichTextBlock }} props */
export function RichText({ block }) {
  const directory = useDirectory();
  return html`<div class="mrkdwn rich-text">${block.elements.map((part) => renderPart(part, directory))}</div>`;
}

/**
 * @param {RichTextBlockElement} part
 * @param {Directory} directory
 * @returns {ComponentChildren}
 */
function renderPart(part, directory) {
  switch (part.type) {
    case 'rich_text_list': {
      const items = part.elements.map((item) => html`<li>${renderPieces(item.elements, directory)}</li>`);
      const level = `list-level-${Math.min(part.indent ?? 0, 4)} ${getBorderClass(part)}`;
      return part.style === 'ordered'
        ? html`<ol class=${level}>${items}</ol>`
        : html`<ul class=${level}>${items}</ul>`;
    }
    case 'rich_text_quote':
      return html`<span class=${`quote ${getBorderClass(part)}`}>${renderPieces(part.elements, directory)}</span>`;
    case 'rich_text_preformatted':
      return html`<pre><code>${renderPieces(part.elements, directory)}</code></pre>`;
    default:
      return html`<div class="rich-section">${renderPieces(part.elements, directory)}</div>`;
  }
}

/** @param {{ border?: 0 | 1 }} part */
const getBorderClass = ({ border }) => (border === 1 ? 'is-bordered' : '');

/**
 * @param {readonly RichTextElement[]} pieces
 * @param {Directory} directory
 */
function renderPieces(pieces, directory) {
  return pieces.map((piece) => applyStyle(renderPiece(piece, directory), piece.style ?? {}));
}

/**
 * @param {ComponentChildren} content
 * @param {NonNullable<RichTextElement['style']>} style
 */
function applyStyle(content, style) {
  let result = content;
  if (style.code) result = html`<code>${result}</code>`;
  if (style.bold) result = html`<strong>${result}</strong>`;
  if (style.italic) result = html`<em>${result}</em>`;
  if (style.strike) result = html`<s>${result}</s>`;
  if (style.underline) result = html`<u>${result}</u>`;
  return result;
}

/**
 * @param {RichTextDate} date
 * @param {Directory} directory
 */
function renderDate({ timestamp, format, url, fallback }, directory) {
  if (!Number.isFinite(timestamp)) return fallback ?? '';
  const text = formatDate(timestamp * 1000, format, directory.reader, directory.now());
  return url !== undefined && LINK_SCHEME.test(url) ? renderLink(url, text) : html`<time>${text}</time>`;
}

/**
 * Returns a ref that sets the colour. The page's Content-Security-Policy forbids style attributes.
 * @param {string} color
 */
const setColor = (color) => (/** @type {HTMLElement | null} */ node) =>
  node?.style.setProperty('--colour', color);

/** Allowed schemes of links. Other addresses are shown as text. */
const LINK_SCHEME = /^(?:https?:|mailto:|tel:)/i;

/**
 * @param {RichTextElement} piece
 * @param {Directory} directory
 * @returns {ComponentChildren}
 */
function renderPiece(piece, directory) {
  switch (piece.type) {
    case 'text':
      return piece.text;
    case 'link':
      return LINK_SCHEME.test(piece.url)
        ? renderLink(piece.url, piece.text || piece.url)
        : (piece.text ?? piece.url);
    case 'emoji':
      return renderEmoji(piece.name, piece.unicode);
    case 'user':
      return renderMention(
        `@${directory.people.get(piece.user_id)?.realName ?? piece.user_id}`,
        piece.user_id === directory.me.id,
      );
    case 'channel':
      return renderMention(`#${directory.channels.get(piece.channel_id)?.name ?? piece.channel_id}`, false);
    case 'broadcast':
      return renderMention(`@${piece.range}`, true);
    case 'date':
      return renderDate(piece, directory);
    case 'color':
      return html`<span class="colour"><span class="colour-swatch" aria-hidden="true" ref=${setColor(piece.value)}></span>${piece.value}</span>`;
    case 'team':
      return renderMention(`@${directory.team}`, false);
    case 'usergroup':
      return renderMention(`@${piece.usergroup_id}`, false);
    default:
      return '';
  }
}
