import { MAX_LENGTHS } from '../decisions.ts';
import { type Fields, getOwn, isFields } from './narrowing.ts';
import type { Problem } from './problem.ts';

/** Rules for every text in the document: at most its maximum length, and valid Unicode. */
export function checkTexts(
  schema: Fields | undefined,
  value: unknown,
  loc: Problem['loc'] = ['body'],
): Problem[] {
  const properties = getOwn(schema, 'properties');
  if (!isFields(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]) => {
    const given = getOwn(value, name);
    if (typeof given === 'string') return checkText(name, given, [...loc, name]);
    return isFields(property) ? checkTexts(property, given, [...loc, name]) : [];
  });
}

function checkText(name: string, given: string, loc: Problem['loc']): Problem[] {
  const longest = MAX_LENGTHS[name];
  const problems: Problem[] = [];
  if (longest !== undefined && given.length > longest) {
    problems.push({ loc, msg: `Text should have at most ${longest} characters`, type: 'string_too_long' });
  }
  if (given.includes('\0')) problems.push({ loc, msg: 'Text should not hold NUL', type: 'value_error' });
  if (!given.isWellFormed()) {
    problems.push({ loc, msg: 'Text should not hold half a character', type: 'string_unicode' });
  }
  return problems;
}
