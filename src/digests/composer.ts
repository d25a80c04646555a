import type { OutcomeDetails } from '../api/outcome.ts';
import type { Message } from '../slack/message.ts';
import type { Digest } from './digest.ts';
import type { DigestReads } from './digest-reads.ts';

/** The input of a composer, in addition to the digest's settings. */
export interface ComposeRequest {
  now: Date;
  /** The scheduled moment. */
  due: Date;
  /** The scheduled date in the digest's zone: 2026-12-01. */
  date: string;
  /** The scheduled moment if the message is noticeably late. The message then mentions the delay. */
  delayedFrom?: Date;
  /** Whether a person requested the digest outside its schedule. */
  isRequested: boolean;
  /** When the digest's last message was sent. */
  lastSentAt?: Date;
  /** The `snapshot` that the composer returned with the digest's last message. */
  snapshot?: string;
  /** Ids of the projects in the service. */
  projects: readonly string[];
  reads: DigestReads;
  /** Whether the service has failed, so that only the posts that Upnext keeps can be shown. */
  isServiceDown?: boolean;
}

/** A picture that is shown at the end of a message. */
export interface Picture {
  png: Buffer;
  alt: string;
  /** The file's name. */
  name: string;
  title?: string;
}

export type ComposedMessage = Message & {
  /** Details, which are sent to the message's thread. */
  thread?: readonly Message[];
  picture?: Picture;
  /** Stored, and passed to the composer with the digest's next occurrence. At most 64 kB. */
  snapshot?: string;
};

/**
 * `gone`: a project of the digest was deleted. `failed`: the service didn't return the posts. `not-checked`: Upnext
 * couldn't check which projects the digest's recipients may see. `failed` and `not-checked` are retried for a limited
 * time.
 */
export type ComposeResult =
  | ({ kind: 'message' } & ComposedMessage)
  | { kind: 'silent'; snapshot?: string }
  | { kind: 'gone'; project: string }
  | { kind: 'not-checked' }
  | { kind: 'failed'; outcome: Exclude<OutcomeDetails<unknown>, { kind: 'done' }> };

/** Composes a digest from the service's data, without side effects. */
export type Composer = (digest: Digest, request: ComposeRequest) => Promise<ComposeResult>;
