import { endDeliveries } from '../app/capabilities.ts';
import { runOnDatabase } from '../start/command-database.ts';
import { failWithUsage, readArguments, StartError } from '../start/run.ts';
import {
  deleteAllWorkspaceData,
  forgetInstallation,
  forgetWorkspace,
  isKnown,
} from '../workspaces/workspaces.ts';

const USAGE = `Usage: npm run forget-workspace -- WORKSPACE [--all]

Deletes what uninstalling the app from a workspace deletes.

  WORKSPACE   the workspace's Slack ID (T…), or an organization's (E…)
  --all       also deletes the audit log, and data that is otherwise stored for a while

Settings: DATA_DIR or DATABASE_URL, and ENCRYPTION_KEYS, as for npm start.

Example: npm run forget-workspace -- T123 --all`;

const { positionals, values } = readArguments(USAGE, {
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false } },
});
const [id = ''] = positionals;
if (!/^[TE][A-Z0-9]+$/.test(id))
  failWithUsage(USAGE, id === '' ? 'WORKSPACE is missing' : `"${id}" is not a workspace ID`);

/**
 * `npm run forget-workspace -- T123` deletes the same data as an uninstallation of the app from the workspace T123. An
 * id such as E123 stands for an organisation. With `--all`, the command also deletes the data that otherwise stays
 * until the retention period ends. The command can be repeated; after `--all`, it then fails, because nothing is
 * stored any more.
 */
await runOnDatabase(async ({ db, now, record }) => {
  if (!(await isKnown(db, id)))
    throw new StartError(`Nothing is stored about ${id}, so nothing was deleted.`);
  const covered = await forgetInstallation(db, id, now, endDeliveries);
  const isWorkspace = id.startsWith('T');
  if (isWorkspace) await forgetWorkspace(db, id, now, endDeliveries);
  const forgottenIds = [...new Set([...(isWorkspace ? [id] : []), ...covered])].join(', ') || id;
  // With --all, nothing about them is stored any more.
  if (!values.all)
    await record('operator forget-workspace', [...new Set([...covered, ...(isWorkspace ? [id] : [])])]);
  if (values.all) {
    for (const workspace of new Set([...covered, id]))
      await db.transaction().execute((transaction) => deleteAllWorkspaceData(transaction, workspace));
  }
  console.log(
    values.all
      ? `Deleted all data of ${forgottenIds}, including the audit log.`
      : `Deleted the tokens, credentials, roles and contents of ${forgottenIds}, and paused the digests there.`,
  );
});
