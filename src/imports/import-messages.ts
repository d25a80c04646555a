import type { Button, KnownBlock } from '@slack/types';
import { type Role, renderMissingRole } from '../access/access.ts';
import { renderSentCount } from '../posts/post-text.ts';
import {
  actions,
  buildButtonRow,
  button,
  clipLine,
  context,
  escapeText,
  section,
  withConfirmation,
} from '../slack/blocks.ts';
import { buildFallbackText, type Message } from '../slack/message.ts';
import { renderCount } from '../words.ts';
import type { PostImportRow, State } from './post-import.ts';
import type { AboutImport } from './stored-import.ts';

/** The action ids of the buttons of an import, whose value is its id. */
export const IMPORT_ACTIONS = {
  start: 'import.start',
  settings: 'import.settings',
  dayFirst: 'import.day-first',
  monthFirst: 'import.month-first',
  useColumn: 'import.use-column',
  leaveColumn: 'import.leave-column',
  corrections: 'import.corrections',
  discard: 'import.discard',
  stop: 'import.stop',
  resume: 'import.resume',
  undo: 'import.undo',
} as const;

/** A project of an import, and the role that its posts need. `name` is undefined if it can't be decrypted. */
export interface NeededRole {
  id: string;
  name: string | undefined;
  role: Role;
}

/** What a message says about an import. `about` is undefined if it can't be decrypted. */
export interface ImportMessageInput {
  row: PostImportRow;
  about: AboutImport | undefined;
  /** What the next batch needs, if its author's role is why the import waits or has stopped. */
  needed?: NeededRole | undefined;
  /** The number of its posts that an undo would cancel now. Defaults to 0: there is no [Undo import…]. */
  undoableCount?: number;
  /** The number of posts that it has stored, also in the batch that was in progress at a stop. Defaults to `imported`. */
  storedCount?: number;
  /** The number of its posts that are cancelled, also by people before an undo. Defaults to those that the undo cancelled. */
  cancelledCount?: number;
}

const MAX_FILE_NAME_LENGTH = 80;

/** Renders the name of the file; plain text. */
export function renderFileName({ about }: Pick<ImportMessageInput, 'about'>): string {
  return clipLine(about?.fileName ?? 'your table', MAX_FILE_NAME_LENGTH);
}

/** "Harbour Coffee", or "Harbour Coffee and 2 other projects". */
export function renderProjects({ about }: Pick<ImportMessageInput, 'about'>): string {
  const [first, ...others] = about?.projects ?? [];
  const name = first ? clipLine(first.name, MAX_FILE_NAME_LENGTH) : 'your project';
  return others.length === 0 ? name : `${name} and ${renderCount(others.length, 'other project')}`;
}

/** Builds a message of blocks, with their text for notifications. */
export function toMessage(blocks: KnownBlock[]): Message {
  return { text: buildFallbackText(blocks), blocks };
}

/** Renders an import after its check: how far it is, how it ended, and what its author can do. */
export function renderImport(input: ImportMessageInput): Message {
  const { row } = input;
  const name = escapeText(renderFileName(input));
  const progress = `${input.storedCount ?? row.imported} of ${renderCount(row.good, 'post')}`;
  switch (row.state) {
    case 'checked':
      return toMessage([
        section(
          `*${name}* was checked, and isn’t imported: ${renderCount(row.good, 'post')} for ${escapeText(renderProjects(input))}.`,
        ),
        actions(
          ...(row.good > 0
            ? [button(`Import ${renderCount(row.good, 'post')}`, IMPORT_ACTIONS.start, row.id, 'primary')]
            : []),
          button('Discard', IMPORT_ACTIONS.discard, row.id),
        ),
      ]);
    case 'importing':
      return toMessage([
        section(`:hourglass_flowing_sand: Importing *${name}*: ${progress} so far.${renderWaiting(input)}`),
        actions(button('Stop', IMPORT_ACTIONS.stop, row.id)),
      ]);
    case 'stopped':
      return toMessage(renderStopped(input, `*${name}*: ${progress} imported.`));
    case 'done':
      return toMessage(renderDone(input, name));
    case 'undoing':
      return toMessage([
        section(`:hourglass_flowing_sand: Undoing the import of *${name}*…${renderWaiting(input)}`),
      ]);
    case 'undone':
      return toMessage(renderUndone(input, name));
    case 'dropped':
      return toMessage([section(`*${name}* is discarded. Nothing was imported.`)]);
  }
}

