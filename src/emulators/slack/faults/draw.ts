import { luck } from './luck.ts';

const DEFAULT_SEED = 1;

/** A list of rules, and which of them each call meets. */
export class Draw<Rule extends { share?: number; times?: number }> {
  readonly #seed: number;
  readonly #left: { rule: Rule; times: number }[];
  readonly #drawn = new Map<string, number>();

  constructor(rules: readonly Rule[] = [], seed = DEFAULT_SEED) {
    this.#seed = seed;
    this.#left = rules.map((rule) => ({ rule, times: rule.times ?? Number.POSITIVE_INFINITY }));
  }

  /** The rule that the next call of this name meets, if any. */
  next(name: string, isAbout: (rule: Rule) => boolean): Rule | undefined {
    if (this.#left.length === 0) return undefined;
    const n = (this.#drawn.get(name) ?? 0) + 1;
    this.#drawn.set(name, n);
    const drawn = luck(this.#seed, name, n);
    let upTo = 0;
    const met = this.#left.find(({ rule, times }) => {
      if (times === 0 || !isAbout(rule)) return false;
      upTo += rule.share ?? 1;
      return drawn < upTo;
    });
    if (met) met.times -= 1;
    return met?.rule;
  }
}
