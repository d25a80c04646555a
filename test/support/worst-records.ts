import { WORST_TEXTS } from './worst-texts.ts';

/** The lists of the service that Upnext reads, with the fields of a record whose values are texts. */
const LISTS = {
  projects: ['Name'],
  posts: ['Content', 'Media'],
  templates: ['Name', 'Content'],
  sources: ['Name', 'Description', 'Source'],
  logs: ['Message', 'User', 'Status'],
} as const;

type ListName = keyof typeof LISTS;

/** A list of the service with records that keep Upnext busy. */
interface WorstRecords {
  name: string;
  /** Creates the records of a list, whose JSON has about `length` bytes. */
  create(length: number, list: ListName): Record<string, unknown>[];
}

/** Creates `count` records whose texts together have about `length` bytes. */
function createRecords(length: number, list: ListName, { count, text }: { count: number; text: string }) {
  const fields = LISTS[list];
  // Marks and most other letters take two or three bytes.
  const bytes = new TextEncoder().encode(JSON.stringify(text).slice(1, -1)).length;
  const textLength = Math.max(1, Math.floor((length / count / fields.length / bytes) * text.length * 0.9));
  const pieces = Math.ceil(textLength / text.length);
  const longText = text.repeat(pieces);
  return Array.from({ length: count }, (_, index) => ({
    Id: `r${index}`,
    ...Object.fromEntries(fields.map((field) => [field, `${index} ${longText}`])),
    ...(list === 'posts' && {
      ...{ ScheduleDate: new Date(Date.UTC(2026, 10, 21, 9, index)).toISOString(), Timezone: 'UTC' },
      ...{ Platforms: ['X'], Status: 'SCHEDULED' },
    }),
    ...(list === 'logs' && { CreatedAt: new Date(Date.UTC(2026, 10, 19, 9, 0, index)).toISOString() }),
  }));
}

/** As many records of each list as Upnext reads of it (src/api/json/response-limits.ts). */
const MAX_RECORDS: Readonly<Record<ListName, number>> = {
  projects: 2_000,
  posts: 500,
  templates: 2_000,
  sources: 2_000,
  logs: 5_000,
};

/** Lists with many records and with a few long ones, of texts that take longest to normalize, match or segment. */
export const WORST_RECORDS: readonly WorstRecords[] = WORST_TEXTS.flatMap(({ name, create }) => [
  {
    name: `as many records as possible of ${name}`,
    create: (length, list) => createRecords(length, list, { count: MAX_RECORDS[list], text: create(60) }),
  },
  {
    name: `ten records of ${name}`,
    create: (length, list) => createRecords(length, list, { count: 10, text: create(60) }),
  },
]);
