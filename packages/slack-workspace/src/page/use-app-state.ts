import { useEffect, useState } from 'preact/hooks';
import { usePageState } from './use-page.ts';

/** Time for which an unconnected app counts as starting, ms. */
const CONNECTING_MS = 15_000;

/** The connection of an app. `connecting`: it may still be starting. */
export function useAppState(botUserId: string): 'connected' | 'connecting' | 'disconnected' {
  const isConnected = usePageState(({ workspace }) => {
    const apps = workspace ? [workspace.app, ...(workspace.otherApps ?? [])] : [];
    return apps.find((app) => app.botUserId === botUserId)?.connected ?? false;
  });
  const [isOverdue, setOverdue] = useState(false);
  useEffect(() => {
    setOverdue(false);
    if (isConnected) return undefined;
    const timer = setTimeout(() => setOverdue(true), CONNECTING_MS);
    return () => clearTimeout(timer);
  }, [isConnected]);
  if (isConnected) return 'connected';
  return isOverdue ? 'disconnected' : 'connecting';
}
