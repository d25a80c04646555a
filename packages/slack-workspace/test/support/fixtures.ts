import { createServer, type RequestListener } from 'node:http';
import type { App } from '@slack/bolt';
import { afterAll, expect, onTestFinished, TestRunner } from 'vitest';
import type { WorkspaceOptions } from '../../src/slack.ts';
import { listenOnFreePort } from './listening-port.ts';
import { catchError, startTestWorkspace } from './workspace.ts';
import { startWithBolt } from './workspace-bolt.ts';

/** Closes what a test has opened after this test, and what a file has opened, outside of its tests, after all of them. */
export function closeAfterwards(close: () => unknown): void {
  if (TestRunner.getCurrentTest()) onTestFinished(async () => void (await close()));
  else afterAll(async () => void (await close()));
}

/** Longer than any start on a busy machine. Vitest has no limit for the time outside of tests, where files start. */
const MAX_START_MS = 120_000;

async function limitTime<T>(starting: Promise<T>): Promise<T> {
  const { promise: expiry, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`Did not start within ${MAX_START_MS} ms`)), MAX_START_MS);
  try {
    return await Promise.race([starting, expiry]);
  } finally {
    clearTimeout(timer);
  }
}

/** Opens a workspace for this test, or for this file. */
export async function openWorkspace(options: Partial<WorkspaceOptions> = {}) {
  const opened = await limitTime(startTestWorkspace(options));
  closeAfterwards(opened.workspace.close);
  return opened;
}

/** Opens a workspace with a Bolt app for this test, or for this file. */
export async function openBolt(...args: Parameters<typeof startWithBolt>) {
  const opened = await limitTime(startWithBolt(...args));
  closeAfterwards(opened.stop);
  return opened;
}

/** The events that the app receives from now on. */
export function recordEvents(app: App): Record<string, unknown>[] {
  const received: Record<string, unknown>[] = [];
  app.event(/./, async ({ event }) => void received.push({ ...event }));
  return received;
}

/** Starts a server on a free port for this test, or for this file. Returns it with its address. */
export async function openServer(listener: RequestListener) {
  const server = createServer(listener);
  const url = `http://127.0.0.1:${await listenOnFreePort(server)}/slack/events`;
  closeAfterwards(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, url };
}

/** Expects that Slack refuses the call with this error. */
export const expectError = async (call: Promise<unknown>, error: string): Promise<void> =>
  expect(await catchError(call)).toBe(error);
