import { useEffect, useState } from 'preact/hooks';
import { usePageState } from './use-page.js';

/** Time in which a starting app connects, ms. After that it counts as not running. */
const CONNECTING_MS = 15_000;

/**
 * Whether an app is connected, or may still connect.
 * @param {string} botUserId
 * @returns {'connected' | 'connecting' | 'away'}
 */
export function useAppState(botUserId) {
  const connected = usePageState(({ workspace }) => {
    const apps = workspace ? [workspace.app, ...(workspace.otherApps ?? [])] : [];
    return apps.find((app) => app.botUserId === botUserId)?.connected ?? false;
  });
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
