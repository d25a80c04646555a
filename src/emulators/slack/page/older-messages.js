import { useEffect, useRef, useState } from 'preact/hooks';
import { html } from './html.js';
import { usePage } from './use-page.js';

/** Older messages are fetched this far before the top, so that the person doesn't wait for them. */
const FETCH_MARGIN = '600px 0px 0px 0px';

/**
 * Fetches older messages when the top becomes visible, or when pressed.
 * @param {{ channel: string, list: { current: HTMLElement | null } }} props `list`: the scrolling element
 */
export function OlderMessages({ channel, list }) {
  const { loadOlder } = usePage();
  const [isLoading, setLoading] = useState(false);
  /** @type {{ current: HTMLElement | null }} */
  const top = useRef(null);
  const load = async () => {
    setLoading(true);
    await loadOlder(channel);
    setLoading(false);
  };
  useEffect(() => {
    if (isLoading || !top.current) return undefined;
    // Observes again after each answer, to fetch more messages if the top is still visible.
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void load(), {
      root: list.current,
      rootMargin: FETCH_MARGIN,
    });
    observer.observe(top.current);
    return () => observer.disconnect();
  }, [isLoading]);
  return html`<p class="older" ref=${top}>
    <button type="button" class="button" disabled=${isLoading} onClick=${load}>
      ${isLoading ? 'Loading older messages…' : 'Show older messages'}
    </button>
  </p>`;
}
