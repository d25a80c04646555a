import { isRecord, type Json } from '../json.ts';

/** An id, a timestamp or an address. Texts by people contain spaces, or are shorter. */
const GENERATED_VALUE = /^[\w.:/+=?&%-]{4,}$/;
/** Slack's ids and message timestamps in a text, such as `<@U123>`. */
const ID_IN_TEXT = /\b(?:[A-Z][A-Z0-9]{8,}|\d{10}\.\d{6})\b/g;

/** Maps the ids of a recording to the ids in its replay. */
export class LearnedIds {
  readonly #replayed = new Map<string, string>();

  /** Learns the ids in a recorded value from the corresponding value of the replay. */
  learn(recorded: unknown, replayed: unknown): void {
    if (typeof recorded === 'string' && typeof replayed === 'string') {
      this.#pair(recorded, replayed);
    } else if (Array.isArray(recorded) && Array.isArray(replayed)) {
      for (const [index, value] of recorded.entries()) this.learn(value, replayed[index]);
    } else if (isRecord(recorded) && isRecord(replayed)) {
      this.#learnFromFields(recorded, replayed);
    }
  }

  /** Replaces the ids in a recorded value. */
  translate<T>(value: T): T;
  translate(value: unknown): unknown {
    if (typeof value === 'string') return this.#translateText(value);
    if (Array.isArray(value)) return value.map((each) => this.translate(each));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [this.#translateText(name), this.translate(each)]),
    );
  }

  /** Keys can be ids too: `state.values` has block_ids as its keys. */
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
    if (recorded === replayed || !GENERATED_VALUE.test(recorded) || !GENERATED_VALUE.test(replayed)) return;
    if (!this.#replayed.has(recorded)) this.#replayed.set(recorded, replayed);
  }

  #translateText(text: string): string {
    return this.#replayed.get(text) ?? text.replace(ID_IN_TEXT, (id) => this.#replayed.get(id) ?? id);
  }
}
