import { createEncryption, deleteLostSecrets, rotateKeys, type UndecryptedRows } from '../access/access.ts';
import { runOnDatabase } from '../start/command-database.ts';
import { readEncryptionKeys } from '../start/parts.ts';
import { readArguments, StartError } from '../start/run.ts';
import { renderCount } from '../words.ts';

const USAGE = `Usage: npm run rotate-keys [-- --lost]

Re-encrypts all stored data with the first key in ENCRYPTION_KEYS, and says when the other keys can be removed.

  --lost  Goes on without a key that is lost: Upnext starts again, and what needs that key stays unreadable.

Settings: DATA_DIR or DATABASE_URL, and ENCRYPTION_KEYS, as for npm start.

Example: npm run rotate-keys`;

const { values: options } = readArguments(USAGE, { options: { lost: { type: 'boolean', default: false } } });

/**
 * `npm run rotate-keys` re-encrypts all stored data with the first key in ENCRYPTION_KEYS. Before that, every instance
 * must have that key. After the command has reported that everything is encrypted with the first key, the old keys can
 * be removed.
 */
await runOnDatabase(async ({ db, settings, record }) => {
  const keys = readEncryptionKeys(settings);
  const lostCount = options.lost ? await deleteLostSecrets(db, createEncryption(keys)) : 0;
  if (lostCount > 0)
    console.log(
      'Upnext starts without the lost key. It no longer recognises posts equal to earlier ones, and approvals have to be given again.',
    );
  const { rowCount, undecrypted } = await rotateKeys(db, keys);
  if (rowCount > 0) await record('operator rotate-keys');
  console.log(`Re-encrypted ${renderCount(rowCount, 'value')} with the key "${keys[0]?.id}".`);
  if (undecrypted.length > 0) throw new StartError(undecrypted.map(describeFailure).join('\n'));
  console.log('Everything is encrypted with this key. You can remove the other keys.');
}, readEncryptionKeys);

function describeFailure({ table, keyId, isKeyMissing, rowCount }: UndecryptedRows): string {
  return isKeyMissing
    ? `The key "${keyId}" is missing in ENCRYPTION_KEYS: ${renderCount(rowCount, `value of ${table} needs`, `values of ${table} need`)} it`
    : `${renderCount(rowCount, 'value')} of ${table} can't be decrypted with the key "${keyId}": changed, or of another workspace`;
}
