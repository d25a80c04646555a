import { z } from 'zod';

/**
 * A problem that the service found in the input of a call. `message` is text from the service, so callers must escape
 * it.
 */
export interface FieldProblem {
  /** Name of the top-level field in the body, the query or the path (`Content`). Undefined if `loc` has none. */
  field: string | undefined;
  loc: readonly (string | number)[];
  message: string;
  type: string;
}

/** Maximum number of problems to parse. No form has that many fields, and nobody reads that many messages. */
const MAX_PROBLEMS = 100;
/** Maximum number of characters. A form shows the message in a section, which may have 3,000 characters. */
const MAX_MESSAGE_LENGTH = 1_000;
/** The values that the first item of `loc` can have. The service uses the error format of FastAPI. */
const LOCATIONS: ReadonlySet<unknown> = new Set(['body', 'query', 'path', 'header', 'cookie']);

const problem = z.object({
  loc: z.array(z.union([z.string(), z.number()])).catch([]),
  msg: z.string().trim().min(1).catch('Not valid.'),
  type: z.string().catch(''),
});

function findField(loc: readonly (string | number)[]): string | undefined {
  const name = LOCATIONS.has(loc[0]) ? loc[1] : loc[0];
  return typeof name === 'string' ? name : undefined;
}

function shorten(message: string): string {
  return message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed();
}

/** Reads the body of a 422. Returns at most MAX_PROBLEMS problems, and no problems if the body is unreadable. */
export function readProblems(body: unknown): readonly FieldProblem[] {
  const detail = z.object({ detail: z.unknown().optional() }).safeParse(body).data?.detail;
  if (typeof detail === 'string') {
    return [{ field: undefined, loc: [], message: shorten(detail), type: '' }];
  }
  if (!Array.isArray(detail)) return [];
  return detail.slice(0, MAX_PROBLEMS).flatMap((entry: unknown) => {
    const { data } = problem.safeParse(entry);
    if (!data) return [];
    return [{ field: findField(data.loc), loc: data.loc, message: shorten(data.msg), type: data.type }];
  });
}
