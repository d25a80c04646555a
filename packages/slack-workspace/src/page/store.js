/**
 * @template S
 * @typedef {object} Store
 * @property {() => S} get
 * @property {(change: (state: S) => S) => void} update
 * @property {(listener: () => void) => () => void} subscribe returns a function that removes the listener
 */

/**
 * Creates a store that calls its listeners after each change.
 * @template S
 * @param {S} initial
 * @returns {Store<S>}
 */
export function createStore(initial) {
  let state = initial;
  /** @type {Set<() => void>} */
  const listeners = new Set();
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
