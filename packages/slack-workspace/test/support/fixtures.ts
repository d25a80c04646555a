import { afterAll, expect, onTestFinished, TestRunner } from 'vitest';
import type { WorkspaceOptions } from '../../src/slack.ts';
import { catchError, startTestWorkspace } from './workspace.ts';
import { startWithBolt } from './workspace-bolt.ts';

/** Closes what a test has opened after this test, and what a file has opened, outside of its tests, after all of them. */
export function closeAfterwards(close: () => unknown): void {
  if (TestRunner.getCurrentTest()) onTestFinished(async () => void (await close()));
  else afterAll(async () => void (await close()));
}

/** Opens a workspace for this test, or for this file. */
export async function openWorkspace(options: Partial<WorkspaceOptions> = {}) {
  const opened = await startTestWorkspace(options);
  closeAfterwards(opened.workspace.close);
  return opened;
}

/** Opens a workspace with a Bolt app for this test, or for this file. */
export async function openBolt(...args: Parameters<typeof startWithBolt>) {
  const opened = await startWithBolt(...args);
  closeAfterwards(opened.stop);
  return opened;
}

/** Expects that Slack refuses the call with this error. */
export const expectError = async (call: Promise<unknown>, error: string): Promise<void> =>
  expect(await catchError(call)).toBe(error);
