import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { html } from './html.ts';

type MenuItem = {
  key: string;
  label: ComponentChildren;
  description?: ComponentChildren;
  checked?: boolean;
  choose: () => void;
};

/** A button with a menu. The arrow keys move, Enter chooses, and Escape and Tab close the menu. */
export function Menu({
  label,
  children,
  items,
  class: name = '',
  side = 'left',
  isUpwards = false,
  isFitted = false,
  disabled = false,
  id,
}: {
  /** Accessible name of the button. */
  label: string;
  /** Content of the button. */
  children: ComponentChildren;
  items: readonly MenuItem[];
  class?: string;
  /** The edge of the button with which the menu is aligned. */
  side?: 'left' | 'right';
  isUpwards?: boolean;
  /** Whether the menu chooses the side on which it is completely visible. */
  isFitted?: boolean;
  disabled?: boolean;
  id?: string;
}) {
  const [isOpen, setOpen] = useState(false);
  const [placement, setPlacement] = useState({ side, isUpwards });
  const root = useRef<HTMLElement>(null);
  const listEntries = () => [...(root.current?.querySelectorAll('[role^=menuitem]') ?? [])].filter(isElement);
  // A layout effect, because the next key press is meant for the menu.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const list = root.current?.querySelector('.menu-list');
    if (isFitted && list && root.current)
      setPlacement(choosePlacement(findVisibleArea(list), root.current, list));
    (listEntries().find((entry) => entry.ariaChecked === 'true') ?? listEntries()[0])?.focus();
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);

  const button = () => root.current?.querySelector('button');
  const close = () => {
    setOpen(false);
    button()?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return;
    if (event.key === 'Tab') return setOpen(false);
    const all = listEntries();
    const focused = document.activeElement;
    const index = focused instanceof HTMLElement ? all.indexOf(focused) : -1;
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
      aria-expanded=${isOpen ? 'true' : 'false'}
      title=${label}
      disabled=${disabled}
      onClick=${() => setOpen(!isOpen)}
    >
      ${children}
    </button>
    ${
      isOpen
        ? html`<div role="menu" aria-label=${label} class=${`menu-list menu-${placement.side} ${placement.isUpwards ? 'menu-up' : ''}`}>
            ${items.map(
              (item) => html`<button
                type="button"
                key=${item.key}
                role=${item.checked === undefined ? 'menuitem' : 'menuitemradio'}
                aria-checked=${item.checked === undefined ? undefined : String(item.checked)}
                tabindex="-1"
                class="menu-item"
                onClick=${() => {
                  close();
                  item.choose();
                }}
              >
                <span class="menu-label">${item.label}</span>
                ${item.description ? html`<span class="menu-description">${item.description}</span>` : null}
              </button>`,
            )}
          </div>`
        : null
    }
  </div>`;
}

const isElement = (element: Element): element is HTMLElement => element instanceof HTMLElement;

/** Places the menu below the button and aligned with its right edge, unless it would be cut off there. */
function choosePlacement(
  area: DOMRect,
  button: Element,
  list: Element,
): { side: 'left' | 'right'; isUpwards: boolean } {
  const { right, bottom } = button.getBoundingClientRect();
  const { width, height } = list.getBoundingClientRect();
  return { side: right - width < area.left ? 'left' : 'right', isUpwards: bottom + height > area.bottom };
}

/** The visible area around the element. Outside of it, the element is cut off. */
function findVisibleArea(element: Element) {
  let ancestor = element.parentElement;
  while (ancestor && getComputedStyle(ancestor).overflowY === 'visible') ancestor = ancestor.parentElement;
  return (ancestor ?? document.documentElement).getBoundingClientRect();
}
