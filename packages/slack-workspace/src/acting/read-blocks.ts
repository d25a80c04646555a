import { CHILD_FIELDS, computeValues, getStateField } from '../blocks/element-values.ts';
import { listVisibleStatuses } from '../interactions/statuses.ts';
import { getRecord, getRecords, getString, getText, isRecord, type Json } from '../json.ts';
import { type Piece, readMrkdwn } from '../page/read-mrkdwn.ts';
import { formatDate } from '../page/time.ts';
import type { ElementState, Message, Person, ViewValues } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findChannel, findPerson } from '../state/directory.ts';
import { findFile } from '../state/files.ts';

interface Reading {
  site: Site;
  reader: Person;
  values: ViewValues;
}

function readText(reading: Reading, object: Json | undefined): string {
  const text = object && getString(object, 'text');
  if (text === undefined) return '';
  return object?.type === 'mrkdwn' ? renderMrkdwn(reading.site, reading.reader, text) : text;
}

/** A value as text: an option's text, the name of a file, person or conversation, or the written text. */
function describeChoice(site: Site, value: unknown): string {
  if (isRecord(value)) return getText(value, 'text') ?? getString(value, 'name') ?? readDeep(value);
  const text = String(value);
  const channel = findChannel(site, text);
  return findPerson(site, text)?.realName ?? (channel ? `#${channel.name}` : text);
}

/** The value of an element, as the person sees it. */
export function readState(site: Site, state: ElementState | undefined): string {
  const field = state && getStateField(state.type);
  const value = field === undefined ? undefined : state?.[field];
  if (value === null || value === undefined) return '';
  return (Array.isArray(value) ? value : [value]).map((entry) => describeChoice(site, entry)).join(', ');
}

const BUTTON_TYPES = new Set(['button', 'icon_button', 'workflow_button']);

function readElement(reading: Reading, block: Json, element: Json): string {
  const label = getText(element, 'text');
  if (BUTTON_TYPES.has(String(element.type))) return `[${label ?? ''}]`;
  if (element.type === 'feedback_buttons') {
    const sides = [getRecord(element, 'positive_button'), getRecord(element, 'negative_button')];
    return sides.map((side) => `[${(side && getText(side, 'text')) ?? ''}]`).join(' ');
  }
  if (element.type === 'overflow') return '[More options]';
  if (element.type === 'image') return getString(element, 'alt_text') ?? '';
  if (element.type === 'plain_text' || element.type === 'mrkdwn') return readText(reading, element);
  const state = reading.values[getString(block, 'block_id') ?? '']?.[getString(element, 'action_id') ?? ''];
  const value = readState(reading.site, state);
  const hasList = element.type === 'checkboxes' || element.type === 'radio_buttons';
  const options = hasList
    ? getRecords(element, 'options').map((option) => getText(option, 'text') ?? '')
    : [];
  return [...options, `(${value === '' ? (getText(element, 'placeholder') ?? '') : value})`].join(' ');
}

function readDeep(value: unknown): string {
  if (Array.isArray(value)) return value.map(readDeep).join('');
  if (!isRecord(value)) return '';
  const emoji = value.type === 'emoji' ? `:${getString(value, 'name')}:` : '';
  return emoji + (getString(value, 'text') ?? '') + readDeep(value.elements);
}

/** `Write the digest (in_progress)`, with its details, output and sources. */
function readTask(task: Json): string {
  return [
    `${getString(task, 'title')} (${getString(task, 'status')})`,
    readDeep(getRecord(task, 'details')),
    readDeep(getRecord(task, 'output')),
    ...getRecords(task, 'sources').map((source) => getString(source, 'text') ?? ''),
  ].join('\n');
}

function readTable(rows: unknown): string {
  return (Array.isArray(rows) ? rows : [])
    .map((row: unknown) => (Array.isArray(row) ? row.map(readDeep).join(' | ') : ''))
    .join('\n');
}

