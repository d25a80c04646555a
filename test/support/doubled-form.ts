import type { Workspace } from 'slack-workspace-emulator';
import { z } from 'zod';
import { type SignedResponse, sendSigned } from './send-signed.ts';

interface App {
  workspace: Workspace;
  /** The address to which Slack sends requests. */
  url: string | undefined;
}

/**
 * Submits a form, and delivers the request to the app three times instead of once: twice at the same moment, and again
 * after both were answered. Returns the three answers as text. Slack itself gets none of them.
 */
export async function submitThrice(app: App, form: { submit(): Promise<unknown> }): Promise<string[]> {
  const payload = await captureSubmission(app, form);
  const send = () => deliver(app, payload);
  const answers = [...(await Promise.all([send(), send()])), await send()];
  return answers.map(renderAnswer);
}

/** Submits a form so that the request is lost on its way to the app. Returns its payload. */
export function captureSubmission(
  app: App,
  form: { submit(): Promise<unknown> },
): Promise<Record<string, unknown>> {
  return captureRequest(app, 'view_submission', () => form.submit());
}

/** Makes the request of an act get lost on its way to the app. Returns its payload. */
export async function captureRequest(
  { workspace }: App,
  kind: 'view_submission' | 'block_actions',
  act: () => Promise<unknown>,
): Promise<Record<string, unknown>> {
  const count = workspace.app.requests(kind).length;
  workspace.faults.set({ deliveries: [{ fault: 'lost', kind }] });
  // It rejects before its request, or later because Slack gets no answer. Only the former is reported.
  let failure: { error: unknown } | undefined;
  act().catch((error: unknown) => {
    failure = { error };
  });
  for (;;) {
    const request = workspace.app.requests(kind)[count];
    if (request) {
      workspace.faults.set({});
      return z.record(z.string(), z.unknown()).parse(request.payload);
    }
    if (failure) {
      workspace.faults.set({});
      throw failure.error;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Delivers a payload to the app, signed as by Slack. Equal payloads within a second have the same signature. */
export function deliver(
  { workspace: { signingSecret }, url = '' }: App,
  payload: Record<string, unknown>,
): Promise<SignedResponse> {
  return sendSigned({ url, signingSecret }, payload, 0);
}

function renderAnswer({ status, body }: SignedResponse): string {
  return status === 200 ? JSON.stringify(body ?? '') : `HTTP ${status}`;
}

/** Returns the payload of the last request to the app, of which a test delivers copies. */
export function copyLastRequest(
  { workspace }: Pick<App, 'workspace'>,
  kind: 'view_submission' | 'block_actions' | 'slash_commands' = 'block_actions',
): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(workspace.app.requests(kind).at(-1)?.payload);
}
