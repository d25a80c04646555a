import { parseArgs } from 'node:util';
import { createEncryption } from '../access/access.ts';
import { readSettings } from '../config/config.ts';
import { registerSecrets } from '../observability/redact.ts';
import { openCommandDatabase } from '../start/command-database.ts';
import { encryptionKeys } from '../start/parts.ts';
import { run } from '../start/run.ts';
import { secretsOf } from '../start/secrets-of.ts';
import { StartError } from '../start/start-error.ts';
import { withoutStatementLimit } from '../store/statement-limit.ts';
import { deleteAllWorkspaceData, forgetInstallation, forgetWorkspace } from '../workspaces/workspaces.ts';

/**
 * `npm run forget-workspace -- T123` deletes what uninstalling the app from a workspace (`E123`: from an organisation)
 * deletes. With `--all` it also deletes what would stay until the retention ends. It can be repeated.
 */
async function start(): Promise<undefined> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { all: { type: 'boolean', default: false } },
  });
  const [id = ''] = positionals;
  if (!/^[TE][A-Z0-9]+$/.test(id))
    throw new StartError('usage: npm run forget-workspace -- WORKSPACE (Slack’s id, T… or E…) [--all]');
  const settings = readSettings(process.env);
  registerSecrets(...secretsOf(settings));
  const { db, close } = await openCommandDatabase(settings);
  const at = new Date();
  const covered = await forgetInstallation(db, id, at);
  if (id.startsWith('T')) await forgetWorkspace(db, id, at);
  const forgotten = [...new Set([...(id.startsWith('T') ? [id] : []), ...covered])].join(', ') || id;
  if (values.all) {
    const encryption = createEncryption(encryptionKeys(settings));
    for (const workspace of new Set([...covered, id])) {
      await db
        .transaction()
        .execute((transaction) => deleteAllWorkspaceData({ db: transaction, encryption }, workspace));
    }
  }
  console.log(
    values.all
      ? `Deleted all data of ${forgotten}, including the audit record.`
      : `Deleted the tokens, credentials, roles and contents of ${forgotten}, and paused its digests.`,
  );
  await close();
}

await run(() => withoutStatementLimit(start));
