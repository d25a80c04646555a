import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';

/**
 * @import { Workspace } from './workspace.js'
 * @import { PageState } from './state.js'
 */

export const WorkspaceContext = createContext(/** @type {Workspace | undefined} */ (undefined));

/** @returns {Workspace} */
export function useWorkspace() {
  const workspace = useContext(WorkspaceContext);
  if (workspace === undefined) throw new Error('No workspace around this component.');
  return workspace;
}

/**
 * A part of the state; the component is drawn again when that part is another one than before.
 * @template T
 * @param {(state: PageState) => T} select
 * @returns {T}
 */
export function usePageState(select) {
  const { store } = useWorkspace();
  const [, redraw] = useState(0);
  const latest = useRef(select);
  latest.current = select;
  const part = select(store.get());
  const drawn = useRef(part);
  drawn.current = part;
  // Not after the next painting: a fast key would meet what was true before.
  useLayoutEffect(() => {
    const compare = () => {
      if (!Object.is(latest.current(store.get()), drawn.current)) redraw((count) => count + 1);
    };
    // Between drawing and now something may have changed.
    compare();
    return store.subscribe(compare);
  }, [store]);
  return part;
}
