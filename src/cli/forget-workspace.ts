import { parseArgs } from 'node:util';
import { createEncryption } from '../access/access.ts';
import { readSettings } from '../config/config.ts';
import { keepOut } from '../observability/redact.ts';
import { openCommandDatabase } from '../start/command-database.ts';
import { encryptionKeys } from '../start/parts.ts';
import { run } from '../start/run.ts';
import { secretsOf } from '../start/secrets-of.ts';
import { StartError } from '../start/start-error.ts';
import { withoutStatementLimit } from '../store/statement-limit.ts';
import { deleteEverything, forgetInstallation, forgetWorkspace } from '../workspaces/workspaces.ts';

/**
 * `npm run forget-workspace -- T123`: deletes what uninstalling the app from a workspace (or, with `E123`, from an
 * organisation) would have deleted; with `--all` also what would have been kept for a while. It can be repeated.
 */
async function start(): Promise<undefined> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { all: { type: 'boolean', default: false } },
  });
  const [id = ''] = positionals;
  if (!/^[TE][A-Z0-9]+$/.test(id))
    throw new StartError('which workspace? Slack calls it T…, an organisation E…');
  const settings = readSettings(process.env);
  keepOut(...secretsOf(settings));
  const { db, close } = await openCommandDatabase(settings);
  const at = new Date();
  const reached = await forgetInstallation(db, id, at);
  if (id.startsWith('T')) await forgetWorkspace(db, id, at);
  const forgotten = [...new Set([...(id.startsWith('T') ? [id] : []), ...reached])].join(', ') || id;
  if (values.all) {
    const encryption = createEncryption(encryptionKeys(settings));
    for (const workspace of new Set([...reached, id])) {
      await db
        .transaction()
        .execute((transaction) => deleteEverything({ db: transaction, encryption }, workspace));
    }
  }
  console.log(
    values.all
      ? `Deleted everything of ${forgotten}, its record too.`
      : `Deleted the tokens, credentials, roles and content of ${forgotten}; digests there are paused.`,
  );
  await close();
}

await run(() => withoutStatementLimit(start));
