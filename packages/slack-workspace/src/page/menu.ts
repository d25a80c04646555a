import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { html } from './html.ts';

export type MenuItem = {
  key: string;
  label: ComponentChildren;
  description?: ComponentChildren;
  checked?: boolean;
  choose: () => void;
};

interface MenuProps {
  /** Accessible name of the button. */
  label: string;
  /** Content of the button. */
  children: ComponentChildren;
  items: readonly MenuItem[];
  class?: string;
  disabled?: boolean;
  id?: string;
}

/** A button with a menu. The arrow keys move, Enter chooses, and Escape and Tab close the menu. */
export function Menu({ label, children, items, class: name = '', disabled = false, id }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLElement>(null);
  const listEntries = () => [...(root.current?.querySelectorAll('[role^=menuitem]') ?? [])].filter(isElement);
  // A layout effect, because the next key press is meant for the menu.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    (listEntries().find((entry) => entry.ariaChecked === 'true') ?? listEntries()[0])?.focus();
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);

  const close = () => {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return;
    if (event.key === 'Tab') return setOpen(false);
    const all = listEntries();
    const index = all.findIndex((entry) => entry.matches(':focus'));
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') return close();
    all.at((next ?? 0) % all.length)?.focus();
  };

  return html`<div class=${`menu ${name}`} ref=${root} onKeyDown=${onKeyDown}>
    <button
      type="button"
      id=${id}
      class="menu-button"
      aria-label=${label}
      aria-haspopup="menu"
      aria-expanded=${String(isOpen)}
      title=${label}
      disabled=${disabled}
      onClick=${() => setOpen(!isOpen)}
    >
      ${children}
    </button>
    ${
      isOpen
        ? html`<div role="menu" aria-label=${label} class="popup">
            ${items.map(
              (item) => html`<button
                type="button"
                key=${item.key}
                role=${item.checked === undefined ? 'menuitem' : 'menuitemradio'}
                aria-checked=${item.checked === undefined ? undefined : String(item.checked)}
                tabindex="-1"
                class="choice"
                onMouseMove=${focusTarget}
                onClick=${() => {
                  close();
                  item.choose();
                }}
              >
                ${item.label}
                ${item.description ? html`<span class="description quiet">${item.description}</span>` : null}
                ${item.checked ? html`<span class="check" aria-hidden="true">✓</span>` : null}
              </button>`,
            )}
          </div>`
        : null
    }
  </div>`;
}

/** Only the item under the pointer is highlighted, not also an earlier one. */
const focusTarget = ({ currentTarget }: { currentTarget: HTMLElement }) =>
  currentTarget.focus({ preventScroll: true });

const isElement = (element: Element): element is HTMLElement => element instanceof HTMLElement;
