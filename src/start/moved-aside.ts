import { z } from 'zod';

/** Called when the data of an earlier version was moved to the folder `to`. */
export type OnMovedAside = (to: string) => void;

/** For an emulator that runs as a program. */
export const printMovedAside: OnMovedAside = (to) =>
  console.log(`An earlier version's data was moved aside to ${to}; starting without it.`);

const movedAside = z.object({ movedAside: z.string() });

/** The message of an emulator's thread to its parent. */
export const createMovedAsideMessage = (to: string): z.infer<typeof movedAside> => ({ movedAside: to });

/** Calls `onMovedAside` if the message is one of `createMovedAsideMessage`. */
export function receiveMovedAside(message: unknown, onMovedAside: OnMovedAside): void {
  const { data } = movedAside.safeParse(message);
  if (data) onMovedAside(data.movedAside);
}
