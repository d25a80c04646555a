import { html } from '../html.js';
import { Text } from '../text.js';

/** Names of the levels, for people who don't see their colours. */
const LEVELS = { default: 'Note', info: 'Note', warning: 'Warning', error: 'Error', success: 'Done' };

/** @param {{ block: import('@slack/types').AlertBlock }} props */
export function Alert({ block }) {
  const level = block.level ?? 'default';
  return html`<div class=${`alert alert-${level}`} role="note" aria-label=${LEVELS[level]}>
    <span class="alert-sign" aria-hidden="true"></span>
    <div class="alert-words"><${Text} of=${block.text} /></div>
  </div>`;
}
