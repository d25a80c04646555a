import { readSettings } from './config/config.ts';
import { readArguments, run } from './start/run.ts';

const USAGE = `Usage: npm start

Starts Upnext. What isn't set up is built in: a practice workspace, a practice service and a database.

Settings: environment variables or .env; README.md and .env.example list them.

Example: DATA_DIR=/var/lib/upnext PORT=8080 npm start`;

async function start() {
  readArguments(USAGE, { options: {} });
  const settings = readSettings(process.env);
  // Loading the app takes a second. A wrong setting is reported without this delay.
  const { startUpnext } = await import('./start/start-upnext.ts');
  return startUpnext(settings);
}

await run(start);
