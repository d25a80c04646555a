import type { Kysely } from 'kysely';
import type { Fields } from '../contract/narrowing.ts';
import type { Problem } from '../contract/problem.ts';
import type { PostIndex } from '../posts/post-index.ts';
import type { Publisher } from '../posts/publisher.ts';
import type { ServiceSchema } from '../schema.ts';

/** A request after its reading. What the document found fault with is still in it: rules narrow what they look at. */
export interface ServiceRequest {
  path: Fields;
  query: Fields;
  body: Fields;
}

export type Answer =
  | { kind: 'done'; data: unknown }
  | { kind: 'absent'; what: string }
  | { kind: 'invalid'; problems: readonly Problem[] };

/** What the operations work with. */
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
  /** The row of a project that exists. */
  projectId: number;
}

interface Checked {
  /** What this service demands beyond the document and can tell from the request alone. */
  rules?(request: ServiceRequest, now: Date, platforms: readonly string[]): Problem[];
}

/** One operation of the document. Its `run` sees only requests without a problem. */
export type Operation =
  | (Checked & { scope: 'everything'; run(call: Call): Promise<Answer> })
  | (Checked & {
      scope: 'project';
      /** What only the database can tell to be wrong with the request. */
      lookups?(call: ProjectCall): Promise<Problem[]>;
      run(call: ProjectCall): Promise<Answer>;
    });

export function done(data: unknown): Answer {
  return { kind: 'done', data };
}
