import { z } from 'zod';
import { postForm } from '../../src/features/schedule-post/post-form.ts';
import type { Running } from './bot.ts';

const storedForm = z.looseObject({
  typed: z.looseObject({ prefill: z.record(z.string(), z.unknown()), savedAt: z.string() }).optional(),
});

/** Reads the stored forms for posts, the newest first, with their decrypted contents. */
export async function readPostForms({ bot, db }: Running) {
  const { encryption } = bot.submissions.context;
  const rows = await db
    .selectFrom('open_form')
    .selectAll()
    .where('kind', '=', `schedule-post.${postForm.version}`)
    .orderBy('opened_at', 'desc')
    .execute();
  return rows.map((row) => ({
    ...row,
    stored: storedForm.parse(JSON.parse(encryption.decrypt(row.content, row.workspace))),
  }));
}

/** Lists the stored forms for posts that somebody left unfinished. */
export async function listUnfinished(running: Running) {
  return (await readPostForms(running)).filter(({ stored }) => stored.typed !== undefined);
}

/** Changes the stored forms for posts, as if something else had happened to them. */
export async function changePostForms(
  running: Running,
  change: (stored: z.infer<typeof storedForm>) => z.infer<typeof storedForm>,
) {
  const { encryption } = running.bot.submissions.context;
  for (const { id, workspace, stored } of await readPostForms(running)) {
    const changed = change(stored);
    const content = encryption.encrypt(JSON.stringify(changed), workspace);
    const typed_at = changed.typed ? new Date(changed.typed.savedAt) : null;
    await running.db.updateTable('open_form').set({ content, typed_at }).where('id', '=', id).execute();
  }
}
