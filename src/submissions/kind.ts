import type { ActionsBlockElement, KnownBlock, ModalView } from '@slack/types';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { Encryption, Role } from '../access/access.ts';
import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import type { BotSchema } from '../store/schema.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import type { ServiceRefusal } from './submission.ts';

/** What the text about a submission depends on besides its content. */
export interface Seen {
  now: Date;
  practice: boolean;
  actorZone?: string;
}

/** The dependencies for rebuilding a form from its rows. */
export interface RebuildContext {
  db: Kysely<BotSchema>;
  encryption: Encryption;
  now: Date;
  practice: boolean;
}

/** The records at one place, e.g. the posts of one project and moment. */
export interface PlaceCount<Content> {
  equalTo(content: Content): number;
}

/** What happens after an unknown outcome. */
export type WhenUnknown<Content> =
  | {
      /** Equal records in the service's list are counted before and after. It is sent again only if the author asks. */
      way: 'reconcile';
      /** The same for equal contents of one project, whoever sends them. */
      fingerprint(content: Content): string;
      /**
       * Number of equal records that the service lists. `cannot-tell` if some are unreadable or the list is too long.
       */
      count(api: ApiClient, content: Content): Promise<Outcome<number | 'cannot-tell'>>;
      /** Counts in advance, while the form is open and its text may still change. */
      readonly early?: {
        /** A key for the place of equal records, e.g. a project and a moment; undefined if it isn't known yet. */
        place(content: Content): string | undefined;
        /** Reads the records at that place. They are counted when the final content is known. */
        look(api: ApiClient, content: Content): Promise<Outcome<PlaceCount<Content> | 'cannot-tell'>>;
      };
    }
  /** The service has no list to check, so the author decides. */
  | { way: 'ask' }
  /** Sends absolute values, so it is repeated automatically unless a newer submission has the same target. */
  | { way: 'repeat'; target(content: Content): string };

/** A kind of submission, e.g. a post or an invitation. */
export interface SubmissionKind<Content> {
  /** Stored in rows, so it must not be renamed after a release. */
  readonly name: string;
  /** The feature whose form [Edit] and [Fix and send again] open, with `{ submission: id }`. */
  readonly feature: string;
  /** Parses the stored JSON. */
  readonly content: z.ZodType<Content>;
  project(content: Content): { id: string; name: string } | undefined;
  /** The role that the author needs. Checked again before each send. */
  role(content: Content): Role;
  /** Makes exactly one call. */
  send(api: ApiClient, content: Content): Promise<Outcome<unknown>>;
  /** The short id in the service's answer, which is stored as the row's `result`. */
  result?(data: unknown): string | undefined;
  /** The part of the content that is stored with the result after the purge. Defaults to nothing. */
  summarize?(content: Content): Content;
  /** Called when a submission is confirmed, by an answer or by reconciling. Must be safe to repeat. */
  onConfirmed?(db: Kysely<BotSchema>, row: SubmissionRow, content: Content): Promise<void>;
  readonly whenUnknown: WhenUnknown<Content>;
  /** Whether a 404 after an unknown outcome means that the submission was applied, as with a deletion. */
  readonly isDoneWhenGone?: boolean;
  /** When the post is to be published. It is never sent after that. */
  publishAt?(content: Content): Date | undefined;
  /**
   * Rebuilds the form from the rows of all its moments, with everything that was submitted and the service's problems
   * under its fields. Undefined if the form's version is outdated. `createForm(…).submissions` provides it.
   */
  rebuildForm?(
    at: RebuildContext,
    rows: readonly SubmissionRow[],
    reason: ServiceRefusal,
  ): Promise<ModalView | undefined>;
  /** The content of the draft that [Save as draft] creates. */
  withoutMoment?(content: Content): Content;
  readonly words: KindCopy<Content>;
}

/** The text about a submission. Pure functions. */
export interface KindCopy<Content> {
  /** Plain text: "Post for Harbour Coffee, Tue 1 Dec, 09:00 (Berlin)". */
  title(content: Content, seen: Seen): string;
  /** Plain text: "Scheduled for Tue 1 Dec, 09:00 (Berlin)." */
  renderDone(content: Content, seen: Seen): string;
  /** The title of the view of a confirmed submission, at most 24 characters. Defaults to "Done". */
  doneTitle?(content: Content): string;
  /** The text that the author typed. The first 150 characters are quoted. */
  text(content: Content): string;
  /** Plain text for a 404: "There is no webhook …". */
  notFound?(content: Content): string;
  /** Plain text under the details of a confirmed submission. */
  doneNote?(content: Content): string;
  /** Plain text beside [Send again] after an unknown outcome: "Sent again, …". */
  sentTwice?(content: Content): string;
  details(content: Content, seen: Seen): KnownBlock[];
  doneButtons?(
    content: Content,
    at: { id: string; channel?: string; shared: boolean },
  ): ActionsBlockElement[];
}

/** A kind whose content type isn't known to the caller. */
export type AnyKind = SubmissionKind<unknown>;
