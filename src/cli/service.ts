import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ServiceSchema } from 'scheduling-service-emulator';
import { z } from 'zod';
import { readSettings } from '../config/config.ts';
import { readLocalTime } from '../durations.ts';
import { blameSetting, failWithUsage, readArguments, requireInstalled, run } from '../start/run.ts';
import { readOrCreateSecret } from '../start/secrets.ts';
import {
  createMovedAsideMessage,
  isThread,
  type OnMovedAside,
  printMovedAside,
  serveThread,
} from '../start/thread.ts';
import { openDatabase } from '../store/database.ts';

/** Runs the emulated service: as a program (`npm run service`), or as a thread of `npm start`. */

const USAGE = `Usage: npm run service
       npm run service -- load [--posts COUNT] [--project NAME]

Starts the practice service alone, or adds scheduled posts to it.

  --posts COUNT     how many posts to add; defaults to 1000000
  --project NAME    the project to fill; defaults to Harbour Coffee

Settings: DATA_DIR, SERVICE_PORT, SERVICE_TOKEN.

Example: npm run service -- load --posts 1000`;

const DOCUMENT = new URL('../../openapi/scheduling-service.yaml', import.meta.url);

const options = z.object({ dataDir: z.string(), port: z.number(), token: z.string().optional() });

const loadService = () =>
  requireInstalled(
    'practice service',
    'SCHEDULING_API_URL and SCHEDULING_API_TOKEN, to use a scheduling service',
    import('scheduling-service-emulator'),
  );

async function openFolder(dataDir: string, onMovedAside: OnMovedAside) {
  const { openPGlite } = await import('../store/pglite/pglite.ts');
  const { migrations } = await loadService();
  const earlierVersion = { migrations: Object.keys(migrations), onMovedAside };
  const { dialect } = await blameSetting('DATA_DIR', openPGlite(join(dataDir, 'service'), earlierVersion));
  return await blameSetting('DATA_DIR', openDatabase<ServiceSchema>({ dialect, migrations }));
}

/** A message with the offset of the emulated workspace's clock, ms. The service publishes posts by that clock. */
const clockMessage = z.object({ clockOffset: z.number() });

async function start({ dataDir, port, token }: z.infer<typeof options>, onMovedAside: OnMovedAside) {
  let clockOffsetMs = 0;
  const now = () => new Date(readLocalTime() + clockOffsetMs);
  const db = await openFolder(dataDir, onMovedAside);
  const secret =
    token ?? readOrCreateSecret(dataDir, 'service-token', () => randomBytes(24).toString('base64url'));
  const { startService } = await loadService();
  const service = await blameSetting(
    'SERVICE_PORT',
    startService({ db, document: DOCUMENT, port, token: secret, now, onFault: printFault, control: true }),
  );
  const { url, control } = service;
  const receive = (message: object) => {
    const parsed = clockMessage.safeParse(message);
    // Posts that are due by the new time are published at the next request.
    if (parsed.success) clockOffsetMs = parsed.data.clockOffset;
  };
  return { facts: { url, token: secret, control }, receive, close: () => service.close() };
}

/** Prints only the error's name and code, because a database's message may contain a post. */
function printFault(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
  console.error(`The practice service failed: ${error instanceof Error ? error.name : typeof error}${code}`);
}

function readEmulatorSettings() {
  const { dataDir, servicePort: port, serviceToken: token } = readSettings(process.env);
  return { dataDir, port, ...(token && { token }) };
}

async function serve() {
  readArguments(USAGE, { options: {} });
  const settings = readEmulatorSettings();
  const service = await start(settings, printMovedAside);
  const source = settings.token ? 'SERVICE_TOKEN' : join(settings.dataDir, 'service-token');
  console.log(`The practice service listens at ${service.facts.url}; its bearer token is in ${source}.
With the same token you can read (GET) and set (PUT) its faults at ${service.facts.control}`);
  return service;
}

async function load(args: string[]): Promise<undefined> {
  const { values } = readArguments(USAGE, {
    args,
    options: {
      posts: { type: 'string', default: '1000000' },
      project: { type: 'string', default: 'Harbour Coffee' },
    },
  });
  if (!/^[1-9]\d*$/.test(values.posts)) failWithUsage(USAGE, '--posts must be a whole number from 1 up');
  const db = await openFolder(readEmulatorSettings().dataDir, printMovedAside);
  const { loadPosts, createProgressBar } = await loadService();
  const onProgress = createProgressBar(process.stderr);
  const { posts, project } = values;
  try {
    await blameSetting('--posts', loadPosts({ db, count: Number(posts), project, onProgress }));
  } finally {
    await db.destroy();
  }
}

if (isThread) {
  await serveThread((data, send) => start(options.parse(data), (to) => send(createMovedAsideMessage(to))));
} else if (process.argv[2] === 'load') await run(() => load(process.argv.slice(3)));
else await run(serve);
