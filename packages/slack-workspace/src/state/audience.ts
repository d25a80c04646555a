import type { ServerMessage } from '../protocol.ts';

type Listener = (message: ServerMessage) => void;

/** The open pages, and the actors in tests. Each of them sees the workspace as one person. */
export class Audience {
  readonly #listeners = new Map<Listener, string>();

  /** Calls the listener with all messages for this person, until the returned function is called. */
  subscribe(person: string, listener: Listener): () => void {
    this.#listeners.set(listener, person);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  sendToAll(message: ServerMessage): void {
    for (const listener of this.#listeners.keys()) listener(message);
  }

  sendTo(people: readonly string[], message: ServerMessage): void {
    for (const [listener, person] of this.#listeners) if (people.includes(person)) listener(message);
  }

  sendToEach(messageFor: (person: string) => ServerMessage): void {
    for (const [listener, person] of this.#listeners) listener(messageFor(person));
  }
}
