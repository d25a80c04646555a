import { checkTexts } from '../contract/check-texts.ts';
import type { Checks } from '../contract/compile-checks.ts';
import { isFields } from '../contract/narrowing.ts';
import type { Problem } from '../contract/problem.ts';
import type { ContractOperation } from '../contract/read-contract.ts';
import { readQuery } from '../contract/read-query.ts';
import type { Operation, ServiceRequest } from '../operations/operation.ts';
import { type ReadBody, readBody } from './read-body.ts';

type CheckedRequest =
  | { kind: 'read'; request: ServiceRequest; problems: Problem[] }
  | { kind: 'too-large' | 'other-type' | 'cut' };

/** Reads a request and finds all problems: by the document, and by the emulator's own rules. */
export async function checkRequest(options: {
  contract: ContractOperation;
  checks: Checks;
  operation: Operation;
  platforms: readonly string[];
  path: Readonly<Record<string, string>>;
  request: Request;
  now: Date;
}): Promise<CheckedRequest> {
  const { contract, checks, operation, platforms, path, now } = options;
  const read = contract.body ? await readBody(options.request) : undefined;
  if (read?.kind === 'too-large' || read?.kind === 'other-type' || read?.kind === 'cut')
    return { kind: read.kind };
  const { query, problems: repeated } = readQuery(
    contract.parameters,
    new URL(options.request.url).searchParams,
  );
  const body = read?.kind === 'json' ? read.value : undefined;
  const request = { path, query, body: isFields(body) ? body : {} };
  const found = [
    ...repeated,
    ...checks.path(path),
    ...checks.query(query),
    ...(read ? checkBody(read, contract, checks) : []),
  ];
  // Field rules need a body with fields.
  if (read !== undefined && !isFields(body)) return { kind: 'read', request, problems: found };
  const problems = mergeProblems(found, operation.rules?.(request, now, platforms) ?? []);
  return { kind: 'read', request, problems };
}

/** Adds problems about fields that have none yet, so that one mistake isn't reported twice. */
export function mergeProblems(problems: readonly Problem[], more: readonly Problem[]): Problem[] {
  const field = ({ loc }: Problem) => JSON.stringify(loc.slice(0, 2));
  const faulty = new Set(problems.map(field));
  return [...problems, ...more.filter((problem) => !faulty.has(field(problem)))];
}

function checkBody(read: ReadBody, contract: ContractOperation, checks: Checks): Problem[] {
  if (read.kind === 'no-json')
    return [{ loc: ['body'], msg: 'The body is not valid JSON', type: 'json_invalid' }];
  if (read.kind === 'json') return [...checks.body(read.value), ...checkTexts(contract.body, read.value)];
  return contract.bodyRequired ? [{ loc: ['body'], msg: 'Field required', type: 'missing' }] : [];
}
