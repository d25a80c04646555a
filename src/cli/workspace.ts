import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { readSettings } from '../config/config.ts';
import type { ManifestGap, OptionsState } from '../emulators/slack/slack.ts';
import { createMovedAsideMessage, type OnMovedAside, printMovedAside } from '../start/moved-aside.ts';
import { run } from '../start/run.ts';
import { blameSetting, StartError } from '../start/start-error.ts';
import { isThread, serveThread } from '../start/thread.ts';
import { failWithUsage, readArguments } from '../start/usage.ts';

/**
 * Runs the emulated workspace: as a program (`npm run workspace`) for any Slack app whose API address can be set, or as
 * a thread of `npm start`.
 */

const options = z.object({
  dataDir: z.string(),
  port: z.number(),
  /** The path of the app's manifest, YAML or JSON. Its commands and shortcuts appear on the page. */
  manifest: z.string(),
  /** The address for requests in HTTP mode. Defaults to Socket Mode. */
  requestUrl: z.string().optional(),
  /** Where to listen. Defaults to loopback. */
  host: z.string().optional(),
  /** Enforces Slack's rate limits. */
  limits: z.boolean().optional(),
});

/** Throws a StartError that names the file and the fault. */
function readManifest(path: string): object {
  const manifest = parseFile(path);
  if (typeof manifest === 'object' && manifest !== null && !Array.isArray(manifest)) return manifest;
  throw new StartError(
    `--manifest ${path} is not an app manifest, which has display_information, features and so on`,
  );
}

function parseFile(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8'), { logLevel: 'error' });
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split(/:?\n/);
    throw new StartError(`--manifest ${path} cannot be read: ${reason}`, { cause: error });
  }
}

/** Turns a failure into a StartError that names the manifest, the host, the port or the data folder. */
async function explainFailure<T>(
  { manifest, host }: { manifest: string; host: string | undefined },
  starting: Promise<T>,
): Promise<T> {
  try {
    return await starting;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (host !== undefined && ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code)) {
      throw new StartError(`--host ${host} is not an address of this machine (${code})`, { cause: error });
    }
    const isListenError = error instanceof Error && 'syscall' in error && error.syscall === 'listen';
    if (isListenError) return await blameSetting('WORKSPACE_PORT', starting);
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof Error && error.name === 'InvalidManifest')
      throw new StartError(`--manifest ${manifest}: ${reason}`, { cause: error });
    throw new StartError(`DATA_DIR: ${reason}`, { cause: error });
  }
}

/** `onClock` is called for each change of the emulated workspace's clock, with its offset from the system clock. */
async function start(
  {
    dataDir,
    port,
    manifest,
    requestUrl,
    host,
    limits,
    optionsState,
  }: z.infer<typeof options> & { optionsState?: OptionsState },
  onMovedAside: OnMovedAside,
  onClock: (offsetMs: number) => void = () => undefined,
) {
  const { outsideSwitch, startWorkspace } = await import('../emulators/slack/slack.ts');
  const workspace = await explainFailure(
    { manifest, host },
    startWorkspace({
      port,
      folder: join(dataDir, 'workspace'),
      manifest: readManifest(manifest),
      delivery: requestUrl ? { kind: 'http', url: requestUrl } : { kind: 'socket' },
      ...(host !== undefined && { host }),
      limits: limits ?? false,
      ...(optionsState && { optionsState }),
      onClock,
      onMovedAside,
    }),
  );
  const { url, pageUrl, apiUrl, botToken, appToken, signingSecret } = workspace;
  return {
    gaps: workspace.manifestGaps,
    facts: { url, pageUrl, apiUrl, botToken, appToken, signingSecret },
    /** Receives additional switches for the page. */
    receive: (message: object) => workspace.offerSwitches(z.array(outsideSwitch).parse(message)),
    close: () => workspace.close(),
  };
}

/** One line for what Slack has and the workspace doesn't, and one for what Slack doesn't know. */
function describeGaps(manifest: string, gaps: readonly ManifestGap[]): string[] {
  const list = (reason: ManifestGap['reason']) =>
    gaps.filter((gap) => gap.reason === reason).map(({ kind, name }) => `${kind} ${name}`);
  const [missing, unknown] = [list('missing here'), list('unknown to Slack')];
  return [
    ...(missing.length > 0
      ? [`${manifest} asks for what this workspace doesn't have: ${missing.join(', ')}.`]
      : []),
    ...(unknown.length > 0 ? [`${manifest} asks for what Slack doesn't know: ${unknown.join(', ')}.`] : []),
  ];
}

const USAGE = `Usage: npm run workspace [-- OPTIONS]

Starts the practice workspace alone, for any Slack app, and prints what the app needs to connect.

  --manifest FILE         the app's manifest, YAML or JSON; defaults to manifest.yml
  --request-url URL       sends requests over HTTP to this address; defaults to Socket Mode
  --host ADDRESS          listens there, such as 0.0.0.0 in a container, and prints an address with a token;
                          defaults to this machine only
  --limits                enforces Slack's rate limits
  --options-state STATE   the form's values in requests for menu options: stale (default), missing or current

Settings: DATA_DIR, WORKSPACE_PORT.

Example: npm run workspace -- --request-url http://127.0.0.1:3000/slack/events`;

async function serve() {
  const { values } = readArguments(USAGE, {
    options: {
      manifest: { type: 'string', default: 'manifest.yml' },
      'request-url': { type: 'string' },
      host: { type: 'string' },
      limits: { type: 'boolean', default: false },
      'options-state': { type: 'string', default: 'stale' },
    },
  });
  const { dataDir, workspacePort: port } = readSettings(process.env);
  const requestUrl = values['request-url'];
  if (requestUrl !== undefined && !/^https?:$/.test(URL.parse(requestUrl)?.protocol ?? '')) {
    failWithUsage(
      USAGE,
      '--request-url must be the address of the app, such as http://127.0.0.1:3000/slack/events',
    );
  }
  const { OPTIONS_STATES } = await import('../emulators/slack/slack.ts');
  const optionsState = OPTIONS_STATES.find((state) => state === values['options-state']);
  if (!optionsState) failWithUsage(USAGE, `--options-state must be one of ${OPTIONS_STATES.join(', ')}`);
  const workspace = await start(
    {
      dataDir,
      port,
      manifest: values.manifest,
      limits: values.limits,
      optionsState,
      ...(requestUrl && { requestUrl }),
      ...(values.host && { host: values.host }),
    },
    printMovedAside,
  );
  const { facts } = workspace;
  console.log(`The practice workspace is at ${facts.pageUrl}. To connect an app to it, set:

  SLACK_API_URL=${facts.apiUrl}
  SLACK_BOT_TOKEN=${facts.botToken}
  ${requestUrl ? `SLACK_SIGNING_SECRET=${facts.signingSecret}` : `SLACK_APP_TOKEN=${facts.appToken}`}
`);
  for (const line of describeGaps(values.manifest, workspace.gaps)) console.log(line);
  return workspace;
}

if (isThread) {
  await serveThread((data, send) =>
    start(
      options.parse(data),
      (to) => send(createMovedAsideMessage(to)),
      (offset) => send({ clockOffset: offset }),
    ),
  );
} else await run(serve);
