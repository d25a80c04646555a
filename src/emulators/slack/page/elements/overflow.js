import { useControl } from '../block-container.js';
import { replaceEmojiCodes } from '../emoji.js';
import { html } from '../html.js';
import { Menu } from '../menu.js';

/** @param {{ element: import('@slack/types').Overflow, settings: import('../block-container.js').BlockSettings }} props */
export function Overflow({ element, settings }) {
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
