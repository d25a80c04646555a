export interface Store<S> {
  get: () => S;
  update: (change: (state: S) => S) => void;
  /** Returns a function that removes the listener. */
  subscribe: (listener: () => void) => () => void;
}

/** Creates a store that calls its listeners after each change. */
export function createStore<S>(initial: S): Store<S> {
  let state = initial;
  const listeners: Set<() => void> = new Set();
  return {
    get: () => state,
    update: (change) => {
      const next = change(state);
      if (next === state) return;
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
