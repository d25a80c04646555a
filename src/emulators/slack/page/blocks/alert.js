import { html } from '../html.js';
import { Text } from '../text.js';

/** Accessible names of the levels. */
const LEVELS = { default: 'Note', info: 'Note', warning: 'Warning', error: 'Error', success: 'Done' };

/** @param {{ block: import('@slack/types').AlertBlock }} props */
export function Alert({ block }) {
  const level = block.level ?? 'default';
  return html`<div class=${`alert alert-${level}`} role="note" aria-label=${LEVELS[level]}>
    <span class="alert-icon" aria-hidden="true"></span>
    <div class="alert-text"><${Text} of=${block.text} /></div>
  </div>`;
}
