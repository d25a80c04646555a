import { useEffect } from 'preact/hooks';
import { usePage, usePageState } from './use-page.js';

/**
 * Scrolls to the message in the page's address once. A permalink leads to `?channel=C…&message=<ts>`.
 * @param {URL} address
 */
export function useLinkedMessage(address) {
  const { goTo } = usePage();
  const channels = usePageState((state) => state.workspace?.channels);
  useEffect(() => {
    const channel = address.searchParams.get('channel');
    const ts = address.searchParams.get('message') ?? '';
    if (channels === undefined || channel === null) return;
    address.searchParams.delete('channel');
    address.searchParams.delete('message');
    history.replaceState(null, '', address);
    if (!channels.some(({ id }) => id === channel)) return;
    goTo(channel);
    requestAnimationFrame(() => {
      const row = document.querySelector(`.channel [data-ts="${CSS.escape(ts)}"]`);
      row?.scrollIntoView({ block: 'center' });
      row?.classList.add('is-linked');
    });
  }, [channels]);
}
