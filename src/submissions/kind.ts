import type { ActionsBlockElement, KnownBlock, ModalView } from '@slack/types';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { Encryption, Role } from '../access/access.ts';
import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import type { BotSchema } from '../store/schema.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import type { ServiceRefusal } from './submission.ts';

/** The context in which text about a submission is rendered. */
export interface TextContext {
  now: Date;
  /** Whether the scheduling service is the emulator. */
  isEmulated: boolean;
  /** The time zone of the person who reads the text; an IANA name. */
  actorZone?: string;
}

/** The dependencies of `rebuildForm`. */
export interface RebuildContext {
  db: Kysely<BotSchema>;
  encryption: Encryption;
  now: Date;
  isEmulated: boolean;
}

/** The service's records in one slot, e.g. the posts of one project and publishing time. */
export interface SlotRecords<Content> {
  /** Counts the slot's records that are equal to the content. */
  countEqual(content: Content): number;
}

/** How unknown outcomes are handled. */
export type UnknownOutcomeStrategy<Content> =
  | {
      /**
       * Upnext counts equal records in the service's list before and after the send. Upnext sends the submission again
       * only at the author's request.
       */
      strategy: 'reconcile';
      /** Computes the kind's fingerprint: the same for equal contents of one project, whoever the author is. */
      computeFingerprint(content: Content): string;
      /**
       * Counts the equal records in the service's list. `cannot-tell`: some records are unreadable, or the list is
       * too long.
       */
      countEqual(api: ApiClient, content: Content): Promise<Outcome<number | 'cannot-tell'>>;
      /** How to count equal records in advance, while the form is open and its text may still change. */
      readonly earlyCount?: {
        /** Computes the key of the slot in which equal records would be. Undefined if the content has no slot yet. */
        computeSlotKey(content: Content): string | undefined;
        /** Reads the records in that slot. They are counted later, when the final content is known. */
        readRecords(api: ApiClient, content: Content): Promise<Outcome<SlotRecords<Content> | 'cannot-tell'>>;
      };
    }
  /** The service has no list to search, so the author decides whether to send again. */
  | { strategy: 'ask' }
  /** The call sets absolute values, so Upnext repeats it, unless a newer submission has the same target. */
  | { strategy: 'repeat'; getTarget(content: Content): string };

/** A kind of submission, e.g. a post or an invitation. */
export interface SubmissionKind<Content> {
  /** Stored in rows, so the name must not change after a release. */
  readonly name: string;
  /**
   * The feature that owns the form. The buttons [Edit] and [Fix and send again] open that form and pass
   * `{ submission: id }`.
   */
  readonly feature: string;
  /** Parses the stored JSON. */
  readonly content: z.ZodType<Content>;
  /** Returns the project of the content; undefined if the content belongs to no project. */
  getProject(content: Content): { id: string; name: string } | undefined;
  /** Returns the role that the author needs. Upnext checks the role before each send. */
  getRole(content: Content): Role;
  /** Sends the content with exactly one call. */
  send(api: ApiClient, content: Content): Promise<Outcome<unknown>>;
  /** Parses the id that the service returned, for the column `service_id`. Returns undefined if there is none. */
  parseServiceId?(data: unknown): string | undefined;
  /** Creates the part of the content that is stored after the purge. Without this function nothing is stored. */
  summarize?(content: Content): Content;
  /** Runs when a submission is confirmed, by a response or by reconciling. Must be safe to repeat. */
  onConfirmed?(db: Kysely<BotSchema>, row: SubmissionRow, content: Content): Promise<void>;
  readonly unknownOutcome: UnknownOutcomeStrategy<Content>;
  /** Whether a 404 after an unknown outcome means that the service has applied the submission, e.g. a deletion. */
  readonly isDoneWhenNotFound?: boolean;
  /** Returns when the post is to be published, or undefined. Upnext never sends the post after that time. */
  getPublishAt?(content: Content): Date | undefined;
  /**
   * Rebuilds the form from the rows of all its publishing times, prefilled with the submitted values, with the
   * service's validation errors under the fields. Resolves with undefined if the form's version is outdated.
   * `createForm` returns this function.
   */
  rebuildForm?(
    context: RebuildContext,
    rows: readonly SubmissionRow[],
    refusal: ServiceRefusal,
  ): Promise<ModalView | undefined>;
  /** Creates the content that [Save as draft] submits: a copy without a publishing time. */
  removePublishAt?(content: Content): Content;
  /** The text for people about submissions of this kind. */
  readonly copy: KindCopy<Content>;
}

/** Functions that render the text about a submission. They are pure. */
export interface KindCopy<Content> {
  /** Renders plain text: "Post for Harbour Coffee, Tue 1 Dec, 09:00 (Berlin)". */
  renderTitle(content: Content, context: TextContext): string;
  /** Renders plain text: "Scheduled for Tue 1 Dec, 09:00 (Berlin)." */
  renderDone(content: Content, context: TextContext): string;
  /** Renders the view title of a confirmed submission, at most 24 characters. Defaults to "Done". */
  renderDoneTitle?(content: Content): string;
  /** Returns the text that the author typed. People read its first 150 characters. */
  getText(content: Content): string;
  /** Renders plain text for a 404: "There is no webhook …". */
  renderNotFound?(content: Content): string;
  /** Renders plain text that follows the details of a confirmed submission. */
  renderDoneNote?(content: Content): string;
  /** Renders plain text about the consequence of [Send again] after an unknown outcome: "Sent again, …". */
  renderSentTwice?(content: Content): string;
  renderDetails(content: Content, context: TextContext): KnownBlock[];
  renderDoneButtons?(
    content: Content,
    submission: { id: string; channel?: string; isShared: boolean },
  ): ActionsBlockElement[];
}

/** A kind whose content type isn't known to the caller. */
export type AnyKind = SubmissionKind<unknown>;
