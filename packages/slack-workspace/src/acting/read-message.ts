import { computeValues } from '../blocks/element-values.ts';
import { getRecords, getString, isRecord, type Json } from '../json.ts';
import type { Message, Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findFile } from '../state/files.ts';
import { readBlocks } from './read-blocks.ts';
import { renderMrkdwn } from './render-mrkdwn.ts';

/** The title of a file, which is an id or the file itself. */
function readFileTitle(site: Site, file: unknown): string | undefined {
  if (typeof file === 'string') return findFile(site, file)?.title;
  return isRecord(file) ? getString(file, 'title') : undefined;
}

/** The blocks of an attachment, or else its texts. */
function readAttachment(site: Site, reader: Person, attachment: Json): string[] {
  const blocks = getRecords(attachment, 'blocks');
  if (blocks.length > 0) return [readBlocks({ site, reader, values: computeValues(blocks, {}) }, blocks)];
  const texts = ['pretext', 'author_name', 'title', 'text'].map((key) => getString(attachment, key));
  const fields = getRecords(attachment, 'fields').map(
    (field) => `${getString(field, 'title')}: ${getString(field, 'value')}`,
  );
  return [...texts, ...fields, getString(attachment, 'footer')]
    .filter((text) => text !== undefined)
    .map((text) => renderMrkdwn(site, reader, text));
}

/** A message as a person reads it: its blocks or else its text, its attachments, files in brackets, and reactions. */
export function readMessage(
  site: Site,
  reader: Person,
  message: Pick<Message, 'text' | 'blocks' | 'attachments' | 'reactions'> & { files?: readonly unknown[] },
): string {
  const blocks = getRecords({ blocks: message.blocks }, 'blocks');
  const content =
    blocks.length > 0
      ? readBlocks({ site, reader, values: computeValues(blocks, {}) }, blocks)
      : renderMrkdwn(site, reader, message.text);
  const attached = (message.attachments ?? []).flatMap((attachment) =>
    readAttachment(site, reader, attachment),
  );
  const titles = (message.files ?? []).flatMap((file) => readFileTitle(site, file) ?? []);
  const reactions = (message.reactions ?? []).map(({ name, users }) => `:${name}: ${users.length}`);
  return [content, ...attached, ...titles.map((title) => `[${title}]`), ...reactions]
    .filter((part) => part !== '')
    .join('\n');
}
