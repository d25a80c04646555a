/**
 * Creates state that each instance of the app has for itself, such as what it is doing at the moment. A database handle
 * stands for its instance. Several instances can run in one process, and none may wait for what another one does.
 */
export function createInstanceState<State>(create: () => State): (db: object) => State {
  const states = new WeakMap<object, State>();
  return (db) => {
    const state = states.get(db) ?? create();
    states.set(db, state);
    return state;
  };
}
