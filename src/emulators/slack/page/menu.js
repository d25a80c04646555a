import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { html } from './html.js';

/**
 * @import { ComponentChildren } from 'preact'
 * @typedef {{ key: string, label: ComponentChildren, description?: ComponentChildren, checked?: boolean, pick: () => void }} MenuItem
 */

/**
 * A button with a menu: arrows move, Enter picks, Escape and Tab close it.
 * @param {object} props
 * @param {string} props.label of the button, for those who do not see it
 * @param {ComponentChildren} props.children what the button shows
 * @param {readonly MenuItem[]} props.items
 * @param {string} [props.class]
 * @param {'left' | 'right'} [props.side] which edge of the button the menu keeps to
 * @param {boolean} [props.upwards]
 * @param {boolean} [props.isFitted] whether the menu opens to the side on which all of it can be seen
 * @param {boolean} [props.disabled]
 * @param {string} [props.id]
 */
export function Menu({
  label,
  children,
  items,
  class: name = '',
  side = 'left',
  upwards = false,
  isFitted = false,
  disabled = false,
  id,
}) {
  const [open, setOpen] = useState(false);
  const [placement, setPlacement] = useState({ side, upwards });
  /** @type {{ current: HTMLElement | null }} */
  const root = useRef(null);
  const entries = () => [...(root.current?.querySelectorAll('[role^=menuitem]') ?? [])].filter(isElement);
  // Without a delay, because the next key is meant for the menu.
  useLayoutEffect(() => {
    if (!open) return undefined;
    const list = root.current?.querySelector('.menu-list');
    if (isFitted && list && root.current) setPlacement(fitInto(visibleArea(list), root.current, list));
    (entries().find((entry) => entry.ariaChecked === 'true') ?? entries()[0])?.focus();
    /** @param {Event} event */
    const elsewhere = ({ target }) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', elsewhere);
    return () => document.removeEventListener('pointerdown', elsewhere);
  }, [open]);

  const button = () => root.current?.querySelector('button');
  const close = () => {
    setOpen(false);
    button()?.focus();
  };
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    if (!open) return;
    if (event.key === 'Tab') return setOpen(false);
    const all = entries();
    const here = document.activeElement;
    const at = here instanceof HTMLElement ? all.indexOf(here) : -1;
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') return close();
    all.at((next ?? 0) % all.length)?.focus();
  };

  return html`<div class=${`menu ${name}`} ref=${root} onKeyDown=${pressed}>
    <button
      type="button"
      id=${id}
      class="menu-button"
      aria-label=${label}
      aria-haspopup="menu"
      aria-expanded=${open ? 'true' : 'false'}
      title=${label}
      disabled=${disabled}
      onClick=${() => setOpen(!open)}
    >
      ${children}
    </button>
    ${
      open
        ? html`<div role="menu" aria-label=${label} class=${`menu-list menu-${placement.side} ${placement.upwards ? 'menu-up' : ''}`}>
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
                  item.pick();
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
 * The placement below the button and aligned to its right edge, unless the menu is cut off there.
 * @param {DOMRect} area
 * @param {Element} button
 * @param {Element} list
 * @returns {{ side: 'left' | 'right', upwards: boolean }}
 */
function fitInto(area, button, list) {
  const { right, bottom } = button.getBoundingClientRect();
  const { width, height } = list.getBoundingClientRect();
  return { side: right - width < area.left ? 'left' : 'right', upwards: bottom + height > area.bottom };
}

/**
 * The part of the page outside of which the element is cut off.
 * @param {Element} element
 */
function visibleArea(element) {
  let ancestor = element.parentElement;
  while (ancestor && getComputedStyle(ancestor).overflowY === 'visible') ancestor = ancestor.parentElement;
  return (ancestor ?? document.documentElement).getBoundingClientRect();
}
