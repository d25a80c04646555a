import { valuesOf } from '../blocks/element-state.ts';
import { isRecord, type Json, recordsIn, stringIn } from '../json.ts';
import type { Message, Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { fileById } from '../state/files.ts';
import { visibleMrkdwn } from './visible-mrkdwn.ts';
import { visibleText } from './visible-text.ts';

/** A file's title: of one that is stored by its id, or as the page gets it. */
function fileTitle(site: Site, file: unknown): string | undefined {
  if (typeof file === 'string') return fileById(site, file)?.title;
  return isRecord(file) ? stringIn(file, 'title') : undefined;
}

/** Its blocks, else its own texts. */
function attachmentWords(site: Site, reader: Person, attachment: Json): string[] {
  const blocks = recordsIn(attachment, 'blocks');
  if (blocks.length > 0) return [visibleText({ site, reader, values: valuesOf(blocks, {}) }, blocks)];
  const texts = ['pretext', 'author_name', 'title', 'text'].map((key) => stringIn(attachment, key));
  const fields = recordsIn(attachment, 'fields').map(
    (field) => `${stringIn(field, 'title')}: ${stringIn(field, 'value')}`,
  );
  return [...texts, ...fields, stringIn(attachment, 'footer')]
    .filter((text) => text !== undefined)
    .map((text) => visibleMrkdwn(site, reader, text));
}

/** What a person reads of a message: its blocks, else its text; its attachments; the titles of its files in brackets; its reactions. */
export function messageWords(
  site: Site,
  reader: Person,
  message: Pick<Message, 'text' | 'blocks' | 'attachments' | 'reactions'> & { files?: readonly unknown[] },
): string {
  const blocks = recordsIn({ blocks: message.blocks }, 'blocks');
  const words =
    blocks.length > 0
      ? visibleText({ site, reader, values: valuesOf(blocks, {}) }, blocks)
      : visibleMrkdwn(site, reader, message.text);
  const attached = (message.attachments ?? []).flatMap((attachment) =>
    attachmentWords(site, reader, attachment),
  );
  const titles = (message.files ?? []).flatMap((file) => fileTitle(site, file) ?? []);
  const reactions = (message.reactions ?? []).map(({ name, users }) => `:${name}: ${users.length}`);
  return [words, ...attached, ...titles.map((title) => `[${title}]`), ...reactions]
    .filter((part) => part !== '')
    .join('\n');
}