/** Block type → its fields in reading order. Defaults to `text`. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  input: ['label', 'element', 'hint'],
  section: ['text', 'fields', 'accessory'],
  image: ['title', 'alt_text'],
  card: ['title', 'subtitle', 'body', 'actions'],
  container: ['title', 'rich_text_title', 'subtitle', 'child_blocks'],
  carousel: ['elements'],
  plan: ['title', 'tasks'],
};

function readField(reading: Reading, block: Json, value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((entry) => readField(reading, block, entry)).join('\n');
  if (!isRecord(value)) return '';
  return value.type === 'rich_text' ? readDeep(value) : readElement(reading, block, value);
}

function readBlock(reading: Reading, block: Json): string {
  const type = String(block.type);
  switch (type) {
    case 'actions':
    case 'context':
    case 'context_actions':
      return getRecords(block, 'elements')
        .map((element) => readElement(reading, block, element))
        .join(' ');
    case 'rich_text':
      return readDeep(block.elements);
    case 'task_card':
      return readTask(block);
    case 'data_table':
    case 'table':
      return [getString(block, 'caption') ?? '', readTable(block.rows)].join('\n');
    default:
      return (FIELDS[type] ?? ['text'])
        .map((field) =>
          field === CHILD_FIELDS[type] || field === 'tasks'
            ? readBlocks(reading, getRecords(block, field))
            : readField(reading, block, block[field]),
        )
        .join('\n');
  }
}

/** Blocks as a person reads them, with one element on each line, buttons in brackets and values in parentheses. */
export function readBlocks(reading: Reading, blocks: readonly Json[]): string {
  return blocks
    .flatMap((block) => readBlock(reading, block).split('\n'))
    .filter((line) => line.trim() !== '')
    .join('\n');
}

/** The app's statuses in the threads of a channel, or in one thread, such as `tester is thinking…`. */
export function describeThreadStatuses(
  site: Site,
  person: string,
  channel: string,
  threadTs?: string,
): string[] {
  return listVisibleStatuses(site, person)
    .filter((status) => status.channel === channel && (threadTs ?? status.threadTs) === status.threadTs)
    .flatMap(({ name, status, loadingMessages }) => [`${name} ${status}`, ...loadingMessages]);
}

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

/** Pieces that begin and end with a line break. */
const OWN_LINES: ReadonlySet<string> = new Set(['quote', 'item', 'pre']);

function renderAll(site: Site, reader: Person, pieces: readonly Piece[]): string {
  return pieces
    .map((piece, index) => {
      const before = pieces[index - 1]?.type ?? 'break';
      const startsLine = before !== 'break' && (OWN_LINES.has(before) || OWN_LINES.has(piece.type));
      return (startsLine ? '\n' : '') + renderPiece(site, reader, piece);
    })
    .join('');
}

function renderPiece(site: Site, reader: Person, piece: Piece): string {
  switch (piece.type) {
    case 'text':
    case 'code':
    case 'pre':
      return piece.text;
    case 'bold':
    case 'italic':
    case 'strike':
    case 'quote':
      return renderAll(site, reader, piece.children);
    case 'item':
      return `${piece.mark} ${renderAll(site, reader, piece.children)}`;
    case 'break':
      return '\n';
    case 'emoji':
      return `:${piece.name}:`;
    case 'link':
      return piece.label;
    case 'user':
      return `@${findPerson(site, piece.id)?.realName ?? piece.label ?? piece.id}`;
    case 'channel':
      return `#${findChannel(site, piece.id)?.name ?? piece.label ?? piece.id}`;
    case 'usergroup':
      return piece.label ?? `@${piece.id}`;
    case 'broadcast':
      return `@${piece.name}`;
    case 'date':
      return formatDate(piece.ms, piece.format, { zone: reader.tz, locale: reader.locale }, site.now());
  }
}

/** Renders mrkdwn as this person reads it on the page. Emoji stay names, which are easier to read in tests. */
export function renderMrkdwn(site: Site, reader: Person, text: string): string {
  return renderAll(site, reader, readMrkdwn(text));
}
