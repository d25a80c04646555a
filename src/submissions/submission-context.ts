import { setTimeout as delay } from 'node:timers/promises';
import type { KnownBlock, SectionBlock } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Kysely, RawBuilder } from 'kysely';
import type { Encryption, Permission, PreparedEntry, Role } from '../access/access.ts';
import type { ApiClient } from '../api/client.ts';
import type { Clock } from '../engine/clock.ts';
import type { Engine, Registered } from '../engine/engine.ts';
import { buildEntryColumns } from '../engine/lifecycle.ts';
import type { KnownNotifications } from '../engine/sql/notifications.ts';
import type { Viewer } from '../posts/post-time.ts';
import type { PublicationState, SentState } from '../posts/state-copy.ts';
import type { Actor } from '../slack/actor.ts';
import type { Guests } from '../slack/audience.ts';
import type { Log } from '../slack/log.ts';
import type { Message } from '../slack/message.ts';
import type { Queryable } from '../store/database.ts';
import type { Breaker, EndpointLimits } from './breaker.ts';
import type { Fingerprints, TenantService } from './fingerprint.ts';
import type { AnyKind } from './kind.ts';
import type { Pace } from './pace.ts';
import type { NewSubmission, PostInserter, PostKey } from './sql/submissions.ts';
import { LIFECYCLE, type SendingState, type SubmissionRow, type SubmissionTables } from './submission.ts';

/** The subject of a permission check: the submission to be sent or reconciled. */
export interface PermissionSubject {
  project: string | undefined;
  kind: string;
  /** The submission's id; undefined before the claim. */
  submission?: string;
  /** The answer of the check before, if it is known. The audit log records only another answer. */
  earlierAnswer?: Permission | undefined;
  /** False if the audit log records no answer, because the check decides what people are shown. Defaults to true. */
  isRecorded?: boolean;
  /** Whether the author's request, which goes on, has read the grants for its own check. */
  isInRequest?: boolean;
}

/** A submission that its author may send. */
export type AllowedSubmission = Pick<NewSubmission, 'id' | 'workspace' | 'author' | 'project' | 'kind'>;

/** What an entry of a list shows besides the post. */
export interface EntryOptions {
  /** The result of a press (mrkdwn). */
  note?: string | undefined;
  /** The Slack id of the author, if the list has posts of several people. */
  author?: string | undefined;
  /** The prefix of button values, which says in which list they are. */
  prefix?: string | undefined;
}

/** The post of a submission, with the buttons that it has now. `note`: the result of a press (mrkdwn). */
export interface ShownPost {
  renderCard(note?: string): Message & { blocks: KnownBlock[] };
  /** Renders the post as one of several. */
  renderEntry(options: EntryOptions): KnownBlock[];
  /** Its line in the card of a form with several times. */
  line: SectionBlock;
  /** Renders that card, in which this post is the first. */
  renderTimes(lines: readonly SectionBlock[]): KnownBlock[];
  /** Equal for posts in the same state that differ only in their times. */
  sameness: string;
  /** Whether its author can share it where the form was opened, and hasn't. */
  isShareable: boolean;
}

/** What the caller knows of the post of a confirmed submission, and needn't be read. */
export interface KnownOfPost {
  known?: PostKey | undefined;
  publication?: PublicationState | undefined;
}

