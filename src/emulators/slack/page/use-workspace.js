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
 * Selects a part of the state. The component is drawn again when that part changes.
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
  // Before the next paint. Otherwise a fast key press would meet the earlier state.
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
