import { html } from './html.js';
import { useFaults } from './use-faults.js';

/** Tells everybody what fails on purpose just now, and ends it. */
export function FaultsOn() {
  const { switches, choose, trouble } = useFaults();
  const on = switches.flatMap((about) => {
    const choice = about.choices.find(({ id }) => id === about.chosen);
    return choice ? [{ about, says: choice.says }] : [];
  });
  // The region stays, or what appears in it would not be read out.
  return html`<div class="faults-on" role="status">
    ${on.map(
      ({ about, says }) => html`<p key=${about.id}>
        <span>${says}</span>
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
