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
  /** In all blocks of a message together, markdown blocks apart: 11,341 are refused. */
  textInBlocks: { is: 11_340, source: 'I' },
  /** In all markdown blocks of a message together. */
  markdownText: { is: 12_000, source: 'T P' },
  /** Of one app at once. */
  sockets: { is: 10, source: 'D I' },
} as const satisfies Record<string, Limit>;
