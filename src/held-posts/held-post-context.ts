import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { RoleHolderLists } from '../access/access.ts';
import type { CachedReads } from '../api/cached-reads.ts';
import type { Clock } from '../engine/clock.ts';
import type { Engine, Registered } from '../engine/engine.ts';
import { computeHandOverAt, type ProjectPolicy } from '../preferences/project-policy.ts';
import type { Log } from '../slack/log.ts';
import { readContent } from '../submissions/content.ts';
import type { HoldingFunctions, SubmissionKind } from '../submissions/kind.ts';
import type { Submissions } from '../submissions/submissions.ts';
import type { HeldPostRow, HeldPostTables, State } from './held-post.ts';
import type { HeldPostPace } from './pace.ts';
import type { SeriesRow, SeriesState } from './series/series.ts';
import type { HeldPostEventRow } from './sql/events.ts';

/** The dependencies of held posts on other modules. */
export interface HeldPostOptions {
  db: Kysely<HeldPostTables>;
  submissions: Submissions;
  /** Finds the people who may approve posts, or manage a project. */
  approvers: Pick<RoleHolderLists, 'listRoleHolders' | 'listGroupMembers'>;
  /** Lists the posts of the service, which keep others from their slots. */
  reads: Pick<CachedReads, 'listPlannedTimes'>;
  pace?: HeldPostPace;
  log: Log;
  clock: Clock;
  engine: Engine;
  /** Finds the Slack client. Undefined if the app isn't installed, and `unknown` if that couldn't be checked. */
  findSlackClient(workspace: string): Promise<WebClient | 'unknown' | undefined>;
}

/** A kind of submission that can be held. */
export type HeldKind = SubmissionKind<unknown> & { readonly holding: HoldingFunctions<unknown> };

/** The shared state of the held posts of an instance. */
export interface HeldPostContext extends Required<Omit<HeldPostOptions, 'engine'>> {
  /** The kind of the submissions that held posts become. */
  kind: HeldKind;
  verbs: Registered<State, never, HeldPostRow>;
  seriesVerbs: Registered<SeriesState, never, SeriesRow>;
  /** When this instance looks for posts whose service was unknown. Undefined if it knows of none. */
  binding: { nextAt: Date | undefined };
}

/** Decrypts the content of a held post. Undefined if it was purged or is unreadable. */
export function readHeldContent(
  { submissions, kind, log }: Pick<HeldPostContext, 'submissions' | 'kind' | 'log'>,
  row: Pick<HeldPostRow, 'id' | 'content' | 'workspace'>,
): { content: unknown } | undefined {
  return readContent({ encryption: submissions.context.encryption, log }, kind, row);
}

/** Encrypts a content, a comment or a reason. */
export function encryptJson(
  { submissions }: Pick<HeldPostContext, 'submissions'>,
  workspace: string,
  value: unknown,
): string {
  return submissions.context.encryption.encrypt(JSON.stringify(value), workspace);
}

/** Decrypts the text of a comment or of a reason. Undefined if the event has none. */
export function readEventText(
  { submissions, log }: Pick<HeldPostContext, 'submissions' | 'log'>,
  event: Pick<HeldPostEventRow, 'id' | 'content' | 'workspace'>,
): string | undefined {
  if (event.content === null) return undefined;
  const { encryption } = submissions.context;
  const content = readContent({ encryption, log }, { content: z.unknown() }, event)?.content;
  return typeof content === 'string' ? content : undefined;
}

/** The columns that follow from a content and the lead of the project's policy. */
export async function createContentColumns(
  context: Pick<HeldPostContext, 'submissions' | 'kind' | 'clock'>,
  workspace: string,
  content: unknown,
  policy: Pick<ProjectPolicy, 'leadMinutes'>,
): Promise<Pick<HeldPostRow, 'content' | 'content_hash' | 'publish_at' | 'hand_over_at'>> {
  const { holding } = context.kind;
  const publishAt = holding.getTime(content) ?? null;
  return {
    content: encryptJson(context, workspace, content),
    content_hash: await context.submissions.context.computeContentHash(
      workspace,
      JSON.stringify(holding.describeRequest(content)),
    ),
    publish_at: publishAt,
    hand_over_at: publishAt && computeHandOverAt(policy, publishAt, context.clock.now()),
  };
}
