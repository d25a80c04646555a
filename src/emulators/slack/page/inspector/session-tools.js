import { useRef, useState } from 'preact/hooks';
import { html } from '../html.js';
import { useConfirm } from '../use-confirm.js';
import { usePage, usePageState } from '../use-page.js';
import { endRecording, record, replay, saveFile } from './recording.js';

/** The buttons that reset the workspace, record a session and replay one. */
export function SessionTools() {
  const { store } = usePage();
  const isRecording = usePageState((state) => state.isRecording);
  const [report, setReport] = useState('');
  const [isReplaying, setReplaying] = useState(false);
  const file = useRef(/** @type {HTMLInputElement | null} */ (null));
  const { confirm, dialog } = useConfirm();
  const reset = async () => {
    if (await confirm(RESET_CONFIRM)) await fetch('/page/reset', { method: 'POST' });
  };
  const toggleRecording = async () => {
    if (isRecording) return endRecording();
    const text = await record(store);
    if (text === undefined) setReport('Somebody else is already recording.');
    else saveFile(text, `session-${new Date().toISOString().slice(0, 16).replace(':', '-')}.jsonl`);
  };
  /** @param {{ currentTarget: HTMLInputElement }} event */
  const replayChosen = async ({ currentTarget }) => {
    const [chosen] = currentTarget.files ?? [];
    currentTarget.value = '';
    if (!chosen || !(await confirm(REPLAY_CONFIRM))) return;
    setReport('Replaying…');
    setReplaying(true);
    setReport(await replay(chosen).catch(() => 'The workspace can’t be reached. Please try again.'));
    setReplaying(false);
  };
  return html`<footer class="inspector-foot">
    <pre class="replay-report" role="status" tabindex=${report === '' ? undefined : '0'}>${report}</pre>
    <button type="button" class="button" onClick=${reset}>Reset the workspace</button>
    <button type="button" class=${`button ${isRecording ? 'button-danger' : ''}`} onClick=${toggleRecording}>
      ${isRecording ? 'Stop and save' : 'Record'}
    </button>
    <button type="button" class="button" disabled=${isReplaying || isRecording} onClick=${() => file.current?.click()}>
      Replay…
    </button>
    <input ref=${file} type="file" accept=".jsonl" hidden aria-label="Recording" onChange=${replayChosen} />
    ${dialog}
  </footer>`;
}

/** @type {import('@slack/types').Confirm} */
const RESET_CONFIRM = {
  title: { type: 'plain_text', text: 'Reset the workspace?' },
  text: {
    type: 'plain_text',
    text: 'This deletes all messages, open forms and inspector records, and disables all faults. The app keeps its own data.',
  },
  confirm: { type: 'plain_text', text: 'Reset' },
  deny: { type: 'plain_text', text: 'Keep' },
  style: 'danger',
};

/** @type {import('@slack/types').Confirm} */
const REPLAY_CONFIRM = {
  title: { type: 'plain_text', text: 'Replay this recording?' },
  text: {
    type: 'plain_text',
    text: 'This replaces all messages and open forms with those of the recording, and repeats what people did in it.',
  },
  confirm: { type: 'plain_text', text: 'Replay' },
  deny: { type: 'plain_text', text: 'Cancel' },
  style: 'danger',
};
