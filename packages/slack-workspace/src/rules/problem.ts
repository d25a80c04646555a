import { getString, type Json } from '../json.ts';

/** A reason for which Slack refuses a payload. */
export interface Problem {
  /** Slack's error text. */
  message: string;
  /** JSON pointer to the invalid value. */
  pointer: string;
}

export function reportIf(isBroken: boolean, message: string, pointer: string): Problem[] {
  return isBroken ? [{ message, pointer }] : [];
}

/** A problem for each entry whose `key` has the value of an earlier entry. */
export function findDuplicates(
  list: readonly Json[],
  key: string,
  getPointer: (index: number) => string,
): Problem[] {
  const seen = new Set<string>();
  return list.flatMap((entry, index) => {
    const id = getString(entry, key);
    if (id === undefined) return [];
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return [{ message: `\`${key}\` "${id}" already exists`, pointer: getPointer(index) }];
  });
}
