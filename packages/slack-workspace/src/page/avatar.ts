import { html } from './html.ts';

type AvatarProps = { name: string; color: string; isBot?: boolean; small?: boolean };

/**
 * The person's initials on their colour, or the app's first letter. Hidden from screen readers, because the name is
 * next to it.
 */
export function Avatar({ name, color, isBot = false, small = false }: AvatarProps) {
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
    ref=${(node: HTMLElement | null) => node?.style.setProperty('--avatar', color)}
  ></span>`;
}
