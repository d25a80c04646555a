import { html } from './html.js';
import { InteractiveBlocks } from './interactive-blocks.js';
import { Mrkdwn, renderLink } from './mrkdwn.js';
import { isRecord } from './slack-json.js';

/** @import { Message as SlackMessage } from '../protocol.ts' */

/** Colours with names (docs.slack.dev, "Legacy secondary message attachments"). */
const NAMED_COLORS = new Map([
  ['good', '#2eb67d'],
  ['warning', '#ecb22e'],
  ['danger', '#e01e5a'],
]);

/**
 * @param {Record<string, unknown>} attachment
 * @param {string} key
 */
function readText(attachment, key) {
  const value = attachment[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** @param {Record<string, unknown>} attachment */
function getColor({ color }) {
  if (typeof color !== 'string') return 'var(--line-strong)';
  return NAMED_COLORS.get(color) ?? `#${color}`;
}

/**
 * The attachments of a message. Each has a bar in its colour on the left.
 * @param {{ message: SlackMessage }} props
 */
export function Attachments({ message }) {
  const container = { type: 'message', channel: message.channel, ts: message.ts };
  return html`${(message.attachments ?? []).map(
    (attachment, index) => html`<div
      key=${index}
      class="attachment"
      ref=${(/** @type {HTMLElement | null} */ node) => node?.style.setProperty('--bar', getColor(attachment))}
    >
      ${
        Array.isArray(attachment.blocks)
          ? html`<${InteractiveBlocks} container=${container} blocks=${attachment.blocks} />`
          : html`<${LegacyAttachment} attachment=${attachment} />`
      }
    </div>`,
  )}`;
}

/** @param {{ attachment: Record<string, unknown> }} props */
function LegacyAttachment({ attachment }) {
  const [title, address, image] = ['title', 'title_link', 'image_url'].map((key) =>
    readText(attachment, key),
  );
  const fields = Array.isArray(attachment.fields) ? attachment.fields.filter(isRecord) : [];
  return html`
    <${Line} text=${readText(attachment, 'pretext')} />
    <${Line} text=${readText(attachment, 'author_name')} />
    ${title ? html`<p class="attachment-title">${address ? renderLink(address, title) : title}</p>` : null}
    <${Line} text=${readText(attachment, 'text')} />
    ${fields.map(
      (field) =>
        html`<p><strong>${readText(field, 'title')}</strong> <${Mrkdwn} text=${readText(field, 'value') ?? ''} /></p>`,
    )}
    ${image ? html`<img class="attachment-image" src=${image} alt=${readText(attachment, 'fallback') ?? ''} />` : null}
    <${Line} text=${readText(attachment, 'footer')} />
  `;
}

/** @param {{ text: string | undefined }} props */
function Line({ text }) {
  return text ? html`<p><${Mrkdwn} text=${text} /></p>` : null;
}
