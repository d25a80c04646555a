const DEFAULT_SEED = 1;

/** Decides for each call or delivery which rule of a list it meets, by the rules' `share` and `times`. */
export class RuleSampler<Rule extends { share?: number; times?: number }> {
  readonly #seed: number;
  readonly #remaining: { rule: Rule; times: number }[];
  readonly #counts = new Map<string, number>();

  constructor(rules: readonly Rule[] = [], seed = DEFAULT_SEED) {
    this.#seed = seed;
    this.#remaining = rules.map((rule) => ({ rule, times: rule.times ?? Number.POSITIVE_INFINITY }));
  }

  /** Returns the rule for the next call with this name. Calls with one name don't influence those with another. */
  pickNext(name: string, isCandidate: (rule: Rule) => boolean): Rule | undefined {
    if (this.#remaining.length === 0) return undefined;
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    const random = computeRandom(this.#seed, name, count);
    let threshold = 0;
    const picked = this.#remaining.find(({ rule, times }) => {
      if (times === 0 || !isCandidate(rule)) return false;
      threshold += rule.share ?? 1;
      return random < threshold;
    });
    if (picked) picked.times -= 1;
    return picked?.rule;
  }
}

/** A number from 0 up to 1 that depends on the arguments alone: FNV-1a, then the finalizer of MurmurHash3. */
function computeRandom(seed: number, name: string, count: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (const character of `${name} ${count}`)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
