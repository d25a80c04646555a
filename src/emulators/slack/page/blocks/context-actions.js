import { FeedbackButtons, IconButton } from '../elements/context-buttons.js';
import { html } from '../html.js';
import { getActionId } from '../slack-json.js';

/** @param {{ block: import('@slack/types').ContextActionsBlock, blockId: string }} props */
export function ContextActions({ block, blockId }) {
  return html`<div class="context-actions">
    ${block.elements.map((element) => {
      const component = element.type === 'feedback_buttons' ? FeedbackButtons : IconButton;
      const settings = { blockId, dispatches: true };
      return html`<${component} key=${getActionId(element)} element=${element} settings=${settings} />`;
    })}
  </div>`;
}
