import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Page } from './page.ts';
import type { PageState } from './state.ts';

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
