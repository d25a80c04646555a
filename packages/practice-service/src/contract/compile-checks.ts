import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { MAX_PROBLEMS } from '../decisions.ts';
import { readScheduleDate } from '../posts/schedule-date.ts';
import { describeFault } from './describe-fault.ts';
import type { Fields } from './narrowing.ts';
import type { Problem } from './problem.ts';
import type { Contract, ContractOperation, ContractParameter } from './read-contract.ts';

/**
 * The formats that the document uses. Both accept more than JSON Schema's: a date-time may lack its offset, like a
 * ScheduleDate, and an e-mail address may be international.
 */
const formats: Readonly<Record<string, (value: string) => boolean>> = {
  'date-time': (value) => readScheduleDate(value) !== undefined,
  email: (value) =>
    value.length <= 254 &&
    /^[^\s@\p{Cc}\p{Cs}<>"(),:;\\[\]]{1,64}@[^\s@.\p{Cc}\p{Cs}<>"(),:;\\[\]]+(\.[^\s@.\p{Cc}\p{Cs}<>"(),:;\\[\]]+)+$/u.test(
      value,
    ),
};

/** Checks a request of one operation against the document, and returns all problems at once. */
export interface Checks {
  query(values: Fields): Problem[];
  path(values: Fields): Problem[];
  body(value: unknown): Problem[];
}

/** The checks of all operations, by operationId. */
export function compileChecks(contract: Contract): ReadonlyMap<string, Checks> {
  // Not strict, because documents may contain keywords that don't validate, such as examples.
  const ajv = new Ajv2020({ allErrors: true, strict: false, formats: { ...formats } });
  return new Map(contract.operations.map((operation) => [operation.id, compileOperation(ajv, operation)]));
}

function compileOperation(ajv: Ajv2020, { parameters, body }: ContractOperation): Checks {
  const [query, path] = (['query', 'path'] as const).map((place) =>
    ajv.compile(buildSchema(parameters.filter((parameter) => parameter.in === place))),
  );
  const bodyCheck = body && ajv.compile({ ...body });
  return {
    query: (values) => faults('query', query, values),
    path: (values) => faults('path', path, values),
    body: (value) => faults('body', bodyCheck, value),
  };
}

function buildSchema(parameters: readonly ContractParameter[]) {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter((parameter) => parameter.required).map(({ name }) => name),
  };
}

function faults(
  place: 'body' | 'query' | 'path',
  check: ValidateFunction | undefined,
  value: unknown,
): Problem[] {
  if (check === undefined || check(value)) return [];
  return (check.errors ?? []).slice(0, MAX_PROBLEMS).map((error) => describeFault(place, error));
}
