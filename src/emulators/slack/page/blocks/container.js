import { replaceEmojiCodes } from '../emoji.js';
import { html } from '../html.js';
import { Picture } from '../picture.js';
import { Text } from '../text.js';
import { RichText } from './rich-text.js';

/** @import { FunctionComponent } from 'preact' */

/**
 * Blocks under one title. The app can allow people to collapse them.
 * @param {{ block: import('@slack/types').ContainerBlock, blockId: string, inner: FunctionComponent<{ blocks: unknown, within: string }> }} props
 *   `inner` renders the blocks in the container
 */
export function Container({ block, blockId, inner }) {
  const frame = `container container-${block.width ?? 'standard'}`;
  const blocks = html`<div class="container-body"><${inner} blocks=${block.child_blocks} within=${blockId} /></div>`;
  if (block.is_collapsible) {
    return html`<details class=${frame} open=${!block.default_collapsed}>
      <summary class="container-head"><${Head} block=${block} /></summary>
      ${blocks}
    </details>`;
  }
  return html`<section class=${frame}>
    <div class=${`container-head ${block.has_header_divider ? 'has-divider' : ''}`}><${Head} block=${block} /></div>
    ${blocks}
  </section>`;
}

/** @param {{ block: import('@slack/types').ContainerBlock }} props */
function Head({ block: { icon, title, rich_text_title, subtitle } }) {
  return html`${icon ? html`<${Picture} image=${icon} class="card-icon" />` : null}
    <div class="container-titles">
      <div class="card-title">
        ${rich_text_title ? html`<${RichText} block=${rich_text_title} />` : replaceEmojiCodes(title?.text ?? '')}
      </div>
      ${subtitle ? html`<div class="card-subtitle"><${Text} of=${subtitle} /></div>` : null}
    </div>`;
}
