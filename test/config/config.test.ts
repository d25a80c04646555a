import { describe, expect, test } from 'vitest';
import { readSettings, SettingsError } from '../../src/config/config.ts';

const KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const BOT_TOKEN = 'xoxb-1234-5678-abcdef';
const APP_TOKEN = 'xapp-1-A111-222-abcdef';
const SIGNING_SECRET = '0123456789abcdef0123456789abcdef';
const SOCKET_MODE_SETTINGS = { SLACK_BOT_TOKEN: BOT_TOKEN, SLACK_APP_TOKEN: APP_TOKEN, ENCRYPTION_KEYS: KEY };
const SERVICE_SETTINGS = {
  SCHEDULING_API_URL: 'https://posts.example.com/',
  SCHEDULING_API_TOKEN: 'a-long-token',
};

function findProblems(environment: Record<string, string>): readonly string[] {
  try {
    readSettings(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

test('without settings, the built-in systems are used', () => {
  expect(readSettings({})).toEqual({
    slack: { kind: 'embedded' },
    service: { kind: 'embedded' },
    database: { kind: 'embedded' },
    dataDir: './data',
    host: '127.0.0.1',
    port: 3000,
    allowedHosts: [],
    trustedProxies: [],
    workspacePort: 3001,
    servicePort: 3002,
    serviceAddressRules: { allowPrivate: false },
    sendsDigests: true,
    allowFileDeletion: false,
    logLevel: 'info',
  });
});

describe('a complete set of variables', () => {
  const defaults = readSettings({});
  test('a bot token and an app token select Socket Mode', () => {
    const { slack, service, database } = readSettings(SOCKET_MODE_SETTINGS);
    expect(slack).toEqual({
      kind: 'socket',
      botToken: BOT_TOKEN,
      appToken: APP_TOKEN,
      apiUrl: 'https://slack.com/api/',
    });
    expect({ service, database }).toEqual({ service: defaults.service, database: defaults.database });
  });
  test('a bot token and a signing secret select HTTP', () => {
    const { slack } = readSettings({
      SLACK_BOT_TOKEN: BOT_TOKEN,
      SLACK_SIGNING_SECRET: SIGNING_SECRET,
      ENCRYPTION_KEYS: KEY,
    });
    expect(slack).toMatchObject({ kind: 'http', signingSecret: SIGNING_SECRET });
  });
  test('an address and a token select a real scheduling service', () => {
    const { service, slack } = readSettings({ ...SERVICE_SETTINGS, ENCRYPTION_KEYS: KEY });
    expect(service).toEqual({ kind: 'remote', url: 'https://posts.example.com/', token: 'a-long-token' });
    expect(slack).toEqual(defaults.slack);
  });
  test('a bucket needs all of its settings, and PUBLIC_URL goes with any way to connect to Slack', () => {
    const bucket = {
      MEDIA_BUCKET_URL: 'https://s3.example.com/media',
      MEDIA_BUCKET_KEY_ID: 'AKIDEXAMPLE',
      MEDIA_BUCKET_SECRET_KEY: 'a-secret-of-the-bucket',
      MEDIA_BUCKET_PUBLIC_URL: 'https://media.example.com/',
    };
    expect(readSettings(bucket).bucket).toMatchObject({
      region: 'auto',
      publicUrl: 'https://media.example.com/',
    });
    const { MEDIA_BUCKET_KEY_ID: _, ...incomplete } = bucket;
    expect(findProblems(incomplete)).toEqual(['MEDIA_BUCKET_KEY_ID missing: needed for a bucket']);
    expect(readSettings({ PUBLIC_URL: 'https://upnext.example.com' })).toMatchObject({
      publicUrl: 'https://upnext.example.com/',
      slack: { kind: 'embedded' },
    });
  });
  test('PUBLIC_URL can’t have a path', () => {
    expect(findProblems({ PUBLIC_URL: 'https://example.com/upnext/' })).toEqual([
      expect.stringMatching(/^PUBLIC_URL must not hold a path: Upnext needs a host name of its own/),
    ]);
  });
  test('a database address selects Postgres', () => {
    const { database } = readSettings({ DATABASE_URL: 'postgres://db/upnext', ENCRYPTION_KEYS: KEY });
    expect(database).toEqual({ kind: 'postgres', url: 'postgres://db/upnext' });
    const socket = 'postgresql://upnext:sec,ret@/upnext?host=/run/postgresql';
    expect(readSettings({ DATABASE_URL: socket, ENCRYPTION_KEYS: KEY }).database).toMatchObject({
      url: socket,
    });
  });
  test('the address of Slack is used only with a complete set of Slack variables', () => {
    expect(readSettings({ SLACK_API_URL: 'http://127.0.0.1:9/api/' }).slack).toEqual(defaults.slack);
    expect(
      readSettings({ ...SOCKET_MODE_SETTINGS, SLACK_API_URL: 'http://127.0.0.1:9/api/' }).slack,
    ).toMatchObject({ apiUrl: 'http://127.0.0.1:9/api/' });
  });
});

test('encryption keys are read in their order', () => {
  const secondKey = `old:${Buffer.alloc(32, 9).toString('base64')}`;
  expect(readSettings({ ENCRYPTION_KEYS: `${KEY}, ${secondKey}` }).encryptionKeys).toEqual([
    { id: 'k1', key: Buffer.alloc(32, 7) },
    { id: 'old', key: Buffer.alloc(32, 9) },
  ]);
});

describe('an incomplete or mixed set of variables', () => {
  test.each<[string, Record<string, string>]>([
    ['SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP)', { SLACK_BOT_TOKEN: BOT_TOKEN }],
    ['SLACK_BOT_TOKEN', { SLACK_APP_TOKEN: APP_TOKEN }],
    ['SLACK_BOT_TOKEN', { SLACK_SIGNING_SECRET: SIGNING_SECRET }],
    [
      'SLACK_APP_TOKEN and SLACK_SIGNING_SECRET',
      { ...SOCKET_MODE_SETTINGS, SLACK_SIGNING_SECRET: SIGNING_SECRET },
    ],
    ['SLACK_CLIENT_SECRET, PUBLIC_URL, SLACK_SIGNING_SECRET', { SLACK_CLIENT_ID: '123.45678' }],
    ['SLACK_BOT_TOKEN can’t be combined', { SLACK_BOT_TOKEN: BOT_TOKEN, SLACK_CLIENT_ID: '123.45678' }],
    [
      'SCHEDULING_API_TOKEN',
      { SCHEDULING_API_URL: SERVICE_SETTINGS.SCHEDULING_API_URL, ENCRYPTION_KEYS: KEY },
    ],
    [
      'SCHEDULING_API_URL',
      { SCHEDULING_API_TOKEN: SERVICE_SETTINGS.SCHEDULING_API_TOKEN, ENCRYPTION_KEYS: KEY },
    ],
    ['ENCRYPTION_KEYS', { SLACK_BOT_TOKEN: BOT_TOKEN, SLACK_APP_TOKEN: APP_TOKEN }],
    ['ENCRYPTION_KEYS', { DATABASE_URL: 'postgres://db/upnext' }],
  ])('an incomplete or mixed set of variables is refused with “%s”', (problemStart, environment) => {
    const problems = findProblems(environment);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${problemStart.replace(/[()]/g, '\\$&')}`));
  });

  test('in production, built-in systems and generated keys are refused', () => {
    expect(findProblems({ NODE_ENV: 'production' }).map((line) => line.split(' ')[0])).toEqual([
      'SLACK_BOT_TOKEN',
      'SCHEDULING_API_URL',
      'DATABASE_URL',
      'ENCRYPTION_KEYS',
    ]);
    const completeSettings = {
      ...SOCKET_MODE_SETTINGS,
      ...SERVICE_SETTINGS,
      DATABASE_URL: 'postgres://db/upnext',
      NODE_ENV: 'production',
    };
    expect(findProblems(completeSettings)).toEqual([]);
  });
});

test.each(['prod', 'Production', 'live'])('the unknown environment %s is refused', (NODE_ENV) => {
  expect(findProblems({ NODE_ENV })).toEqual(['NODE_ENV must be one of production, development, test']);
});

describe('with many workspaces', () => {
  const manyWorkspaces = {
    SLACK_SIGNING_SECRET: SIGNING_SECRET,
    SLACK_CLIENT_ID: '1234.5678',
    SLACK_CLIENT_SECRET: SIGNING_SECRET,
    PUBLIC_URL: 'https://upnext.example.com/',
    ENCRYPTION_KEYS: KEY,
  };

  test('with many workspaces, members can’t have the default role owner', () => {
    expect(findProblems({ ...manyWorkspaces, MEMBERS_DEFAULT_ROLE: 'owner' })).toEqual([
      expect.stringMatching(/^MEMBERS_DEFAULT_ROLE is owner: .* choose viewer, (?!.*owner).* or manager$/),
    ]);
  });

  test.each([
    [undefined, []],
    ['192.0.2.1', ['192.0.2.1']],
    ['10.0.0.0/8, fd00::/8,2001:db8::1', ['10.0.0.0/8', 'fd00::/8', '2001:db8::1']],
  ])('the proxies in TRUSTED_PROXIES are trusted: %s', (TRUSTED_PROXIES, trustedProxies) => {
    const settings = readSettings({
      ...manyWorkspaces,
      ...(TRUSTED_PROXIES !== undefined && { TRUSTED_PROXIES }),
    });
    expect(settings).toMatchObject({ trustedProxies });
  });

  test.each(['0.0.0.0/0', '::/0', 'proxy.example.com', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0/8', '*', ','])(
    'TRUSTED_PROXIES cannot be %s',
    (TRUSTED_PROXIES) => {
      expect(findProblems({ ...manyWorkspaces, TRUSTED_PROXIES })).toEqual([
        expect.stringMatching(/^TRUSTED_PROXIES must be addresses or networks/),
      ]);
    },
  );

  test.each(['viewer', 'manager'])('with many workspaces, members can have the default role %s', (role) => {
    expect(readSettings({ ...manyWorkspaces, MEMBERS_DEFAULT_ROLE: role }).membersDefaultRole).toBe(role);
  });
});

test('with a bot token, members can have the default role owner', () => {
  expect(readSettings({ ...SOCKET_MODE_SETTINGS, MEMBERS_DEFAULT_ROLE: 'owner' }).membersDefaultRole).toBe(
    'owner',
  );
});

test.each<[string, string]>([
  ['SLACK_BOT_TOKEN', ''],
  ['SLACK_BOT_TOKEN', '   '],
  ['SLACK_BOT_TOKEN', 'xoxb-your-token-here'],
  ['SLACK_BOT_TOKEN', 'xoxp-1234-5678-abcdef'],
  ['SLACK_BOT_TOKEN', 'xoxe.xoxb-1-1234-5678-abcdef'],
  ['SLACK_APP_TOKEN', 'xoxb-1234-5678-abcdef'],
  ['SLACK_SIGNING_SECRET', 'c0ffee'],
  ['SLACK_SIGNING_SECRET', '<signing secret>'],
  ['SCHEDULING_API_URL', 'http://posts.example.com/'],
  ['SCHEDULING_API_URL', 'https://ana:hunter2secret@posts.example.com/'],
  ['SCHEDULING_API_URL', 'https://posts.example.com/?tenant=4secret'],
  ['SCHEDULING_API_URL', 'posts.example.com'],
  ['SCHEDULING_API_TOKEN', 'changeme'],
  ['SCHEDULING_API_TOKEN', 'two words here'],
  ['DATABASE_URL', 'mysql://db/upnext'],
  ['DATABASE_URL', 'postgres://upnext:secret@db1,db2/upnext'],
  ['DATABASE_URL', 'postgres://db1:5432,db2:5433/upnext?target_session_attrs=read-write'],
  ['DATABASE_URL', 'postgres:///upnext?host=db1,db2'],
  ['ENCRYPTION_KEYS', 'k1:c2hvcnQ='],
  ['ENCRYPTION_KEYS', `${KEY},${KEY}`],
  ['SERVICE_TOKEN', 'short'],
  ['HOST', 'my;host'],
  ['PORT', '70000'],
  ['PORT', '3e3'],
  ['HEALTH_PORT', '70000'],
  ['HEALTH_HOST', 'my;host'],
  ['WORKSPACE_PORT', '-1'],
  ['SERVICE_PORT', 'http'],
  ['MEMBERS_DEFAULT_ROLE', 'SUPERADMIN'],
  ['ALLOW_FILE_DELETION', 'yes'],
  ['SEND_DIGESTS', 'no'],
  ['LOG_LEVEL', 'loud'],
])(
  'the error for the malformed value in %s=%s names the variable, and doesn’t repeat the value',
  (name, value) => {
    const problems = findProblems({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.startsWith(`${name} `)).toBe(true);
    if (value.trim()) expect(problems[0]).not.toContain(value);
  },
);

test('an instance leaves digests to others only if they can use the same database', () => {
  const others = { DATABASE_URL: 'postgres://db/upnext', ENCRYPTION_KEYS: KEY };
  expect(readSettings({}).sendsDigests).toBe(true);
  expect(readSettings({ ...others, SEND_DIGESTS: 'false' }).sendsDigests).toBe(false);
  expect(findProblems({ SEND_DIGESTS: 'false' })).toEqual([
    'SEND_DIGESTS is false: that needs DATABASE_URL, because no other instance can send the digests of a built-in database',
  ]);
});

test('a setting that would have no effect alone is an error', () => {
  expect(findProblems({ HEALTH_HOST: '127.0.0.1' })).toEqual(['HEALTH_PORT is missing beside HEALTH_HOST']);
  expect(findProblems({ MEDIA_BUCKET_REGION: 'eu-west-1' })).toEqual([
    'MEDIA_BUCKET_URL, MEDIA_BUCKET_KEY_ID, MEDIA_BUCKET_SECRET_KEY, MEDIA_BUCKET_PUBLIC_URL missing: needed for a bucket',
  ]);
});

test('health and metrics can’t have the port of Slack’s requests on the same host', () => {
  const problem = 'HEALTH_PORT is also PORT: choose another port, or remove it';
  expect(findProblems({ HEALTH_PORT: '3000' })).toEqual([problem]);
  const others = { HOST: '0.0.0.0', HEALTH_HOST: '127.0.0.1' };
  expect(findProblems({ ...others, HEALTH_PORT: '3000' })).toEqual([problem]);
  expect(findProblems({ HEALTH_PORT: '3000', HEALTH_HOST: '10.0.0.7' })).toEqual([]);
  expect(findProblems({ HEALTH_PORT: '0', PORT: '0' })).toEqual([]);
});

test('health and metrics can have a separate port; their host defaults to HOST', () => {
  const readHealthSettings = (environment: Record<string, string>) => readSettings(environment).health;
  expect(readHealthSettings({})).toBeUndefined();
  expect(readHealthSettings({ HEALTH_PORT: '3003', HOST: '0.0.0.0' })).toEqual({
    host: '0.0.0.0',
    port: 3003,
  });
  expect(readHealthSettings({ HEALTH_PORT: '3003', HEALTH_HOST: '10.0.0.7' })).toEqual({
    host: '10.0.0.7',
    port: 3003,
  });
});
