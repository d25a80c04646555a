import { getControlId, useBlockContainer } from '../block-container.js';
import { Element } from '../elements/element.js';
import { replaceEmojiCodes } from '../emoji.js';
import { html } from '../html.js';
import { getActionId } from '../slack-json.js';

/** @param {{ block: import('@slack/types').InputBlock, blockId: string }} props */
export function Input({ block, blockId }) {
  const { container, errors } = useBlockContainer();
  const error = errors[blockId];
  const id = getControlId(container, blockId);
  const labelId = `${id}label`;
  const described = [block.hint && `${id}hint`, error !== undefined && `${id}error`]
    .filter(Boolean)
    .join(' ');
  const settings = {
    blockId,
    dispatches: block.dispatch_action === true,
    label: block.label.text,
    labelId,
    isOptional: block.optional === true,
    isInvalid: error !== undefined,
    ...(described === '' ? {} : { describedBy: described }),
  };
  return html`<div class=${`input-block ${error === undefined ? '' : 'has-error'}`}>
    <label class="input-label" id=${labelId} for=${getControlId(container, blockId, getActionId(block.element))}>
      ${replaceEmojiCodes(block.label.text)}
      ${block.optional ? html`<span class="input-optional"> (optional)</span>` : null}
    </label>
    <${Element} element=${block.element} settings=${settings} />
    ${error === undefined ? null : html`<p class="input-error" id=${`${id}error`}>${replaceEmojiCodes(error)}</p>`}
    ${block.hint === undefined ? null : html`<p class="input-hint" id=${`${id}hint`}>${replaceEmojiCodes(block.hint.text)}</p>`}
  </div>`;
}
