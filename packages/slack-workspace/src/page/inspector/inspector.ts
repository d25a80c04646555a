import type { Confirm } from '@slack/types';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CallRights, TrafficRecord } from '../../protocol.ts';
import { useDirectory } from '../directory.ts';
import { html } from '../html.ts';
import { memo } from '../memo.ts';
import { ToolPanel } from '../tools.ts';
import { useConfirm } from '../use-confirm.ts';
import { usePage, usePageState } from '../use-page.ts';
import { filterRecords, type TrafficFilter } from './filter-records.ts';

const OUTCOME_TEXTS: Record<TrafficRecord['outcome'], string> = {
  waiting: 'waiting…',
  acknowledged: 'acknowledged',
  answered: 'answered',
  late: 'too late',
  failed: 'failed',
};

const DIRECTIONS = [
  { direction: 'to-app', arrow: '→', words: 'Sent to the app:', label: 'Requests to the app' },
  { direction: 'from-app', arrow: '←', words: 'Called by the app:', label: 'Calls by the app' },
] as const;

const findDirection = (name: string) => DIRECTIONS.find(({ direction }) => direction === name);

/** One record. Its details are rendered only while they are open, because there are hundreds of records. */
const TrafficEntry = memo(({ record }: { record: TrafficRecord }) => {
  const [isOpen, setOpen] = useState(false);
  const { direction, label, kind, durationMs, outcome, reason, at } = record;
  const { arrow, words } = findDirection(direction) ?? DIRECTIONS[0];
  return html`<li class=${`traffic-entry box traffic-${outcome}`}>
      <details onToggle=${({ currentTarget }: { currentTarget: HTMLDetailsElement }) => setOpen(currentTarget.open)}>
        <summary>
          <span class="traffic-head row">
            <span class="quiet" aria-hidden="true">${arrow}</span>
            <span class="sr-only">${words}</span>
            <span class="traffic-label">${label}</span>
            <span class="traffic-ms">${durationMs === undefined ? '' : `${Math.round(durationMs)} ms`}</span>
          </span>
          <span class="traffic-about row quiet">
            <span>${kind}</span><span class="traffic-outcome">${OUTCOME_TEXTS[outcome]}${reason ? `: ${reason}` : ''}</span>
            <time>${new Date(at).toLocaleTimeString('en-GB')}</time>
          </span>
        </summary>
        ${isOpen ? html`<${Details} record=${record} />` : null}
      </details>
    </li>`;
});

function Details({ record }: { record: TrafficRecord }) {
  const { direction, payload, answer } = record;
  const isCall = direction === 'from-app';
  return html`<div class="traffic-details">
    <${Facts} record=${record} />
    <${Json} title=${isCall ? 'Arguments' : 'Payload'} json=${payload} />
    ${answer === undefined || answer === '""' ? null : html`<${Json} title=${isCall ? 'Answer' : 'Acknowledgement'} json=${answer} />`}
  </div>`;
}

const START_FORMAT: Intl.DateTimeFormatOptions = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
};

function Facts({ record: { app, at, durationMs, call } }: { record: TrafficRecord }) {
  const { apps } = useDirectory();
  const start = new Date(at).toLocaleTimeString('en-GB', START_FORMAT);
  return html`<dl class="facts">
    ${apps.length > 1 ? html`<dt class="quiet">App</dt><dd>${app}</dd>` : null}
    <dt class="quiet">Start</dt>
    <dd>${start}${durationMs === undefined ? '' : `, ${durationMs} ms`}</dd>
    ${call ? html`<${TokenAndScopes} call=${call} />` : null}
  </dl>`;
}

function TokenAndScopes({ call: { token, accepted, granted } }: { call: CallRights }) {
  const isMissing = accepted.length > 0 && !accepted.some((scope) => granted.includes(scope));
  return html`<dt class="quiet">Token</dt>
    <dd>${token ?? 'none, or not valid'}</dd>
    <dt class="quiet">Scopes</dt>
    <dd>
      ${accepted.length === 0 ? 'none needed' : accepted.join(' or ')}${isMissing ? html` <strong class="problem">not granted</strong>` : null}
    </dd>`;
}

