import { z } from 'zod';

/** Called once for each part whose data an earlier version left: it now lies in the folder `to`. */
export type OnMovedAside = (to: string) => void;

/** For a part that runs alone. */
export const printMovedAside: OnMovedAside = (to) =>
  console.log(`An earlier version's data was moved aside to ${to}; starting without it.`);

const movedAside = z.object({ movedAside: z.string() });

/** What a part says from its own thread. */
export const sayMovedAside = (to: string): z.infer<typeof movedAside> => ({ movedAside: to });

/** Hears that from a part's thread. */
export function hearMovedAside(said: unknown, onMovedAside: OnMovedAside): void {
  const { data } = movedAside.safeParse(said);
  if (data) onMovedAside(data.movedAside);
}
