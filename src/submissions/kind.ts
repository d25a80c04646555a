import type { KnownBlock, ModalView } from '@slack/types';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { Encryption, Role } from '../access/access.ts';
import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import type { Platform } from '../api/platforms.ts';
import type { ExtraField, PostTexts } from '../api/post-fields.ts';
import type { Post } from '../api/posts.ts';
import type { MediaFacts } from '../posts/media-reference.ts';
import type { Viewer } from '../posts/post-time.ts';
import type { ServiceRefusal } from './content.ts';
import type { SubmissionRow, SubmissionTables } from './submission.ts';

/** A post as a file describes it. The alt text isn't used without media. */
export interface DescribedPost extends Pick<PostTexts, ExtraField> {
  project: { id: string; name: string };
  text: string;
  /** A link to media or another reference; '' for none. */
  media: string;
  platforms: readonly string[];
  /** The texts of platforms that get another text, by platform. */
  ownTexts?: Readonly<Record<string, string>> | undefined;
  isDraft: boolean;
  /** The zone for a time that is still to be chosen; an IANA name. */
  zone: string;
  /** Absent for a draft without a time. `notes`: assumptions about the time, in sentences. */
  moment?: { instant: Date; zone: string; notes: readonly string[] } | undefined;
  /** From when on the post takes the first free slot. `moment` is then the slot that was free when the file was read. */
  slotFrom?: Date | undefined;
}

/** What is wrong with a part of a described post, and what to do; plain text. */
export interface DescribedProblem {
  part: 'text' | 'media' | ExtraField | 'platforms';
  /** The platform whose own text it is about. */
  platform?: string | undefined;
  problem: string;
}

export interface TextContext {
  now: Date;
  /** Whose clock the text has; 24 hours without a locale, for several readers. Defaults to the author. */
  reader?: { locale?: string | undefined } | undefined;
  /** The id of a confirmed submission's record. '' or null if the service returned none. */
  serviceId?: string | null;
}

export type UnknownOutcomeStrategy<Content> =
  | {
      /** Upnext counts equal posts in the service's list before and after the send. Only the author sends again. */
      strategy: 'reconcile';
      /** Computes the key by which posts are compared. Equal posts of one project have the same key. */
      computeEqualityKey(content: Content): string;
      /** Counts equal posts in the service's list. `cannot-tell`: it is too long, or has unreadable posts. */
      countEqual(api: ApiClient, content: Content): Promise<Outcome<number | 'cannot-tell'>>;
    }
  /** The author decides whether to send again, because the service has no list to search. */
  | { strategy: 'ask' }
  /** The call sets absolute values, so Upnext repeats the call until a newer submission has the same target. */
  | { strategy: 'repeat'; getTarget(content: Content): string };

/** The part of a content for the platforms with the same text. */
export interface ContentPart<Content> {
  /** The number of the part among the submissions of its post, from 1; 0 for a whole. */
  item: number;
  content: Content;
}

/** What only posts have: pure functions with which Upnext shows them, and holds them so that they can be edited. */
export interface PostFunctions<Content> {
  /** Converts the content to the post that the service lists. */
  toPost(content: Content): Post;
  /** Returns everything that the request to the service contains, as JSON. Approvals are bound to it. */
  describeRequest(content: Content): unknown;
  /** Whether the content is a draft, which isn't handed over by itself. */
  isDraft(content: Content): boolean;
  /** Returns the publishing time, also of a draft. Undefined if there is none. */
  getTime(content: Content): Date | undefined;
  /** Copies the content as a draft or as a scheduled post. */
  setDraft(content: Content, isDraft: boolean): Content;
  /**
   * Creates the content of a described post, with what platforms certainly refuse, and what they may refuse. `mediaFacts`:
   * what is known of the post's file, if it came from Slack. `paidPlatforms`: those whose accounts pay for longer texts.
   */
  compose(
    post: DescribedPost,
    known?: { mediaFacts?: MediaFacts | undefined; paidPlatforms?: readonly Platform[] | undefined },
  ): { content: Content; problems: DescribedProblem[]; warnings: string[] };
  /** Returns from when on the content takes the first free slot. Undefined if its time is fixed. */
  getSlotStart(content: Content): Date | undefined;
  /** Copies the content, which then takes the first free slot from that time on. */
  takeSlotFrom(content: Content, from: Date): Content;
  /** Splits the content into one part for each distinct text. `sentTo`: the platforms that are left out. */
  split(content: Content, sentTo: readonly string[]): ContentPart<Content>[];
  /** Copies the content with another publishing time. `zone`: an IANA name; defaults to the content's zone. */
  moveTo(content: Content, time: { instant: Date; zone?: string }): Content;
  /** Renders the title above the details, without what they say too. */
  renderTitleAboveDetails(content: Content, context: TextContext): string;
  /** The author's zone, and their locale, which decides between the 12-hour and the 24-hour clock. */
  getAuthor(content: Content): Viewer;
  /** What its author should know of a post that has gone to the service; plain text: what was assumed about its time. */
  renderNotes(content: Content): string[];
  /** The action id of the button that shares all posts of a form. Its value is the id of one submission after `all:`. */
  shareAllAction: string;
}

