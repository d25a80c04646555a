import type { WebClient } from '@slack/web-api';
import { EXTRA_FIELDS } from '../api/post-fields.ts';
import { BUDGETS, type Budget, createBudget } from '../budget.ts';
import { listPlatformChoices, renderPlatformNames } from '../posts/platforms.ts';
import { clipLine } from '../slack/blocks.ts';
import { formatCsv, formatCsvRow, formatExportTime, joinCsv } from '../slack/csv.ts';
import { removeAttachmentLink } from './cells.ts';
import type { CheckedRow } from './check-rows.ts';
import type { ImportContext } from './import-context.ts';
import type { PostImportRow } from './post-import.ts';
import { readLeftRows, readPart } from './stored-import.ts';

/** The columns of the template and of the rows to correct. They say everything, so nothing is asked about such a file. */
const COLUMNS = [
  ...['Time', 'Time zone', 'Project', 'Platforms', 'Status', 'Text', 'Media'],
  ...EXTRA_FIELDS.map(({ label }) => label),
];

/** Builds the template: the names of the columns, and two examples, which aren't imported. */
export function buildTemplate(example: {
  time: Date;
  /** IANA name. Undefined if the person's isn't known: then the check asks for it. */
  zone: string | undefined;
  project: string;
}): string {
  const { time, zone, project } = example;
  const start = formatExportTime(time, zone ?? 'UTC').slice(0, 10);
  return formatCsv([
    COLUMNS,
    [
      `${start} 09:00`,
      zone ?? '',
      project,
      'LinkedIn, X',
      'Example',
      'Our new roast is here.',
      'https://example.com/roast.jpg',
      'A bag of coffee beans',
    ],
    [
      'tomorrow 4pm',
      zone ?? '',
      project,
      'Instagram',
      'Example',
      'Write Scheduled or Draft as the status, or nothing.',
      'https://example.com/photo.jpg',
      '',
    ],
  ]);
}

/** Builds the file with the rows that need a correction. It can be imported as it is after that. */
export async function buildCorrections(rows: readonly CheckedRow[], budget: Budget): Promise<string> {
  const ownTextPlatforms = listPlatformChoices().filter(({ platform }) =>
    rows.some(({ post }) => post.ownTexts?.[platform] !== undefined),
  );
  // A value that is neither yes nor no, or no link, comes back in its column, where its problem says what to write.
  const isOfOwnColumn = ({ part }: CheckedRow['problems'][number]) => part === 'flag' || part === 'link';
  const ownProblems = rows.flatMap(({ problems }) => problems).filter(isOfOwnColumn);
  const ownColumns = [...new Set(ownProblems.map(({ column }) => column))];
  const ownNames = ownTextPlatforms.map(({ name }) => `Text for ${name}`);
  const lines = [formatCsvRow([...COLUMNS, ...ownNames, ...ownColumns, 'Row', 'Problem'])];
  const listCells = ({ number, post, time, problems }: CheckedRow) => {
    const { moment, project, platforms, isDraft, text, media } = post;
    const listUnknown = (part: CheckedRow['problems'][number]['part']) =>
      problems.filter((each) => each.part === part).map(({ value }) => value);
    const [unknownStatus] = listUnknown('status');
    return [
      moment ? formatExportTime(moment.instant, moment.zone) : time,
      moment?.zone ?? post.zone,
      project.name,
      [renderPlatformNames(platforms), ...listUnknown('platforms')].filter((name) => name !== '').join(', '),
      unknownStatus ?? (isDraft ? 'Draft' : ''),
      text,
      [media, ...listUnknown('media')].filter((value) => value !== '').join(' '),
      ...EXTRA_FIELDS.map(({ name }) => post[name] ?? ''),
      ...ownTextPlatforms.map(({ platform }) => post.ownTexts?.[platform] ?? ''),
      ...ownColumns.map(
        (name) => problems.find((problem) => isOfOwnColumn(problem) && problem.column === name)?.value ?? '',
      ),
      String(number),
      problems.map(renderProblem).join(' '),
      // Back where no column is, so that the row is refused until somebody has corrected it.
      ...listUnknown('surplus'),
    ];
  };
  for (const row of rows) {
    lines.push(formatCsvRow(listCells(row)));
    await budget.giveWay();
  }
  return joinCsv(lines);
}

/** Maximum length of the value in a problem, which then has room for what to do. */
export const MAX_VALUE_LENGTH = 60;
/** How much of a value is looked at for that: the links of Airtable, which are left out, are a few hundred long. */
const MAX_READ_LENGTH = 1_000;

/** Renders a problem: "Time “soonish”: I don’t understand it." Plain text. */
export function renderProblem({ column, value, problem }: CheckedRow['problems'][number]): string {
  const isQuoted = value !== '' && !problem.includes(`“${value}”`);
  const start = removeAttachmentLink(value.slice(0, MAX_READ_LENGTH));
  const quoted = `“${clipLine(start, MAX_VALUE_LENGTH)}”`;
  const place = [column, ...(isQuoted ? [quoted] : [])].filter((part) => part !== '').join(' ');
  return place === '' ? problem : `${place}: ${problem}`;
}

/** Sends an import's rows that need a correction as a file, if there are any. Resolves with their number. */
export async function sendCorrections(
  context: Pick<ImportContext, 'db' | 'encryption' | 'log'>,
  { client, channel }: { client: WebClient; channel: string },
  row: PostImportRow,
): Promise<number> {
  const leftRows = await readLeftRows(context, row);
  const rows = leftRows.filter(({ outcome }) => outcome === 'faulty');
  if (rows.length === 0) return 0;
  const about = await readPart(context, row, 'about');
  const baseName = (about?.fileName ?? 'posts').replace(/\.\w{1,5}$/, '');
  const filename = `${baseName}-to-correct.csv`;
  await client.files.uploadV2({
    channel_id: channel,
    file: Buffer.from(await buildCorrections(rows, createBudget(BUDGETS.table))),
    filename,
    title: filename,
  });
  return rows.length;
}
