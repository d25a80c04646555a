import { mustBeOneOf } from '../contract/describe-fault.ts';
import { type Fields, isBlank, text } from '../contract/narrowing.ts';
import type { Problem } from '../contract/problem.ts';

/** The fields that must hold something. */
export function required(body: Fields, names: readonly string[]): Problem[] {
  return names
    .filter((name) => isBlank(text(body, name)))
    .map((name) => {
      const given = text(body, name) !== undefined;
      return given
        ? { loc: ['body', name], msg: `${name} should not be blank`, type: 'string_too_short' }
        : { loc: ['body', name], msg: 'Field required', type: 'missing' };
    });
}

/** The field's value, where there is one, must be on the list. */
export function oneOf(body: Fields, name: string, allowed: readonly string[]): Problem[] {
  const value = text(body, name);
  return value === undefined || allowed.includes(value)
    ? []
    : [{ loc: ['body', name], ...mustBeOneOf(allowed) }];
}

/** A change must change something. */
export function someOf(body: Fields, names: readonly string[]): Problem[] {
  return names.some((name) => Object.hasOwn(body, name))
    ? []
    : [{ loc: ['body'], msg: `${names.join(' or ')} should be given`, type: 'missing' }];
}
