import { z } from 'zod';
import type { AppChoice } from '../acting/require-by-name.ts';
import type { Team } from '../acting/team.ts';
import type { WaitOptions } from '../acting/wait-for.ts';
import type { Site } from '../site.ts';
import type { Workspace } from '../workspace.ts';
import { ControlError, type ControlErrorCode } from './control-errors.ts';

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
  /** The values of the path's parameters, by name. */
  params: Readonly<Record<string, string>>;
  body: Body;
  query: Query;
}

interface RouteDefinition<Body extends z.ZodType, Query extends z.ZodObject, Answer extends z.ZodType> {
  summary: string;
  /** Defaults to none. */
  body?: Body;
  /** Defaults to none. */
  query?: Query;
  answer: Answer;
  errors?: readonly ControlErrorCode[];
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
  { summary, body, query, answer, errors = [], run }: RouteDefinition<Body, Query, Answer>,
): Route {
  const [method = '', path = ''] = at.split(' ');
  return {
    ...{ method, path, operationId, tag, summary, answer, errors },
    body: body ?? NO_BODY,
    query: query ?? z.object({}),
    run: (call) =>
      run({ ...call, body: parse('body', body, call.body), query: parse('query', query, call.query) }),
  };
}

/** Without a schema, the value must be empty, or is a query that nobody reads. */
function parse<Schema extends z.ZodType>(part: 'body' | 'query', schema: Schema | undefined, value: unknown) {
  const result = (schema ?? (part === 'body' ? NO_BODY : z.unknown())).safeParse(value);
  if (result.success) return result.data as z.output<Schema>;
  throw new ControlError('invalid_request', `The ${part} is invalid.\n${z.prettifyError(result.error)}`);
}

/** Converts optional arguments of the control API to options of the acting module. */
export function withTimeout(timeoutMs: number | undefined): WaitOptions {
  return timeoutMs === undefined ? {} : { timeoutMs };
}

export function withApp(app: string | undefined): AppChoice {
  return app === undefined ? {} : { app };
}
