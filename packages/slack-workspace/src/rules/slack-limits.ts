import type { Source } from './field-rule.ts';

interface Limit {
  value: number;
  source: Source;
}

/**
 * Slack's limits that don't belong to one field of a block, element or view. All are inclusive. The name says the unit:
 * `Ms`, `Bytes`, `Length` for characters, otherwise a count.
 */
export const SLACK_LIMITS = {
  /** Lifetime of a trigger_id. It can be used once. */
  triggerIdMs: { value: 3_000, source: 'D I' },
  /** Modals in the stack of one person. */
  openViews: { value: 3, source: 'D' },
  /** JSON of a view. */
  viewBytes: { value: 250 * 1024, source: 'D' },
  /** For commands, interactions, options requests and events. */
  acknowledgementMs: { value: 3_000, source: 'D' },
  responseUrlUses: { value: 5, source: 'D' },
  responseUrlMs: { value: 30 * 60_000, source: 'D' },
  /** Default of `min_query_length`: the characters that a person types before Slack asks the app for options. */
  minQueryLength: { value: 3, source: 'T I' },
  /** Slack truncates longer messages. */
  messageTextLength: { value: 40_000, source: 'D' },
  /** chat.update refuses longer texts. */
  updatedTextLength: { value: 4_000, source: 'D' },
  attachments: { value: 100, source: 'D' },
  /** JSON of a message's metadata. Slack doesn't document from which size it refuses metadata. This value is ours. */
  metadataBytes: { value: 16 * 1024, source: 'D' },
  /** `users` of conversations.open. */
  conversationUsers: { value: 8, source: 'D' },
  /** Alternative text of an uploaded picture. */
  altTextLength: { value: 1_000, source: 'D' },
  snippetBytes: { value: 1024 * 1024, source: 'D' },
  /** All blocks of a message, without markdown blocks. Slack refused 11,341 characters. */
  blocksTextLength: { value: 11_340, source: 'I' },
  /** All markdown blocks of a message. */
  markdownTextLength: { value: 12_000, source: 'T P' },
  /** All cells of a table. */
  tableTextLength: { value: 10_000, source: 'I' },
  /** Time between two messages in one channel. Slack sometimes allows bursts, but no app can rely on them. */
  messageIntervalMs: { value: 1_000, source: 'D' },
  /** Messages of an app in a workspace. Slack documents "several hundred". */
  messagesPerMinute: { value: 300, source: 'D' },
  /** Lifetime of the code that an app exchanges for a token. It can be used once. */
  oauthCodeMs: { value: 10 * 60_000, source: 'D' },
  /** Lifetime of an access token with token rotation. */
  accessTokenMs: { value: 12 * 60 * 60_000, source: 'D' },
  stepTokenMs: { value: 15 * 60_000, source: 'I' },
  /** Time for which a used refresh token still works. Slack documents "a short grace period". This value is ours. */
  refreshGraceMs: { value: 60_000, source: 'D' },
  /** Valid access tokens of one installation with token rotation. */
  accessTokens: { value: 2, source: 'D' },
  /** Socket Mode connections of one app. */
  sockets: { value: 10, source: 'D I' },
} as const satisfies Record<string, Limit>;
