import { html } from './html.js';
import { useFaults } from './use-faults.js';

/** The enabled faults, each with a button that disables it. */
export function ActiveFaults() {
  const { switches, choose, error } = useFaults();
  const active = switches.flatMap((group) => {
    const choice = group.choices.find(({ id }) => id === group.chosen);
    return choice ? [{ group, text: choice.notice }] : [];
  });
  // Stays in the page while it is empty, because screen readers announce only changes of existing regions.
  return html`<div class="active-faults" role="status">
    ${active.map(
      ({ group, text }) => html`<p key=${group.id}>
        <span>${text}</span>
        <button
          type="button"
          class="fault-end"
          aria-label=${`Back to usual: ${group.label}`}
          onClick=${() => choose(group)}
        >
          Back to usual
        </button>
      </p>`,
    )}
    ${active.length > 0 && error ? html`<p>${error}</p>` : null}
  </div>`;
}
