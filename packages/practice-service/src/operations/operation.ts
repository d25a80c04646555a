import type { Kysely } from 'kysely';
import type { Fields } from '../contract/narrowing.ts';
import type { Problem } from '../contract/problem.ts';
import type { PostIndex } from '../posts/post-index.ts';
import type { Publisher } from '../posts/publisher.ts';
import type { ServiceSchema } from '../schema.ts';

/** A parsed request. It may still violate the document, so rules narrow the values that they read. */
export interface ServiceRequest {
  path: Fields;
  query: Fields;
  body: Fields;
}

export type Answer =
  | { kind: 'done'; data: unknown }
  | { kind: 'absent'; what: string }
  | { kind: 'invalid'; problems: readonly Problem[] };

/** What operations need. */
export interface Tools {
  db: Kysely<ServiceSchema>;
  posts: PostIndex;
  publisher: Publisher;
  platforms: readonly string[];
}

export interface Call extends Tools {
  request: ServiceRequest;
  now: Date;
}

export interface ProjectCall extends Call {
  /** The id of the project's row; the project exists. */
  projectId: number;
}

interface Checked {
  /** The emulator's own rules that need only the request. */
  rules?(request: ServiceRequest, now: Date, platforms: readonly string[]): Problem[];
}

/** The implementation of an operation. `run` gets only valid requests. */
export type Operation =
  | (Checked & { scope: 'everything'; run(call: Call): Promise<Answer> })
  | (Checked & {
      scope: 'project';
      /** The emulator's own rules that need the database. */
      lookups?(call: ProjectCall): Promise<Problem[]>;
      run(call: ProjectCall): Promise<Answer>;
    });

export function answerDone(data: unknown): Answer {
  return { kind: 'done', data };
}
