import { html } from './html.js';

/**
 * The person's initials on their colour, or the app's first letter. Hidden from screen readers, because the name is
 * next to it.
 * @param {{ name: string, color: string, isBot?: boolean, small?: boolean }} props
 */
export function Avatar({ name, color, isBot = false, small = false }) {
  const initials = name
    .split(/\s+/)
    .map((word) => word.charAt(0))
    .slice(0, isBot ? 1 : 2)
    .join('')
    .toUpperCase();
  return html`<span
    class=${`avatar ${small ? 'avatar-small' : ''} ${isBot ? 'avatar-app' : ''}`}
    aria-hidden="true"
    data-initials=${initials}
    ref=${(/** @type {HTMLElement | null} */ node) => node?.style.setProperty('--avatar', color)}
  ></span>`;
}
