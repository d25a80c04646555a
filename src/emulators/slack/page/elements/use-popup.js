import { useLayoutEffect, useRef } from 'preact/hooks';

/** Below this many px a list opens upwards where there is more room. */
const MIN_SPACE_BELOW = 280;

/**
 * Lays a popup under (or above) its anchor. It is fixed to the window, because a modal's scrolling body would cut it off.
 * @param {boolean} open
 */
export function usePopup(open) {
  /** @type {{ current: HTMLElement | null }} */
  const anchor = useRef(null);
  /** @type {{ current: HTMLElement | null }} */
  const popup = useRef(null);
  useLayoutEffect(() => {
    if (!open) return undefined;
    const place = () => anchor.current && popup.current && positionPopup(anchor.current, popup.current);
    place();
    window.addEventListener('resize', place);
    document.addEventListener('scroll', place, true);
    return () => {
      window.removeEventListener('resize', place);
      document.removeEventListener('scroll', place, true);
    };
  }, [open]);
  return { anchor, popup };
}

/**
 * @param {HTMLElement} anchor
 * @param {HTMLElement} popup
 */
function positionPopup(anchor, popup) {
  const at = anchor.getBoundingClientRect();
  const below = window.innerHeight - at.bottom;
  const upwards = below < MIN_SPACE_BELOW && at.top > below;
  popup.style.width = `${at.width}px`;
  popup.style.left = `${at.left}px`;
  popup.style.top = upwards ? '' : `${at.bottom + 4}px`;
  popup.style.bottom = upwards ? `${window.innerHeight - at.top + 4}px` : '';
  popup.style.maxHeight = `${Math.max(120, Math.min(320, (upwards ? at.top : below) - 16))}px`;
}
