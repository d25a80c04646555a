import { describeAllowed } from '../contract/describe-fault.ts';
import { type Fields, getText, isBlank } from '../contract/narrowing.ts';
import type { Problem } from '../contract/problem.ts';

/** Requires fields to be present and not blank. */
export function requireFields(body: Fields, names: readonly string[]): Problem[] {
  return names
    .filter((name) => isBlank(getText(body, name)))
    .map((name) => {
      const given = getText(body, name) !== undefined;
      return given
        ? { loc: ['body', name], msg: `${name} should not be blank`, type: 'string_too_short' }
        : { loc: ['body', name], msg: 'Field required', type: 'missing' };
    });
}

/** Requires a field's value, if it has one, to be on a list. */
export function requireOneOf(body: Fields, name: string, allowed: readonly string[]): Problem[] {
  const value = getText(body, name);
  return value === undefined || allowed.includes(value)
    ? []
    : [{ loc: ['body', name], ...describeAllowed(allowed) }];
}

/** Requires at least one of the fields, so that a change changes something. */
export function requireAny(body: Fields, names: readonly string[]): Problem[] {
  return names.some((name) => Object.hasOwn(body, name))
    ? []
    : [{ loc: ['body'], msg: `${names.join(' or ')} should be given`, type: 'missing' }];
}
