import { parseArgs } from 'node:util';
import { CannotOpen, createEncryption, verifyRecord, type WorkspaceHead } from '../access/access.ts';
import { readSettings } from '../config/config.ts';
import { keepOut } from '../observability/redact.ts';
import { openCommandDatabase } from '../start/command-database.ts';
import { encryptionKeys } from '../start/parts.ts';
import { run } from '../start/run.ts';
import { secretsOf } from '../start/secrets-of.ts';
import { StartError } from '../start/start-error.ts';
import { withoutStatementLimit } from '../store/statement-limit.ts';

/**
 * `npm run verify-record`: says of each workspace's record whether it is whole, with its head; ends with 1 where one is
 * not. With earlier heads (`npm run verify-record -- T123:57:hmac-sha256:…`) also whether it still contains them.
 */
async function verify(): Promise<undefined> {
  const earlier = parseArgs({ allowPositionals: true }).positionals.map(readHead);
  const settings = readSettings(process.env);
  keepOut(...secretsOf(settings));
  const encryption = createEncryption(encryptionKeys(settings));
  const { db, close } = await openCommandDatabase(settings);
  const verified = await verifyRecord(db, encryption, earlier).catch((error: unknown) => {
    if (!(error instanceof CannotOpen)) throw error;
    throw new StartError(
      `The record could not be checked: ENCRYPTION_KEYS does not open its key (${error.message}).`,
    );
  });
  for (const one of verified) {
    if (one.kind === 'broken') {
      console.log(`${one.workspace}: NOT whole at row ${one.seq} (${one.what})`);
      continue;
    }
    if (one.unchecked > 0) {
      console.log(
        `${one.workspace}: NOT checked, ${one.unchecked} of ${one.rows} rows need a key that is lost`,
      );
      continue;
    }
    console.log(`${one.workspace}: whole, ${one.rows} rows, head ${one.workspace}:${one.rows}:${one.hash}`);
  }
  console.log(
    verified.length === 0
      ? 'Nothing is recorded yet.'
      : 'Keep the heads somewhere else than the database. `npm run verify-record -- <head> …` says later whether the record still contains them.',
  );
  if (verified.some((one) => one.kind === 'broken' || one.unchecked > 0)) process.exitCode = 1;
  await close();
}

await run(() => withoutStatementLimit(verify));

function readHead(text: string): WorkspaceHead {
  const [, workspace = '', seq, hash = ''] = /^([A-Z0-9]+):([1-9]\d*):(\S+)$/.exec(text) ?? [];
  if (seq === undefined)
    throw new StartError(`"${text}" is no head. A head looks like T123:57:hmac-sha256:…`);
  return { workspace, seq: Number(seq), hash };
}
