import type { WorkflowButton } from '@slack/types';
import { useState } from 'preact/hooks';
import { type BlockSettings, useControl } from '../block-container.ts';
import { replaceEmojiCodes } from '../emoji.ts';
import { html } from '../html.ts';

export function Button({
  element,
  settings,
}: {
  element: import('@slack/types').Button | WorkflowButton;
  settings: BlockSettings;
}) {
  const control = useControl(element, { ...settings, dispatches: true });
  const [isWaiting, setWaiting] = useState(false);
  const url = element.type === 'button' ? element.url : undefined;
  const press = async () => {
    if (isWaiting || !(await control.confirm())) return;
    if (url !== undefined && /^https?:/i.test(url)) window.open(url, '_blank', 'noopener');
    setWaiting(true);
    await control.dispatch({ type: element.type });
    setWaiting(false);
  };
  return html`<button
    type="button"
    id=${control.id}
    class=${`button ${element.style === undefined ? '' : `button-${element.style}`} ${isWaiting ? 'is-waiting' : ''}`}
    aria-label=${element.accessibility_label}
    aria-disabled=${isWaiting ? 'true' : undefined}
    disabled=${control.isInert}
    onClick=${press}
  >
    ${replaceEmojiCodes(element.text.text)}
  </button>`;
}
