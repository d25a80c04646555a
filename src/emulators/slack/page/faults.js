import { html } from './html.js';
import { focusTool } from './tools.js';
import { useFaults } from './use-faults.js';
import { usePage } from './use-page.js';

/** The panel with switches that make the service or Slack fail. */
export function Faults() {
  const { show } = usePage();
  const { switches, choose, error } = useFaults();
  const close = () => {
    show({ faults: false });
    focusTool('faults');
  };
  /** @param {KeyboardEvent} event */
  const onKeyDown = (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) close();
  };
  return html`<aside class="inspector" id="faults" aria-label="Practice faults" onKeyDown=${onKeyDown}>
    <header class="inspector-head">
      <div>
        <h2>Practice faults</h2>
        <p>
          Make something fail, for everybody here, until you switch it off. While a form is open, use another tab.
        </p>
      </div>
      <button type="button" class="icon-button" aria-label="Close the practice faults" onClick=${close}>
        <span aria-hidden="true">×</span>
      </button>
    </header>
    <div class="fault-switches">
      <p class="fault-trouble" role="alert">${error}</p>
      ${switches.map((group) => html`<${FaultGroup} key=${group.id} group=${group} choose=${choose} />`)}
    </div>
  </aside>`;
}

/**
 * The faults of one system. Only one can be enabled at a time.
 * @param {object} props
 * @param {import('../faults/fault-switch.ts').FaultSwitch} props.group
 * @param {ReturnType<typeof useFaults>['choose']} props.choose
 */
function FaultGroup({ group, choose }) {
  const heading = `fault-${group.id}`;
  return html`<section class="fault-switch" role="group" aria-labelledby=${heading}>
    <h3 id=${heading}>${group.label}</h3>
    ${group.choices.map(({ id, label }) => {
      const isOn = group.chosen === id;
      return html`<button
        type="button"
        key=${id}
        role="switch"
        aria-checked=${isOn ? 'true' : 'false'}
        class="fault"
        onClick=${() => choose(group, isOn ? undefined : id)}
      >
        <span>${label}</span><span class="fault-knob" aria-hidden="true"></span>
      </button>`;
    })}
  </section>`;
}
