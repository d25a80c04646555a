import type { SentStatement } from '../../test/support/sent-statements.ts';

/** A row of a table. */
export type Row = Readonly<Record<string, unknown>>;

/** Columns whose value identifies a row. In conditions, the values of the tests are replaced by those of stored rows. */
const IDENTIFYING_COLUMNS = [
  ...['id', 'workspace', 'endpoint', 'project', 'channel', 'author', 'actor', 'owner', 'person', 'subject'],
  ...'origin item fingerprint lock_key service_id submission held_post digest slot draft'.split(' '),
  ...'installation signature name seq hash fence version content_hash revision ts'.split(' '),
  ...'message_channel message_ts conversation view_id notify_at state ip_address scope'.split(' '),
];
/** The only columns that are replaced in an added row. */
const COLUMNS_OF_ADDED_ROWS = ['workspace', 'author', 'held_post', 'submission'];
/** Replaced too in statements with `on conflict`, whose keys should meet a stored row. In others, that is an error. */
const COLUMNS_OF_KEYS = ['project', 'channel'];
/** Columns that refer to the id of a row in the table of the same name. */
const REFERENCING_COLUMNS = ['held_post', 'submission'];
/** The number of an added row. No stored row has it. */
const ADDED_SEQ = 2_000_000_000;
/** Columns that choose stored rows. Their own values stay. */
const CHOOSING_COLUMNS = ['state', 'kind'];
/** The same in the JSON of a statement that changes several rows. */
const JSON_COLUMNS: Readonly<Record<string, string>> = { notifyAt: 'notify_at' };
/** The constant clock of most tests (test/support/bot.ts). */
const TEST_CLOCK = Date.UTC(2026, 10, 20, 12);

/** What a parameter is compared with, or the column that it becomes the value of. */
interface Use {
  table: string;
  column: string;
  isEquality: boolean;
  isAdded: boolean;
  /** Position in a list. */
  nth: number;
}

/** Picks stored rows of a table, in any order, of which all match if there are such rows. */
export type PickRows = (table: string, matches: (row: Row) => boolean) => readonly Row[];

const COLUMN = String.raw`(?:"?(\w+)"?\.)?"?(\w+)"?`;
const PARAMETERS = String.raw`\(?((?:\$\d+(?:::\w+(?:\[\])?)?(?:, )?)+)`;
const COMPARISON = new RegExp(
  `${COLUMN} (=|<=?|>=?|in|not in|is not distinct from|= any) ${PARAMETERS}`,
  'g',
);
/** Only the first row: two rows with the same key would conflict with each other. */
const INSERTION = /insert into "?(\w+)"? \(([^)]*)\) (?:values \(|select )([^)]*)/g;
const TABLE = /(?:from|join|update|into) "?(\w+)"?(?: (?:as )?"?(\w+)"?)?/g;

/**
 * Prepares a statement of a test for a database with other rows, whose columns by table are `columnsOf`. Returns a
 * function that creates parameters with values of stored rows. Times in parameters are moved by as much as has passed
 * since the test.
 */
export function bindStatement(
  { sql, parameters, sentAt }: SentStatement,
  columnsOf: ReadonlyMap<string, readonly string[]>,
): (pickRows: PickRows) => unknown[] {
  const text = sql.replaceAll(/\s+/g, ' ').trim();
  const uses = findUses(text, columnsOf);
  const [mainTable = ''] = [...text.matchAll(TABLE)]
    .map(([, table = '']) => table)
    .filter((name) => columnsOf.has(name));
  const columnsOfAddedRows = [
    ...COLUMNS_OF_ADDED_ROWS,
    ...(text.includes(' on conflict ') ? COLUMNS_OF_KEYS : []),
  ];
  const wanted = findWantedValues(uses, parameters, mainTable);
  return (pickRows) => {
    const rowsByTable = new Map<string, readonly Row[]>();
    const getRow = (table: string, nth: number): Row => {
      const matches = (row: Row) =>
        [...(wanted.get(table) ?? [])].every(([column, values]) => values.includes(row[column]));
      const rows = rowsByTable.get(table) ?? pickRows(table, matches);
      rowsByTable.set(table, rows);
      return rows[nth % Math.max(1, rows.length)] ?? {};
    };
    return parameters.map((value, index) => {
      const moved = moveTime(value, sentAt);
      const use = uses.get(index);
      if (isJson(value)) return bindJson(value, (nth) => getRow(mainTable, nth));
      if (!use || CHOOSING_COLUMNS.includes(use.column)) return moved;
      if (use.isAdded && use.column === 'seq') return ADDED_SEQ;
      const isReplaced = use.isAdded
        ? columnsOfAddedRows.includes(use.column)
        : use.isEquality && IDENTIFYING_COLUMNS.includes(use.column);
      if (!isReplaced || value === null || value === '') return moved;
      const replace = (nth: number) => {
        const { table, column } = use;
        const refers = use.isAdded && REFERENCING_COLUMNS.includes(column);
        return (refers ? getRow(column, nth).id : getRow(table, nth)[column]) ?? moved;
      };
      return Array.isArray(value) ? value.map((_, nth) => replace(nth)) : replace(use.nth);
    });
  };
}

