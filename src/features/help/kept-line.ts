import { randomUUID } from 'node:crypto';
import type { Call } from '../../app/call.ts';
import { openFormFacts, saveOpenForm } from '../../store/open-forms.ts';

const KIND = 'typed-line.1';

/** Keeps what somebody typed for the button that does it; its opaque id. */
export async function keepLine({ parts, who, now }: Call, line: string): Promise<string> {
  const id = randomUUID();
  await saveOpenForm(parts.db, {
    id,
    workspace: who.workspace,
    asker: who.user,
    kind: KIND,
    // It may be the text of a post.
    facts: parts.encryption.seal(line.toWellFormed(), who.workspace),
    openedAt: now(),
  });
  return id;
}

/** Only for the person who typed it; undefined for everybody else, and when it is no longer kept. */
export async function keptLine({ parts, who, now }: Call, id: string): Promise<string | undefined> {
  const { workspace, user: asker } = who;
  const sealed = await openFormFacts(parts.db, { id, workspace, asker, kind: KIND, now: now() });
  return sealed === undefined ? undefined : parts.encryption.open(sealed, workspace);
}
