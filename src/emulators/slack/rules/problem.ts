import { type Json, stringIn } from '../json.ts';

/** What Slack refuses: its words, and where (a JSON pointer). */
export interface Problem {
  says: string;
  pointer: string;
  /** What Slack takes instead, if it is one of a list. */
  among?: readonly string[];
}

/** The problem, if the rule is broken. */
export function wanted(broken: boolean, says: string, pointer: string): Problem[] {
  return broken ? [{ says, pointer }] : [];
}

/** The first entry of each list that says again what an earlier one said. */
export function repeated(list: readonly Json[], key: string, pointer: (index: number) => string): Problem[] {
  const seen = new Set<string>();
  return list.flatMap((entry, index) => {
    const id = stringIn(entry, key);
    if (id === undefined) return [];
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ says: `\`${key}\` "${id}" already exists`, pointer: pointer(index) }];
  });
}
