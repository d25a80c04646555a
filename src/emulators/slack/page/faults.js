import { html } from './html.js';
import { focusTool } from './tools.js';
import { useFaults } from './use-faults.js';
import { usePage } from './use-page.js';

/** Switches that make the service or Slack fail. */
export function Faults() {
  const { show } = usePage();
  const { switches, choose, trouble } = useFaults();
  const close = () => {
    show({ faults: false });
    focusTool('faults');
  };
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) close();
  };
  return html`<aside class="inspector" id="faults" aria-label="Practice faults" onKeyDown=${pressed}>
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
      <p class="fault-trouble" role="alert">${trouble}</p>
      ${switches.map((one) => html`<${FaultGroup} key=${one.id} about=${one} choose=${choose} />`)}
    </div>
  </aside>`;
}

/**
 * The faults of one system. One of them can be switched on at a time.
 * @param {object} props
 * @param {import('../faults/fault-switch.ts').FaultSwitch} props.about
 * @param {ReturnType<typeof useFaults>['choose']} props.choose
 */
function FaultGroup({ about, choose }) {
  const heading = `fault-${about.id}`;
  return html`<section class="fault-switch" role="group" aria-labelledby=${heading}>
    <h3 id=${heading}>${about.label}</h3>
    ${about.choices.map(({ id, label }) => {
      const on = about.chosen === id;
      return html`<button
        type="button"
        key=${id}
        role="switch"
        aria-checked=${on ? 'true' : 'false'}
        class="fault"
        onClick=${() => choose(about, on ? undefined : id)}
      >
        <span>${label}</span><span class="fault-knob" aria-hidden="true"></span>
      </button>`;
    })}
  </section>`;
}
