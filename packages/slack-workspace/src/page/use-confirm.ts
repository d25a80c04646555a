import type { Confirm } from '@slack/types';
import { useState } from 'preact/hooks';
import { Dialog } from './dialog.ts';
import { replaceEmojiCodes } from './emoji.ts';
import { html } from './html.ts';
import { Text } from './mrkdwn.ts';

type PendingConfirm = { texts: Confirm; settle: (yes: boolean) => void };

/**
 * The confirm dialog of an element. `confirm` shows it and resolves with the answer. The caller renders `dialog`.
 */
export function useConfirm() {
  const [question, setQuestion] = useState<PendingConfirm | undefined>(undefined);
  return {
    confirm: (texts: Confirm) => new Promise((settle) => setQuestion({ texts, settle })) as Promise<boolean>,
    dialog:
      question && html`<${ConfirmDialog} question=${question} onDone=${() => setQuestion(undefined)} />`,
  };
}

function ConfirmDialog({ question, onDone }: { question: PendingConfirm; onDone: () => void }) {
  const { texts, settle } = question;
  const answer = (yes: boolean) => {
    onDone();
    settle(yes);
  };
  return html`<${Dialog} class="dialog dialog-small" role="alertdialog" labelledBy="confirm-title" onClose=${() => answer(false)}>
    <header class="dialog-head row"><h2 id="confirm-title">${replaceEmojiCodes(texts.title?.text ?? 'Are you sure?')}</h2></header>
    <div class="dialog-body"><${Text} of=${texts.text} /></div>
    <footer class="dialog-foot row">
      <button type="button" class="button" onClick=${() => answer(false)}>${replaceEmojiCodes(texts.deny?.text ?? 'Cancel')}</button>
      <button
        type="button"
        data-first="true"
        class=${`button ${texts.style === 'danger' ? 'button-danger' : 'button-primary'}`}
        onClick=${() => answer(true)}
      >
        ${replaceEmojiCodes(texts.confirm?.text ?? 'Yes')}
      </button>
    </footer>
  <//>`;
}
