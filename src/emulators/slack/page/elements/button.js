import { useState } from 'preact/hooks';
import { useControl } from '../block-container.js';
import { replaceEmojiCodes } from '../emoji.js';
import { html } from '../html.js';

/**
 * @param {{ element: import('@slack/types').Button | import('@slack/types').WorkflowButton, place: import('../block-container.js').BlockSettings }} props
 */
export function Button({ element, place }) {
  const control = useControl(element, { ...place, dispatches: true });
  const [waiting, setWaiting] = useState(false);
  const url = element.type === 'button' ? element.url : undefined;
  const press = async () => {
    if (waiting || !(await control.allowed())) return;
    if (url !== undefined && /^https?:/i.test(url)) window.open(url, '_blank', 'noopener');
    setWaiting(true);
    await control.dispatch({ type: element.type });
    setWaiting(false);
  };
  return html`<button
    type="button"
    id=${control.id}
    class=${`button ${element.style === undefined ? '' : `button-${element.style}`} ${waiting ? 'is-waiting' : ''}`}
    aria-label=${element.accessibility_label}
    aria-disabled=${waiting ? 'true' : undefined}
    disabled=${control.inert}
    onClick=${press}
  >
    ${replaceEmojiCodes(element.text.text)}
  </button>`;
}
