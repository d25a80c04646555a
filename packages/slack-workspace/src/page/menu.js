import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { html } from './html.js';

/**
 * @import { ComponentChildren } from 'preact'
 * @typedef {{ key: string, label: ComponentChildren, description?: ComponentChildren, checked?: boolean, choose: () => void }} MenuItem
 */

/**
 * A button with a menu. The arrow keys move, Enter chooses, and Escape and Tab close the menu.
 * @param {object} props
 * @param {string} props.label accessible name of the button
 * @param {ComponentChildren} props.children content of the button
 * @param {readonly MenuItem[]} props.items
 * @param {string} [props.class]
 * @param {'left' | 'right'} [props.side] the edge of the button with which the menu is aligned
 * @param {boolean} [props.isUpwards]
 * @param {boolean} [props.isFitted] whether the menu chooses the side on which it is completely visible
 * @param {boolean} [props.disabled]
 * @param {string} [props.id]
 */
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
}) {
  const [isOpen, setOpen] = useState(false);
  const [placement, setPlacement] = useState({ side, isUpwards });
  /** @type {{ current: HTMLElement | null }} */
  const root = useRef(null);
  const listEntries = () => [...(root.current?.querySelectorAll('[role^=menuitem]') ?? [])].filter(isElement);
  // A layout effect, because the next key press is meant for the menu.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const list = root.current?.querySelector('.menu-list');
    if (isFitted && list && root.current)
      setPlacement(choosePlacement(findVisibleArea(list), root.current, list));
    (listEntries().find((entry) => entry.ariaChecked === 'true') ?? listEntries()[0])?.focus();
    /** @param {Event} event */
    const closeOutside = ({ target }) => {
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
  /** @param {KeyboardEvent} event */
  const onKeyDown = (event) => {
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

/**
 * @param {Element} element
 * @returns {element is HTMLElement}
 */
const isElement = (element) => element instanceof HTMLElement;

/**
 * Places the menu below the button and aligned with its right edge, unless it would be cut off there.
 * @param {DOMRect} area
 * @param {Element} button
 * @param {Element} list
 * @returns {{ side: 'left' | 'right', isUpwards: boolean }}
 */
function choosePlacement(area, button, list) {
  const { right, bottom } = button.getBoundingClientRect();
  const { width, height } = list.getBoundingClientRect();
  return { side: right - width < area.left ? 'left' : 'right', isUpwards: bottom + height > area.bottom };
}

/**
 * The visible area around the element. Outside of it, the element is cut off.
 * @param {Element} element
 */
function findVisibleArea(element) {
  let ancestor = element.parentElement;
  while (ancestor && getComputedStyle(ancestor).overflowY === 'visible') ancestor = ancestor.parentElement;
  return (ancestor ?? document.documentElement).getBoundingClientRect();
}
