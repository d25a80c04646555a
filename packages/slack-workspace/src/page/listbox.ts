import { html } from './html.ts';

export interface ListboxItem {
  key: string;
  label: string;
  /** After the label: a handle, or the arguments of a command. */
  note?: string;
  description?: string;
  group?: string;
}

interface ListboxProps<T extends ListboxItem> {
  id: string;
  label: string;
  items: readonly T[];
  /** Index of the item that Enter picks. */
  active: number;
  /** The chosen items of a select menu. Without it, the active item counts as selected. */
  chosen?: readonly ListboxItem[];
  isMultiple?: boolean;
  onPick: (item: T) => void;
  onHover: (index: number) => void;
}

/** A list at a text field. The focus stays in the field, which names the active item as `getItemId` does. */
export function Listbox<T extends ListboxItem>({
  id,
  label,
  items,
  active,
  chosen,
  isMultiple,
  onPick,
  onHover,
}: ListboxProps<T>) {
  const isChosen = ({ key }: T) => chosen?.some((other) => other.key === key);
  return html`<ul
    id=${id}
    role="listbox"
    aria-label=${label}
    aria-multiselectable=${isMultiple ? 'true' : undefined}
    hidden=${items.length === 0}
  >
    ${items.map(
      (item, index) => html`
        ${
          item.group !== undefined && item.group !== items[index - 1]?.group
            ? html`<li role="presentation" class="popup-title quiet">${item.group}</li>`
            : null
        }
        <li
          key=${item.key}
          id=${getItemId(id, index)}
          role="option"
          aria-selected=${String(isChosen(item) ?? index === active)}
          class=${`choice ${index === active ? 'is-active' : ''}`}
          ref=${(node: HTMLElement | null) => index === active && node?.scrollIntoView({ block: 'nearest' })}
          onMouseMove=${() => index !== active && onHover(index)}
          onClick=${() => onPick(item)}
        >
          ${item.label} ${item.note ? html`<span class="quiet">${item.note}</span>` : null}
          ${item.description ? html`<span class="description quiet">${item.description}</span>` : null}
          ${isChosen(item) ? html`<span class="check" aria-hidden="true">✓</span>` : null}
        </li>
      `,
    )}
  </ul>`;
}

export const getItemId = (listId: string, index: number) => `${listId}-${index}`;
