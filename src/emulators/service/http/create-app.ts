import { type Context, Hono } from 'hono';
import { compileChecks } from '../contract/compile-checks.ts';
import { getText } from '../contract/narrowing.ts';
import type { Problem } from '../contract/problem.ts';
import type { Contract, ContractOperation } from '../contract/read-contract.ts';
import { MAX_PROBLEMS } from '../decisions.ts';
import type { Answer, Operation, ServiceRequest, Tools } from '../operations/operation.ts';
import { parseRecordId } from '../record-id.ts';
import { checkRequest, mergeProblems } from './check-request.ts';
import { createBearerCheck } from './create-bearer-check.ts';

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
