import { setTimeout as delay } from 'node:timers/promises';
import type { Call } from '../../../app/call.ts';
import type { Named } from '../../../forms/field.ts';

/** A form does not wait longer for a name; the id says the same. */
const WAIT_MS = 1_500;

/** A template with its name; undefined where the service does not say in time. */
export async function templateNamed(
  { context }: Call,
  project: string,
  id: string,
): Promise<Named | undefined> {
  const late = delay(WAIT_MS, undefined, { ref: false });
  const outcome = await Promise.race([context.reads.templates(context.api, project), late]);
  if (outcome?.kind !== 'done') return undefined;
  const found = outcome.data.items.find((template) => template.id === id);
  return found && { id: found.id, name: found.name };
}