function Json({ title, json }: { title: string; json: string }) {
  return html`<h3>${title}</h3><pre tabindex="0" aria-label=${title}>${JSON.stringify(JSON.parse(json), null, 2)}</pre>`;
}

/** Maximum number of suggestions for the text field. */
const MAX_LABELS = 50;

interface FilterProps {
  traffic: readonly TrafficRecord[];
  filter: TrafficFilter;
  shownCount: number;
}

/** The fields that filter the list. */
function Filter({ traffic, filter, shownCount }: FilterProps) {
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
    <${Select} label="Kind" all="Everything" chosen=${filter.kind} onChoose=${(kind: string) => change({ kind })}>
      ${DIRECTIONS.map(
        ({ direction, label }) => html`<optgroup key=${direction} label=${label}>
          <option value=${direction}>${label}</option>
          ${listKinds(traffic, direction, filter.kind).map((kind) => html`<option key=${kind} value=${kind}>${kind}</option>`)}
        </optgroup>`,
      )}
    <//>
    ${
      apps.length > 1
        ? html`<${Select} label="App" all="All apps" chosen=${filter.app} onChoose=${(app: string) => change({ app })}>
            ${apps.map(({ name }) => html`<option key=${name} value=${name}>${name}</option>`)}
          <//>`
        : null
    }
    <label class="choose-one">
      <input
        type="checkbox"
        checked=${filter.errorsOnly}
        onChange=${({ currentTarget }: { currentTarget: HTMLInputElement }) => change({ errorsOnly: currentTarget.checked })}
      />
      Errors only
    </label>
    <span class="traffic-count quiet">${shownCount} of ${traffic.length}</span>
  </search>`;
}

interface SelectProps {
  label: string;
  all: string;
  chosen: string;
  onChoose: (value: string) => void;
  children: ComponentChildren;
}

/** A menu whose first option, `all`, filters nothing. */
function Select({ label, all, chosen, onChoose, children }: SelectProps) {
  return html`<select
    class="field"
    aria-label=${label}
    value=${chosen}
    onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) => onChoose(currentTarget.value)}
  >
    <option value="">${all}</option>
    ${children}
  </select>`;
}

/** The kinds of the records. The chosen kind stays in the list if its last record was removed. */
function listKinds(traffic: readonly TrafficRecord[], direction: TrafficRecord['direction'], chosen: string) {
  const kinds = new Set(traffic.filter((record) => record.direction === direction).map(({ kind }) => kind));
  const isGone = chosen !== '' && traffic.every(({ kind }) => kind !== chosen);
  if (isGone && direction === 'to-app' && findDirection(chosen) === undefined) kinds.add(chosen);
  return [...kinds].toSorted();
}

/** The panel with requests to the app and its API calls, newest first. */
export function Inspector() {
  const traffic = usePageState((state) => state.traffic);
  const filter = usePageState((state) => state.trafficFilter);
  const maxRecords = usePageState((state) => state.workspace?.maxRecords ?? 0);
  const { confirm, dialog } = useConfirm();
  const reset = async () => {
    if (await confirm(RESET_CONFIRM)) await fetch('/page/reset', { method: 'POST' });
  };
  const shown = filterRecords(traffic, filter).toReversed();
  const about = `Requests to the app and its calls, up to the last ${maxRecords}. Slack waits 3 seconds for an acknowledgement.`;
  return html`<${ToolPanel} tool="inspector" title="Inspector" about=${about}>
    <${Filter} traffic=${traffic} filter=${filter} shownCount=${shown.length} />
    ${shown.length === 0 ? html`<p class="empty quiet">${traffic.length === 0 ? 'No requests yet.' : 'No matches.'}</p>` : null}
    <ul class="traffic scroller">
      ${shown.map((record) => html`<${TrafficEntry} key=${record.id} record=${record} />`)}
    </ul>
    <footer class="inspector-foot row">
      <button type="button" class="button" onClick=${reset}>Reset the workspace</button>
      ${dialog}
    </footer>
  <//>`;
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
