import type { DateOrder } from '../when/when.ts';

/** What the file doesn't say: chosen once for all rows. */
export interface ImportSettings {
  project?: { id: string; name: string } | undefined;
  /** The zone of times without one; an IANA name. Undefined if each project's own one counts. */
  zone?: string | undefined;
  /** The person's zone, if Slack didn't give it. */
  personZone?: string | undefined;
  order?: DateOrder | undefined;
  platforms?: readonly string[] | undefined;
  /** What columns are for that may say where rows go, by their index. */
  columns?: Readonly<Record<string, ColumnUse>> | undefined;
}

/** What a column is for that may say where rows go. */
export const COLUMN_USES = ['project', 'platforms', 'nothing'] as const;
export type ColumnUse = (typeof COLUMN_USES)[number];
