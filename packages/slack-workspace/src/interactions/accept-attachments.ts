import { addIds } from '../blocks/add-ids.ts';
import { getString, isRecord, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { acceptBlocks } from './accept-content.ts';

/**
 * The text of notifications for an attachment without text (docs.slack.dev, "Legacy secondary message attachments").
 */
const DEFAULT_FALLBACK = '[no preview available]';

function acceptBlocksOf(site: Site, attachment: Json): { blocks?: Json[] } {
  if (attachment.blocks === undefined) return {};
  try {
    return { blocks: addIds(acceptBlocks(site, attachment.blocks)) };
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal('invalid_attachments', error.details);
    throw error;
  }
}

/**
 * Returns the attachments as Slack does: numbered, with a fallback, and with the colour without `#`. Throws
 * `invalid_attachments`.
 */
export function acceptAttachments(site: Site, given: unknown): Json[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given) || !given.every(isRecord)) throw new Refusal('invalid_attachments');
  return given.map((attachment, index) => {
    const color = getString(attachment, 'color');
    return {
      id: index + 1,
      ...attachment,
      ...(color === undefined ? {} : { color: color.replace('#', '') }),
      ...acceptBlocksOf(site, attachment),
      fallback: getString(attachment, 'fallback') ?? getString(attachment, 'text') ?? DEFAULT_FALLBACK,
    };
  });
}
