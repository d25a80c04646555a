import type { ColumnType } from 'kysely';

/** A `timestamptz` column, written and read as a Date. */
export type Timestamp = ColumnType<Date, Date, Date>;

// A nullable column that is omitted in an insert is null.
export type NullableTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;
export type NullableText = ColumnType<string | null, string | null | undefined, string | null>;
export type NullableCount = ColumnType<number | null, number | null | undefined, number | null>;
