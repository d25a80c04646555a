import type { Confirm } from '@slack/types';
import type { TrafficRecord } from '../../protocol.ts';
import { html } from '../html.ts';
import { focusTool } from '../tools.ts';
import { useConfirm } from '../use-confirm.ts';
import { useDirectory } from '../use-directory.ts';
import { usePage, usePageState } from '../use-page.ts';
import { filterRecords, type TrafficFilter } from './filter-records.ts';
import { TrafficEntry } from './traffic-entry.ts';

/** Maximum number of suggestions for the text field. */
const MAX_LABELS = 50;

/** The fields that filter the list. */
function Filter({
  traffic,
  filter,
  shownCount,
}: {
  traffic: readonly TrafficRecord[];
  filter: TrafficFilter;
  shownCount: number;
}) {
  const { store } = usePage();
  const { apps } = useDirectory();
  const change = (change: Partial<TrafficFilter>) =>
    store.update((state) => ({ ...state, trafficFilter: { ...state.trafficFilter, ...change } }));
  const labels = [...new Set(traffic.map(({ label }) => label))].slice(-MAX_LABELS);
  return html`<search class="traffic-filter">
    <input
      class="field"
      type="search"
      aria-label="Filter by method, event or text"
      placeholder="Method, event or text"
      list="traffic-labels"
      value=${filter.text}
      onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => change({ text: currentTarget.value })}
    />
    <datalist id="traffic-labels">${labels.map((label) => html`<option key=${label} value=${label} />`)}</datalist>
    <${Kinds} traffic=${traffic} chosen=${filter.kind} onChoose=${(kind: string) => change({ kind })} />
    ${apps.length > 1 ? html`<${Apps} apps=${apps} chosen=${filter.app} onChoose=${(app: string) => change({ app })} />` : null}
    <label class="choose-one">
      <input
        type="checkbox"
        checked=${filter.errorsOnly}
        onChange=${({ currentTarget }: { currentTarget: HTMLInputElement }) => change({ errorsOnly: currentTarget.checked })}
      />
      Errors only
    </label>
    <span class="traffic-count">${shownCount} of ${traffic.length}</span>
  </search>`;
}

function Apps({
  apps,
  chosen,
  onChoose,
}: {
  apps: readonly { name: string }[];
  chosen: string;
  onChoose: (app: string) => void;
}) {
  return html`<select
    class="field"
    aria-label="App"
    value=${chosen}
    onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) => onChoose(currentTarget.value)}
  >
    <option value="">All apps</option>
    ${apps.map(({ name }) => html`<option key=${name} value=${name}>${name}</option>`)}
  </select>`;
}

const DIRECTIONS = [
  ['to-app', 'Requests to the app'],
  ['from-app', 'Calls by the app'],
] as const;

function Kinds({
  traffic,
  chosen,
  onChoose,
}: {
  traffic: readonly TrafficRecord[];
  chosen: string;
  onChoose: (kind: string) => void;
}) {
  return html`<select
    class="field"
    aria-label="Kind"
    value=${chosen}
    onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) => onChoose(currentTarget.value)}
  >
    <option value="">Everything</option>
    ${DIRECTIONS.map(
      ([direction, label]) => html`<optgroup key=${direction} label=${label}>
        <option value=${direction}>${label}</option>
        ${listKinds(traffic, direction, chosen).map((kind) => html`<option key=${kind} value=${kind}>${kind}</option>`)}
      </optgroup>`,
    )}
  </select>`;
}

/** The kinds of the records. The chosen kind stays in the list if its last record was removed. */
function listKinds(traffic: readonly TrafficRecord[], direction: TrafficRecord['direction'], chosen: string) {
  const kinds = new Set(traffic.filter((record) => record.direction === direction).map(({ kind }) => kind));
  const isGone = chosen !== '' && traffic.every(({ kind }) => kind !== chosen);
  if (isGone && direction === 'to-app' && DIRECTIONS.every(([each]) => each !== chosen)) kinds.add(chosen);
  return [...kinds].toSorted();
}

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

const RESET_CONFIRM: Confirm = {
  title: { type: 'plain_text', text: 'Reset the workspace?' },
  text: {
    type: 'plain_text',
    text: 'This deletes all messages, open forms and inspector records, and disables all faults. The app keeps its own data.',
  },
  confirm: { type: 'plain_text', text: 'Reset' },
  deny: { type: 'plain_text', text: 'Keep' },
  style: 'danger',
};
