import type { WebClient } from '@slack/web-api';
import type { SubmissionCall } from '../../src/app/call.ts';
import type { Submissions } from '../../src/submissions/submissions.ts';

/** Receives one line for each call that shows something to a person. */
export type OnShown = (line: string) => void;

/** A Slack client that accepts everything and reports what people see. */
export function createReportingSlack(onShown: OnShown, viewGone: () => boolean = () => false): WebClient {
  return {
    chat: { postMessage: async ({ text }: { text: string }) => onShown(`message ${text.slice(0, 60)}`) },
    views: {
      update: async ({ view }: { view: { title: { text: string } } }) => {
        if (viewGone()) throw new Error('the view is closed');
        onShown(`view ${view.title.text}`);
      },
    },
  } as unknown as WebClient;
}

/** A call of [Send] in a form, with the parts that submissions use. */
export function formCall(
  submissions: Submissions,
  onShown: OnShown,
  viewGone?: () => boolean,
): SubmissionCall {
  return {
    context: { submissions },
    actor: { workspace: 'T1', user: 'U1' },
    client: createReportingSlack(onShown, viewGone),
    log: submissions.machine.log,
    reference: 'r',
    receivedAt: performance.now(),
    now: () => new Date(),
    permit: async () => undefined,
    permitForm: async () => undefined,
    view: { id: 'V1' },
    answer: async (answer: { view: { title: { text: string } } } | { errors: object }) => {
      onShown(`ack ${'view' in answer ? answer.view.title.text : 'errors'}`);
      return true;
    },
  } as unknown as SubmissionCall;
}
