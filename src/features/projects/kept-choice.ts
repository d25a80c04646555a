import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Project } from '../../api/projects.ts';
import type { Call } from '../../app/call.ts';
import { openFormFacts, saveOpenForm } from '../../store/open-forms.ts';

const KIND = 'use-shared.2';

const choice = z.object({
  channel: z.string(),
  projects: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Who reads the channel, as the question said: see `readersOf`. */
  readers: z.string(),
});

/** Keeps what an owner is about to choose for a channel; its opaque id. */
export async function keepChoice(
  { parts, who, now }: Call,
  wanted: { channel: string; projects: readonly Project[]; readers: string },
): Promise<string> {
  const id = randomUUID();
  const facts = parts.encryption.seal(JSON.stringify(wanted), who.workspace);
  const row = { id, workspace: who.workspace, asker: who.user, kind: KIND, facts, openedAt: now() };
  await saveOpenForm(parts.db, row);
  return id;
}

/** Only for the person who chose it; undefined for everybody else, and when it is no longer kept. */
export async function keptChoice(
  { parts, who, now }: Call,
  id: string,
): Promise<z.infer<typeof choice> | undefined> {
  const { workspace, user: asker } = who;
  const sealed = await openFormFacts(parts.db, { id, workspace, asker, kind: KIND, now: now() });
  if (sealed === undefined) return undefined;
  return choice.safeParse(JSON.parse(parts.encryption.open(sealed, workspace))).data;
}