/** A kind of submission, e.g. a post or an invitation. */
export interface SubmissionKind<Content> {
  /** Stored in rows, so the name must not change after a release. */
  readonly name: string;
  /** The form's feature. The buttons [Edit] and [Fix and send again] open the form with `{ submission: id }`. */
  readonly feature: string;
  /** Parses the stored JSON. */
  readonly content: z.ZodType<Content>;
  getProject(content: Content): { id: string; name: string } | undefined;
  /** Returns the required role. Upnext checks the author's role before each send. */
  getRole(content: Content): Role;
  /** Sends the content with exactly one call. Resolves with the record's id in the service, if there is one. */
  send(api: ApiClient, content: Content): Promise<Outcome<string | undefined>>;
  /** Creates the summary, which replaces the content in the purge. Without this function there is no summary. */
  summarize?(content: Content): Content;
  /** Runs when a submission is confirmed. Must be idempotent. */
  onConfirmed?(db: Kysely<SubmissionTables>, row: SubmissionRow, content: Content): Promise<void>;
  readonly unknownOutcome: UnknownOutcomeStrategy<Content>;
  /** Whether a 404 after an unknown outcome confirms the submission, e.g. a deletion. */
  readonly isDoneWhenNotFound?: boolean;
  /** Returns the publishing time; undefined if there is none. Upnext sends nothing after that time. */
  getPublishAt?(content: Content): Date | undefined;
  /**
   * Rebuilds a refused form with the submitted values and the service's validation errors. There is one row for each
   * publishing time. Resolves with undefined if the form's version is outdated. `createForm` returns this function.
   */
  rebuildForm?(
    context: { db: Kysely<SubmissionTables>; encryption: Encryption; now: Date },
    rows: readonly SubmissionRow[],
    refusal: ServiceRefusal,
  ): Promise<ModalView | undefined>;
  /**
   * Whether a form closes when the service has confirmed its submissions. The result is then in the message that the
   * form was opened from, or in an ephemeral message in its channel. Defaults to false: the form's view shows the
   * result.
   */
  readonly hasReceipt?: boolean;
  /** What only posts have. Other kinds always go to the service right away. */
  readonly post?: PostFunctions<Content>;
  /** The user-facing text. */
  readonly copy: KindCopy<Content>;
}

/** Pure functions that render user-facing text. */
export interface KindCopy<Content> {
  /** Renders plain text: "Post for Harbour Coffee, Tue 1 Dec, 09:00 (Berlin)". */
  renderTitle(content: Content, context: TextContext): string;
  /** Renders plain text: "Scheduled for Tue 1 Dec, 09:00 (Berlin)." */
  renderDone(content: Content, context: TextContext): string;
  /** Renders the view title of a confirmed submission, at most 24 characters. Defaults to "Done". */
  renderDoneTitle?(content: Content): string;
  /** Returns the author's text, e.g. for an excerpt. */
  getText(content: Content): string;
  /** Renders plain text for a 404: "There is no webhook …". */
  renderNotFound?(content: Content): string;
  /** Renders a note below the details of a confirmed submission; plain text. */
  renderDoneNote?(content: Content, context: TextContext): string | undefined;
  /** Renders a warning next to [Send again] after an unknown outcome; plain text: "Sent again, …". */
  renderResendWarning?(content: Content): string;
  renderDetails(content: Content, context: TextContext): KnownBlock[];
}

export type AnyKind = SubmissionKind<unknown>;

/** The kind of posts. */
export interface PostKind<Content> extends SubmissionKind<Content> {
  readonly post: PostFunctions<Content>;
}
