import { readSettings } from '../config/config.ts';
import { loadWorkspaceCommand, printMovedAside, startWorkspaceEmulator } from '../start/emulators.ts';
import { failWithUsage, readArguments, run } from '../start/run.ts';

/** Runs the emulated workspace alone, for any Slack app: `npm run workspace`. */

const USAGE = (optionsUsage: string) => `Usage: npm run workspace [-- OPTIONS]

Starts the practice workspace alone, for any Slack app, and prints what the app needs to connect.

${optionsUsage}

Settings: DATA_DIR, WORKSPACE_PORT.

Example: npm run workspace -- --request-url http://127.0.0.1:3000/slack/events`;

async function serve() {
  const command = await loadWorkspaceCommand();
  const usage = USAGE(command.OPTIONS_USAGE);
  const { values } = readArguments(usage, { options: command.COMMAND_OPTIONS });
  const { dataDir, workspacePort: port } = readSettings(process.env);
  try {
    const { manifest, ...otherOptions } = command.readCommandOptions(values);
    const workspace = await startWorkspaceEmulator({
      ...{ ...otherOptions, dataDir, port, manifest },
      onMovedAside: printMovedAside,
    });
    console.log(command.describeWorkspace(workspace, { manifest, delivery: otherOptions.delivery.kind }));
    return workspace;
  } catch (error) {
    if (error instanceof command.UsageProblem) failWithUsage(usage, error.message);
    throw error;
  }
}

await run(serve);
