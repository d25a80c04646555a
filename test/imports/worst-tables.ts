/**
 * Files for an import that are made to take as long as possible, each up to 10 MB. A benchmark sends them to a server, and
 * measures how long other people wait.
 */

/** Nearly the largest file that is read. */
const MAX_LENGTH = 9_900_000;
const MAX_ROWS = 5_000;

const encode = (length: number, text: string) => new TextEncoder().encode(text.slice(0, length));
const fill = (part: string, length = MAX_LENGTH) =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);

const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

/** Builds a table with a row for each number. It has as many rows as fit into the largest file. */
function buildTable(
  maxLength: number,
  names: readonly string[],
  buildRow: (row: number) => readonly string[],
): Uint8Array {
  const lines = [names.map(quote).join(',')];
  for (let [row, length] = [0, 0]; row < MAX_ROWS && length < maxLength; row += 1) {
    const line = buildRow(row).map(quote).join(',');
    length += Buffer.byteLength(line) + 1;
    if (length < maxLength) lines.push(line);
  }
  return new TextEncoder().encode(lines.join('\n'));
}

const repeatName = (name: string, count = 100) =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`);
const repeatCell = (cell: string, count = 100) => Array.from({ length: count }, () => cell);
const time = (row: number) =>
  new Date(Date.UTC(2027, 0, 1) + row * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');

/** A table with usual times and texts, and these cells in a further column. */
const buildCells = (maxLength: number, name: string, build: (row: number) => string) =>
  buildTable(maxLength, ['Time', 'Text', name], (row) => [time(row), `Post ${row}`, build(row)]);
const buildTexts = (maxLength: number, build: (row: number) => string) =>
  buildTable(maxLength, ['Time', 'Text'], (row) => [time(row), build(row)]);
const buildTimes = (maxLength: number, build: (row: number) => string) =>
  buildTable(maxLength, ['Time', 'Text'], (row) => [build(row), `Post ${row}`]);
const repeatIn = (lengthOfCell: number, part: string) => (row: number) => `${row}${fill(part, lengthOfCell)}`;

const OWN = 'X LinkedIn Instagram Facebook Threads YouTube TikTok Pinterest Reddit Telegram'
  .split(' ')
  .map((platform) => `Text for ${platform}`);

interface WorstTable {
  name: string;
  /** `length`: the most bytes. Defaults to nearly the largest file that is read. */
  createBytes(length?: number): Uint8Array;
}

export const WORST_TABLES: readonly WorstTable[] = [
  { name: 'a header of brackets', createBytes: (length = MAX_LENGTH) => encode(length, `Text,${fill('(')}`) },
  {
    name: '100 headers of brackets',
    createBytes: (length = MAX_LENGTH) =>
      buildTable(length, ['Text', ...repeatName(fill('(', length / 110))], () => ['A']),
  },
  {
    name: '100,000 columns for media',
    createBytes: (length = MAX_LENGTH) => encode(length, `Text,${fill('media,')}\nA`),
  },
  {
    name: '1 million columns',
    createBytes: (length = MAX_LENGTH) => encode(length, `Text,${fill('a,', length / 2)}\n${fill('a,')}`),
  },
  {
    name: 'a row of 5 million cells',
    createBytes: (length = MAX_LENGTH) => encode(length, `Time,Text\n${fill('a,')}`),
  },
  { name: 'only commas', createBytes: (length = MAX_LENGTH) => encode(length, fill(',')) },
  { name: 'only ends of lines', createBytes: (length = MAX_LENGTH) => encode(length, `Text${fill('\n')}`) },
  { name: 'only quotation marks', createBytes: (length = MAX_LENGTH) => encode(length, fill('"')) },
  {
    name: 'a quoted text of 9 MB',
    createBytes: (length = MAX_LENGTH) =>
      encode(length, `Time,Text\n2027-01-01 9:00,"${fill('a b\n', length - 100)}"`),
  },
  {
    name: 'a quoted text of doubled quotation marks',
    createBytes: (length = MAX_LENGTH) =>
      encode(length, `Text\n"${fill('""', 2 * Math.floor(length / 2) - 100)}"`),
  },
  {
    name: 'a quotation mark that is never closed',
    createBytes: (length = MAX_LENGTH) => encode(length, `Time,Text\n,"${fill('a,b\n')}`),
  },
  { name: 'Windows-1252', createBytes: (length = MAX_LENGTH) => new Uint8Array(length).fill(0xe9) },
  {
    name: 'UTF-16 with emoji',
    createBytes: (length = MAX_LENGTH) =>
      Buffer.from(`\ufeffText,Time\n${fill('🙂,', length / 2 - 100)}`, 'utf16le'),
  },
  {
    name: '300,000 platforms in a cell',
    createBytes: (length = MAX_LENGTH) =>
      encode(length, `Time,Text,Platforms\n,A,"${fill('X,', length - 100)}"`),
  },
  {
    name: '5,000 cells of 250 platforms',
    createBytes: (length = MAX_LENGTH) => buildCells(length, 'Platforms', repeatIn(490, 'a,')),
  },
  {
    name: '100 columns of platforms',
    createBytes: (length = MAX_LENGTH) =>
      buildTable(length, ['Text', ...repeatName('Platform', 99)], (row) => [
        `${row}`,
        ...repeatCell('a,b,c,d,e,f', 99),
      ]),
  },
  {
    name: '97 columns named after a platform',
    createBytes: (length = MAX_LENGTH) =>
      buildTable(length, ['Time', 'Text', 'Alt text', ...repeatCell('Facebook', 97)], (row) => [
        time(row),
        'A',
        'B',
        ...repeatCell('perhaps', 97),
      ]),
  },
  {
    name: '100 columns for media',
    createBytes: (length = MAX_LENGTH) =>
      buildTable(length, ['Text', ...repeatName('Media', 99)], (row) => [
        `${row}`,
        ...repeatCell('https://a.b/c.jpg', 99),
      ]),
  },
  {
    name: '100 columns that may be for media',
    createBytes: (length = MAX_LENGTH) =>
      buildTable(length, ['Text', ...repeatName('Visual', 99)], (row) => [
        `${row}`,
        ...repeatCell('a b, c.jpg', 99),
      ]),
  },
  {
    name: 'a million links in a cell',
    createBytes: (length = MAX_LENGTH) =>
      encode(length, `Text,Media\nA,"${fill('http://a ', length - 100)}"`),
  },
  {
    name: '2,400 cells of links',
    createBytes: (length = MAX_LENGTH) => buildCells(length, 'Media', repeatIn(4_000, ' http://a')),
  },
  {
    name: 'cells of separators',
    createBytes: (length = MAX_LENGTH) => buildCells(length, 'Media', repeatIn(4_000, ' ,;|')),
  },
  {
    name: 'cells of names of files',
    createBytes: (length = MAX_LENGTH) =>
      buildCells(length, 'Media', (row) => `${row}/${fill('a.a', 4_000)}.jpg`),
  },
  {
    name: 'cells of links of Airtable',
    createBytes: (length = MAX_LENGTH) => buildCells(length, 'Visual', repeatIn(4_000, ' (https://a-')),
  },
  {
    name: 'links that are lists',
    createBytes: (length = MAX_LENGTH) => buildCells(length, 'Link', repeatIn(4_000, 'a.bc, ')),
  },
  {
    name: 'links that are words',
    createBytes: (length = MAX_LENGTH) => buildCells(length, 'Link', repeatIn(4_000, 'a ')),
  },
  {
    name: 'times of blanks',
    createBytes: (length = MAX_LENGTH) => buildTimes(length, (row) => `2026-12-01${fill(' ,\n', 280)}${row}`),
  },
  {
    name: 'times of commas',
    createBytes: (length = MAX_LENGTH) => buildTimes(length, (row) => `2026-12-01${fill(',', 280)}${row}`),
  },
  {
    name: 'times of digits and dashes',
    createBytes: (length = MAX_LENGTH) => buildTimes(length, repeatIn(290, '1-')),
  },
  {
    name: 'times of words with years',
    createBytes: (length = MAX_LENGTH) =>
      buildTable(length, ['Date', 'Time', 'Text'], (row) => [
        `1 Dec ${fill('a 2', 250)}`,
        fill('é20', 290),
        `${row}`,
      ]),
  },
  {
    name: 'times in words',
    createBytes: (length = MAX_LENGTH) => buildTimes(length, (row) => `in ${row + 1} hours`),
  },
  {
    name: 'times in slow words',
    createBytes: (length = MAX_LENGTH) =>
      buildTimes(length, (row) => `${fill('first monday of next ', 280)}${row}`),
  },
  {
    name: 'next slots',
    createBytes: (length = MAX_LENGTH) =>
      buildTimes(length, (row) => `next slot after 1 Jan ${2027 + (row % 5)}`),
  },
  {
    name: 'zones of words',
    createBytes: (length = MAX_LENGTH) =>
      buildTable(length, ['Time', 'Time zone', 'Text'], (row) => [
        '2027-01-01 9:00',
        `${fill('utc ', 250)}${row}`,
        'A',
      ]),
  },
  {
    name: 'projects of marks',
    createBytes: (length = MAX_LENGTH) => buildCells(length, 'Project', repeatIn(290, '\u0315\u0301')),
  },
  {
    name: 'statuses of blanks',
    createBytes: (length = MAX_LENGTH) => buildCells(length, 'Status', (row) => `a${fill(' ', 280)}${row}!`),
  },
  {
    name: 'drafts of texts',
    createBytes: (length = MAX_LENGTH) => buildCells(length, 'Draft', repeatIn(1_900, 'a - ')),
  },
  {
    name: 'texts of marks',
    createBytes: (length = MAX_LENGTH) => buildTexts(length, repeatIn(8_900, '\u0315\u0301')),
  },
  {
    name: 'texts of blanks',
    createBytes: (length = MAX_LENGTH) => buildTexts(length, (row) => `${fill(' ', 8_900)}${row}`),
  },
  {
    name: 'texts of question marks',
    createBytes: (length = MAX_LENGTH) => buildTexts(length, repeatIn(8_900, ' ??  ')),
  },
  {
    name: 'texts of further rows',
    createBytes: (length = MAX_LENGTH) => buildTexts(length, (row) => `"${fill('a,1;b|\t\n', 8_900)}${row}`),
  },
  {
    name: 'texts of links',
    createBytes: (length = MAX_LENGTH) => buildTexts(length, repeatIn(8_900, 'a.com#x @a ')),
  },
  {
    name: 'texts of emoji',
    createBytes: (length = MAX_LENGTH) => buildTexts(length, repeatIn(8_900, '👩‍👩‍👧')),
  },
  {
    name: 'texts of brackets',
    createBytes: (length = MAX_LENGTH) => buildTexts(length, repeatIn(8_900, '([{<')),
  },
  {
    name: 'texts of apostrophes',
    createBytes: (length = MAX_LENGTH) => buildTexts(length, (row) => `${fill("'", 8_900)}${row}`),
  },
  {
    name: 'texts of fillers',
    createBytes: (length = MAX_LENGTH) => buildTexts(length, (row) => `'${fill('\u3164', 8_900)}${row}`),
  },
  {
    name: 'texts that are too long',
    createBytes: (length = MAX_LENGTH) => buildTexts(length, repeatIn(40_000, 'a')),
  },
  {
    name: 'own texts for ten platforms',
    createBytes: (length = MAX_LENGTH) =>
      buildTable(length, ['Time', 'Text', 'Alt text', ...OWN], (row) => [
        time(row),
        'A',
        'B',
        ...repeatCell(`${row}${fill('a b ', 180)}`, 10),
      ]),
  },
  {
    name: 'subjects and words',
    createBytes: (length = MAX_LENGTH) =>
      buildTable(length, ['Content', ...repeatName('Caption', 99)], (row) => [
        row === 4_999 ? 'a' : `${fill(' ', 1_700)}a`,
        ...repeatCell(row === 4_999 ? '' : 'b', 99),
      ]),
  },
  {
    name: 'cells to the right of the last column',
    createBytes: (length = MAX_LENGTH) =>
      buildTable(length, ['Time', 'Text'], (row) => [time(row), ...repeatCell(`a${row}`, 200)]),
  },
  {
    name: 'times whose columns are ranked',
    createBytes: (length = MAX_LENGTH) =>
      buildTable(length, ['Text', ...repeatName(`Publish time - ${fill('a ', 280)}`, 99)], () => [
        'A',
        ...repeatCell('9:00', 99),
      ]),
  },
  {
    name: '5,000 different problems',
    createBytes: (length = MAX_LENGTH) => buildTimes(length, (row) => `${row} ${fill('soonish ', 250)}`),
  },
  {
    name: '5,000 good rows of 2,000 characters',
    createBytes: (length = MAX_LENGTH) => buildTexts(length, repeatIn(1_900, 'A new roast. ')),
  },
];
