import { ROLES } from '../access/roles.ts';
import { type EncryptionKey, type Variables, variables } from './variables.ts';

export type { EncryptionKey } from './variables.ts';

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

export type SlackSettings =
  | { kind: 'embedded' }
  | { kind: 'socket'; botToken: string; appToken: string; apiUrl: string }
  | { kind: 'http'; botToken: string; signingSecret: string; apiUrl: string }
  | {
      kind: 'oauth';
      signingSecret: string;
      clientId: string;
      clientSecret: string;
      publicUrl: string;
      apiUrl: string;
      /** Addresses and networks (`10.0.0.0/8`) of the proxies that may set X-Forwarded-For. */
      trustedProxies: readonly string[];
    };

export interface Settings {
  slack: SlackSettings;
  service: { kind: 'embedded' } | { kind: 'remote'; url: string; token: string };
  database: { kind: 'embedded' } | { kind: 'postgres'; url: string };
  /** Defaults to a key that is generated once in the data folder. */
  encryptionKeys?: readonly EncryptionKey[];
  dataDir: string;
  host: string;
  port: number;
  /** Additional host names of this server. `*.example.com` matches every name below `example.com`. */
  allowedHosts: readonly string[];
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
  const oauthNames: VariableName[] = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'PUBLIC_URL'];
  if (appToken && signingSecret) {
    problems.push('SLACK_APP_TOKEN and SLACK_SIGNING_SECRET are both set: Socket Mode or HTTP, not both');
  } else if (oauthNames.some((name) => env[name])) {
    const missing = [...oauthNames, 'SLACK_SIGNING_SECRET' as const].filter((name) => !env[name]);
    if (botToken || appToken) {
      problems.push(
        `${botToken ? 'SLACK_BOT_TOKEN' : 'SLACK_APP_TOKEN'} can’t be combined with ${oauthNames.join(', ')}`,
      );
    } else if (missing.length > 0) problems.push(`${missing.join(', ')} missing: needed for many workspaces`);
    return readOAuth(env, apiUrl);
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

/** Missing variables become empty texts, because the caller has already reported them. */
function readOAuth(env: Variables, apiUrl: string): SlackSettings {
  return {
    kind: 'oauth',
    signingSecret: env.SLACK_SIGNING_SECRET ?? '',
    clientId: env.SLACK_CLIENT_ID ?? '',
    clientSecret: env.SLACK_CLIENT_SECRET ?? '',
    publicUrl: env.PUBLIC_URL ?? '',
    apiUrl,
    trustedProxies: env.TRUSTED_PROXIES ?? [],
  };
}

function readService(env: Variables, problems: string[]): Settings['service'] {
  const { SCHEDULING_API_URL: url, SCHEDULING_API_TOKEN: token } = env;
  if (url && token) return { kind: 'remote', url, token };
  if (url) problems.push('SCHEDULING_API_TOKEN is missing beside SCHEDULING_API_URL');
  if (token) problems.push('SCHEDULING_API_URL is missing beside SCHEDULING_API_TOKEN');
  return { kind: 'embedded' };
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
 * @throws {SettingsError} with all faults at once.
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
  const settings: Settings = {
    slack: readSlack(env, problems),
    service: readService(env, problems),
    database: env.DATABASE_URL ? { kind: 'postgres', url: env.DATABASE_URL } : { kind: 'embedded' },
    ...(env.ENCRYPTION_KEYS && { encryptionKeys: env.ENCRYPTION_KEYS }),
    dataDir: env.DATA_DIR,
    host: env.HOST,
    port: env.PORT,
    allowedHosts: env.ALLOWED_HOSTS ?? [],
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
      `MEMBERS_DEFAULT_ROLE is owner: with many workspaces that would make every member of each one an owner; choose ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(otherRoles)}`,
    );
  }
  if (!settings.sendsDigests && settings.database.kind === 'embedded') {
    problems.push(
      'SEND_DIGESTS is false: that needs DATABASE_URL, because no other instance can send the digests of a built-in database',
    );
  }
  if (problems.length === 0) reportUnsafeDefaults(env, settings, problems);
  if (problems.length > 0) throw new SettingsError(problems);
  return settings;
}
