import { z } from 'zod';

/** One problem that the service found in a request. `message` is the service's text: escape it before showing it. */
export interface FieldProblem {
  /** The top-level name in the body, the query or the path (`Content`); undefined when `loc` names none. */
  field: string | undefined;
  loc: readonly (string | number)[];
  message: string;
  type: string;
}

/** More than a person would read, and than a form has fields. */
const MAX_PROBLEMS = 100;
/** A section of a form holds 3,000 characters; a message is one line of it. */
const MAX_MESSAGE_LENGTH = 1_000;
/** Where FastAPI, whose body shape this is, begins a `loc`. */
const PLACES: ReadonlySet<unknown> = new Set(['body', 'query', 'path', 'header', 'cookie']);

const problem = z.object({
  loc: z.array(z.union([z.string(), z.number()])).catch([]),
  msg: z.string().trim().min(1).catch('Not valid.'),
  type: z.string().catch(''),
});

function fieldOf(loc: readonly (string | number)[]): string | undefined {
  const name = PLACES.has(loc[0]) ? loc[1] : loc[0];
  return typeof name === 'string' ? name : undefined;
}

function shorten(message: string): string {
  return message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed();
}

/** The body of a 422 as problems, whatever it holds: at most 100, and none where it cannot be read. */
export function readProblems(body: unknown): readonly FieldProblem[] {
  const detail = z.object({ detail: z.unknown().optional() }).safeParse(body).data?.detail;
  if (typeof detail === 'string') {
    return [{ field: undefined, loc: [], message: shorten(detail), type: '' }];
  }
  if (!Array.isArray(detail)) return [];
  return detail.slice(0, MAX_PROBLEMS).flatMap((entry: unknown) => {
    const { data } = problem.safeParse(entry);
    if (!data) return [];
    return [{ field: fieldOf(data.loc), loc: data.loc, message: shorten(data.msg), type: data.type }];
  });
}
