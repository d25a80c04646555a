import { createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FaultSwitch } from '../faults/fault-switches.ts';
import type { Page } from './page.ts';
import type { PageState } from './state.ts';

/** The faults of each system, and a function to enable one. `error` is the text of the last failure, or empty. */
export function useFaults() {
  const { request } = usePage();
  const switches = usePageState((state) => state.workspace?.faults) ?? [];
  const [error, setError] = useState('');
  /** Without a choice, all faults of the group are disabled. */
  const choose = async (group: FaultSwitch, choice?: string) => {
    // After a second failure with the same text, the page would otherwise not draw the true state of the switch again.
    setError('');
    const answer = await request({
      act: 'fault',
      switch: group.id,
      ...(choice === undefined ? {} : { choice }),
    });
    setError(answer.ok ? '' : `${group.label}: this couldn’t be changed. Is it still running?`);
  };
  return { switches, choose, error };
}

/** Time for which an unconnected app counts as starting, ms. */
const CONNECTING_MS = 15_000;

/** The connection of an app. `connecting`: it may still be starting. */
export function useAppState(botUserId: string): 'connected' | 'connecting' | 'disconnected' {
  const isConnected = usePageState(
    ({ workspace }) => workspace?.apps.find((app) => app.botUserId === botUserId)?.connected ?? false,
  );
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

export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === undefined) throw new Error('There is no page around this component.');
  return page;
}

/** Returns a part of the state. The component is drawn again when that part changes. */
export function usePageState<T>(selectPart: (state: PageState) => T): T {
  const { store } = usePage();
  const [, redraw] = useState(0);
  const latest = useRef(selectPart);
  latest.current = selectPart;
  const part = selectPart(store.get());
  const drawn = useRef(part);
  drawn.current = part;
  // A layout effect, so that a fast key press never acts on the earlier state.
  useLayoutEffect(() => {
    const compare = () => {
      if (!Object.is(latest.current(store.get()), drawn.current)) redraw((count) => count + 1);
    };
    // The state may have changed since the component was drawn.
    compare();
    return store.subscribe(compare);
  }, [store]);
  return part;
}
