import type { Ending } from '../api/outcome.ts';
import type { Message } from '../slack/message.ts';
import type { Digest } from './digest.ts';
import type { DigestReads } from './digest-reads.ts';

/** The input of a composer, besides the digest's settings. */
export interface ComposeRequest {
  now: Date;
  /** The scheduled moment. */
  due: Date;
  /** The scheduled date in the digest's zone: 2026-12-01. */
  date: string;
  /** The scheduled moment, set only if the message is noticeably late; the message then says so. */
  late?: Date;
  /** A person requested the digest, outside its schedule. */
  asked: boolean;
  /** When the digest's last message was sent. */
  since?: Date;
  /** The `memory` that the composer returned with the digest's last message. */
  snapshot?: string;
  /** Ids of the projects in the service. */
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
  /** Details, sent into the message's thread. */
  thread?: readonly Message[];
  picture?: Picture;
  /** Direct messages to people. Those with the same `once` are sent once per workspace. */
  direct?: readonly { to: string; once: string; message: Message }[];
  /** Stored, and passed in with the digest's next occurrence; at most 64 kB. */
  snapshot?: string;
};

/**
 * `gone`: one of its projects is deleted. `failed`: the service did not answer. `not-checked`: it is unknown which
 * projects the reader may see. Both of the last two are retried for a while.
 */
export type ComposeResult =
  | ({ kind: 'message' } & ComposedMessage)
  | { kind: 'silent'; snapshot?: string }
  | { kind: 'gone'; project: string }
  | { kind: 'not-checked' }
  | { kind: 'failed'; outcome: Exclude<Ending<unknown>, { kind: 'done' }> };

/** Composes a digest from what it reads, without side effects. */
export type Composer = (digest: Digest, request: ComposeRequest) => Promise<ComposeResult>;
