import type { Settings } from '../config/config.ts';

/** All secrets in the settings, which the redactor removes from the log and from crash reports. */
export function listSecrets({ slack, service, database, serviceToken, encryptionKeys }: Settings): string[] {
  const secrets = [serviceToken, ...(encryptionKeys ?? []).map(({ key }) => key.toString('base64'))];
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
