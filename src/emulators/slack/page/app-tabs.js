import { html } from './html.js';
import { usePage } from './use-page.js';

/** @type {readonly ['home' | 'messages', string][]} */
const TABS = [
  ['home', 'Home'],
  ['messages', 'Messages'],
];

/**
 * The tabs of an app: Home, if its manifest enables it, and Messages. The Tab key stops once, and the arrow keys move
 * between the tabs.
 * @param {{ app: import('./directory.js').Directory['app'], channel: string, tab: 'home' | 'messages' }} props
 */
export function AppTabs({ app: { name, hasHome }, channel, tab }) {
  const { goTo } = usePage();
  /** @param {KeyboardEvent & { currentTarget: HTMLElement }} event */
  const onKeyDown = (event) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const other = event.currentTarget.querySelector('[aria-selected=false]');
    if (!(other instanceof HTMLElement)) return;
    other.click();
    other.focus();
  };
  return html`<div class="tabs" role="tablist" aria-label=${name} onKeyDown=${onKeyDown}>
    ${TABS.filter(([key]) => key !== 'home' || hasHome).map(
      ([key, label]) => html`<button
        type="button"
        key=${key}
        role="tab"
        aria-selected=${tab === key ? 'true' : 'false'}
        tabindex=${tab === key ? 0 : -1}
        class="tab"
        onClick=${() => goTo(channel, key)}
      >
        ${label}
      </button>`,
    )}
  </div>`;
}
