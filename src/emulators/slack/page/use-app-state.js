import { useEffect, useState } from 'preact/hooks';
import { usePageState } from './use-workspace.js';

/** Time in which a starting app connects, ms. After that it counts as not running. */
const CONNECTING_MS = 15_000;

/**
 * Whether the app is connected, or may still connect.
 * @returns {'connected' | 'connecting' | 'away'}
 */
export function useAppState() {
  const connected = usePageState((state) => state.world?.app.connected ?? false);
  const [overdue, setOverdue] = useState(false);
  useEffect(() => {
    setOverdue(false);
    if (connected) return undefined;
    const timer = setTimeout(() => setOverdue(true), CONNECTING_MS);
    return () => clearTimeout(timer);
  }, [connected]);
  if (connected) return 'connected';
  return overdue ? 'away' : 'connecting';
}