export interface SubmissionOptions {
  db: Kysely<SubmissionTables>;
  encryption: Encryption;
  kinds: readonly AnyKind[];
  pace: Pace;
  log: Log;
  clock: Clock;
  engine: Engine;
  random?: () => number;
  /** Finds the client of the project's service, or else of the workspace's. Undefined if none is connected. */
  findApiClient(
    workspace: string,
    project?: string,
    options?: { isLive?: boolean },
  ): Promise<ApiClient | undefined>;
  /**
   * Compares the connection of a client with those that the workspace has when the call is committed. `describe` returns
   * the JSON for `isCurrent`, see `Storage.sendingCondition`. Defaults to no comparison.
   */
  connectionCheck?: {
    describe(client: ApiClient, project: string | null): object | undefined;
    isCurrent: RawBuilder<boolean>;
  };
  /** Whether a service is connected, but not the one that a project is at. */
  isElsewhere(workspace: string, project: string): Promise<boolean>;
  /** Finds the Slack client. Undefined if the app isn't installed, and `unknown` if that couldn't be checked. */
  findSlackClient(workspace: string): Promise<WebClient | 'unknown' | undefined>;
  /** Checks the author's permission before each send, because an owner may have revoked it. */
  checkPermission(actor: Actor, role: Role, subject?: PermissionSubject): Promise<Permission>;
  /** Finds guests in a channel whom the project's policy keeps out. 'no' also if it keeps out nobody. Never rejects. */
  findExcludedGuests(
    client: WebClient,
    place: { workspace: string; channel: string; project: string },
  ): Promise<Guests>;
  /** Records in the audit log that the author may send a submission, see `PermissionSubject.earlierAnswer`. */
  recordAllowed(submission: AllowedSubmission): void;
  /** Prepares that entry, so that it is stored with the submission. */
  prepareAllowed(submission: AllowedSubmission): PreparedEntry | undefined;
  isSwitchedOff(kind: string): boolean;
  /** Reads the post of a submission as people see it. Undefined if there is none, or if it can't be read. */
  showPost(row: SubmissionRow, viewer: Viewer, known: KnownOfPost): Promise<ShownPost | undefined>;
  /**
   * Takes over the outcome of a submission that was a held post. Resolves with true if the author needs no
   * notification, because the held post's messages say it. `waitMs`: they may do so in that time.
   */
  takeOutcome(row: SubmissionRow): Promise<boolean | { waitMs: number }>;
  /** Takes a submission over that needs a review by now. `unknown`: that couldn't be found out, so it waits. */
  takeForReview(row: SubmissionRow): Promise<'taken' | 'not-needed' | 'unknown'>;
  /** Builds what stores the post of a submission with it. */
  insertPost: PostInserter;
  /** Finds what became of a confirmed post at its time. Undefined if that isn't known yet. */
  findPublication(row: SubmissionRow): Promise<PublicationState | undefined>;
  /** Runs after the service has accepted a submission. */
  onConfirmed(row: SubmissionRow): void;
  /** Runs after a notification in the background, so that the author's Home can be updated. */
  onAuthorNotified(actor: Actor): void;
  /** Lists people who manage a project, or else the workspace, in place of an author. Undefined if that isn't known. */
  findManagers(workspace: string, project: string | undefined): Promise<readonly string[] | undefined>;
  /** Notifies the owners. `refusedTokenProject`: the project of a refused token, or '' for the workspace's. */
  notifyOwners(workspace: string, message: Message, refusedTokenProject?: string): Promise<void>;
}

export interface SubmissionContext
  extends Required<Omit<SubmissionOptions, 'engine' | 'kinds' | 'connectionCheck'>>,
    Pick<SubmissionOptions, 'connectionCheck'>,
    Fingerprints {
  endpointLimits: EndpointLimits;
  verbs: Registered<SentState, SendingState, SubmissionRow>;
  /** Clears a pending notification. See `clearPendingNotification`. */
  clearNotification(notification: KnownNotifications): Promise<unknown>;
  findKind(name: string): AnyKind | undefined;
  /** Returns a circuit breaker. Reads and writes have separate breakers, because writes may fail while reads work. */
  getBreaker(service: TenantService, calls: 'reads' | 'writes'): Breaker;
  /** Finds the address of the project's service. Defaults to the workspace's service; '' if none is connected. */
  findAddress(workspace: string, project: string | undefined): Promise<string>;
  readonly uncertainSaves: ReturnType<typeof createUncertainSaves>;
}

