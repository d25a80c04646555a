import { z } from 'zod';
import { ACTING_ERRORS, ActingError } from '../acting/acting-error.ts';
import type { WaitOptions } from '../acting/participant.ts';
import type { DialogChoice } from '../acting/place.ts';
import type { Team } from '../acting/team.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import type { Workspace } from '../workspace.ts';

export const TAGS = {
  People: 'Act as a person: open, fill, press, read and wait.',
  Directory: 'The people and channels of the workspace.',
  App: 'The calls by an app and the requests to it.',
  Workspace: 'Tokens, the clock, faults and the reset.',
} as const;

/** A call of the control API, after validation. */
export interface ControlCall<Body, Query> {
  workspace: Workspace;
  /** The workspace with the id in the query. Defaults to the first. */
  team: Team;
  site: Site;
  params: Readonly<Record<string, string>>;
  body: Body;
  query: Query;
}

interface RouteDefinition<Body extends z.ZodType, Query extends z.ZodObject, Answer extends z.ZodType> {
  summary: string;
  body?: Body;
  query?: Query;
  /** Defaults to an empty object. */
  answer?: Answer;
  run(call: ControlCall<z.output<Body>, z.output<Query>>): z.input<Answer> | Promise<z.input<Answer>>;
}

/** An operation of the control API. Routing, validation and the OpenAPI document read it. */
export interface Route extends Required<RouteDefinition<z.ZodType, z.ZodObject, z.ZodType>> {
  method: string;
  path: string;
  operationId: string;
  tag: keyof typeof TAGS;
}

/** The body of routes without one. */
export const NO_BODY = z.undefined();

/**
 * Defines a route, checks its types, and adds the validation of its body and query. `at` has the method and the path,
 * with parameters in braces, such as `post /people/{person}/press`.
 */
export function defineRoute<Body extends z.ZodType, Query extends z.ZodObject, Answer extends z.ZodType>(
  tag: keyof typeof TAGS,
  at: `${'get' | 'post' | 'put' | 'patch' | 'delete'} /${string}`,
  operationId: string,
  { summary, body, query, answer, run }: RouteDefinition<Body, Query, Answer>,
): Route {
  const [method = '', path = ''] = at.split(' ');
  return {
    ...{ method, path, operationId, tag, summary },
    answer: answer ?? z.strictObject({}),
    body: body ?? NO_BODY,
    query: query ?? z.object({}),
    async run(call) {
      const given = { body: parse('body', body, call.body), query: parse('query', query, call.query) };
      return (await run({ ...call, ...given })) ?? {};
    },
  };
}

/** Without a schema, the value must be empty, or is a query that nobody reads. */
function parse<Schema extends z.ZodType>(part: 'body' | 'query', schema: Schema | undefined, value: unknown) {
  const result = (schema ?? (part === 'body' ? NO_BODY : z.unknown())).safeParse(value);
  if (result.success) return result.data as z.output<Schema>;
  throw new ControlError('invalid_request', `The ${part} is invalid.\n${z.prettifyError(result.error)}`);
}

interface WaitArguments {
  timeout_ms?: number;
  dialog?: 'confirm' | 'deny';
}

/** Converts the optional arguments of a wait to options of the acting module. */
export function readWait({ timeout_ms: timeoutMs, dialog }: WaitArguments): WaitOptions & DialogChoice {
  return { ...(timeoutMs !== undefined && { timeoutMs }), ...(dialog && { dialog }) };
}

/** Errors of the control API, beside those of acting as a person. */
const OWN_ERRORS = {
  invalid_request: 'The body or the query doesn’t fit the schema.',
  unknown_route: 'The control API doesn’t have this path or method.',
  token_required:
    'The workspace listens on an address other than loopback, and the request has no valid token.',
  foreign_origin: 'A page of another origin sent the request.',
  refused: 'Slack’s client refused the action, or the app didn’t acknowledge it. `slack_error` says why.',
  internal_error: 'The workspace failed.',
} as const;

const CONTROL_ERRORS = { ...ACTING_ERRORS, ...OWN_ERRORS };
type ControlErrorCode = keyof typeof CONTROL_ERRORS;

const CODES = Object.keys(CONTROL_ERRORS) as [ControlErrorCode, ...ControlErrorCode[]];

/** HTTP statuses. Other errors have 404 for unknown names, and 409. */
const STATUSES: Partial<Record<ControlErrorCode, number>> = {
  invalid_request: 400,
  token_required: 401,
  foreign_origin: 403,
  internal_error: 500,
};

export function getStatus(code: ControlErrorCode): number {
  return STATUSES[code] ?? (code.startsWith('unknown_') ? 404 : 409);
}

export const CODES_BY_STATUS = Map.groupBy(CODES, getStatus);

export const errorSchema = z.strictObject({
  error: z.strictObject({
    code: z.enum(CODES).describe(CODES.map((code) => `\`${code}\`: ${CONTROL_ERRORS[code]}`).join('\n\n')),
    message: z.string().describe('One or two sentences.'),
    visible: z.string().exactOptional().describe('Everything that the person sees.'),
    slack_error: z.string().exactOptional().describe('Slack’s error, such as operation_timeout.'),
  }),
});
type ErrorBody = z.infer<typeof errorSchema>;

export class ControlError extends Error {
  readonly code: ControlErrorCode;

  constructor(code: ControlErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function describeError(error: unknown): ErrorBody {
  if (error instanceof ControlError) return { error: { code: error.code, message: error.message } };
  if (error instanceof ActingError) {
    const { code, summary: message, visible } = error;
    return { error: { code, message, ...(visible !== undefined && { visible }) } };
  }
  if (error instanceof Refusal) {
    const message = `Slack refused the action: ${error.code}`;
    return { error: { code: 'refused', message, slack_error: error.code } };
  }
  console.error('could not serve a call of the control API:', error);
  const message = error instanceof Error ? error.message : String(error);
  return { error: { code: 'internal_error', message } };
}
