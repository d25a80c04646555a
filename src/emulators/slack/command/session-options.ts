import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Workspace } from '../workspace.ts';
import { CommandProblem } from './command-problem.ts';

interface SessionOptions {
  /** Records the session in this file, which must not exist yet. */
  record?: string;
  /** Replays the recording in this file, and ends the process: with 1 if the app acts differently. */
  replay?: string;
}

/** Records or replays, as the options say. */
export async function followSessionOptions(
  workspace: Workspace,
  { record, replay }: SessionOptions,
): Promise<void> {
  if (record !== undefined) recordInto(workspace, record);
  if (replay === undefined) return;
  const recording = readRecording(replay);
  console.log(`Waiting for the app, to replay ${replay}.`);
  await workspace.waitForApp();
  const { reportText } = await import('../recording/report.ts');
  const report = await workspace.replay(recording);
  console.log(reportText(report));
  await workspace.close();
  process.exit(report.differences.length === 0 ? 0 : 1);
}

/** Each line is written at once, so that a killed process leaves a recording too. */
function recordInto(workspace: Workspace, path: string): void {
  const file = openNew(path);
  const stop = workspace.record((line) => writeSync(file, `${line}\n`));
  process.once('exit', () => {
    stop();
    closeSync(file);
  });
  console.log(`Recording in ${path}.`);
}

/** A recording contains messages, so only its owner may read it. */
function openNew(path: string): number {
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