/** Prefix of a tombstone's origin. A tombstone occupies the id of an unsaved row. */
const VOID_PREFIX = 'void ';

/**
 * Resolves the uncertainty about an INSERT, and makes the result final. Tombstones occupy the ids of missing rows, so
 * that a delayed INSERT from an abandoned connection can't succeed. Waits for the end of an open transaction with these
 * rows. Idempotent, so the caller can retry after a lost response.
 */
async function resolveInsert(
  db: Queryable<SubmissionTables>,
  rows: readonly NewSubmission[],
): Promise<SaveOutcome> {
  const tombstones = rows.map(({ id, workspace, author, kind, createdAt }) => ({
    id,
    workspace,
    author,
    kind,
    origin: `${VOID_PREFIX}${id}`,
    item: 0,
    revision: 0,
    channel: null,
    content: null,
    refusal: null,
    created_at: createdAt,
    ...buildEntryColumns(LIFECYCLE, 'discarded', createdAt),
  }));
  await db
    .insertInto('submission')
    .values(tombstones)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const ids = rows.map(({ id }) => id);
  const storedRows = await db.selectFrom('submission').select('origin').where('id', 'in', ids).execute();
  return storedRows.every(({ origin }) => origin.startsWith(VOID_PREFIX)) ? 'void' : 'saved';
}

/** The outcome of an uncertain save. `void`: the rows weren't saved and never will be. */
export type SaveOutcome = 'saved' | 'void';

/** Delays between attempts to resolve a save. The last delay repeats. */
const RETRY_DELAYS_MS = [50, 200, 500, 1_000, 2_000];

/** Uncertain saves: the response to the COMMIT is lost or late. */
export function createUncertainSaves(context: { db: Kysely<SubmissionTables>; log: Log }) {
  const pendingSaves = new Map<string, { keys: readonly string[]; outcome: Promise<SaveOutcome> }>();
  const abortController = new AbortController();

  async function resolveOutcome(rows: readonly NewSubmission[]): Promise<SaveOutcome> {
    for (let attempt = 0; ; attempt += 1) {
      abortController.signal.throwIfAborted();
      try {
        return await resolveInsert(context.db, rows);
      } catch (error) {
        const details = { submissions: rows.map(({ id }) => id), attempt, err: error };
        context.log.warn(details, 'could not find out whether a submission was saved');
      }
      const delayMs = RETRY_DELAYS_MS[Math.min(attempt, RETRY_DELAYS_MS.length - 1)];
      await delay(delayMs, undefined, { signal: abortController.signal, ref: false });
    }
  }
  const findPending = (keys: readonly string[]) =>
    [...pendingSaves].find(([, { keys: saveKeys }]) => saveKeys.some((key) => keys.includes(key)));
  return {
    /**
     * Resolves with the outcome of a save. Retries until the outcome is known, and rejects only after `stop`. `keys`:
     * the keys of each row; see `computeSaveKeys`.
     */
    resolve(rows: readonly NewSubmission[], keys: readonly (readonly string[])[]): Promise<SaveOutcome> {
      const outcome = resolveOutcome(rows).finally(() => {
        for (const { id } of rows) pendingSaves.delete(id);
      });
      // Prevents an unhandled rejection if the caller no longer waits.
      outcome.catch(() => undefined);
      for (const [index, { id }] of rows.entries())
        pendingSaves.set(id, { keys: keys[index] ?? [], outcome });
      return outcome;
    },
    /** Waits for the uncertain save with one of these keys. Resolves with the row's id; undefined if none was saved. */
    async findSavedId(keys: readonly string[]): Promise<string | undefined> {
      const [id, save] = findPending(keys) ?? [];
      return (await save?.outcome) === 'saved' ? id : undefined;
    },
    hasAny: (keys: readonly string[]): boolean => findPending(keys) !== undefined,
    stop: (): void => abortController.abort(),
  };
}
