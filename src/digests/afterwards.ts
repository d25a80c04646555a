import { z } from 'zod';
import type { ComposedMessage } from './compose.ts';
import type { Machine } from './machine.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';

const blocks = z.array(
  z.custom<NonNullable<ComposedMessage['blocks']>[number]>((block) => typeof block === 'object'),
);
const one = z.object({
  /** A person; without, it goes into the digest's thread. */
  to: z.string().optional(),
  /** What has the same goes out once. */
  once: z.string().optional(),
  message: z.object({ text: z.string(), blocks: blocks.optional() }),
});

/** What follows a digest. */
export type Afterwards = z.infer<typeof one>;

/** Sealed, before the digest goes out: whoever finds it posted goes on from here. Null where nothing follows. */
export function sealAfterwards(
  machine: Pick<Machine, 'encryption'>,
  workspace: string,
  { thread = [], direct = [] }: Pick<ComposedMessage, 'thread' | 'direct'>,
): string | null {
  return sealList(machine, workspace, [...thread.map((message) => ({ message })), ...direct]);
}

export function sealList(
  { encryption }: Pick<Machine, 'encryption'>,
  workspace: string,
  list: readonly object[],
): string | null {
  return list.length === 0 ? null : encryption.seal(JSON.stringify(list), workspace);
}

export function openList(
  { encryption }: Pick<Machine, 'encryption'>,
  row: Pick<OccurrenceRow, 'afterwards' | 'workspace'>,
): Afterwards[] {
  if (row.afterwards === null) return [];
  return z.array(one).parse(JSON.parse(encryption.open(row.afterwards, row.workspace)));
}
