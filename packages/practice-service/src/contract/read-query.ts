import type { Fields } from './narrowing.ts';
import { getOwn } from './narrowing.ts';
import type { Problem } from './problem.ts';
import type { ContractParameter } from './read-contract.ts';

/**
 * Converts query parameters to the document's types: lists and integers. Text that isn't an integer stays text, and
 * fails the document's check. Unknown parameters are ignored.
 */
export function readQuery(
  parameters: readonly ContractParameter[],
  search: URLSearchParams,
): { query: Fields; problems: Problem[] } {
  const query = new Map<string, unknown>();
  const problems: Problem[] = [];
  for (const { name, in: place, schema } of parameters) {
    const given = place === 'query' ? search.getAll(name) : [];
    const [first] = given;
    if (first === undefined) continue;
    if (hasType(schema, 'array')) query.set(name, given);
    else query.set(name, hasType(schema, 'integer') ? parseInteger(first) : first);
    if (given.length > 1 && !hasType(schema, 'array')) {
      problems.push({ loc: ['query', name], msg: `${name} should be given once`, type: 'value_error' });
    }
  }
  return { query: Object.fromEntries(query), problems };
}

function hasType(schema: Fields, type: string): boolean {
  return [getOwn(schema, 'type')].flat().includes(type);
}

function parseInteger(given: string): number | string {
  return /^[+-]?\d{1,15}$/.test(given) ? Number(given) : given;
}
