import { Button } from '../elements/button.js';
import { html } from '../html.js';
import { Picture } from '../picture.js';
import { getActionId } from '../slack-json.js';
import { Text } from '../text.js';
import { getNestedId } from './nested-id.js';

/** @import { CardBlock, CarouselBlock } from '@slack/types' */

/** @param {{ block: CardBlock, blockId: string }} props */
export function Card({ block, blockId }) {
  const { hero_image, icon, title, subtitle, body, actions } = block;
  return html`<article class="card">
    ${hero_image ? html`<${Picture} image=${hero_image} class="card-hero" />` : null}
    <div class="card-text">
      ${
        icon || title || subtitle
          ? html`<div class="card-head">
              ${icon ? html`<${Picture} image=${icon} class="card-icon" />` : null}
              <div>
                ${title ? html`<p class="card-title"><${Text} of=${title} /></p>` : null}
                ${subtitle ? html`<p class="card-subtitle"><${Text} of=${subtitle} /></p>` : null}
              </div>
            </div>`
          : null
      }
      ${body ? html`<div class="card-body"><${Text} of=${body} /></div>` : null}
      ${
        actions
          ? html`<div class="actions">
              ${actions.map((button) => html`<${Button} key=${getActionId(button)} element=${button} settings=${{ blockId, dispatches: true }} />`)}
            </div>`
          : null
      }
    </div>
  </article>`;
}

/**
 * Cards in a row that scrolls sideways.
 * @param {{ block: CarouselBlock, blockId: string }} props
 */
export function Carousel({ block, blockId }) {
  return html`<div class="carousel" role="group" aria-label="Cards" tabindex="0">
    ${block.elements.map((card, index) => {
      const id = getNestedId(card, blockId, index);
      return html`<${Card} key=${id} block=${card} blockId=${id} />`;
    })}
  </div>`;
}
