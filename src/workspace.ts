import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { workerData } from 'node:worker_threads';
import { parse } from 'yaml';
import { z } from 'zod';
import { readSettings } from './config.ts';
import { run } from './start/run.ts';
import { startedBy } from './start/start-error.ts';
import { isThread, serveThread } from './start/thread.ts';

/**
 * The practice Slack: alone (`npm run workspace`), for any Slack app that takes the address of Slack's API from its
 * settings, or as a thread of `npm start`.
 */

const options = z.object({
  dataDir: z.string(),
  port: z.number(),
  /** The app's manifest, YAML or JSON: its commands and shortcuts appear on the page. */
  manifest: z.string(),
  /** Where requests go in HTTP mode; absent: Socket Mode. */
  requestUrl: z.string().optional(),
});

async function start({ dataDir, port, manifest, requestUrl }: z.infer<typeof options>) {
  const { startWorkspace } = await import('./embedded/slack/start-workspace.ts');
  const workspace = await startedBy(
    'WORKSPACE_PORT',
    startWorkspace({
      port,
      folder: join(dataDir, 'workspace'),
      manifest: parse(readFileSync(manifest, 'utf8')),
      delivery: requestUrl ? { kind: 'http', url: requestUrl } : { kind: 'socket' },
    }),
  );
  const { url, apiUrl, botToken, appToken, signingSecret } = workspace;
  return { facts: { url, apiUrl, botToken, appToken, signingSecret }, close: () => workspace.close() };
}

/** `npm run workspace -- [--manifest file] [--request-url http://127.0.0.1:3000/slack/events]` */
async function serve() {
  const { values } = parseArgs({
    options: { manifest: { type: 'string', default: 'manifest.yml' }, 'request-url': { type: 'string' } },
  });
  const { dataDir, workspacePort: port } = readSettings(process.env);
  const requestUrl = values['request-url'];
  const workspace = await start({
    dataDir,
    port,
    manifest: values.manifest,
    ...(requestUrl && { requestUrl }),
  });
  const { facts } = workspace;
  console.log(`The practice workspace is at ${facts.url}. An app connects to it with:

  SLACK_API_URL=${facts.apiUrl}
  SLACK_BOT_TOKEN=${facts.botToken}
  ${requestUrl ? `SLACK_SIGNING_SECRET=${facts.signingSecret}` : `SLACK_APP_TOKEN=${facts.appToken}`}
`);
  return workspace;
}

if (isThread) await serveThread(() => start(options.parse(workerData)));
else await run(serve);
