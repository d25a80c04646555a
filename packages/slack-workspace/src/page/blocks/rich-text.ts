import type { RichTextBlock, RichTextBlockElement, RichTextElement } from '@slack/types';
import type { ComponentChildren } from 'preact';
import { isLink } from '../address.ts';
import { type Directory, useDirectory } from '../directory.ts';
import { html } from '../html.ts';
import { renderEmoji, renderEntity, renderLink, renderMention } from '../mrkdwn.ts';

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

/** Returns a ref that sets the colour. The page's Content-Security-Policy forbids style attributes. */
const setColor = (color: string) => (node: HTMLElement | null) => node?.style.setProperty('--colour', color);

function renderPiece(piece: RichTextElement, directory: Directory): ComponentChildren {
  switch (piece.type) {
    case 'text':
      return piece.text;
    case 'link': {
      const label = piece.text || piece.url;
      return isLink(piece.url) ? renderLink(piece.url, label) : label;
    }
    case 'emoji':
      return renderEmoji(piece.name, piece.unicode);
    case 'user':
      return renderEntity({ type: 'user', id: piece.user_id }, directory);
    case 'channel':
      return renderEntity({ type: 'channel', id: piece.channel_id }, directory);
    case 'usergroup':
      return renderEntity({ type: 'usergroup', id: piece.usergroup_id }, directory);
    case 'broadcast':
      return renderEntity({ type: 'broadcast', name: piece.range }, directory);
    case 'date': {
      const { timestamp, format, url, fallback = '' } = piece;
      if (!Number.isFinite(timestamp)) return fallback;
      const date = { type: 'date' as const, ms: timestamp * 1000, format, fallback };
      return renderEntity({ ...date, url: url && isLink(url) ? url : undefined }, directory);
    }
    case 'color':
      return html`<span class="colour"><span class="colour-swatch" aria-hidden="true" ref=${setColor(piece.value)}></span>${piece.value}</span>`;
    case 'team':
      return renderMention(`@${directory.team}`, false);
    default:
      return '';
  }
}
