import { BlocksIn } from './blocks-in.js';
import { html } from './html.js';
import { link, Mrkdwn } from './mrkdwn.js';
import { isRecord } from './slack-json.js';

/** @import { Message as MessageFacts } from '../protocol.ts' */

/** Colours that have a name (docs.slack.dev, "Legacy secondary message attachments"). */
const NAMED = new Map([
  ['good', '#2eb67d'],
  ['warning', '#ecb22e'],
  ['danger', '#e01e5a'],
]);

/**
 * @param {Record<string, unknown>} from
 * @param {string} key
 */
function textIn(from, key) {
  const value = from[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** @param {Record<string, unknown>} attachment */
function colorOf({ color }) {
  if (typeof color !== 'string') return 'var(--line-strong)';
  return NAMED.get(color) ?? `#${color}`;
}

/**
 * The attachments of a message, each beside a bar in its colour.
 * @param {{ message: MessageFacts }} props
 */
export function Attachments({ message }) {
  const container = { type: 'message', channel: message.channel, ts: message.ts };
  return html`${(message.attachments ?? []).map(
    (attachment, index) => html`<div
      key=${index}
      class="attachment"
      ref=${(/** @type {HTMLElement | null} */ node) => node?.style.setProperty('--bar', colorOf(attachment))}
    >
      ${
        Array.isArray(attachment.blocks)
          ? html`<${BlocksIn} container=${container} blocks=${attachment.blocks} />`
          : html`<${Texts} attachment=${attachment} />`
      }
    </div>`,
  )}`;
}

/** @param {{ attachment: Record<string, unknown> }} props */
function Texts({ attachment }) {
  const [title, address, image] = ['title', 'title_link', 'image_url'].map((key) => textIn(attachment, key));
  const fields = Array.isArray(attachment.fields) ? attachment.fields.filter(isRecord) : [];
  return html`
    <${Line} text=${textIn(attachment, 'pretext')} />
    <${Line} text=${textIn(attachment, 'author_name')} />
    ${title ? html`<p class="attachment-title">${address ? link(address, title) : title}</p>` : null}
    <${Line} text=${textIn(attachment, 'text')} />
    ${fields.map(
      (field) =>
        html`<p><strong>${textIn(field, 'title')}</strong> <${Mrkdwn} text=${textIn(field, 'value') ?? ''} /></p>`,
    )}
    ${image ? html`<img class="attachment-image" src=${image} alt=${textIn(attachment, 'fallback') ?? ''} />` : null}
    <${Line} text=${textIn(attachment, 'footer')} />
  `;
}

/** @param {{ text: string | undefined }} props */
function Line({ text }) {
  return text ? html`<p><${Mrkdwn} text=${text} /></p>` : null;
}
