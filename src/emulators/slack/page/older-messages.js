import { useEffect, useRef, useState } from 'preact/hooks';
import { html } from './html.js';
import { usePage } from './use-page.js';

/** Distance from the top, px, at which older messages are fetched, so that nobody waits for them. */
const FETCH_MARGIN = '600px 0px 0px 0px';

/**
 * Fetches older messages when the top becomes visible, or when pressed.
 * @param {{ channel: string, list: { current: HTMLElement | null } }} props `list`: what scrolls
 */
export function OlderMessages({ channel, list }) {
  const { loadOlder } = usePage();
  const [loading, setLoading] = useState(false);
  /** @type {{ current: HTMLElement | null }} */
  const top = useRef(null);
  const load = async () => {
    setLoading(true);
    await loadOlder(channel);
    setLoading(false);
  };
  useEffect(() => {
    if (loading || !top.current) return undefined;
    // Observed again after each response. If the top is still visible, the next messages are fetched.
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && void load(), {
      root: list.current,
      rootMargin: FETCH_MARGIN,
    });
    watch.observe(top.current);
    return () => watch.disconnect();
  }, [loading]);
  return html`<p class="older" ref=${top}>
    <button type="button" class="button" disabled=${loading} onClick=${load}>
      ${loading ? 'Fetching older messages…' : 'Show older messages'}
    </button>
  </p>`;
}
