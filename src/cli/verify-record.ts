import {
  createEncryption,
  DecryptionError,
  ENTRY_RETENTION_DAYS,
  verifyRecord,
  type WorkspaceHead,
} from '../access/access.ts';
import { readSettings } from '../config/config.ts';
import { registerSecrets } from '../observability/redact.ts';
import { openCommandDatabase } from '../start/command-database.ts';
import { listSecrets } from '../start/list-secrets.ts';
import { readEncryptionKeys } from '../start/parts.ts';
import { run } from '../start/run.ts';
import { StartError } from '../start/start-error.ts';
import { failWithUsage, readArguments } from '../start/usage.ts';
import { withoutStatementTimeout } from '../store/statement-timeout.ts';

const USAGE = `Usage: npm run verify-record [-- HEAD …]

Checks that each workspace's audit record is complete and unchanged, and prints its head.

  HEAD   a head from an earlier run, to check that the record still contains it

Settings: DATA_DIR or DATABASE_URL, and ENCRYPTION_KEYS, as for npm start.

Example: npm run verify-record -- T123:57:hmac-sha256:9c1f…`;

/**
 * `npm run verify-record` verifies each workspace's audit record, and prints its head. With heads from an earlier run
 * (`npm run verify-record -- T123:57:hmac-sha256:…`), the command also verifies that the records still contain them.
 * The exit status is 1 if a record is broken, or if it or a head can't be verified.
 */
async function verify(): Promise<undefined> {
  const externalHeads = readArguments(USAGE, { allowPositionals: true }).positionals.map(parseHead);
  const settings = readSettings(process.env);
  registerSecrets(...listSecrets(settings));
  const encryption = createEncryption(readEncryptionKeys(settings));
  const { db, close } = await openCommandDatabase(settings);
  const verifications = await verifyRecord(db, encryption, externalHeads).catch((error: unknown) => {
    if (!(error instanceof DecryptionError)) throw error;
    throw new StartError(
      `The audit record can't be checked: ENCRYPTION_KEYS doesn't decrypt its key (${error.message}).`,
    );
  });
  for (const one of verifications) {
    if (one.kind === 'broken') {
      console.log(`${one.workspace}: broken at row ${one.seq} (${one.fault})`);
      continue;
    }
    if (one.unkeyedRows > 0) {
      console.log(
        `${one.workspace}: not verified, the key of ${one.unkeyedRows} of ${one.rows} rows is lost`,
      );
      continue;
    }
    const after = one.deletedRows === 0 ? '' : ` after row ${one.deletedRows}`;
    const rows = `${one.rows - one.deletedRows} rows${after}`;
    console.log(`${one.workspace}: intact, ${rows}, head ${one.workspace}:${one.rows}:${one.hash}`);
    for (const { seq } of one.uncheckedHeads)
      console.log(
        `${one.workspace}: head ${seq} can't be checked, because rows up to ${one.deletedRows} were deleted after ${ENTRY_RETENTION_DAYS} days. Pass a newer head.`,
      );
  }
  console.log(
    verifications.length === 0
      ? 'The audit record is empty.'
      : 'Store the heads outside the database. Later, `npm run verify-record -- HEAD …` checks whether the record still contains them.',
  );
  const isVerified = (one: (typeof verifications)[number]) =>
    one.kind === 'intact' && one.unkeyedRows === 0 && one.uncheckedHeads.length === 0;
  if (!verifications.every(isVerified)) process.exitCode = 1;
  await close();
}

await run(() => withoutStatementTimeout(verify));

function parseHead(text: string): WorkspaceHead {
  const [, workspace = '', seq, hash = ''] = /^([A-Z0-9]+):([1-9]\d*):(\S+)$/.exec(text) ?? [];
  if (seq === undefined)
    failWithUsage(USAGE, `"${text}" is not a head. A head looks like T123:57:hmac-sha256:…`);
  return { workspace, seq: Number(seq), hash };
}
