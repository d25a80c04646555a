import type * as Slack from '@slack/types';
import { useState } from 'preact/hooks';
import { isWebUrl } from '../address.ts';
import { type ElementProps, useControl } from '../block-container.ts';
import { useDirectory } from '../directory.ts';
import { replaceEmojiCodes } from '../emoji.ts';
import { html } from '../html.ts';
import { Icon } from '../icon.ts';
import { Menu } from '../menu.ts';

/** A pair of feedback buttons. The page marks the last pressed one until it is reloaded. */
export function FeedbackButtons({ element, settings }: ElementProps<Slack.FeedbackButtons>) {
  const control = useControl(element, settings);
  const [feedback, setFeedback] = useState('');
  const { positive_button, negative_button } = element;
  const press = ({ value }: Slack.FeedbackButtons['positive_button']) => {
    setFeedback(value);
    void control.dispatch(value);
  };
  return [positive_button, negative_button].map(
    (button, index) => html`<button
      type="button"
      key=${index}
      id=${`${control.id}${index === 0 ? '' : '-negative'}`}
      class="tool-button"
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
export function IconButton({ element, settings }: ElementProps<Slack.IconButton>) {
  const control = useControl(element, settings);
  const { me } = useDirectory();
  if (element.visible_to_user_ids?.includes(me.id) === false) return null;
  const label = replaceEmojiCodes(element.text.text);
  const press = async () => {
    if (await control.confirm()) await control.dispatch();
  };
  return html`<button
    type="button"
    id=${control.id}
    class="tool-button"
    title=${label}
    aria-label=${element.accessibility_label ?? label}
    disabled=${control.isInert}
    onClick=${press}
  >
    ${element.icon === 'trash' ? html`<${Icon} name="trash" />` : label}
  </button>`;
}

/** Opens a website in a new tab. */
function openWebsite(url: string | undefined): void {
  if (isWebUrl(url)) window.open(url, '_blank', 'noopener');
}

export function Button({ element, settings }: ElementProps<Slack.Button | Slack.WorkflowButton>) {
  const control = useControl(element, { ...settings, dispatches: true });
  const [isWaiting, setWaiting] = useState(false);
  const url = element.type === 'button' ? element.url : undefined;
  const press = async () => {
    if (isWaiting || !(await control.confirm())) return;
    openWebsite(url);
    setWaiting(true);
    await control.dispatch();
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
export function Overflow({ element, settings }: ElementProps<Slack.Overflow>) {
  const control = useControl(element, { ...settings, dispatches: true });
  const items = element.options.map((option, index) => ({
    key: String(index),
    label: replaceEmojiCodes(option.text.text),
    description: option.description && replaceEmojiCodes(option.description.text),
    choose: () => {
      openWebsite('url' in option ? option.url : undefined);
      void control.set(option);
    },
  }));
  return html`<${Menu} id=${control.id} label="More options" class="overflow" items=${items} disabled=${control.isInert}><${Icon} name="dots" /><//>`;
}
