import { EXTRA_FIELDS } from '../api/post-fields.ts';
import type { Budget } from '../budget.ts';
import { namesFile } from '../posts/media-reference.ts';
import { type Column, readCell, readOptionalCell, removeAttachmentLink } from './cells.ts';
import type { Columns } from './columns.ts';
import { DELIMITERS, type TableRow } from './read-table.ts';

/** What spreadsheets show instead of a value that they can't compute, in the languages of the columns' names. */
const CELL_ERROR = new RegExp(
  `^#(?:n/a|nv|div/0!|(?:name|nom|nome|naam)\\?|¿nombre\\?|[¡]?(?:${[
    ...['ref', 'value', 'num', 'null', 'spill', 'calc', 'error', 'bezug', 'wert', 'zahl', 'valeur'],
    ...['nombre', 'nul', 'valor', 'valore', 'rif', 'waarde', 'verw', 'getal'],
  ].join('|')})!)$`,
  'iu',
);

const isCellError = (text: string) => CELL_ERROR.test(text);

/**
 * Words: a text of letters and its punctuation, or several of them without a link. The service doesn't document which
 * references it takes, so everything else may be one.
 */
const WORDS = /^(?!.*(?::\/\/|^www\.))(?:[\p{L}\p{M}]+[.,!?…’'"”)»]*|.*\S\s+\S.*)$/isu;

const isWordsOrError = (text: string) => WORDS.test(text) || isCellError(text);

const NO_MEDIA =
  'This isn’t a link to a picture or video. If it belongs to the text, put the whole text in quotation marks.';
const SEVERAL_FILES = 'A post has one picture or video. Write the name of one file.';

/** Maximum number of links that are read in a cell. A post has one, and people read that the others aren't imported. */
const MAX_LINKS = 50;

/** Lists a row's media, and the cells that have something else. A cell may have several links, as in Publer's files. */
export function listMedia(row: TableRow, { media }: Columns) {
  const links: string[] = [];
  const others: { column: Column; value: string; problem: string; isNote: boolean }[] = [];
  for (const column of media) {
    const value = readOptionalCell(row, column).trim();
    const found = value
      .split(/(?<![\s,;|])[\s,;|]+(?=https?:\/\/)/i, MAX_LINKS)
      .map((link) => link.trim())
      .filter((link) => link !== '');
    const isName = namesFile(value);
    const isNote = column.hasNotes === true && !isCellError(value) && !isName;
    const parts = removeAttachmentLink(value).split(/[,;|\n]+/, MAX_LINKS);
    const hasSeveral = parts.length > 1 && parts.every((part) => namesFile(part.trim()));
    if (hasSeveral) others.push({ column, value, problem: SEVERAL_FILES, isNote: false });
    else if (found.some(isWordsOrError) && !isName) others.push({ column, value, problem: NO_MEDIA, isNote });
    else if (links.length < MAX_LINKS) links.push(...found);
  }
  return { links, others };
}

const NO_PICTURES =
  'No row has a picture: a CSV file leaves out those inside cells. Write their links or file names instead.';

/** Says that all columns for media are empty, if one isn't for links: its pictures may be inside the cells. */
export async function noteEmptyPictures(
  rows: readonly TableRow[],
  { media }: Columns,
  budget: Budget,
): Promise<string[]> {
  const otherNames = /m[eé]dia|medien|メディア|vid[eé]o|url|link|column/i;
  if (media.every(({ name }) => otherNames.test(name))) return [];
  budget.resume();
  for (const row of rows) {
    await budget.giveWay();
    if (media.some((column) => readCell(row, column).trim() !== '')) return [];
  }
  return [NO_PICTURES];
}

/** An address, or a domain with its ending: “tel:+4930123”, “example.com/a”, but not “/shop”, “tba:soon” or “v1.2”. */
const ADDRESS = /^(?:mailto|sms|tel):\S|:\/\/\S|[\p{L}\p{N}-]\.\p{L}{2}/iu;

/** Reads the link that belongs below a row's text, or what its cell has instead. */
export function readLink(row: TableRow, { link: column }: Columns): { link: string; other: string } {
  const value = readOptionalCell(row, column).trim();
  const isList = value.split(/[\s,;]+/).every((part) => ADDRESS.test(part));
  const isOther = !ADDRESS.test(value) || (isWordsOrError(value) && !isList);
  return isOther ? { link: '', other: value } : { link: value, other: '' };
}

/** Reads the hashtags that belong below a row's text. Single words of a list need no "#", and other words stay as they are. */
export function readHashtags(row: TableRow, { hashtags: column }: Columns): string {
  const value = readOptionalCell(row, column).trim();
  const words = value.split(/[\s,;]+/);
  const isList = !/[#＃]/.test(value) && words.every((word) => /^[\p{L}\p{M}\p{N}_]+$/u.test(word));
  return isList && value !== '' ? words.map((word) => `#${word}`).join(' ') : value;
}

/** Leaves out the words of a cell of hashtags that a text has already, in any case. */
export function leaveOutTags(hashtags: string, text: string): string {
  const splitWords = (part: string) => part.toLowerCase().split(WORD_GAP);
  const words = new Set(splitWords(text));
  const isInText = (part: string) => splitWords(part).every((word) => words.has(word));
  return hashtags
    .split(/\s+/)
    .filter((part) => !isInText(part))
    .join(' ');
}
const WORD_GAP = /[^\p{L}\p{M}\p{N}_#＃]+/u;

const NO_LINK = 'This isn’t a link. If it belongs to the text, write it there.';
const HAS_ROWS = 'This text has further rows in it. Close its first quotation mark, or write it twice: "".';
const NO_VALUE = 'This is an error of the spreadsheet. Write the text.';

/** Whether a text has taken in rows, because the quotation mark at its beginning isn't closed. */
function hasRows(text: string, { date, when, clock, count }: Columns): boolean {
  const isRow = (line: string) =>
    DELIMITERS.some((delimiter) => {
      const cells = line.split(delimiter);
      const time = cells[(date ?? when ?? clock)?.index ?? -1] ?? '';
      return cells.length >= Math.max(2, count - 1) && /\d/.test(time);
    });
  if (!text.startsWith('"')) return false;
  const [first = '', ...lines] = text.split(/[\r\n]+/);
  return first.split('"').length % 2 === 0 && lines.some(isRow);
}

/** Finds values that must not go out: words in the link column, spreadsheet errors, and texts with further rows. */
export function findWrongCells(row: TableRow, columns: Columns) {
  const { link, text, hashtags, ownTexts } = columns;
  const { other } = readLink(row, columns);
  const extraColumns = EXTRA_FIELDS.map(({ name }) => columns[name]);
  const errors = [text, hashtags, ...extraColumns, ...ownTexts].flatMap((column) => {
    const value = readCell(row, column).trim();
    const problem = isCellError(value) ? NO_VALUE : hasRows(value, columns) ? HAS_ROWS : undefined;
    return column && problem !== undefined ? [{ column: column.name, value, problem }] : [];
  });
  if (!link || other === '') return errors;
  return [{ column: link.name, value: other, problem: NO_LINK, part: 'link' as const }, ...errors];
}

/**
 * What becomes of letters and emoji that were read or saved in another encoding: “fÃ¼r”, “itâ€™s”, “fŸr”, “roast ?? is”.
 * After a capital letter, “Ã” is one of a Portuguese word. In French, a space is before “??” at the end of a sentence.
 */
const BROKEN =
  /(?<!\p{Lu})[ÃÂ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€|ðŸ|[\u0080-\u009f\ufffd]|\p{Ll}[ŸŠŽ]|(?<!\S)\?\?(?!\?|\s*(?:$|\p{Lu}))/u;

/** Says that texts may have lost letters or emoji. */
export function findBrokenLetters(texts: readonly string[]): string[] {
  if (!texts.some((text) => BROKEN.test(text))) return [];
  return ['Some letters or emoji look broken. If so, save the file as CSV (UTF-8), and drop it again.'];
}
