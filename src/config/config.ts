import { isIP } from 'node:net';
import { z } from 'zod';
import type { EncryptionKey } from '../access/access.ts';
import { ROLES } from '../access/roles.ts';
import type { SlackConnection } from '../slack/slack-connection.ts';
import { joinWithOr } from '../words.ts';

type VariableName = keyof Variables;

/** `problems`: one line for each fault, beginning with the variable's name. */
export class SettingsError extends Error {
  override name = 'SettingsError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

export type SlackSettings = { kind: 'embedded' } | (SlackConnection & { apiUrl: string });

/** An S3-compatible bucket. `publicUrl`: where everybody reads its files. */
export interface BucketSettings {
  url: string;
  region: string;
  keyId: string;
  secretKey: string;
  publicUrl: string;
}

export interface Settings {
  slack: SlackSettings;
  /** `formerUrl`: the address at which Upnext has known the service before it moved. */
  service:
    | { kind: 'embedded' }
    | { kind: 'remote'; url: string; token: string; formerUrl?: string | undefined };
  database: { kind: 'embedded' } | { kind: 'postgres'; url: string };
  /** Defaults to a key that is generated once in the data folder. */
  encryptionKeys?: readonly EncryptionKey[];
  dataDir: string;
  host: string;
  port: number;
  /** The address under which everybody reaches this app. */
  publicUrl?: string;
  /** Where files from Slack are stored. Defaults to the database. */
  bucket?: BucketSettings;
  /** Additional host names of this server. `*.example.com` matches every name below `example.com`. */
  allowedHosts: readonly string[];
  /** Addresses and networks (`10.0.0.0/8`) of the proxies that may set X-Forwarded-For. */
  trustedProxies: readonly string[];
  /** The address for health checks and metrics. Without it, `port` serves health, and in Socket Mode also metrics. */
  health?: { host: string; port: number };
  /** The ports of the two emulators. */
  workspacePort: number;
  servicePort: number;
  /** The token of the emulated service. Defaults to a token that is generated once in the data folder. */
  serviceToken?: string;
  /** The role of full members without another role. Defaults to none. */
  membersDefaultRole?: NonNullable<Variables['MEMBERS_DEFAULT_ROLE']>;
  /** Which service addresses people may connect in Slack. */
  serviceAddressRules: { allowedHosts?: readonly string[]; allowPrivate: boolean };
  /** Whether this instance sends digests. */
  sendsDigests: boolean;
  /** Enables `/upnext file`. */
  allowFileDeletion: boolean;
  logLevel: Variables['LOG_LEVEL'];
}

/** Reads one of the three complete sets of Slack's variables, and reports incomplete or mixed sets. */
function readSlack(env: Variables, problems: string[]): SlackSettings {
  const { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = env;
  const apiUrl = env.SLACK_API_URL;
  const oauthNames: VariableName[] = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET'];
  if (appToken && signingSecret) {
    problems.push('SLACK_APP_TOKEN and SLACK_SIGNING_SECRET are both set: Socket Mode or HTTP, not both');
  } else if (oauthNames.some((name) => env[name])) {
    const missing = [...oauthNames, 'PUBLIC_URL' as const, 'SLACK_SIGNING_SECRET' as const].filter(
      (name) => !env[name],
    );
    if (botToken || appToken) {
      problems.push(
        `${botToken ? 'SLACK_BOT_TOKEN' : 'SLACK_APP_TOKEN'} can’t be combined with ${oauthNames.join(', ')}`,
      );
    } else if (missing.length > 0) problems.push(`${missing.join(', ')} missing: needed for many workspaces`);
    // Missing variables become empty texts: they are reported already.
    return {
      kind: 'oauth',
      signingSecret: env.SLACK_SIGNING_SECRET ?? '',
      clientId: env.SLACK_CLIENT_ID ?? '',
      clientSecret: env.SLACK_CLIENT_SECRET ?? '',
      publicUrl: env.PUBLIC_URL ?? '',
      apiUrl,
    };
  } else if (botToken && appToken) return { kind: 'socket', botToken, appToken, apiUrl };
  else if (botToken && signingSecret) return { kind: 'http', botToken, signingSecret, apiUrl };
  else if (botToken)
    problems.push(
      'SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP) is missing beside SLACK_BOT_TOKEN',
    );
  else if (appToken || signingSecret) {
    problems.push(
      `SLACK_BOT_TOKEN is missing beside ${appToken ? 'SLACK_APP_TOKEN' : 'SLACK_SIGNING_SECRET'}`,
    );
  }
  return { kind: 'embedded' };
}

function readService(env: Variables, problems: string[]): Settings['service'] {
  const { SCHEDULING_API_URL: url, SCHEDULING_API_TOKEN: token } = env;
  const { SCHEDULING_API_FORMER_URL: formerUrl } = env;
  if (url && token) return { kind: 'remote', url, token, ...(formerUrl && { formerUrl }) };
  if (url) problems.push('SCHEDULING_API_TOKEN is missing beside SCHEDULING_API_URL');
  if (token) problems.push('SCHEDULING_API_URL is missing beside SCHEDULING_API_TOKEN');
  if (formerUrl && !url) problems.push('SCHEDULING_API_URL is missing beside SCHEDULING_API_FORMER_URL');
  return { kind: 'embedded' };
}

const BUCKET_NAMES = [
  'MEDIA_BUCKET_URL',
  'MEDIA_BUCKET_KEY_ID',
  'MEDIA_BUCKET_SECRET_KEY',
  'MEDIA_BUCKET_PUBLIC_URL',
] as const satisfies VariableName[];

function readBucket(env: Variables, problems: string[]): BucketSettings | undefined {
  const missing = BUCKET_NAMES.filter((name) => !env[name]);
  if (missing.length === BUCKET_NAMES.length && env.MEDIA_BUCKET_REGION === undefined) return undefined;
  if (missing.length > 0) problems.push(`${missing.join(', ')} missing: needed for a bucket`);
  const [url = '', keyId = '', secretKey = '', publicUrl = ''] = BUCKET_NAMES.map((name) => env[name]);
  return { url, region: env.MEDIA_BUCKET_REGION ?? 'auto', keyId, secretKey, publicUrl };
}

/** Reports built-in systems in production, and a generated key that would encrypt real data. */
function reportUnsafeDefaults(env: Variables, settings: Settings, problems: string[]): void {
  const isProduction = env.NODE_ENV === 'production';
  const embedded = {
    'SLACK_BOT_TOKEN with SLACK_APP_TOKEN or SLACK_SIGNING_SECRET': settings.slack.kind === 'embedded',
    'SCHEDULING_API_URL and SCHEDULING_API_TOKEN':
      settings.service.kind === 'embedded' && settings.slack.kind !== 'oauth',
    DATABASE_URL: settings.database.kind === 'embedded',
  };
  const missing = Object.entries(embedded).filter(([, isEmbedded]) => isEmbedded);
  if (isProduction)
    for (const [names] of missing) problems.push(`${names} missing: needed with NODE_ENV=production`);
  const hasRealData = isProduction || missing.length < Object.keys(embedded).length;
  if (hasRealData && !settings.encryptionKeys) {
    problems.push(
      'ENCRYPTION_KEYS is missing: needed as soon as Slack, the service or the database is not built in',
    );
  }
}

/**
 * Reads the settings from the environment variables.
 * @throws {SettingsError} with all faults that were found.
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const names = Object.keys(variables.shape);
  const emptyNames = names.filter((name) => environment[name]?.trim() === '');
  if (emptyNames.length > 0) {
    throw new SettingsError(emptyNames.map((name) => `${name} is empty: give it a value or remove it`));
  }
  const parsed = variables.safeParse(environment);
  if (!parsed.success) {
    // Only the first fault of each variable.
    const messages = new Map(
      parsed.error.issues.toReversed().map(({ path, message }) => [String(path[0]), message]),
    );
    throw new SettingsError([...messages].map(([name, message]) => `${name} ${message}`));
  }
  const env = parsed.data;
  const problems: string[] = [];
  const bucket = readBucket(env, problems);
  const settings: Settings = {
    slack: readSlack(env, problems),
    service: readService(env, problems),
    database: env.DATABASE_URL ? { kind: 'postgres', url: env.DATABASE_URL } : { kind: 'embedded' },
    ...(env.ENCRYPTION_KEYS && { encryptionKeys: env.ENCRYPTION_KEYS }),
    dataDir: env.DATA_DIR,
    host: env.HOST,
    port: env.PORT,
    ...(env.PUBLIC_URL && { publicUrl: env.PUBLIC_URL }),
    ...(bucket && { bucket }),
    allowedHosts: env.ALLOWED_HOSTS ?? [],
    trustedProxies: env.TRUSTED_PROXIES ?? [],
    ...(env.HEALTH_PORT !== undefined && {
      health: { host: env.HEALTH_HOST ?? env.HOST, port: env.HEALTH_PORT },
    }),
    workspacePort: env.WORKSPACE_PORT,
    servicePort: env.SERVICE_PORT,
    ...(env.SERVICE_TOKEN && { serviceToken: env.SERVICE_TOKEN }),
    ...(env.MEMBERS_DEFAULT_ROLE && { membersDefaultRole: env.MEMBERS_DEFAULT_ROLE }),
    serviceAddressRules: {
      ...(env.ALLOWED_SERVICE_HOSTS && { allowedHosts: env.ALLOWED_SERVICE_HOSTS }),
      allowPrivate: env.ALLOW_PRIVATE_SERVICE_ADDRESSES,
    },
    sendsDigests: env.SEND_DIGESTS,
    allowFileDeletion: env.ALLOW_FILE_DELETION,
    logLevel: env.LOG_LEVEL,
  };
  if (settings.slack.kind === 'oauth' && settings.membersDefaultRole === 'owner') {
    const otherRoles = ROLES.filter((role) => role !== 'owner');
    problems.push(
      `MEMBERS_DEFAULT_ROLE is owner: with many workspaces that would make every member of each one an owner; choose ${joinWithOr(otherRoles)}`,
    );
  }
  if (!settings.sendsDigests && settings.database.kind === 'embedded') {
    problems.push(
      'SEND_DIGESTS is false: that needs DATABASE_URL, because no other instance can send the digests of a built-in database',
    );
  }
  if (env.HEALTH_HOST && !settings.health) problems.push('HEALTH_PORT is missing beside HEALTH_HOST');
  const { health, host, port } = settings;
  const hosts = [host, health?.host];
  const isSameHost = host === health?.host || ['0.0.0.0', '::'].some((all) => hosts.includes(all));
  if (port > 0 && health?.port === port && isSameHost)
    problems.push('HEALTH_PORT is also PORT: choose another port, or remove it');
  if (problems.length === 0) reportUnsafeDefaults(env, settings, problems);
  if (problems.length > 0) throw new SettingsError(problems);
  return settings;
}

// The format of each environment variable follows, and the error for a wrong value. Errors never repeat a value,
// because it may be a secret.

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

/** A URL to which paths are appended. It must not have credentials, a query or a fragment: they leak or get lost. */
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

/** An address without a path: Upnext serves its paths at the root. */
const publicAddress = baseAddress.refine(
  (value) => URL.parse(value)?.pathname === '/',
  'must not hold a path: Upnext needs a host name of its own, because it serves /slack/ and /media/ there',
);

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

/** `id:base64-of-32-bytes`, comma-separated. The first one encrypts. */
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
  PUBLIC_URL: publicAddress.optional(),
  TRUSTED_PROXIES: networks.optional(),
  MEDIA_BUCKET_URL: baseAddress.optional(),
  MEDIA_BUCKET_REGION: z
    .string()
    .regex(/^[\w-]+$/, 'must be a region, such as eu-west-1')
    .optional(),
  MEDIA_BUCKET_KEY_ID: secret(/^\S{3,}$/, 'is too short').optional(),
  MEDIA_BUCKET_SECRET_KEY: secret(/^\S{8,}$/, 'is too short').optional(),
  MEDIA_BUCKET_PUBLIC_URL: baseAddress.optional(),
  SLACK_API_URL: baseAddress.default('https://slack.com/api/'),
  SCHEDULING_API_URL: baseAddress.optional(),
  SCHEDULING_API_FORMER_URL: baseAddress.optional(),
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

type Variables = z.infer<typeof variables>;
