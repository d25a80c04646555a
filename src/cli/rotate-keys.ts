import { rotateKeys, type Unopened } from '../access/access.ts';
import { readSettings } from '../config/config.ts';
import { keepOut } from '../observability/redact.ts';
import { openCommandDatabase } from '../start/command-database.ts';
import { encryptionKeys } from '../start/parts.ts';
import { run } from '../start/run.ts';
import { secretsOf } from '../start/secrets-of.ts';
import { StartError } from '../start/start-error.ts';
import { withoutStatementLimit } from '../store/statement-limit.ts';

/**
 * `npm run rotate-keys`: once a new key stands in front in ENCRYPTION_KEYS everywhere, seals with it all that is kept.
 * The old key can go when this has said so.
 */
async function start(): Promise<undefined> {
  const settings = readSettings(process.env);
  keepOut(...secretsOf(settings));
  const keys = encryptionKeys(settings);
  const { db, close } = await openCommandDatabase(settings);
  const { rows, unopened } = await rotateKeys(db, keys);
  await close();
  console.log(`${rows} sealed anew with the key "${keys[0]?.id}".`);
  if (unopened.length > 0) throw new StartError(unopened.map(words).join('\n'));
  console.log('Everything is sealed with it: the other keys can go.');
}

function words({ table, keyId, isMissing, rows }: Unopened): string {
  return isMissing
    ? `ENCRYPTION_KEYS lacks the key "${keyId}", which ${rows} of ${table} need`
    : `${rows} of ${table} cannot be opened with the key "${keyId}": they were changed, or are another workspace's`;
}

await run(() => withoutStatementLimit(start));
