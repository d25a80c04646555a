import { Element } from '../elements/element.js';
import { replaceEmojiCodes } from '../emoji.js';
import { html } from '../html.js';
import { Picture } from '../picture.js';
import { getActionId } from '../slack-json.js';
import { Text } from '../text.js';

/**
 * @import { ActionsBlock, ContextBlock, HeaderBlock, ImageBlock, SectionBlock } from '@slack/types'
 */

/** @param {{ block: SectionBlock, blockId: string }} props */
export function Section({ block, blockId }) {
  const label = block.text?.text;
  const settings = { blockId, dispatches: true, ...(label === undefined ? {} : { label }) };
  return html`<div class="section">
    <div class="section-content">
      ${block.text ? html`<div class="section-text"><${Text} of=${block.text} /></div>` : null}
      ${
        block.fields
          ? html`<div class="section-fields">${block.fields.map((field) => html`<div class="section-field"><${Text} of=${field} /></div>`)}</div>`
          : null
      }
    </div>
    ${block.accessory ? html`<div class="section-accessory"><${Element} element=${block.accessory} settings=${settings} /></div>` : null}
  </div>`;
}

/** @param {{ block: ActionsBlock, blockId: string }} props */
export function Actions({ block, blockId }) {
  return html`<div class="actions">
    ${block.elements.map((element) => {
      const label = 'placeholder' in element ? element.placeholder?.text : undefined;
      const settings = { blockId, dispatches: true, ...(label === undefined ? {} : { label }) };
      return html`<${Element} key=${getActionId(element)} element=${element} settings=${settings} />`;
    })}
  </div>`;
}

/** @param {{ block: ContextBlock }} props */
export function Context({ block }) {
  return html`<div class="context">
    ${block.elements.map((element) =>
      element.type === 'image'
        ? html`<${Picture} image=${element} class="image-context" />`
        : html`<span class="context-text"><${Text} of=${element} /></span>`,
    )}
  </div>`;
}

/** @param {{ block: HeaderBlock }} props */
export function Header({ block }) {
  return html`<h3 class="header-block">${replaceEmojiCodes(block.text.text)}</h3>`;
}

export function Divider() {
  return html`<hr class="divider" />`;
}

/** @param {{ block: ImageBlock }} props */
export function Image({ block }) {
  return html`<figure class="image-block">
    ${block.title ? html`<figcaption>${replaceEmojiCodes(block.title.text)}</figcaption>` : null}
    <${Picture} image=${block} class="image-large" />
  </figure>`;
}
