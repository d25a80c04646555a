import type { ActionsBlockElement, KnownBlock, ModalView } from '@slack/types';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { Encryption, Role } from '../access/access.ts';
import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import type { BotSchema } from '../store/schema.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import type { Reason } from './submission.ts';

/** For whom and when something is said. */
export interface Seen {
  now: Date;
  practice: boolean;
  readerZone?: string;
}

/** What a form is rebuilt with when nobody has it at hand. */
export interface Rebuilding {
  db: Kysely<BotSchema>;
  encryption: Encryption;
  now: Date;
  practice: boolean;
}

/** What lies at a place, to be counted by what is equal to a content. */
export interface CountEarly<Content> {
  equalTo(content: Content): number;
}

/** What is done where nobody knows whether the service has it. */
export type WhenUnknown<Content> =
  | {
      /** It is counted among what the service lists; never sent again unasked. */
      way: 'look';
      /** What makes two of them equal, with the project; the same for the same thing whoever sends it. */
      fingerprint(content: Content): string;
      /** How many equal ones the service lists now; `cannot-tell` where some cannot be read or there are too many. */
      count(api: ApiClient, content: Content): Promise<Outcome<number | 'cannot-tell'>>;
      /** The same while the form is still open, and its text may still change. */
      readonly early?: {
        /** Where they would be, e.g. a project and a moment; undefined where that cannot be said. */
        place(content: Content): string | undefined;
        /** What is at that place, to be counted once it is known what is sent. */
        look(api: ApiClient, content: Content): Promise<Outcome<CountEarly<Content> | 'cannot-tell'>>;
      };
    }
  /** There is no list to check: a person decides. */
  | { way: 'ask' }
  /** Absolute values: repeated by itself, unless a newer submission has the same target. */
  | { way: 'repeat'; target(content: Content): string };

/** One kind of thing that people submit: all that the machine needs to know of it. */
export interface SubmissionKind<Content> {
  /** Kept in rows, so never renamed. */
  readonly name: string;
  /** [Edit] and [Fix and send again] open this feature's form with `{ submission: id }`. */
  readonly feature: string;
  /** Reads back what was kept as JSON. */
  readonly content: z.ZodType<Content>;
  project(content: Content): { id: string; name: string } | undefined;
  /** Asked again when it is sent. */
  role(content: Content): Role;
  /** Exactly one call. */
  send(api: ApiClient, content: Content): Promise<Outcome<unknown>>;
  /** A short id to remember, from what the service answered. */
  result?(data: unknown): string | undefined;
  /** As much of it as is remembered with that id when its content is removed; nothing without. */
  remembered?(content: Content): Content;
  /** Once it is done, however that came to be known: what follows of it here. Safe to repeat. */
  confirmed?(db: Kysely<BotSchema>, row: SubmissionRow, content: Content): Promise<void>;
  readonly whenUnknown: WhenUnknown<Content>;
  /** 404 after nobody knew means that it is done. */
  readonly goneIsDone?: boolean;
  /** Past this moment it is never sent. */
  dueAt?(content: Content): Date | undefined;
  /**
   * Its form, out of the rows of all its moments, with every word that was submitted, and what the service found wrong under its fields; undefined where the
   * form is out of date. Its feature gets it with `createForm(…).submissions`.
   */
  rebuilt?(at: Rebuilding, rows: readonly SubmissionRow[], why: Reason): Promise<ModalView | undefined>;
  /** For [Save as draft]. */
  withoutMoment?(content: Content): Content;
  readonly words: KindWords<Content>;
}

/** What people read of it. Pure. */
export interface KindWords<Content> {
  /** Plain text: "Post for Harbour Coffee, Tue 1 Dec, 09:00 (Berlin)". */
  title(content: Content, seen: Seen): string;
  /** Plain text: "Scheduled for Tue 1 Dec, 09:00 (Berlin)." */
  done(content: Content, seen: Seen): string;
  /** The title of its view when it is done, at most 24 characters; "Done" where there is none. */
  doneTitle?(content: Content): string;
  /** What was typed; its first 150 characters are quoted. */
  text(content: Content): string;
  /** Plain text, where the service answers that it does not know what this is about: "There is no webhook …". */
  notFound?(content: Content): string;
  /** Plain text under the details, once it is done. */
  doneNote?(content: Content): string;
  /** Plain text beside [Send again], where nobody knows whether the service has it: "Sent again, …". */
  sentTwice?(content: Content): string;
  details(content: Content, seen: Seen): KnownBlock[];
  doneButtons?(
    content: Content,
    at: { id: string; channel?: string; shared: boolean },
  ): ActionsBlockElement[];
}

/** A kind whose content only itself reads. */
export type AnyKind = SubmissionKind<unknown>;
