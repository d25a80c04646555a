import type { Ending } from '../api/outcome.ts';
import type { Message } from '../slack/message.ts';
import type { Digest } from './digest.ts';
import type { DigestReads } from './digest-reads.ts';

/** When, of what, and by which reads a digest is put together. */
export interface Occasion {
  now: Date;
  /** Its moment as it was meant. */
  due: Date;
  /** The local date that is meant: 2026-12-01. */
  date: string;
  /** Its moment, where it comes noticeably later: the message says so. */
  late?: Date;
  /** Somebody asked for it just now. */
  asked: boolean;
  /** When the last one of this digest was posted. */
  since?: Date;
  /** What the last one of this digest gave to remember. */
  memory?: string;
  /** What it is about: ids in the service. */
  projects: readonly string[];
  reads: DigestReads;
}

/** A picture for the end of a message. */
export interface Picture {
  png: Buffer;
  alt: string;
  /** The file's name. */
  name: string;
  title?: string;
}

export type ComposedMessage = Message & {
  /** Details, in its thread. */
  thread?: readonly Message[];
  picture?: Picture;
  /** Direct messages to people; what has the same `once` goes out once in a workspace. */
  direct?: readonly { to: string; once: string; message: Message }[];
  /** Handed in with the next one of this digest; at most 64 kB. */
  memory?: string;
};

/**
 * `gone`: a project of it is deleted. `failed`: the service did not answer; `not-checked`: what its reader may see could
 * not be found out. Both are tried again for a while.
 */
export type Composed =
  | ({ kind: 'message' } & ComposedMessage)
  | { kind: 'silent'; memory?: string }
  | { kind: 'gone'; project: string }
  | { kind: 'not-checked' }
  | { kind: 'failed'; outcome: Exclude<Ending<unknown>, { kind: 'done' }> };

/** Puts a digest together, and changes nothing anywhere. */
export type Composer = (digest: Digest, occasion: Occasion) => Promise<Composed>;
