import { z } from 'zod';
import type { Team } from '../acting/team.ts';
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
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Has parameters in braces, such as `/people/{person}/press`. */
  path: string;
  operationId: string;
  tag: keyof typeof TAGS;
  summary: string;
  body: Body;
  query: Query;
  answer: Answer;
  errors?: readonly ControlErrorCode[];
  run(call: ControlCall<z.output<Body>, z.output<Query>>): z.input<Answer> | Promise<z.input<Answer>>;
}

/** An operation of the control API. Routing, validation and the OpenAPI document read it. */
export type Route = RouteDefinition<z.ZodType, z.ZodObject, z.ZodType>;

/** For routes without a body. */
export const NO_BODY = z.undefined();
/** For routes without a query. */
export const NO_QUERY = z.object({});

/** Adds the validation of body and query to a route, and checks its types. */
export function defineRoute<Body extends z.ZodType, Query extends z.ZodObject, Answer extends z.ZodType>(
  route: RouteDefinition<Body, Query, Answer>,
): Route {
  const { body, query } = route;
  return {
    ...route,
    run: (call) =>
      route.run({ ...call, body: parse('body', body, call.body), query: parse('query', query, call.query) }),
  };
}

function parse<Schema extends z.ZodType>(part: string, schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ControlError('invalid_request', `The ${part} is invalid.\n${z.prettifyError(result.error)}`);
}
