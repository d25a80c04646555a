import { useConfirm } from './confirm.js';
import { html } from './html.js';
import { memo } from './memo.js';
import { focusTool } from './tools.js';
import { usePageState, useWorkspace } from './use-workspace.js';

/** @import { RequestRecord } from '../protocol.ts' */

/** All requests to the app, newest first, each with its answer and its time. */
export function Inspector() {
  const { show } = useWorkspace();
  const requests = usePageState((state) => state.requests);
  const { confirm, dialog } = useConfirm();
  const close = () => {
    show({ inspector: false });
    focusTool('inspector');
  };
  const startOver = async () => {
    if (await confirm(RESET)) await fetch('/page/reset', { method: 'POST' });
  };
  return html`<aside class="inspector" id="inspector" aria-label="Inspector">
    <header class="inspector-head">
      <div><h2>Inspector</h2><p>Requests to the app, and calls of unknown methods. Slack waits 3 seconds for an acknowledgement.</p></div>
      <button type="button" class="icon-button" aria-label="Close the inspector" onClick=${close}>
        <span aria-hidden="true">×</span>
      </button>
    </header>
    ${requests.length === 0 ? html`<p class="empty">No requests yet.</p>` : null}
    <ul class="requests">
      ${requests.toReversed().map((request) => html`<${Request} key=${request.id} request=${request} />`)}
    </ul>
    <footer class="inspector-foot">
      <button type="button" class="button" onClick=${startOver}>Reset the workspace</button>
    </footer>
    ${dialog}
  </aside>`;
}

/** @type {import('@slack/types').Confirm} */
const RESET = {
  title: { type: 'plain_text', text: 'Reset the workspace?' },
  text: {
    type: 'plain_text',
    text: 'Deletes its messages and open forms for everybody, and switches all faults off. The app’s own data stays.',
  },
  confirm: { type: 'plain_text', text: 'Reset' },
  deny: { type: 'plain_text', text: 'Keep' },
  style: 'danger',
};

/** @type {Record<RequestRecord['outcome'], string>} */
const OUTCOMES = { waiting: 'waiting…', acknowledged: 'acknowledged', late: 'too late', failed: 'failed' };

const Request = memo(
  /** @param {{ request: RequestRecord }} props */
  ({ request }) => html`<li class=${`request request-${request.outcome}`}>
    <p class="request-head">
      <span class="request-label">${request.label}</span>
      <span class="request-ms">${request.ackMs === undefined ? '' : `${Math.round(request.ackMs)} ms`}</span>
    </p>
    <p class="request-about">
      <span>${request.kind}</span><span class="request-outcome">${OUTCOMES[request.outcome]}${request.reason ? `: ${request.reason}` : ''}</span>
      <time>${new Date(request.at).toLocaleTimeString('en-GB')}</time>
    </p>
    <${Json} title="Payload" value=${request.payload} />
    ${request.ackPayload === undefined || request.ackPayload === '' ? null : html`<${Json} title="Acknowledgement" value=${request.ackPayload} />`}
  </li>`,
);

/** @param {{ title: string, value: unknown }} props */
function Json({ title, value }) {
  return html`<details><summary>${title}</summary><pre tabindex="0">${JSON.stringify(value, null, 2)}</pre></details>`;
}
