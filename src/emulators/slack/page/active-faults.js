import { html } from './html.js';
import { useFaults } from './use-faults.js';

/** Shows everybody the faults that are switched on, with a button to switch each off. */
export function ActiveFaults() {
  const { switches, choose, trouble } = useFaults();
  const on = switches.flatMap((about) => {
    const choice = about.choices.find(({ id }) => id === about.chosen);
    return choice ? [{ about, notice: choice.notice }] : [];
  });
  // The region stays while it is empty. Otherwise screen readers wouldn't announce what appears in it.
  return html`<div class="faults-on" role="status">
    ${on.map(
      ({ about, notice }) => html`<p key=${about.id}>
        <span>${notice}</span>
        <button
          type="button"
          class="fault-end"
          aria-label=${`Back to usual: ${about.label}`}
          onClick=${() => choose(about)}
        >
          Back to usual
        </button>
      </p>`,
    )}
    ${on.length > 0 && trouble ? html`<p>${trouble}</p>` : null}
  </div>`;
}
