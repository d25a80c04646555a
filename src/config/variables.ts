import { isIP } from 'node:net';
import { z } from 'zod';
import { ROLES } from '../access/roles.ts';

/**
 * The format of each environment variable, and the error for a wrong value. Errors never repeat a value, because it may
 * be a secret.
 */

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Example values that were copied and not replaced. */
const PLACEHOLDER = /^(?:x+|\.{3,}|<.*>|.*(?:change-?me|your[-_ ]|placeholder|-here$|\.\.\.).*)$/i;

const secret = (shape: RegExp, fault: string) =>
  z
    .string()
    .refine((value) => !PLACEHOLDER.test(value), 'still holds a placeholder')
    .refine((value) => shape.test(value), fault);

const host = z.string().regex(/^[A-Za-z0-9.:_-]+$/, 'must be a host name or address');

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number, 0 to 65535')
  .transform(Number)
  .refine((value) => value <= 65_535, 'must be a port number, 0 to 65535');

const flag = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true');

const isLoopback = (host: string) =>
  host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);

/**
 * A URL to which paths are appended. Credentials, a query or a fragment could leak or get lost, so it must have none.
 */
const baseAddress = z.string().transform((value, context) => {
  const url = URL.parse(value);
  const fault = !url
    ? 'is not an address'
    : url.username || url.password
      ? 'must not hold a user name or password'
      : url.search || url.hash
        ? 'must not hold a query or fragment'
        : url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))
          ? 'must begin with https:// (http:// is allowed for this machine only)'
          : undefined;
  if (!url || fault) {
    context.addIssue({ code: 'custom', message: fault ?? 'is not an address' });
    return z.NEVER;
  }
  return url.href;
});

/** Several hosts, separated by commas. libpq supports them, and pg doesn't. */
const SEVERAL_HOSTS = /^[^/]*\/\/(?:[^/]*@)?[^/?@]*,[^/?@]*(?:[/?]|$)|[?&]host=[^&]*(?:,|%2c)/i;

/** pg's connection URL. The folder of a socket is in the query (`postgres://user@/name?host=/run/postgresql`). */
const databaseAddress = z
  .string()
  .regex(/^postgres(?:ql)?:\/\/./, 'must be an address that begins with postgres://')
  .refine((value) => !/\.{3}|<[^>]*>/.test(value), 'still holds a placeholder')
  .refine(
    (value) => !SEVERAL_HOSTS.test(value),
    'must name one host: a proxy, or a DNS name that follows the primary',
  );

/** Host names, comma-separated. `*.example.com` matches every name below `example.com`. */
const hosts = z
  .string()
  .transform((value) => value.split(',').map((host) => host.trim().toLowerCase()))
  .refine(
    (names) => names.every((host) => /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*$|^\[[0-9a-f:.]+\]$/.test(host)),
    'must be host names, comma-separated, without https:// and ports',
  );

/** Addresses and networks, comma-separated. A prefix of 0, which would match every address, is refused. */
const networks = z
  .string()
  .transform((value) => value.split(',').map((network) => network.trim()))
  .refine((list) => list.every(isNetwork), 'must be addresses or networks (10.0.0.0/8), comma-separated');

function isNetwork(text: string): boolean {
  const [address = '', prefix = '1', ...rest] = text.split('/');
  const prefixBits = Number(/^\d{1,3}$/.exec(prefix)?.[0]);
  return (
    rest.length === 0 &&
    prefixBits >= 1 &&
    prefixBits <= (isIP(address) === 4 ? 32 : 128) &&
    isIP(address) !== 0
  );
}

export interface EncryptionKey {
  id: string;
  /** 32 bytes, for AES-256. */
  key: Buffer;
}

/** `id:base64-of-32-bytes`, newest first, comma-separated. */
const encryptionKeys = z.string().transform((value, context): EncryptionKey[] => {
  const keys: EncryptionKey[] = [];
  for (const entry of value.split(',')) {
    const [, id, encoded] = /^\s*([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)\s*$/.exec(entry) ?? [];
    if (!id || !encoded || keys.some((known) => known.id === id)) {
      context.addIssue({
        code: 'custom',
        message: 'must be id:base64-of-32-bytes, comma-separated, each id once',
      });
      return z.NEVER;
    }
    keys.push({ id, key: Buffer.from(encoded, 'base64') });
  }
  return keys;
});

/** An unknown name would turn off the checks for production, so it is an error. */
const ENVIRONMENTS = ['production', 'development', 'test'] as const;

/** Every variable that Upnext reads. */
export const variables = z.object({
  SLACK_BOT_TOKEN: secret(
    /^xoxb-\S{8,}$/,
    'must be a bot token, which begins with xoxb- (rotating tokens are not supported here)',
  ).optional(),
  SLACK_APP_TOKEN: secret(/^xapp-\S{8,}$/, 'must be an app-level token, which begins with xapp-').optional(),
  SLACK_SIGNING_SECRET: secret(
    /^[0-9a-zA-Z]{32,}$/,
    'must be the signing secret, 32 letters and digits',
  ).optional(),
  SLACK_CLIENT_ID: secret(/^\S{8,}$/, 'is too short').optional(),
  SLACK_CLIENT_SECRET: secret(/^\S{16,}$/, 'is too short').optional(),
  PUBLIC_URL: baseAddress.optional(),
  TRUSTED_PROXIES: networks.optional(),
  SLACK_API_URL: baseAddress.default('https://slack.com/api/'),
  SCHEDULING_API_URL: baseAddress.optional(),
  SCHEDULING_API_TOKEN: secret(
    /^[\x21-\x7e]{8,}$/,
    'must be at least 8 characters without spaces',
  ).optional(),
  DATABASE_URL: databaseAddress.optional(),
  DATA_DIR: z.string().default('./data'),
  ENCRYPTION_KEYS: encryptionKeys.optional(),
  HOST: host.default('127.0.0.1'),
  PORT: port.default(3000),
  ALLOWED_HOSTS: hosts.optional(),
  HEALTH_HOST: host.optional(),
  HEALTH_PORT: port.optional(),
  WORKSPACE_PORT: port.default(3001),
  SERVICE_PORT: port.default(3002),
  SERVICE_TOKEN: secret(/^[\x21-\x7e]{16,}$/, 'must be at least 16 characters without spaces').optional(),
  ALLOWED_SERVICE_HOSTS: hosts.optional(),
  ALLOW_PRIVATE_SERVICE_ADDRESSES: flag.default(false),
  MEMBERS_DEFAULT_ROLE: z.enum(ROLES, `must be one of ${ROLES.join(', ')}`).optional(),
  SEND_DIGESTS: flag.default(true),
  ALLOW_FILE_DELETION: flag.default(false),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  NODE_ENV: z.enum(ENVIRONMENTS, `must be one of ${ENVIRONMENTS.join(', ')}`).optional(),
});

export type Variables = z.infer<typeof variables>;
