import type { ActionsBlockElement, KnownBlock, ModalView } from '@slack/types';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { Encryption, Role } from '../access/access.ts';
import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import type { BotSchema } from '../store/schema.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import type { ServiceRefusal } from './submission.ts';

/** The context of the text about a submission. */
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

/** The service's records at one place, e.g. the posts of one project and publishing time. */
export interface PlaceRecords<Content> {
  /** Counts the records that are equal to the content. */
  countEqual(content: Content): number;
}

/** What happens after an unknown outcome. */
export type WhenUnknown<Content> =
  | {
      /**
       * Upnext counts equal records in the service's list before and after the send. Upnext sends the submission again
       * only at the author's request.
       */
      way: 'reconcile';
      /** Computes the kind's fingerprint: the same for equal contents of one project, whoever the author is. */
      computeFingerprint(content: Content): string;
      /**
       * Counts the equal records in the service's list. `cannot-tell`: some records are unreadable, or the list is
       * too long.
       */
      count(api: ApiClient, content: Content): Promise<Outcome<number | 'cannot-tell'>>;
      /** How to count equal records in advance, while the form is open and its text may still change. */
      readonly earlyCount?: {
        /** Computes the key of the place that has equal records. Undefined if the content has no place yet. */
        computePlaceKey(content: Content): string | undefined;
        /** Reads the records at that place. The records are counted later, when the final content is known. */
        readRecords(
          api: ApiClient,
          content: Content,
        ): Promise<Outcome<PlaceRecords<Content> | 'cannot-tell'>>;
      };
    }
  /** The service has no list to search, so the author decides whether to send again. */
  | { way: 'ask' }
  /** The call sets absolute values, so Upnext repeats it, unless a newer submission has the same target. */
  | { way: 'repeat'; getTarget(content: Content): string };

/** A kind of submission, e.g. a post or an invitation. */
export interface SubmissionKind<Content> {
  /** Stored in rows, so the name must not change after a release. */
  readonly name: string;
  /** The feature whose form [Edit] and [Fix and send again] open. These buttons pass `{ submission: id }`. */
  readonly feature: string;
  /** Parses the stored JSON. */
  readonly content: z.ZodType<Content>;
  getProject(content: Content): { id: string; name: string } | undefined;
  /** Returns the role that the author needs. Upnext checks the role before each send. */
  getRole(content: Content): Role;
  /** Sends the content with exactly one call. */
  send(api: ApiClient, content: Content): Promise<Outcome<unknown>>;
  /** Parses the short id in the service's response. It is stored as the row's `result`. */
  parseResult?(data: unknown): string | undefined;
  /** Creates the part of the content that is stored after the purge. Defaults to nothing. */
  summarize?(content: Content): Content;
  /** Runs when a submission is confirmed, by a response or by reconciling. Must be safe to repeat. */
  onConfirmed?(db: Kysely<BotSchema>, row: SubmissionRow, content: Content): Promise<void>;
  readonly whenUnknown: WhenUnknown<Content>;
  /** Whether a 404 after an unknown outcome means that the submission was applied, as for a deletion. */
  readonly isDoneWhenGone?: boolean;
  /** Returns when the post is to be published. Upnext never sends it after that time. */
  getPublishAt?(content: Content): Date | undefined;
  /**
   * Rebuilds the form from the rows of all its publishing times, with the submitted values, and with the service's
   * problems under its fields. Resolves with undefined if the form's version is outdated. The result of `createForm`
   * provides this function.
   */
  rebuildForm?(
    context: RebuildContext,
    rows: readonly SubmissionRow[],
    refusal: ServiceRefusal,
  ): Promise<ModalView | undefined>;
  /** Creates the content that [Save as draft] submits. It has no publishing time. */
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
  /** Renders plain text for the end of a confirmed submission's details. */
  renderDoneNote?(content: Content): string;
  /** Renders plain text about [Send again] after an unknown outcome: "Sent again, …". */
  renderSentTwice?(content: Content): string;
  renderDetails(content: Content, context: TextContext): KnownBlock[];
  renderDoneButtons?(
    content: Content,
    submission: { id: string; channel?: string; isShared: boolean },
  ): ActionsBlockElement[];
}

/** A kind whose content type isn't known to the caller. */
export type AnyKind = SubmissionKind<unknown>;
