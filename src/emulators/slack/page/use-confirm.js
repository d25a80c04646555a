import { useState } from 'preact/hooks';
import { Dialog } from './dialog.js';
import { replaceEmojiCodes } from './emoji.js';
import { html } from './html.js';
import { Text } from './text.js';

/**
 * @import { Confirm } from '@slack/types'
 * @typedef {{ words: Confirm, settle: (yes: boolean) => void }} PendingConfirm
 */

/**
 * An element's confirm dialog. `confirm` resolves with the answer; the caller draws `dialog`.
 */
export function useConfirm() {
  const [question, setQuestion] = useState(/** @type {PendingConfirm | undefined} */ (undefined));
  return {
    confirm: (/** @type {Confirm} */ words) =>
      /** @type {Promise<boolean>} */ (new Promise((settle) => setQuestion({ words, settle }))),
    dialog:
      question && html`<${ConfirmDialog} question=${question} onDone=${() => setQuestion(undefined)} />`,
  };
}

/** @param {{ question: PendingConfirm, onDone: () => void }} props */
function ConfirmDialog({ question: { words, settle }, onDone }) {
  /** @param {boolean} yes */
  const answer = (yes) => {
    onDone();
    settle(yes);
  };
  return html`<${Dialog} class="dialog dialog-small" role="alertdialog" labelledBy="confirm-title" onClose=${() => answer(false)}>
    <header class="dialog-head"><h2 id="confirm-title">${replaceEmojiCodes(words.title?.text ?? 'Are you sure?')}</h2></header>
    <div class="dialog-body"><${Text} of=${words.text} /></div>
    <footer class="dialog-foot">
      <button type="button" class="button" onClick=${() => answer(false)}>${replaceEmojiCodes(words.deny?.text ?? 'Cancel')}</button>
      <button
        type="button"
        data-first="true"
        class=${`button ${words.style === 'danger' ? 'button-danger-solid' : 'button-solid'}`}
        onClick=${() => answer(true)}
      >
        ${replaceEmojiCodes(words.confirm?.text ?? 'Yes')}
      </button>
    </footer>
  <//>`;
}
