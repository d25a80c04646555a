import type { ErrorObject } from 'ajv/dist/2020.js';
import { getOwn, getTexts } from './narrowing.ts';
import type { Problem } from './problem.ts';

type RequestPart = 'body' | 'query' | 'path';

const TYPE_FAULTS: Readonly<Record<string, { type: string; msg: string }>> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  integer: { type: 'int_type', msg: 'Input should be a valid integer' },
  number: { type: 'float_type', msg: 'Input should be a valid number' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
  array: { type: 'list_type', msg: 'Input should be a valid list' },
  object: { type: 'dict_type', msg: 'Input should be an object' },
};

const FORMAT_FAULTS: Readonly<Record<string, { type: string; msg: string }>> = {
  'date-time': {
    type: 'datetime_parsing',
    msg: 'Input should be a date and time that exist, like 2026-12-01T09:00:00+01:00',
  },
  email: { type: 'value_error', msg: 'value is not a valid email address, like ana@example.com' },
};

const BOUND_FAULTS: Readonly<Record<string, string>> = {
  minimum: 'greater_than_equal',
  maximum: 'less_than_equal',
  minLength: 'string_too_short',
  maxLength: 'string_too_long',
  minItems: 'too_short',
  maxItems: 'too_long',
  additionalProperties: 'extra_forbidden',
};

/** Converts an error of ajv's to an item of the API's 422. */
export function describeFault(part: RequestPart, error: ErrorObject): Problem {
  const loc = [part, ...parsePointer(error.instancePath)];
  if (error.keyword === 'required') {
    return {
      loc: [...loc, String(getOwn(error.params, 'missingProperty'))],
      msg: 'Field required',
      type: 'missing',
    };
  }
  return { loc, ...describeError(part, error) };
}

function describeError(part: RequestPart, error: ErrorObject): { type: string; msg: string } {
  if (error.keyword === 'type') {
    const allowed = getOwn(error.params, 'type');
    const [first] = [allowed].flat().filter((type) => type !== 'null');
    if (first === 'integer' && part === 'query') {
      return { type: 'int_parsing', msg: 'Input should be a valid integer' };
    }
    return TYPE_FAULTS[String(first)] ?? { type: 'value_error', msg: `Input ${error.message}` };
  }
  if (error.keyword === 'enum') return describeAllowed(getTexts(error.params, 'allowedValues'));
  const format =
    error.keyword === 'format' ? FORMAT_FAULTS[String(getOwn(error.params, 'format'))] : undefined;
  return format ?? { type: BOUND_FAULTS[error.keyword] ?? 'value_error', msg: `Input ${error.message}` };
}

/** The problem of a value that isn't in an enum. */
export function describeAllowed(allowed: readonly string[]): { type: string; msg: string } {
  const quoted = allowed.map((value) => `'${value}'`);
  return { type: 'enum', msg: `Input should be ${quoted.join(', ').replace(/, ([^,]*)$/, ' or $1')}` };
}

function parsePointer(pointer: string): (string | number)[] {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) =>
    /^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~'),
  );
}
