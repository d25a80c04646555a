import type {
  Button as ButtonElement,
  FeedbackButtons as FeedbackElement,
  IconButton as IconElement,
  Overflow as OverflowElement,
  WorkflowButton,
} from '@slack/types';
import { useState } from 'preact/hooks';
import { type BlockSettings, useControl } from '../block-container.ts';
import { useDirectory } from '../directory.ts';
import { replaceEmojiCodes } from '../emoji.ts';
import { html } from '../html.ts';
import { Menu } from '../menu.ts';

/** A pair of feedback buttons. The page marks the last pressed one until it is reloaded. */
export function FeedbackButtons({
  element,
  settings,
}: {
  element: FeedbackElement;
  settings: BlockSettings;
}) {
  const control = useControl(element, settings);
  const [feedback, setFeedback] = useState('');
  const { positive_button, negative_button } = element;
  const press = ({ value }: FeedbackElement['positive_button']) => {
    setFeedback(value);
    void control.dispatch({ type: element.type, value });
  };
  return [positive_button, negative_button].map(
    (button, index) => html`<button
      type="button"
      key=${index}
      id=${`${control.id}${index === 0 ? '' : '-negative'}`}
      class="small-button"
      aria-pressed=${feedback === button.value ? 'true' : 'false'}
      aria-label=${button.accessibility_label}
      disabled=${control.isInert}
      onClick=${() => press(button)}
    >
      <span aria-hidden="true">${index === 0 ? '👍' : '👎'}</span> ${replaceEmojiCodes(button.text.text)}
    </button>`,
  );
}

/** A button with only an icon. Its text is the tooltip. */
export function IconButton({ element, settings }: { element: IconElement; settings: BlockSettings }) {
  const control = useControl(element, settings);
  const { me } = useDirectory();
  if (element.visible_to_user_ids?.includes(me.id) === false) return null;
  const label = replaceEmojiCodes(element.text.text);
  const press = async () => {
    if (await control.confirm()) await control.dispatch({ type: element.type });
  };
  return html`<button
    type="button"
    id=${control.id}
    class="small-button"
    title=${label}
    aria-label=${element.accessibility_label ?? label}
    disabled=${control.isInert}
    onClick=${press}
  >
    ${
      element.icon === 'trash'
        ? html`<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M8 2h4l1 1.5h4V5H3V3.5h4zM4.5 6.5h11l-.8 11.5H5.3zM8 9v6.5M12 9v6.5" /></svg>`
        : label
    }
  </button>`;
}

export function Button({
  element,
  settings,
}: {
  element: ButtonElement | WorkflowButton;
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

/** A menu of actions behind three dots. */
export function Overflow({ element, settings }: { element: OverflowElement; settings: BlockSettings }) {
  const control = useControl(element, { ...settings, dispatches: true });
  const items = element.options.map((option, index) => ({
    key: String(index),
    label: replaceEmojiCodes(option.text.text),
    description: option.description && replaceEmojiCodes(option.description.text),
    choose: () => {
      const url = 'url' in option ? option.url : undefined;
      if (typeof url === 'string' && /^https?:/i.test(url)) window.open(url, '_blank', 'noopener');
      void control.set({ type: 'overflow', selected_option: option });
    },
  }));
  return html`<${Menu} id=${control.id} label="More options" class="overflow" side="right" isFitted=${true} items=${items} disabled=${control.isInert}>
    <span class="dots" aria-hidden="true"></span>
  <//>`;
}
