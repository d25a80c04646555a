import { html } from './html.ts';

/** The lines of each icon, in a square of 20 × 20. */
const PATHS = {
  arrow: 'm5 7.5 5 5 5-5',
  bolt: 'M11.5 1.8 4 11.4h4.6l-.9 6.8L16 8.2h-5.2z',
  clip: 'M15.5 8.6 9 15.1a3.6 3.6 0 0 1-5.1-5.1l6.9-6.9a2.4 2.4 0 0 1 3.4 3.4l-6.8 6.8a1.2 1.2 0 0 1-1.7-1.7L11.8 5.5',
  clock: 'M10 2.5a7.5 7.5 0 1 0 .01 0M10 6v4l3 2',
  cross: 'm5 5 10 10m0-10L5 15',
  dots: 'M3.2 9.2h1.6v1.6H3.2zm6 0h1.6v1.6H9.2zm6 0h1.6v1.6h-1.6z',
  eye: 'M2 10q8-9 16 0-8 9-16 0M8.5 10a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0',
  lines: 'M2.5 5h15m-15 5h15m-15 5h15',
  lock: 'M5 9h10v7H5zm2 0V6.5a3 3 0 0 1 6 0V9',
  play: 'M6.5 4.5 15 10l-8.5 5.5z',
  reply: 'M3 4h14v9.5H9.5L5.5 17v-3.5H3z',
  send: 'M2.5 3.2 18 10 2.5 16.8l2-6.1L11 10l-6.5-.7z',
  sliders: 'M3 6h8m4 0h2M3 14h2m4 0h8M11 6a2 2 0 1 0 4 0 2 2 0 1 0-4 0M5 14a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
  smile: 'M10 3a7 7 0 1 0 .01 0M7 12c1.5 2 4.5 2 6 0M7.5 8v.5m5-.5v.5',
  trash: 'M8 2h4l1 1.5h4V5H3V3.5h4zM4.5 6.5h11l-.8 11.5H5.3zM8 9v6.5M12 9v6.5',
};

/** An icon. Screen readers ignore it, because the element around it has a label. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return html`<svg class=${`icon icon-${name}`} viewBox="0 0 20 20" aria-hidden="true"><path d=${PATHS[name]} /></svg>`;
}

/** A button with a cross that closes or removes something. Other props become attributes of the button. */
export function CloseButton({ label, ...attributes }: { label: string; [attribute: string]: unknown }) {
  return html`<button type="button" class="icon-button" aria-label=${label} ...${attributes}>
    <${Icon} name="cross" />
  </button>`;
}

/** A round mark with one character. */
export function Badge({ mark }: { mark: string }) {
  return html`<span class="badge" aria-hidden="true" data-mark=${mark}></span>`;
}
