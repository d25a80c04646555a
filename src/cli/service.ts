import { join } from 'node:path';
import { readSettings } from '../config/config.ts';
import {
  loadServiceEmulator,
  openServiceDatabase,
  printMovedAside,
  startServiceEmulator,
} from '../start/emulators.ts';
import { blameSetting, fail, failWithUsage, readArguments, run } from '../start/run.ts';

/** Runs the emulated service alone: `npm run service`. */

const USAGE = `Usage: npm run service
       npm run service -- load [--posts COUNT] [--project NAME]

Starts the practice service alone, or adds scheduled posts to it.

  --posts COUNT     how many posts to add; defaults to 1000000
  --project NAME    the project to fill; defaults to Harbour Coffee

Settings: DATA_DIR, SERVICE_PORT, SERVICE_TOKEN.

Example: npm run service -- load --posts 1000`;

function readEmulatorSettings() {
  const { dataDir, servicePort: port, serviceToken: token } = readSettings(process.env);
  return { dataDir, port, ...(token && { token }) };
}

async function serve() {
  readArguments(USAGE, { options: {} });
  const settings = readEmulatorSettings();
  const service = await startServiceEmulator(settings, fail, printMovedAside);
  const source = settings.token ? 'SERVICE_TOKEN' : join(settings.dataDir, 'service-token');
  console.log(`The practice service listens at ${service.url}; its bearer token is in ${source}.
With the same token you can read (GET) and set (PUT) its faults at ${service.control}`);
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
  const db = await openServiceDatabase(readEmulatorSettings().dataDir, fail, printMovedAside);
  const { loadPosts, createProgressBar } = await loadServiceEmulator();
  const onProgress = createProgressBar(process.stderr);
  const { posts, project } = values;
  try {
    await blameSetting('--posts', loadPosts({ db, count: Number(posts), project, onProgress }));
  } finally {
    await db.destroy();
  }
}

await run(() => (process.argv[2] === 'load' ? load(process.argv.slice(3)) : serve()));
