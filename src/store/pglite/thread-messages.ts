import type { Answer } from './session.ts';

/** What the database's thread is asked to do. */
export type Call =
  | { do: 'query'; sql: string; parameters: readonly unknown[]; transaction: number | undefined }
  | { do: 'begin' | 'commit' | 'rollback'; transaction: number }
  | { do: 'close' };

/** The asker chooses the id, and it comes back with the reply. */
export interface Asked {
  id: number;
  what: Call;
}

/** Only the thread's first message is none: it says that the database is open. */
export type Reply = { id: number } & ({ answer: Answer<unknown> } | { failure: Failure });

/** An error's own fields do not survive the way between threads; those of Postgres' are all texts. */
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
