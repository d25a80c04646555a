/** The platforms that people choose, by the names that they read. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['X', 'X'],
  ['LinkedIn', 'LINKEDIN'],
  ['Threads', 'THREADS'],
]);
const NAME = `(?:${[...NAMES.keys()].join('|')})`;
/** "X", "X and Threads" or "X, LinkedIn and Threads". */
export const PLATFORMS: string = `${NAME}(?:(?:, ${NAME})* and ${NAME})?`;
const SCOPE = new RegExp(`^(${PLATFORMS}): (.+)$`, 'u');
const LEADING = new RegExp(`^${PLATFORMS}:$`, 'u');

/** Lists the platforms that a text names. */
export function listPlatforms(names: string): string[] {
  return names.split(/, | and /u).flatMap((name) => NAMES.get(name) ?? []);
}

/** A sentence with the platforms that it is about: "X and Threads: Not sent." Undefined if it is about all. */
export function readScope(text: string): { sentence: string; platforms?: string[] } {
  const [, names, sentence] = SCOPE.exec(text) ?? [];
  return names === undefined || sentence === undefined
    ? { sentence: text }
    : { sentence, platforms: listPlatforms(names) };
}

/** Joins what belongs together in a line that was split into sentences: names of platforms, and what is said of them. */
export function joinScopes(parts: readonly string[]): string[] {
  const joined: string[] = [];
  let scope = '';
  let start = '';
  for (const part of parts) {
    if (LEADING.test(part)) scope = `${part} `;
    else if (/^Scheduled on \d+ of \d+ platforms:$/u.test(part)) start = `${part} `;
    else {
      joined.push(`${start === '' ? scope : start}${part}`);
      start = '';
    }
  }
  return joined;
}
