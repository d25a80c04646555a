import type { Source } from './rule.ts';

interface Limit {
  is: number;
  source: Source;
}

/**
 * Slack's limits that are not about one field of a block, an element or a view: counts, characters, bytes and
 * milliseconds. The last that is taken.
 */
export const SLACK_LIMITS = {
  /** From an interaction to the view that it opens; once. */
  triggerMs: { is: 3_000, source: 'D I' },
  /** Modals that lie on each other. */
  viewStack: { is: 3, source: 'D' },
  /** The JSON of a view. */
  viewBytes: { is: 250 * 1024, source: 'D' },
  /** For every command, interaction, options request and event. */
  acknowledgeMs: { is: 3_000, source: 'D' },
  responseUrlUses: { is: 5, source: 'D' },
  responseUrlMs: { is: 30 * 60_000, source: 'D' },
  /** Letters that an external menu wants before it asks, unless it says otherwise. */
  minQueryLength: { is: 3, source: 'T I' },
  /** A longer text is cut. */
  messageText: { is: 40_000, source: 'D' },
  /** chat.update refuses a longer one. */
  updatedText: { is: 4_000, source: 'D' },
  /** In one message. */
  attachments: { is: 100, source: 'D' },
  /** The JSON of a message's metadata. Slack refuses larger metadata, but doesn't say from which size: our own choice. */
  metadataBytes: { is: 16 * 1024, source: 'D' },
  /** People in `users` of conversations.open. */
  usersOfConversation: { is: 8, source: 'D' },
  /** What blocks.validate looks at: characters of JSON. */
  validatedText: { is: 100_000, source: 'D' },
  /** The description of an uploaded picture. */
  altText: { is: 1_000, source: 'D' },
  /** A file that is uploaded as a snippet: 1 MB. */
  snippetBytes: { is: 1024 * 1024, source: 'D' },
  /** In all blocks of a message together, markdown blocks apart: 11,341 are refused. */
  textInBlocks: { is: 11_340, source: 'I' },
  /** In all markdown blocks of a message together. */
  markdownText: { is: 12_000, source: 'T P' },
  /** In all cells of a message's table together. */
  tableText: { is: 10_000, source: 'I' },
  /** Between two messages in one channel; bursts may be let through, which nobody can count on: here they are not. */
  postingMs: { is: 1_000, source: 'D' },
  /** Messages of an app in a minute in all channels of a workspace: "several hundred". */
  postingPerMinute: { is: 300, source: 'D' },
  /** From a person's consent to its exchange for a token; once. */
  oauthCodeMs: { is: 10 * 60_000, source: 'D' },
  /** An access token's life where tokens rotate: 12 hours. */
  accessTokenMs: { is: 12 * 60 * 60_000, source: 'D' },
  /** The token of a step in a workflow: 15 minutes. */
  stepTokenMs: { is: 15 * 60_000, source: 'I' },
  /** From the first use of a refresh token to its end: "a short grace period"; how short is our own choice. */
  refreshGraceMs: { is: 60_000, source: 'D' },
  /** Access tokens of one installation at once, where they rotate. */
  accessTokens: { is: 2, source: 'D' },
  /** Of one app at once. */
  sockets: { is: 10, source: 'D I' },
} as const satisfies Record<string, Limit>;
