import { valuesOf } from '../blocks/element-state.ts';
import { isRecord, recordsIn, stringIn } from '../json.ts';
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

/** What a person reads of a message: its blocks, else its text; the titles of its files in brackets; its reactions. */
export function messageWords(
  site: Site,
  reader: Person,
  message: Pick<Message, 'text' | 'blocks' | 'reactions'> & { files?: readonly unknown[] },
): string {
  const blocks = recordsIn({ blocks: message.blocks }, 'blocks');
  const words =
    blocks.length > 0
      ? visibleText({ site, reader, values: valuesOf(blocks, {}) }, blocks)
      : visibleMrkdwn(site, reader, message.text);
  const titles = (message.files ?? []).flatMap((file) => fileTitle(site, file) ?? []);
  const reactions = (message.reactions ?? []).map(({ name, users }) => `:${name}: ${users.length}`);
  return [words, ...titles.map((title) => `[${title}]`), ...reactions]
    .filter((part) => part !== '')
    .join('\n');
}
