import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Workspace } from '../workspace.ts';
import { CommandProblem } from './command-problem.ts';

interface SessionOptions {
  /** The path of the new recording. The file must not exist. */
  record?: string;
  /** The path of the recording to replay. Then the process ends, with status 1 if anything differs. */
  replay?: string;
}

/** Starts a recording or replays one. */
export async function recordOrReplay(
  workspace: Workspace,
  { record, replay }: SessionOptions,
): Promise<void> {
  if (record !== undefined) startRecording(workspace, record);
  if (replay === undefined) return;
  const recording = readRecording(replay);
  console.log(`Waiting for the app, to replay ${replay}.`);
  await workspace.waitForApp();
  const { formatReport } = await import('../recording/report.ts');
  const report = await workspace.replay(recording);
  console.log(formatReport(report));
  await workspace.close();
  process.exit(report.differences.length === 0 ? 0 : 1);
}

/** Writes each line at once, so that the recording survives a killed process. */
function startRecording(workspace: Workspace, path: string): void {
  const file = createFile(path);
  const stop = workspace.record((line) => writeSync(file, `${line}\n`));
  process.once('exit', () => {
    stop();
    closeSync(file);
  });
  console.log(`Recording in ${path}.`);
}

/** Only the owner of the file may read it, since recordings contain messages. */
function createFile(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    const reason = isTaken ? 'exists already' : `cannot be written: ${String(error)}`;
    throw new CommandProblem(`--record ${path} ${reason}`, { cause: error });
  }
}

function readRecording(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandProblem(`--replay ${path} cannot be read: ${String(error)}`, { cause: error });
  }
}
