import type { WebClient } from '@slack/web-api';
import type { SubmissionCall } from '../../src/handlers/call.ts';
import type { Message } from '../../src/slack/message.ts';
import type { Submissions } from '../../src/submissions/submissions.ts';

/** Receives a line for each view or message that a person sees. */
export type OnShown = (line: string) => void;

/** Creates a Slack client that accepts every call and reports views and messages. */
export function createReportingSlack(onShown: OnShown, isViewClosed: () => boolean = () => false): WebClient {
  return {
    chat: {
      postMessage: async ({ text }: { text: string }) => onShown(`message ${text.slice(0, 60)}`),
      postEphemeral: async ({ text }: { text: string }) => onShown(`receipt ${text.slice(0, 60)}`),
    },
    views: {
      update: async ({
        view,
      }: {
        view: { title: { text: string }; blocks: { text?: { text: string } }[] };
      }) => {
        if (isViewClosed()) throw new Error('the view is closed');
        const [block, ...otherBlocks] = view.blocks;
        // A view with a single sentence is reported whole.
        const sentence = otherBlocks.length === 0 && block?.text ? `: ${block.text.text}` : '';
        onShown(`view ${view.title.text}${sentence}`);
      },
    },
  } as unknown as WebClient;
}

/** Creates the call for a press of [Send] in a form, with only the fields that submissions use. */
export function createFormCall(
  submissions: Submissions,
  onShown: OnShown,
  isViewClosed?: () => boolean,
): SubmissionCall {
  return {
    context: { submissions },
    actor: { workspace: 'T1', user: 'U1' },
    client: createReportingSlack(onShown, isViewClosed),
    log: submissions.context.log,
    reference: 'r',
    receivedAt: performance.now(),
    now: () => new Date(),
    permit: async () => undefined,
    requireFormPermission: async () => undefined,
    sealButtons: (message: Message) => message,
    view: { id: 'V1' },
    answer: async (answer: { view: { title: { text: string } } } | { errors: object } | { close: true }) => {
      const result = 'errors' in answer ? 'errors' : 'closed';
      onShown(`ack ${'view' in answer ? answer.view.title.text : result}`);
      return true;
    },
  } as unknown as SubmissionCall;
}
