import { randomUUID } from 'node:crypto';
import type { WebClient } from '@slack/web-api';
import { createSubmittedStore, type SubmittedForm } from '../../src/forms/current-form.ts';
import type { Form } from '../../src/forms/form.ts';
import { actorLoader, type FormContext } from '../../src/forms/form-context.ts';
import { textField } from '../../src/forms/inputs/text.ts';
import type { StoredForm } from '../../src/forms/stored-form.ts';
import { createTimeLimit } from '../../src/handlers/answer-when-ready.ts';
import type { SubmissionCall } from '../../src/handlers/call.ts';
import type { Message } from '../../src/slack/message.ts';
import type { SubmissionKind } from '../../src/submissions/kind.ts';
import type { Submissions } from '../../src/submissions/submissions.ts';

/** Receives a line for each view or message that a person sees. */
export type OnShown = (line: string) => void;

interface ShownView {
  title: { text: string };
  submit?: object;
  blocks: { text?: { text: string } }[];
}

/** Creates a Slack client that accepts every call and reports views and messages. */
export function createReportingSlack(onShown: OnShown, isViewClosed: () => boolean = () => false): WebClient {
  return {
    chat: {
      postMessage: async ({ text }: { text: string }) => onShown(`message ${text.slice(0, 60)}`),
      postEphemeral: async ({ text }: { text: string }) => onShown(`receipt ${text.slice(0, 60)}`),
    },
    views: {
      update: async ({ view }: { view: ShownView }) => {
        if (isViewClosed()) throw new Error('the view is closed');
        const [block, ...otherBlocks] = view.blocks;
        // A view with a single sentence is reported whole.
        const sentence = otherBlocks.length === 0 && block?.text ? `: ${block.text.text}` : '';
        onShown(`view ${renderTitle(view)}${sentence}`);
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
  const { db, encryption, pace } = submissions.context;
  const receivedAt = performance.now();
  const context = { submissions, db, encryption, pace } as SubmissionCall['context'];
  return {
    context,
    actor: { workspace: 'T1', user: 'U1' },
    client: createReportingSlack(onShown, isViewClosed),
    log: submissions.context.log,
    reference: 'r',
    receivedAt,
    ...createTimeLimit({ context, receivedAt }),
    now: () => new Date(),
    permit: async () => undefined,
    requireFormPermission: async () => undefined,
    sealButtons: (message: Message) => message,
    view: { id: 'V1' },
    answer: async (answer: { view: ShownView } | { errors: object } | { close: true }) => {
      const result = 'errors' in answer ? 'errors' : 'closed';
      onShown(`ack ${'view' in answer ? renderTitle(answer.view) : result}`);
      return true;
    },
  } as unknown as SubmissionCall;
}

/** A form that is shown again is reported with its banner, which says why. */
function renderTitle({ title, submit, blocks: [banner] }: ShownView): string {
  return submit && banner?.text ? `${title.text}: ${banner.text.text}` : title.text;
}

/** Creates a form with one field, which sends submissions of this kind. `keepsTyped`: whether what is typed is stored. */
export function createTestForm<Content>(
  kind: SubmissionKind<Content>,
  { keepsTyped = false }: { keepsTyped?: boolean } = {},
): Form {
  const form: Form<{ text: ReturnType<typeof textField> }, FormContext, Content> = {
    name: 'test-form',
    version: 1,
    title: 'The form again',
    noun: 'test form',
    command: '/test',
    fields: { text: textField({ label: 'Text', apiFields: 'Content' }) },
    contextLoader: actorLoader,
    check: () => ({ kind: 'invalid', errors: {} }),
    onSubmit: { kind, toValues: () => ({}) },
    ...(keepsTyped && {
      unfinished: {
        noun: 'text',
        getText: ({ values }) => values.text,
        toPrefill: ({ values }) => values,
        isStored: async () => false,
      },
    }),
  };
  return form;
}

/** Creates the submission of a test form, as it is read from Slack and from the database. */
export function createSubmittedForm(
  form: Form,
  call: SubmissionCall,
  text: string,
  { formId = randomUUID(), stored = { project: null } }: { formId?: string; stored?: StoredForm } = {},
): SubmittedForm {
  const formContext = { projects: [], hasMore: false };
  const current = {
    formId,
    stored,
    state: { values: { text }, formContext, now: new Date() },
    blockVersions: {},
    hiddenFields: [],
  };
  return {
    ...current,
    ...createSubmittedStore(form, call, current),
    replacedFields: [],
    isFormShown: true,
    selected: { value: undefined, at: 0 },
  };
}
