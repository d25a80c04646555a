#!/usr/bin/env node
import { parseArgs } from 'node:util';
import {
  COMMAND_OPTIONS,
  CommandProblem,
  describeWorkspace,
  OPTIONS_USAGE,
  readCommandOptions,
  startFromManifest,
  UsageProblem,
} from './command.ts';

/** The command of the package. In this repository, `npm run workspace` does the same. */

const USAGE = `Usage: slack-workspace [OPTIONS]

Starts a local Slack workspace, and prints what an app needs to connect.

${OPTIONS_USAGE}
  --port NUMBER           defaults to 3001; 0 is any free port
  --data FOLDER           stores the messages and tokens there; defaults to .slack-workspace
  --help                  prints this text

Example: npx slack-workspace --request-url http://127.0.0.1:3000/slack/events`;

const options = {
  ...COMMAND_OPTIONS,
  port: { type: 'string', default: '3001' },
  data: { type: 'string', default: '.slack-workspace' },
  help: { type: 'boolean', default: false },
} as const;

function readOptions() {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    // Later sentences explain how to pass a positional argument that begins with a dash.
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    throw new UsageProblem(line);
  }
}

async function runCommand(): Promise<void> {
  const values = readOptions();
  if (values.help) return console.log(USAGE);
  const port = Number(values.port);
  if (!/^\d{1,5}$/.test(values.port) || port > 65_535)
    throw new UsageProblem('--port must be a number up to 65535');
  const { manifest, ...otherOptions } = readCommandOptions(values);
  const workspace = await startFromManifest(
    manifest,
    {
      ...otherOptions,
      port,
      folder: values.data,
      onMovedAside: (to) =>
        console.log(`An earlier version's data was moved aside to ${to}; starting without it.`),
    },
    { port: '--port', folder: '--data' },
  );
  console.log(describeWorkspace(workspace, { manifest, delivery: otherOptions.delivery.kind }));
  const stop = () => {
    workspace.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

try {
  await runCommand();
} catch (error) {
  if (!(error instanceof CommandProblem)) throw error;
  console.error(error instanceof UsageProblem ? `${error.message}\n\n${USAGE}` : error.message);
  process.exitCode = error instanceof UsageProblem ? 2 : 1;
}
