import { useLayoutEffect, useRef } from 'preact/hooks';

/** With less space below, in px, the list opens upwards if there is more space above. */
const MIN_SPACE_BELOW = 280;

/**
 * Positions a popup below or above its anchor. Its position is fixed to the window, because the scrolling body of a
 * modal would cut it off.
 * @param {boolean} isOpen
 */
export function usePopup(isOpen) {
  /** @type {{ current: HTMLElement | null }} */
  const anchor = useRef(null);
  /** @type {{ current: HTMLElement | null }} */
  const popup = useRef(null);
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const position = () => anchor.current && popup.current && positionPopup(anchor.current, popup.current);
    position();
    window.addEventListener('resize', position);
    document.addEventListener('scroll', position, true);
    return () => {
      window.removeEventListener('resize', position);
      document.removeEventListener('scroll', position, true);
    };
  }, [isOpen]);
  return { anchor, popup };
}

/**
 * @param {HTMLElement} anchor
 * @param {HTMLElement} popup
 */
function positionPopup(anchor, popup) {
  const box = anchor.getBoundingClientRect();
  const spaceBelow = window.innerHeight - box.bottom;
  const isUpwards = spaceBelow < MIN_SPACE_BELOW && box.top > spaceBelow;
  popup.style.width = `${box.width}px`;
  popup.style.left = `${box.left}px`;
  popup.style.top = isUpwards ? '' : `${box.bottom + 4}px`;
  popup.style.bottom = isUpwards ? `${window.innerHeight - box.top + 4}px` : '';
  popup.style.maxHeight = `${Math.max(120, Math.min(320, (isUpwards ? box.top : spaceBelow) - 16))}px`;
}
