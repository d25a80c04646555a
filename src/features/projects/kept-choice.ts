import { z } from 'zod';
import type { Call } from '../../app/call.ts';
import { openSealed, storeSealed } from '../../forms/sealed-store.ts';

const KIND = 'use-shared.2';

const choice = z.object({
  channel: z.string(),
  projects: z.array(z.object({ id: z.string(), name: z.string() }).readonly()).readonly(),
  /** Who reads the channel, as the question said: see `readersOf`. */
  readers: z.string(),
});
type Choice = z.infer<typeof choice>;

/** Stores what an owner is about to choose for a channel; its opaque id. */
export function keepChoice(call: Call, wanted: Choice): Promise<string> {
  return storeSealed(call, KIND, wanted);
}

/** Only for the person who chose it; undefined for everybody else, and when it is no longer stored. */
export function keptChoice(call: Call, id: string): Promise<Choice | undefined> {
  return openSealed(call, KIND, choice, id);
}
