import type { RichTextBlock, RichTextBlockElement, RichTextDate, RichTextElement } from '@slack/types';
import type { ComponentChildren } from 'preact';
import { type Directory, useDirectory } from '../directory.ts';
import { html } from '../html.ts';
import { renderEmoji, renderLink, renderMention } from '../mrkdwn.ts';
import { formatDate } from '../time.ts';

export function RichText({ block }: { block: RichTextBlock }) {
  const directory = useDirectory();
  return html`<div class="mrkdwn rich-text">${block.elements.map((part) => renderPart(part, directory))}</div>`;
}

function renderPart(part: RichTextBlockElement, directory: Directory): ComponentChildren {
  switch (part.type) {
    case 'rich_text_list': {
      const items = part.elements.map((item) => html`<li>${renderPieces(item.elements, directory)}</li>`);
      const level = `indent-${Math.min(part.indent ?? 0, 4)} ${getBorderClass(part)}`;
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

const getBorderClass = ({ border }: { border?: 0 | 1 }) => (border === 1 ? 'is-bordered' : '');

function renderPieces(pieces: readonly RichTextElement[], directory: Directory) {
  return pieces.map((piece) => applyStyle(renderPiece(piece, directory), piece.style ?? {}));
}

function applyStyle(content: ComponentChildren, style: NonNullable<RichTextElement['style']>) {
  let result = content;
  if (style.code) result = html`<code>${result}</code>`;
  if (style.bold) result = html`<strong>${result}</strong>`;
  if (style.italic) result = html`<em>${result}</em>`;
  if (style.strike) result = html`<s>${result}</s>`;
  if (style.underline) result = html`<u>${result}</u>`;
  return result;
}

function renderDate({ timestamp, format, url, fallback }: RichTextDate, directory: Directory) {
  if (!Number.isFinite(timestamp)) return fallback ?? '';
  const text = formatDate(timestamp * 1000, format, directory.reader, directory.now());
  return url !== undefined && LINK_SCHEME.test(url) ? renderLink(url, text) : html`<time>${text}</time>`;
}

/** Returns a ref that sets the colour. The page's Content-Security-Policy forbids style attributes. */
const setColor = (color: string) => (node: HTMLElement | null) => node?.style.setProperty('--colour', color);

/** Allowed schemes of links. Other addresses are shown as text. */
const LINK_SCHEME = /^(?:https?:|mailto:|tel:)/i;

function renderPiece(piece: RichTextElement, directory: Directory): ComponentChildren {
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
