import { html } from '../html.js';
import { focusTool } from '../tools.js';
import { useConfirm } from '../use-confirm.js';
import { usePage, usePageState } from '../use-page.js';
import { Filter } from './filter.js';
import { filterRecords } from './filter-records.js';
import { TrafficEntry } from './traffic-entry.js';

/** The panel with requests to the app and its API calls, newest first. */
export function Inspector() {
  const { show } = usePage();
  const traffic = usePageState((state) => state.traffic);
  const filter = usePageState((state) => state.trafficFilter);
  const maxRecords = usePageState((state) => state.workspace?.maxRecords ?? 0);
  const close = () => {
    show({ inspector: false });
    focusTool('inspector');
  };
  const { confirm, dialog } = useConfirm();
  const reset = async () => {
    if (await confirm(RESET_CONFIRM)) await fetch('/page/reset', { method: 'POST' });
  };
  const shown = filterRecords(traffic, filter).toReversed();
  return html`<aside class="inspector" id="inspector" aria-label="Inspector">
    <header class="inspector-head">
      <div>
        <h2>Inspector</h2>
        <p>Requests to the app and its calls, up to the last ${maxRecords}. Slack waits 3 seconds for an acknowledgement.</p>
      </div>
      <button type="button" class="icon-button" aria-label="Close the inspector" onClick=${close}>
        <span aria-hidden="true">×</span>
      </button>
    </header>
    <${Filter} traffic=${traffic} filter=${filter} shownCount=${shown.length} />
    ${shown.length === 0 ? html`<p class="empty">${traffic.length === 0 ? 'No requests yet.' : 'No matches.'}</p>` : null}
    <ul class="traffic">
      ${shown.map((record) => html`<${TrafficEntry} key=${record.id} record=${record} />`)}
    </ul>
    <footer class="inspector-foot">
      <button type="button" class="button" onClick=${reset}>Reset the workspace</button>
      ${dialog}
    </footer>
  </aside>`;
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
