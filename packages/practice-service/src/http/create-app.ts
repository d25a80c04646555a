import { type Context, Hono } from 'hono';
import { checkTexts } from '../contract/check-texts.ts';
import { type Checks, compileChecks } from '../contract/compile-checks.ts';
import { getText, isFields } from '../contract/narrowing.ts';
import type { Problem } from '../contract/problem.ts';
import type { Contract, ContractOperation } from '../contract/read-contract.ts';
import { readQuery } from '../contract/read-query.ts';
import { MAX_BODY_BYTES, MAX_PROBLEMS } from '../decisions.ts';
import type { Answer, Operation, ServiceRequest, Tools } from '../operations/operation.ts';
import { parseRecordId } from '../record-id.ts';
import { createBearerCheck } from './create-bearer-check.ts';

type ReadBody =
  | { kind: 'json'; value: unknown }
  | { kind: 'empty' }
  | { kind: 'no-json' }
  | { kind: 'too-large' }
  | { kind: 'other-type' }
  /** The client disconnected before the end. */
  | { kind: 'cut' };

/** Reads a JSON body of at most MAX_BODY_BYTES, whatever length its headers claim. */
async function readBody(request: Request): Promise<ReadBody> {
  const bytes = await readBytes(request);
  if (typeof bytes === 'string') return { kind: bytes };
  if (bytes.length === 0) return { kind: 'empty' };
  if (!isJson(request.headers)) return { kind: 'other-type' };
  try {
    return { kind: 'json', value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return { kind: 'no-json' };
  }
}

async function readBytes(request: Request): Promise<Buffer | 'too-large' | 'cut'> {
  if (Number(request.headers.get('content-length')) > MAX_BODY_BYTES) return 'too-large';
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const reader = request.body?.getReader();
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      size += part.value.length;
      if (size > MAX_BODY_BYTES) return 'too-large';
      chunks.push(part.value);
    }
  } catch {
    return 'cut';
  }
  return Buffer.concat(chunks);
}

function isJson(headers: Headers): boolean {
  const [type, ...parameters] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  const charset = parameters.find((parameter) => parameter.trim().startsWith('charset='));
  const encoding = headers.get('content-encoding') ?? 'identity';
  return (
    type?.trim() === 'application/json' &&
    (charset === undefined || /^charset="?utf-?8"?$/.test(charset.trim())) &&
    encoding === 'identity'
  );
}

type CheckedRequest =
  | { kind: 'read'; request: ServiceRequest; problems: Problem[] }
  | { kind: 'too-large' | 'other-type' | 'cut' };

/** Reads a request and finds all problems: by the document, and by the emulator's own rules. */
async function checkRequest(options: {
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
function mergeProblems(problems: readonly Problem[], more: readonly Problem[]): Problem[] {
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

/**
 * Creates the HTTP app with a route for each operation of the document. Throws if an operation isn't implemented. An
 * error in an operation is passed to `onFault` and answered with 500.
 */
export function createApp(options: {
  contract: Contract;
  operations: Readonly<Record<string, Operation>>;
  tools: Tools;
  token: string;
  now: () => Date;
  onFault: (error: unknown) => void;
}): Hono {
  const { contract, operations, tools, now } = options;
  const mayEnter = createBearerCheck(options.token);
  const checks = compileChecks(contract);
  const app = new Hono();
  app.use(async (context, next) => {
    if (mayEnter(context.req.header('authorization'))) return next();
    context.header('WWW-Authenticate', 'Bearer');
    return context.json({ detail: 'Not authenticated' }, 401);
  });
  for (const described of contract.operations) {
    const [operation, check] = [operations[described.id], checks.get(described.id)];
    if (operation === undefined || check === undefined) throw new Error(`nobody carries out ${described.id}`);
    app.on(described.method, toRoute(described), async (context) => {
      const path = context.req.param();
      const moment = now();
      const { platforms } = tools;
      const checked = await checkRequest({
        contract: described,
        checks: check,
        operation,
        platforms,
        path,
        request: context.req.raw,
        now: moment,
      });
      if (checked.kind !== 'read') return refuse(context, checked.kind);
      return reply(context, await carryOut(operation, tools, checked.request, checked.problems, moment));
    });
  }
  for (const described of contract.operations)
    app.all(toRoute(described), createMethodRefusal(contract, described.path));
  app.notFound((context) => context.json({ detail: 'There is nothing at this path' }, 404));
  app.onError((error, context) => {
    options.onFault(error);
    return context.json({ detail: 'The practice service failed; its log says why' }, 500);
  });
  return app;
}

function toRoute({ path }: ContractOperation): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

async function carryOut(
  operation: Operation,
  tools: Tools,
  request: ServiceRequest,
  problems: readonly Problem[],
  now: Date,
): Promise<Answer> {
  const call = { ...tools, request, now };
  if (operation.scope === 'everything') {
    return problems.length > 0 ? { kind: 'invalid', problems } : operation.run(call);
  }
  const projectId = await findProject(tools, request);
  const known = projectId === undefined ? undefined : { ...call, projectId };
  const all = mergeProblems(problems, known === undefined ? [] : ((await operation.lookups?.(known)) ?? []));
  if (all.length > 0) return { kind: 'invalid', problems: all };
  return known === undefined ? { kind: 'absent', what: 'project' } : operation.run(known);
}

async function findProject({ db }: Tools, { path }: ServiceRequest): Promise<number | undefined> {
  const id = parseRecordId('project', getText(path, 'project_id'));
  if (id === undefined) return undefined;
  return (await db.selectFrom('projects').select('id').where('id', '=', id).executeTakeFirst())?.id;
}

function reply(context: Context, answer: Answer): Response {
  switch (answer.kind) {
    case 'done':
      return context.json({ data: answer.data, success: true }, 200);
    case 'absent':
      return context.json({ detail: `There is no such ${answer.what}` }, 404);
    case 'invalid':
      return context.json({ detail: answer.problems.slice(0, MAX_PROBLEMS) }, 422);
  }
}

function refuse(context: Context, kind: 'too-large' | 'other-type' | 'cut'): Response {
  // The rest of the body isn't read.
  if (kind !== 'other-type') context.header('Connection', 'close');
  switch (kind) {
    case 'too-large':
      return context.json({ detail: 'The body is larger than 1 MiB' }, 413);
    case 'other-type':
      return context.json({ detail: 'The body should be application/json' }, 415);
    case 'cut':
      return context.json({ detail: 'The body did not arrive' }, 400);
  }
}

function createMethodRefusal(contract: Contract, path: string) {
  const methods = contract.operations
    .filter((operation) => operation.path === path)
    .map(({ method }) => method);
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  return (context: Context) => {
    context.header('Allow', allowed.join(', '));
    return context.json({ detail: `Allowed here: ${allowed.join(', ')}` }, 405);
  };
}
