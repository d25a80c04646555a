import { useEffect, useState } from 'preact/hooks';
import { usePageState } from './use-workspace.js';

/** An app that has just been started is there by then, ms; one that is not is not running. */
const CONNECTING_MS = 15_000;

/**
 * Whether a program answers for the app, or may be about to.
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
