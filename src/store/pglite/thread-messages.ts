import type { Answer } from './session.ts';

/** An operation of the database's thread. */
export type Call =
  | { do: 'query'; sql: string; parameters: readonly unknown[]; transaction: number | undefined }
  | { do: 'begin' | 'commit' | 'rollback'; transaction: number }
  | { do: 'close' };

/** The caller chooses the id, and the reply repeats it. */
export interface ThreadRequest {
  id: number;
  call: Call;
}

/** The thread's messages, except the first one, which is `open`: the database is ready. */
export type ThreadReply = { id: number } & ({ answer: Answer<unknown> } | { failure: Failure });

/** An error for the other thread: structured cloning drops an error's own fields. Postgres' fields are all strings. */
export interface Failure {
  name: string;
  message: string;
  fields: Readonly<Record<string, string>>;
}

export function toFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), fields: {} };
  const fields = Object.fromEntries(
    Object.entries(error).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  return { name: error.name, message: error.message, fields };
}

export function toError({ name, message, fields }: Failure): Error {
  return Object.assign(new Error(message), fields, { name });
}
