import { html } from '../html.js';

/**
 * @import { Choice } from './choices.js'
 */

/**
 * The open list of a select menu. The focus stays in the text field, which names the active option.
 * @param {object} props
 * @param {string} props.id
 * @param {string} props.label
 * @param {readonly Choice[]} props.choices
 * @param {string | undefined} props.status words instead of options, or below them
 * @param {number} props.active
 * @param {boolean} props.isMultiple
 * @param {(choice: Choice) => boolean} props.isChosen
 * @param {(choice: Choice) => void} props.onPick
 * @param {(index: number) => void} props.onHover
 */
export function ChoiceList({ id, label, choices, status, active, isMultiple, isChosen, onPick, onHover }) {
  return html`<ul
      id=${id}
      role="listbox"
      aria-label=${label}
      aria-multiselectable=${isMultiple ? 'true' : undefined}
      class="choices"
      hidden=${choices.length === 0}
    >
      ${choices.map(
        (choice, index) => html`
          ${
            choice.group !== undefined && choice.group !== choices[index - 1]?.group
              ? html`<li role="presentation" class="choice-group">${choice.group}</li>`
              : null
          }
          <li
            key=${choice.key}
            id=${`${id}-${index}`}
            role="option"
            aria-selected=${isChosen(choice) ? 'true' : 'false'}
            class=${`choice ${index === active ? 'is-active' : ''}`}
            onMouseMove=${() => index !== active && onHover(index)}
            onClick=${() => onPick(choice)}
          >
            <span class="choice-check" aria-hidden="true">${isChosen(choice) ? '✓' : ''}</span>
            <span>
              ${choice.label}
              ${choice.description === undefined ? null : html`<span class="choice-description">${choice.description}</span>`}
            </span>
          </li>
        `,
      )}
    </ul>
    <div role="status" class="choices-status">${status}</div>`;
}
