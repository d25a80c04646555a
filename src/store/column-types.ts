import type { ColumnType } from 'kysely';

/** A `timestamptz` column, written and read as a Date. */
export type Moment = ColumnType<Date, Date, Date>;
export type NullableMoment = ColumnType<Date | null, Date | null | undefined, Date | null>;
export type NullableText = ColumnType<string | null, string | null | undefined, string | null>;