function renderUndone(input: ImportMessageInput, name: string): KnownBlock[] {
  const { undone, imported } = input.row;
  const left = (input.storedCount ?? imported) - Math.max(undone, input.cancelledCount ?? 0);
  const result = undone === 0 ? 'can’t be undone any more' : left > 0 ? 'is undone in part' : 'is undone';
  return [
    section(`The import of *${name}* ${result}: ${renderCount(undone, 'post')} cancelled.`),
    ...renderLostRole(input),
    ...(left > 0 ? [context(`${renderSentCount(left)}.`)] : []),
  ];
}

/** Says after the progress that the import waits, if it does (mrkdwn). */
function renderWaiting({ row, needed }: ImportMessageInput): string {
  return row.reason === 'not-checked' ? ` I’m waiting, because ${renderReason('unknown', needed)}.` : '';
}

function renderLostRole({ row, needed }: ImportMessageInput): KnownBlock[] {
  if (row.reason !== 'not-allowed') return [];
  return [section(`I stopped there, because ${renderReason('no', needed)}.`)];
}

function renderReason(answer: 'no' | 'unknown', { name, role }: Partial<NeededRole> = {}): string {
  const shownName = name === undefined ? undefined : clipLine(name, MAX_FILE_NAME_LENGTH);
  return escapeText(renderMissingRole(answer, role ?? 'publisher', shownName));
}

const STOP_REASONS = {
  restored:
    'A backup was restored, so I don’t know what was imported since. Import the rows again: posts that exist are left out.',
  unreadable: 'I can no longer read its rows. Import the rows again: posts that exist are left out.',
} as const;

function renderStopped(input: ImportMessageInput, progress: string): KnownBlock[] {
  const { reason } = input.row;
  if (reason === 'restored' || reason === 'unreadable')
    return [
      section(`The import stopped. ${progress}`),
      section(STOP_REASONS[reason]),
      ...buildButtonRow(buildUndoButton(input)),
    ];
  return [
    section(reason === null ? `Stopped. ${progress}` : progress),
    ...renderLostRole(input),
    actions(button('Resume', IMPORT_ACTIONS.resume, input.row.id, 'primary'), ...buildUndoButton(input)),
  ];
}

function renderDone(input: ImportMessageInput, name: string): KnownBlock[] {
  const { row } = input;
  // Somebody has made these posts since the check.
  const equal = row.good - row.imported;
  const areDrafts = input.about?.projects.every(({ role }) => role === 'contributor');
  const faultyText = `${renderCount(row.faulty, 'row needs a correction. Correct it in the file with this row', 'rows need a correction. Correct them in the file with these rows')}, and import that: \`/upnext import\``;
  return [
    section(
      `:white_check_mark: *${renderCount(row.imported, 'post')}* imported from ${name} for ${escapeText(renderProjects(input))}. See them with \`/upnext posts ${areDrafts ? 'drafts' : 'scheduled or draft'}\`.`,
    ),
    ...(equal > 0 ? [section(`${renderCount(equal, 'row')} left out: the same post exists already.`)] : []),
    ...(row.faulty > 0 ? [section(faultyText)] : []),
    ...buildButtonRow([
      ...buildUndoButton(input),
      ...(row.faulty > 0 ? [button('Get the rows to correct', IMPORT_ACTIONS.corrections, row.id)] : []),
    ]),
  ];
}

function buildUndoButton({ row: { id }, undoableCount = 0 }: ImportMessageInput): Button[] {
  if (undoableCount === 0) return [];
  const dialog = {
    title: 'Undo this import?',
    text: `I cancel its posts that haven’t gone to the scheduling service: up to ${renderCount(undoableCount, 'post')}, also those that were edited since.`,
    confirm: 'Undo the import',
    deny: 'Keep the posts',
    style: 'danger',
  } as const;
  return [withConfirmation(button('Undo import…', IMPORT_ACTIONS.undo, id, 'danger'), dialog)];
}

/** What became of an import, after the name of its file. */
export const STATE_WORDS: Readonly<Record<State, string>> = {
  checked: 'checked, not imported',
  importing: 'importing',
  stopped: 'stopped',
  done: 'imported',
  undoing: 'being undone',
  undone: 'undone',
  dropped: 'discarded',
};

/** Renders what an earlier message says after a newer one has told the result: what it was about, and no more. */
export function renderEarlierMessage(input: ImportMessageInput): Message {
  return toMessage([section(`*${escapeText(renderFileName(input))}*: ${STATE_WORDS[input.row.state]}.`)]);
}