function findUses(text: string, columnsOf: ReadonlyMap<string, readonly string[]>): ReadonlyMap<number, Use> {
  const mentions = [...text.matchAll(TABLE)].flatMap(({ index, 1: table = '', 2: alias }) =>
    columnsOf.has(table) ? [{ index, table, alias }] : [],
  );
  const findTable = (qualifier: string | undefined, column: string, at: number): string | undefined => {
    const named = mentions.find(
      ({ table, alias }) => qualifier !== undefined && (alias === qualifier || table === qualifier),
    );
    if (named) return named.table;
    const withColumn = mentions.filter(({ table }) => columnsOf.get(table)?.includes(column));
    return (withColumn.findLast(({ index }) => index < at) ?? withColumn[0])?.table;
  };
  const uses = new Map<number, Use>();
  const add = (list: string, use: Omit<Use, 'nth'>) => {
    for (const [nth, [, number]] of [...list.matchAll(/\$(\d+)/g)].entries()) {
      if (!uses.has(Number(number) - 1)) uses.set(Number(number) - 1, { ...use, nth });
    }
  };
  for (const { 1: table = '', 2: names = '', 3: values = '' } of text.matchAll(INSERTION)) {
    const columns = names.replaceAll('"', '').split(', ');
    for (const [nth, value] of values.split(', ').entries())
      add(value, { table, column: columns[nth] ?? '', isEquality: true, isAdded: true });
  }
  for (const { index, 1: qualifier, 2: column = '', 3: operator = '', 4: list = '' } of text.matchAll(
    COMPARISON,
  )) {
    const table = findTable(qualifier, column, index);
    const isAssigned = /\bset\b(?!.*\bwhere\b)/.test(text.slice(0, index));
    if (table === undefined || isAssigned) continue;
    const isEquality = ['=', 'in', '= any', 'is not distinct from'].includes(operator);
    add(list, { table, column, isEquality, isAdded: text.startsWith('insert') && isEquality });
  }
  return uses;
}

/** Finds the states and kinds that a statement asks for. */
function findWantedValues(uses: ReadonlyMap<number, Use>, parameters: readonly unknown[], mainTable: string) {
  const wanted = new Map<string, Map<string, unknown[]>>();
  const want = (table: string, column: string, value: unknown) => {
    const ofTable = wanted.get(table) ?? new Map<string, unknown[]>();
    ofTable.set(column, [...(ofTable.get(column) ?? []), value]);
    wanted.set(table, ofTable);
  };
  for (const [index, { table, column, isEquality, isAdded }] of uses)
    if (isEquality && !isAdded && CHOOSING_COLUMNS.includes(column)) want(table, column, parameters[index]);
  for (const value of parameters.filter(isJson)) {
    for (const change of parseChanges(value)) {
      const state = change.fromState ?? change.from_state;
      if (state !== undefined) want(mainTable, 'state', state);
    }
  }
  return wanted;
}

const isJson = (value: unknown): value is string => typeof value === 'string' && /^\[\{/.test(value);

function parseChanges(value: string): Record<string, unknown>[] {
  return JSON.parse(value);
}

function bindJson(value: string, getRow: (nth: number) => Row): string {
  const changes = parseChanges(value).map((change, nth) =>
    Object.fromEntries(
      Object.entries(change).map(([key, old]) => {
        const column = JSON_COLUMNS[key] ?? key;
        const isReplaced = key !== 'state' && key !== 'project' && IDENTIFYING_COLUMNS.includes(column);
        return [key, (isReplaced ? getRow(nth)[column] : undefined) ?? old];
      }),
    ),
  );
  return JSON.stringify(changes);
}

/** Tests have either a constant clock or the system's. Moves a time by its distance from the nearer of both. */
function moveTime(value: unknown, sentAt: number): unknown {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return value;
  const time = Date.parse(value);
  const [nearest = sentAt] = [sentAt, TEST_CLOCK].toSorted((a, b) => Math.abs(time - a) - Math.abs(time - b));
  return new Date(Date.now() + time - nearest).toISOString();
}
