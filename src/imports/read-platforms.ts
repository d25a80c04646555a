import { PLATFORMS } from '../api/platforms.ts';
import { normalizeUnicode } from '../normalize-text.ts';
import {
  listPlatformChoices,
  parsePlatform,
  renderPlatformNames,
  sortPlatforms,
} from '../posts/platforms.ts';
import { clipLine } from '../slack/blocks.ts';
import { type RowProblem, readCell } from './cells.ts';
import type { Columns } from './columns.ts';
import type { ImportSettings } from './import-settings.ts';
import { NO, readAnswer, YES } from './read-status.ts';
import type { TableRow } from './read-table.ts';

/** Words around the name of a platform: "Facebook Page", "Instagram Business". */
const PLATFORM_WORDS =
  /(?<!\p{L})(?:page|profile|account|business|company|creator|channel|group|feed|post|seite|profil|konto|kanal|gruppe|compte|página|perfil|cuenta|conta|pagina|profilo)s?(?!\p{L})/giu;

/** What separates the names of platforms, in all languages that times are read in. */
const PLATFORM_SEPARATOR = /[,;|\n+&/、・と]|(?<!\p{L})(?:and|und|et|y|e|en)(?!\p{L})/iu;

export function readPlatforms(
  row: TableRow,
  { platforms: columns, flags, elsewhere }: Columns,
  settings: ImportSettings,
): { names: string[]; problems: RowProblem[] } {
  const names = new Set<string>();
  const problems: RowProblem[] = [];
  for (const column of columns) {
    const { cell, values, read } = readPlatformCell(readCell(row, column));
    const unknown = read.flatMap(({ value, platforms }) => (value !== '' && !platforms ? [value] : []));
    for (const { platforms = [] } of read) for (const name of platforms) names.add(name);
    // The parts of a link or of "N/A" say nothing alone.
    const isAllUnknown = read.every(({ value, platforms }) => value === '' || !platforms);
    const value = isAllUnknown ? cell : unknown.join(', ');
    const addProblem = (of: string, problem: string) =>
      problems.push({ column: column.name, value: of, problem, part: 'platforms' });
    if (values.length > MAX_PLATFORM_NAMES) addProblem(cell, TOO_MANY_PLATFORMS);
    else if (unknown.length > 0) addProblem(value, UNKNOWN_PLATFORM);
  }
  for (const flag of flags) {
    const answer = readAnswer(row, flag);
    if (YES.includes(answer)) names.add(flag.platform);
    else if (!NO.includes(answer))
      problems.push({
        ...{ column: flag.name, value: readCell(row, flag).trim(), part: 'flag' },
        problem: `Write TRUE or FALSE here, and the text in a column “Text for ${renderPlatformNames([flag.platform])}”.`,
      });
  }
  for (const column of elsewhere) {
    if (!YES.includes(readAnswer(row, column))) continue;
    const problem = `I can’t post to ${clipLine(column.name)}. Clear this cell, and post there yourself.`;
    problems.push({ column: column.name, value: readCell(row, column).trim(), problem, part: 'flag' });
  }
  // A row that says no to all of them says where it goes: nowhere.
  const saysNo = flags.some((flag) => readAnswer(row, flag) !== '');
  if (names.size === 0 && problems.length === 0 && !saysNo)
    for (const name of settings.platforms ?? []) names.add(name);
  return { names: sortPlatforms([...names]), problems };
}

/** Maximum number of names in a cell for platforms: more than there are. */
const MAX_PLATFORM_NAMES = 50;
const TOO_MANY_PLATFORMS = `This names more than ${MAX_PLATFORM_NAMES} platforms. Write each one once.`;
const UNKNOWN_PLATFORM = `I don’t know this platform. Write ${renderPlatformNames(
  listPlatformChoices().map(({ platform }) => platform),
).replace(/ and (\S+)$/, ' or $1')}.`;

function readPlatformCell(text: string) {
  const cell = normalizeUnicode(text, 'NFKC').trim();
  const values = cell.split(PLATFORM_SEPARATOR, MAX_PLATFORM_NAMES + 1).map((value) => value.trim());
  return { cell, values, read: values.map((value) => ({ value, ...readPlatformName(value) })) };
}

/** Whether a cell names platforms, and nothing else. A mark, such as “x”, may stand for a yes. */
export function namesPlatforms(text: string): boolean {
  const { read } = readPlatformCell(text);
  return read.every(({ value, platforms }) => value === '' || platforms?.length === 1);
}

/** Whether a cell names a platform, perhaps among other words. */
export const mentionsPlatform = (text: string): boolean =>
  readPlatformCell(text).read.some(({ platforms }) => platforms !== undefined);

/** Lists the accounts that a cell names beside their platforms: “harbourcoffee (X)”. */
export function listAccounts(text: string): { platform: string; account: string }[] {
  if (!/[(（:：]/.test(text)) return [];
  return readPlatformCell(text).read.flatMap(({ platforms: [platform] = [], account = '' }) =>
    platform === undefined || account === '' ? [] : [{ platform, account }],
  );
}

/** Reads the name of a platform, perhaps with its account: “harbourcoffee (X)”, “LinkedIn (Harbour Coffee)”, “X: @hc”. */
function readPlatformName(text: string): { platforms?: readonly string[]; account?: string } {
  const platforms = readPlainName(text);
  if (platforms) return { platforms };
  const [before = '', inBrackets, ...others] = text.replace(/\)$/, '').split('(', 3);
  const [beforeColon = '', behind, ...furtherParts] = text.split(':', 3);
  const hasBrackets = inBrackets !== undefined && text.endsWith(')');
  const [one, other] = hasBrackets ? [before, inBrackets] : [beforeColon, behind ?? ''];
  if (other === '' || (hasBrackets ? others : furtherParts).length > 0) return {};
  const [first, second] = [readPlainName(one), readPlainName(other)];
  if (first && !second) return { platforms: first, account: other.trim() };
  return second && !first && hasBrackets ? { platforms: second, account: one.trim() } : {};
}

function readPlainName(text: string): readonly string[] | undefined {
  const words = text
    .replace(PLATFORM_WORDS, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  // Also "tik tok" and "linked in".
  const platform = parsePlatform(words.join('')) ?? findOnly(words.map(parsePlatform));
  return platform === 'all' ? PLATFORMS : platform && [platform];
}

/** The value that all have. Undefined if they differ. */
function findOnly<Value>(values: readonly Value[]): Value | undefined {
  return values.every((value) => value === values[0]) ? values[0] : undefined;
}
