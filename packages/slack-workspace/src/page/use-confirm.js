import { useState } from 'preact/hooks';
import { Dialog } from './dialog.js';
import { replaceEmojiCodes } from './emoji.js';
import { html } from './html.js';
import { Text } from './text.js';

/**
 * @import { Confirm } from '@slack/types'
 * @typedef {{ texts: Confirm, settle: (yes: boolean) => void }} PendingConfirm
 */

/**
 * The confirm dialog of an element. `confirm` shows it and resolves with the answer. The caller renders `dialog`.
 */
export function useConfirm() {
  const [question, setQuestion] = useState(/** @type {PendingConfirm | undefined} */ (undefined));
  return {
    confirm: (/** @type {Confirm} */ texts) =>
      /** @type {Promise<boolean>} */ (new Promise((settle) => setQuestion({ texts, settle }))),
    dialog:
      question && html`<${ConfirmDialog} question=${question} onDone=${() => setQuestion(undefined)} />`,
  };
}

/** @param {{ question: PendingConfirm, onDone: () => void }} props */
function ConfirmDialog({ question: { texts, settle }, onDone }) {
  /** @param {boolean} yes */
  const answer = (yes) => {
    onDone();
    settle(yes);
  };
  return html`<${Dialog} class="dialog dialog-small" role="alertdialog" labelledBy="confirm-title" onClose=${() => answer(false)}>
    <header class="dialog-head"><h2 id="confirm-title">${replaceEmojiCodes(texts.title?.text ?? 'Are you sure?')}</h2></header>
    <div class="dialog-body"><${Text} of=${texts.text} /></div>
    <footer class="dialog-foot">
      <button type="button" class="button" onClick=${() => answer(false)}>${replaceEmojiCodes(texts.deny?.text ?? 'Cancel')}</button>
      <button
        type="button"
        data-first="true"
        class=${`button ${texts.style === 'danger' ? 'button-danger-solid' : 'button-solid'}`}
        onClick=${() => answer(true)}
      >
        ${replaceEmojiCodes(texts.confirm?.text ?? 'Yes')}
      </button>
    </footer>
  <//>`;
}
