import type { ModalView } from '@slack/types';
import type { ActionCall, Call, CommandCall, SubmissionCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import { buildActionId } from '../../forms/field.ts';
import type { Form } from '../../forms/form.ts';
import { type ContextLoader, type FormContext, formContextSchema } from '../../forms/form-context.ts';
import { radioField } from '../../forms/inputs/choice.ts';
import { textField } from '../../forms/inputs/text.ts';
import { context, plainSection } from '../../slack/blocks.ts';
import { CONNECT, connectionsMessage, REMOVE, REPLACE } from './connect-messages.ts';
import { type ConnectionInput, connectionInput, recordConnection, tryConnection } from './try-connection.ts';

/** The service's address, its token, and the projects that both are for. */
const fields = {
  scope: radioField({
    label: 'For',
    choices: [
      { value: 'all', name: 'All projects of this workspace' },
      { value: 'project', name: 'One project' },
    ],
    initial: 'all',
  }),
  project: textField({
    label: 'Which project',
    hint: 'Its name or id. Only for one project, where the token can see several.',
    optional: true,
    maxLength: 200,
  }),
  address: textField({
    label: 'Address of the service',
    placeholder: 'https://api.example.com',
    maxLength: 500,
  }),
  token: textField({
    label: 'Token',
    hint: 'You see it while you type, and nobody sees it again: it is kept encrypted. A new one replaces the old one.',
  }),
};

/** The form needs nothing from the service, so it opens at once. */
const noFacts: ContextLoader<FormContext> = {
  schema: formContextSchema,
  load: async () => ({ formContext: { projects: [], hasMore: false } }),
};

/** A token that an HTTP header can carry. The setting SCHEDULING_API_TOKEN accepts the same. */
const TOKEN_PATTERN = /^[\x21-\x7e]{8,}$/;

/** Connects the scheduling service. The token is stored only encrypted, and only after the service has accepted it. */
const connectForm: Form<typeof fields, FormContext, ConnectionInput> = {
  name: 'connect',
  version: 1,
  title: 'Connect the service',
  submitLabel: 'Connect',
  command: '/upnext connect',
  fields,
  contextLoader: noFacts,
  renderAboveFields: () => [
    context('I try the token before I keep it: I list the projects that it may see.'),
  ],
  check({ values }) {
    const token = values.token.trim();
    if (!TOKEN_PATTERN.test(token)) {
      return { kind: 'invalid', errors: { token: 'A token has at least 8 characters, and no spaces.' } };
    }
    const { data } = connectionInput.safeParse({ ...values, token, project: values.project.trim() });
    return data ? { kind: 'valid', contents: [data] } : { kind: 'invalid', errors: { scope: 'Choose one.' } };
  },
  destination: { answer: (call, content, _state, form) => tryConnection(call, content, form.again) },
};

const form = createForm(connectForm);

/** Lists, adds, replaces and removes the workspace's connections to scheduling services. */
export const connect: Feature = {
  name: 'connect',
  commands: [
    {
      name: 'connect',
      aliases: ['connection', 'disconnect', 'credentials', 'token', 'tokens'],
      summary: 'Connect the scheduling service: its address and a token, for all or for one project',
      usage: '',
      examples: ['/upnext connect'],
      button: 'Connect the service',
      run: replyConnections,
    },
  ],
  role: () => 'owner',
  open: form.open,
  views: { [connectForm.name]: submit },
  actions: {
    ...form.actions,
    [CONNECT]: (call) => form.openForm(call),
    [REPLACE]: replace,
    [REMOVE]: remove,
  },
  options: form.options,
};

async function replyConnections(call: CommandCall): Promise<void> {
  const { services } = call.context;
  const all = await services.listConnections(call.actor.workspace);
  const hasDefault = services.hasDefault(call.actor.workspace);
  // With nothing to list, the form opens instead.
  if (all.length === 0 && !hasDefault && call.trigger !== undefined) return form.openForm(call);
  await call.reply(connectionsMessage(all, hasDefault));
}

/** If the form is outdated, the user gets the typed values back to copy them, except for the token. */
async function submit(call: SubmissionCall): Promise<void> {
  const values = Object.values(call.view.values).flatMap((block) => Object.entries(block));
  const tokens = values
    .filter(([id]) => id === buildActionId(connectForm.name, 'token'))
    .map(([, { value }]) => JSON.stringify(plainSection(value ?? '')));
  await form.views[connectForm.name]?.({
    ...call,
    answer: (response) =>
      call.answer('view' in response ? { view: withoutBlocks(response.view, tokens) } : response),
  });
}

/** `removed`: blocks as JSON. */
function withoutBlocks(view: ModalView, removed: readonly string[]): ModalView {
  return { ...view, blocks: view.blocks.filter((block) => !removed.includes(JSON.stringify(block))) };
}

/** [Replace] opens the form with all values but the token. */
async function replace(call: ActionCall): Promise<void> {
  const all = await call.context.services.listConnections(call.actor.workspace);
  const found = all.find(({ id }) => id === call.action.value);
  if (!found) return replyGone(call);
  const { url: address, project } = found;
  const about = project ? { scope: 'project', project: project.id } : { scope: 'all' };
  await form.openForm(call, { prefill: { address, ...about } });
}

/** [Disconnect] or [Remove it], after Slack's confirmation dialog. */
async function remove(call: ActionCall): Promise<void> {
  const { actor, context, log, reference } = call;
  const id = call.action.value ?? '';
  const before = (await context.services.listConnections(actor.workspace)).find((one) => one.id === id);
  if (!before || !(await context.services.remove(actor.workspace, id))) return replyGone(call);
  log.info({ reference, workspace: actor.workspace, user: actor.user }, 'scheduling service disconnected');
  const target = new URL(before.url).host;
  await recordConnection(call, { action: 'connect remove', target, project: before.project?.id });
  const all = await context.services.listConnections(actor.workspace);
  await call.reply(connectionsMessage(all, context.services.hasDefault(actor.workspace)), { replace: true });
}

async function replyGone(call: Call): Promise<void> {
  await call.reply({
    text: 'This was replaced or removed meanwhile. Type `/upnext connect` to see what there is.',
  });
}
