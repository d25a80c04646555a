import { join } from 'node:path';
import type { WorkspaceOptions } from 'slack-workspace-emulator';
import { z } from 'zod';
import { readSettings } from '../config/config.ts';
import { failWithUsage, readArguments, requireInstalled, run, StartError } from '../start/run.ts';
import { createMovedAsideMessage, isThread, printMovedAside, serveThread } from '../start/thread.ts';

/** Runs the emulated workspace: for any Slack app (`npm run workspace`), or as a thread of `npm start`. */

const options = z.object({
  dataDir: z.string(),
  port: z.number(),
  /** The path of the app's manifest, YAML or JSON. Its commands and shortcuts appear on the page. */
  manifest: z.string(),
  /** An address of this machine from which the app shows pictures. */
  picturesFrom: z.string().optional(),
});

const loadWorkspace = () =>
  requireInstalled(
    'practice workspace',
    'SLACK_BOT_TOKEN with SLACK_APP_TOKEN or SLACK_SIGNING_SECRET, to connect Upnext to Slack',
    import('slack-workspace-emulator'),
  );

const loadCommand = async () => (await loadWorkspace()).loadCommand();

async function start(
  { dataDir, port, manifest, picturesFrom }: z.infer<typeof options>,
  otherOptions: Omit<WorkspaceOptions, 'manifest' | 'port'>,
) {
  const { CommandProblem, startFromManifest } = await loadCommand();
  const names = { port: 'WORKSPACE_PORT', folder: 'DATA_DIR' };
  return startFromManifest(
    manifest,
    {
      ...{ port, folder: join(dataDir, 'workspace') },
      ...(picturesFrom !== undefined && { picturesFrom }),
      ...otherOptions,
    },
    names,
  ).catch((error: unknown) => {
    throw error instanceof CommandProblem ? new StartError(error.message, { cause: error.cause }) : error;
  });
}

const USAGE = (optionsUsage: string) => `Usage: npm run workspace [-- OPTIONS]

Starts the practice workspace alone, for any Slack app, and prints what the app needs to connect.

${optionsUsage}

Settings: DATA_DIR, WORKSPACE_PORT.

Example: npm run workspace -- --request-url http://127.0.0.1:3000/slack/events`;

async function serve() {
  const command = await loadCommand();
  const usage = USAGE(command.OPTIONS_USAGE);
  const { values } = readArguments(usage, { options: command.COMMAND_OPTIONS });
  const { dataDir, workspacePort: port } = readSettings(process.env);
  try {
    const { manifest, ...otherOptions } = command.readCommandOptions(values);
    const workspace = await start(
      { dataDir, port, manifest },
      { ...otherOptions, onMovedAside: printMovedAside },
    );
    console.log(command.describeWorkspace(workspace, { manifest, delivery: otherOptions.delivery.kind }));
    return workspace;
  } catch (error) {
    if (error instanceof command.UsageProblem) failWithUsage(usage, error.message);
    throw error;
  }
}

/** The workspace of `npm start`, which gets further switches for its page, and passes on its clock's offset. */
async function startThreadPart(data: unknown, send: (message: object) => void) {
  const { externalSwitch } = await loadWorkspace();
  const workspace = await start(options.parse(data), {
    delivery: { kind: 'socket' },
    onClock: (offset) => send({ clockOffset: offset }),
    onMovedAside: (to) => send(createMovedAsideMessage(to)),
  });
  const { url, pageUrl, apiUrl, botToken, appToken, signingSecret } = workspace;
  return {
    facts: { url, pageUrl, apiUrl, botToken, appToken, signingSecret },
    receive: (message: object) => workspace.offerSwitches(z.array(externalSwitch).parse(message)),
    close: () => workspace.close(),
  };
}

if (isThread) await serveThread(startThreadPart);
else await run(serve);
