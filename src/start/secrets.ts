import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../config/config.ts';

/**
 * The secret in the file `name` of the data folder, which only its owner can read. Created with `make` if missing. Two
 * processes that create it at the same moment get the same one, because the first link wins.
 */
export function readOrCreateSecret(folder: string, name: string, make: () => string): string {
  const path = join(folder, name);
  const read = () => readFileSync(path, 'utf8').trim();
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.${name}-${randomBytes(6).toString('hex')}`);
  writeFileSync(draft, `${make()}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft);
  }
  return read();
}

/** All secrets in the settings, which the redactor removes from the log and from crash reports. */
export function listSecrets(settings: Settings): string[] {
  const { slack, service, database, serviceToken, encryptionKeys, bucket } = settings;
  const secrets = [
    serviceToken,
    bucket?.secretKey,
    ...(encryptionKeys ?? []).map(({ key }) => key.toString('base64')),
  ];
  if (slack.kind === 'socket') secrets.push(slack.botToken, slack.appToken);
  if (slack.kind === 'http') secrets.push(slack.botToken, slack.signingSecret);
  if (slack.kind === 'oauth') secrets.push(slack.signingSecret, slack.clientSecret);
  if (service.kind === 'remote') secrets.push(service.token);
  if (database.kind === 'postgres') secrets.push(database.url, findPassword(database.url));
  return secrets.filter((secret) => secret !== undefined);
}

/** Not with `URL`, because pg also accepts addresses that `URL` refuses, such as those of a socket's folder. */
function findPassword(address: string): string | undefined {
  const encoded = /^[^:]+:\/\/[^:@/]*:([^@/]*)@/.exec(address)?.[1];
  if (!encoded) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
