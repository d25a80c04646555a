import { useState } from 'preact/hooks';
import { useControl } from '../block-container.js';
import { replaceEmojiCodes } from '../emoji.js';
import { html } from '../html.js';
import { useDirectory } from '../use-directory.js';

/**
 * @import { FeedbackButtons as FeedbackElement, IconButton as IconElement } from '@slack/types'
 * @import { BlockSettings } from '../block-container.js'
 */

/**
 * Thumbs up and down; the last one pressed stays marked, as long as the page is open.
 * @param {{ element: FeedbackElement, place: BlockSettings }} props
 */
export function FeedbackButtons({ element, place }) {
  const control = useControl(element, place);
  const [given, setGiven] = useState('');
  const { positive_button, negative_button } = element;
  /** @param {FeedbackElement['positive_button']} side */
  const press = ({ value }) => {
    setGiven(value);
    void control.dispatch({ type: element.type, value });
  };
  return [positive_button, negative_button].map(
    (side, index) => html`<button
      type="button"
      key=${index}
      id=${`${control.id}${index === 0 ? '' : '-negative'}`}
      class="small-button"
      aria-pressed=${given === side.value ? 'true' : 'false'}
      aria-label=${side.accessibility_label}
      disabled=${control.inert}
      onClick=${() => press(side)}
    >
      <span aria-hidden="true">${index === 0 ? '👍' : '👎'}</span> ${replaceEmojiCodes(side.text.text)}
    </button>`,
  );
}

/**
 * A button that is only a picture; its words are its tooltip.
 * @param {{ element: IconElement, place: BlockSettings }} props
 */
export function IconButton({ element, place }) {
  const control = useControl(element, place);
  const { me } = useDirectory();
  if (element.visible_to_user_ids?.includes(me.id) === false) return null;
  const label = replaceEmojiCodes(element.text.text);
  const press = async () => {
    if (await control.allowed()) await control.dispatch({ type: element.type });
  };
  return html`<button
    type="button"
    id=${control.id}
    class="small-button"
    title=${label}
    aria-label=${element.accessibility_label ?? label}
    disabled=${control.inert}
    onClick=${press}
  >
    ${
      element.icon === 'trash'
        ? html`<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M8 2h4l1 1.5h4V5H3V3.5h4zM4.5 6.5h11l-.8 11.5H5.3zM8 9v6.5M12 9v6.5" /></svg>`
        : label
    }
  </button>`;
}
