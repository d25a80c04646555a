import { isRecord, type Json } from '../json.ts';

/** A value that a program made: an id, a timestamp, an address. People's texts contain spaces, or are shorter. */
const OPAQUE = /^[\w.:/+=?&%-]{4,}$/;
/** Ids and timestamps of messages within a text, such as `<@U123>`. */
const WITHIN_TEXT = /\b(?:[A-Z][A-Z0-9]{8,}|\d{10}\.\d{6})\b/g;

/** What the ids of a recording are called in its replay. */
export class LearnedIds {
  readonly #replayed = new Map<string, string>();

  /** Reads from two values that play the same role which ids belong together. */
  learn(recorded: unknown, replayed: unknown): void {
    if (typeof recorded === 'string' && typeof replayed === 'string') {
      this.#pair(recorded, replayed);
    } else if (Array.isArray(recorded) && Array.isArray(replayed)) {
      for (const [index, value] of recorded.entries()) this.learn(value, replayed[index]);
    } else if (isRecord(recorded) && isRecord(replayed)) {
      this.#learnFromFields(recorded, replayed);
    }
  }

  /** A recorded value with the replay's ids. */
  translate<T>(value: T): T;
  translate(value: unknown): unknown {
    if (typeof value === 'string') return this.#translateText(value);
    if (Array.isArray(value)) return value.map((each) => this.translate(each));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [this.#translateText(name), this.translate(each)]),
    );
  }

  /** Generated block_ids are names of `state.values`. */
  #learnFromFields(recorded: Json, replayed: Json): void {
    const [names, newNames] = [Object.keys(recorded), Object.keys(replayed)];
    for (const [index, name] of names.entries()) {
      const isSame = name in replayed || names.length !== newNames.length;
      const newName = isSame ? name : (newNames[index] ?? name);
      if (!isSame) this.#pair(name, newName);
      this.learn(recorded[name], replayed[newName]);
    }
  }

  #pair(recorded: string, replayed: string): void {
    if (recorded === replayed || !OPAQUE.test(recorded) || !OPAQUE.test(replayed)) return;
    if (!this.#replayed.has(recorded)) this.#replayed.set(recorded, replayed);
  }

  #translateText(text: string): string {
    return this.#replayed.get(text) ?? text.replace(WITHIN_TEXT, (id) => this.#replayed.get(id) ?? id);
  }
}
