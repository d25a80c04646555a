import { z } from 'zod';
import { buildDoneEntry } from '../../access/access.ts';
import type { Outcome } from '../../api/outcome.ts';
import { buildProjectId, getServiceId } from '../../api/project-ids.ts';
import { listProjects, type Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import { createForm } from '../../forms/create-form.ts';
import { type NamedRecord, namedRecord } from '../../forms/field.ts';
import { type Form, type FormAnswer, invalid, valid } from '../../forms/form.ts';
import { formContextSchema } from '../../forms/form-context.ts';
import { checkboxesField } from '../../forms/inputs/choice.ts';
import { textField } from '../../forms/inputs/text.ts';
import { answerFormWhenReady, type FormResult } from '../../handlers/answer-when-ready.ts';
import type { ActionCall, Call, CommandCall, SubmissionCall } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { createEntryPreparer } from '../../handlers/prepare-entry.ts';
import { createPagedList } from '../../lists/list.ts';
import { findProjectsByName } from '../../posts/project.ts';
import { clipLine, context, plainSection } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { buildModal, type Modal } from '../../slack/message-view.ts';
import {
  ADDRESS_ERRORS,
  CONNECT_ACTION,
  NEW_PROJECT_ACTION,
  PAGE_SIZE,
  REMOVE_ACTION,
  REPLACE_ACTION,
  renderConnectionError,
  renderConnections,
  renderSettled,
  renderVisibleProjects,
  SAME_PROJECT_ACTION,
  SAME_PROJECTS_ACTION,
  type VisibleProjects,
} from './connect-messages.ts';

/** The address of the service, its token, the projects that use the connection, and whether its service has moved. */
const fields = {
  address: textField({
    label: 'Address of the service',
    placeholder: 'https://api.example.com',
    maxLength: 500,
  }),
  token: textField({ label: 'Token', hint: 'Stored encrypted.', isSecret: true }),
  project: textField({
    label: 'Only for one project',
    hint: 'Type its name. Leave empty for all projects of this workspace.',
    optional: true,
    maxLength: 200,
  }),
  moved: checkboxesField({
    label: 'Has the service moved?',
    optional: true,
    choices: [
      {
        value: 'moved',
        name: 'It’s the service of before, at a new address',
        description: 'Its projects keep their roles, channels, digests and posts.',
      },
    ],
  }),
};

/** Matches tokens that fit in an HTTP header. The setting SCHEDULING_API_TOKEN accepts the same tokens. */
const TOKEN_PATTERN = /^[\x21-\x7e]{8,}$/;

/** `replaced`: the project whose connection [Replace] changes, and the address of that connection. */
const contextSchema = formContextSchema.extend({
  replaced: namedRecord.extend({ address: z.string() }).optional(),
});

/** The form that connects a scheduling service. The token is stored encrypted, after the service has accepted it. */
const connectForm: Form<typeof fields, z.infer<typeof contextSchema>, ConnectionInput> = {
  name: 'connect',
  version: 5,
  noun: 'connection form',
  title: 'Connect a service',
  submitLabel: 'Connect',
  command: '/upnext connect',
  fields,
  // Loads nothing, so that it opens at once.
  contextLoader: {
    schema: contextSchema,
    load: async (_call, { prefill }) => ({
      formContext: contextSchema.parse({ projects: [], hasMore: false, replaced: prefill?.replaced }),
    }),
  },
  renderAboveFields: () => [
    context(
      'If the projects you choose have a service already, this one replaces it. At another service, roles for all projects count too, and everything else starts anew.',
    ),
  ],
  check({ values, formContext: { replaced } }) {
    const token = values.token.trim();
    if (!TOKEN_PATTERN.test(token))
      return invalid({ token: 'Tokens have at least 8 characters and no spaces.' });
    const project = values.project.trim();
    if (replaced && project === '')
      return invalid({ project: 'Name it. For all projects, press “Connect a service” instead.' });
    // The service may have given it another name since.
    const isNamed = replaced && project === nameReplaced(replaced);
    const { address, moved } = values;
    const hasMoved = moved.length > 0;
    return valid({ address, token, project, hasMoved, ...(isNamed && { replaced }) });
  },
  onSubmit: { respond: tryConnection },
};

/** Names a project with its id, because others may have the same name. */
const nameReplaced = ({ id, name }: NamedRecord) => `${clipLine(name)} (${getServiceId(id)})`;

const form = createForm(connectForm);

const list = createPagedList({
  prefix: 'connect',
  deed: 'open the connections to scheduling services',
  async createMessage(call, { page }) {
    const { services } = call.context;
    const { workspace } = call.actor;
    const [connections, open] = await Promise.all([
      services.listConnections(workspace),
      services.listQuestions(workspace),
    ]);
    const questions = open.map(({ project, ...asked }) => ({ ...asked, id: project, name: project }));
    return renderConnections(connections, services.findDefault(workspace), { page, questions });
  },
});

/** Lists, adds, replaces and removes a workspace's connections to scheduling services. */
export const connect: Feature = {
  name: 'connect',
  commands: [
    {
      name: 'connect',
      aliases: ['connection', 'disconnect', 'credentials', 'token', 'tokens'],
      summary: 'Connect a scheduling service',
      examples: { '/upnext connect': 'See what’s connected, and change it.' },
      button: 'Connect a service',
      ...list.command,
      run: showConnections,
    },
  ],
  role: 'owner',
  ...form,
  actions: {
    ...form.actions,
    [CONNECT_ACTION]: { deed: 'open the connection form', run: (call) => form.openForm(call) },
    [REPLACE_ACTION]: { deed: 'open the connection form', run: replaceConnection },
    [REMOVE_ACTION]: { deed: 'use a button of the connections', run: removeConnection },
    [SAME_PROJECT_ACTION]: { deed: 'confirm a project that was gone', run: settleProject },
    [NEW_PROJECT_ACTION]: { deed: 'confirm a project that was gone', run: settleProject },
    [SAME_PROJECTS_ACTION]: { deed: 'confirm projects that were gone', run: settleAllAsSame },
    ...list.actions,
  },
};

/** Shows the connections, or if there are none the form instead of an empty list. */
async function showConnections(call: CommandCall): Promise<void> {
  const { services } = call.context;
  const lists = await Promise.all([
    services.listConnections(call.actor.workspace),
    services.listQuestions(call.actor.workspace),
  ]);
  const isEmpty = lists.flat().length === 0;
  if (isEmpty && services.findDefault(call.actor.workspace) === 'none' && call.trigger !== undefined)
    return form.openForm(call);
  await list.command.run(call);
}

/** [Replace] opens the form with all stored values except the token. */
async function replaceConnection(call: ActionCall): Promise<void> {
  const connections = await call.context.services.listConnections(call.actor.workspace);
  const connection = connections.find(({ id }) => id === call.action.value);
  if (!connection) return call.reply(GONE);
  const { url: address, project } = connection;
  const replaced = project && { ...project, address };
  await form.openForm(call, {
    prefill: { address, ...(replaced && { replaced, project: nameReplaced(replaced) }) },
  });
}

/** [Disconnect] and [Remove it] remove a connection. Slack's dialog has already asked for confirmation. */
async function removeConnection(call: ActionCall): Promise<void> {
  const { actor, context, log, reference } = call;
  const id = call.action.value ?? '';
  const connections = await context.services.listConnections(actor.workspace);
  const connection = connections.find((listed) => listed.id === id);
  if (!connection || !(await context.services.remove(actor.workspace, id))) return call.reply(GONE);
  log.info({ reference, workspace: actor.workspace, user: actor.user }, 'scheduling service disconnected');
  const target = new URL(connection.url).host;
  const done = { action: 'connect remove', target, project: connection.project?.id } as const;
  await context.record.add(buildDoneEntry(call, done));
  await checkWaiting(call);
  const position = connections.filter(({ project }) => project).indexOf(connection);
  await list.show(call, { page: Math.floor(position / PAGE_SIZE) }, { replace: true });
  await continueAtService(call);
}

/** Goes on with what stood still because another service was connected, as a deed of whoever connects theirs. */
async function continueAtService(call: Call): Promise<void> {
  const { context, actor } = call;
  const { workspace } = actor;
  const press = { workspace, actor: actor.user, prepareEntry: createEntryPreparer(call) };
  await context.heldPosts.continueAtService(press);
  for (const { id: target } of await context.digests.resumeReturned(workspace))
    await context.record.add(buildDoneEntry(call, { action: 'digests unpause', target }));
}

/** [Same project] and [New project] answer the question about a project that was missing or made again. */
async function settleProject(call: ActionCall): Promise<void> {
  const { action } = call;
  const isSame = action.id === SAME_PROJECT_ACTION;
  if (!(await settle(call, action.value ?? '', isSame))) return call.reply(SETTLED);
  await goOn(call, renderSettled(isSame ? 'same' : 'new'));
}

/** [All are the same] answers the open questions that were asked by the time in its value. */
async function settleAllAsSame(call: ActionCall): Promise<void> {
  const lastAskedAt = new Date(call.action.value ?? '');
  let isAnySettled = false;
  for (const { service, project, askedAt } of await call.context.services.listQuestions(call.actor.workspace))
    if (askedAt <= lastAskedAt && (await settle(call, buildProjectId(service, project), true)))
      isAnySettled = true;
  if (!isAnySettled) return call.reply(SETTLED);
  await goOn(call, renderSettled('all-same'));
}

/** Resolves with false if somebody has answered before. */
async function settle(call: ActionCall, key: string, isSame: boolean): Promise<boolean> {
  const { context, actor } = call;
  const project = await context.services.settleProject(actor.workspace, key, isSame);
  if (project === undefined) return false;
  const entry = { action: isSame ? 'projects same' : 'projects new', target: '', project } as const;
  await context.record.add(buildDoneEntry(call, entry));
  return true;
}

async function goOn(call: ActionCall, result: Message): Promise<void> {
  await checkWaiting(call);
  await call.reply(result);
  await continueAtService(call);
}

/** Looks after a change of the connections at once at what waits for the service. */
async function checkWaiting({ context, actor }: Call): Promise<void> {
  // The service may have refused the previous token, which paused all submissions of the workspace.
  await context.submissions.resume(actor.workspace);
  // Held posts may have been written for another service.
  await context.heldPosts.recheckAuthority(actor.workspace);
}

const SETTLED = { text: 'Somebody has answered that already, or the project is gone. Nothing was changed.' };

const GONE = { text: 'Somebody has replaced or removed this. See the current state with `/upnext connect`.' };

/**
 * `project`: the name or id of the only project that uses the connection; '' for all. `replaced`: the project whose
 * connection is replaced, if it is named, and the address of that connection.
 */
interface ConnectionInput {
  address: string;
  token: string;
  project: string;
  hasMoved: boolean;
  replaced?: { id: string; address: string };
}

/** Tries the typed address and token by asking for the projects. Stores the connection if the service accepts it. */
async function tryConnection(call: SubmissionCall, input: ConnectionInput): Promise<FormAnswer> {
  const { services } = call.context;
  const address = services.parseAddress(input.address);
  if ('fault' in address) return { errors: { address: ADDRESS_ERRORS[address.fault] } };
  const client = services.createClient({ url: address.url, token: input.token });
  const { log, reference } = call;
  const logFailure = (err: unknown) =>
    log.warn({ reference, err }, 'could not close the client that tried a connection');
  const pendingProjects = listProjects(client).finally(() => void client.close().catch(logFailure));
  const testedInput = { ...input, address: address.url };
  return answerFormWhenReady(
    call,
    pendingProjects.then((outcome) => saveIfUsable(call, testedInput, outcome)),
    renderResult('Loading…', ['Testing the connection. The service hasn’t answered yet.']),
    { command: connectForm.command, errorTitle: 'Not connected' },
  );
}

/** Stores the connection if the service returned its projects, and the token can see the chosen project. */
async function saveIfUsable(
  call: SubmissionCall,
  input: ConnectionInput,
  listOutcome: Outcome<Records<Project>>,
): Promise<FormResult> {
  if (listOutcome.kind !== 'done') return { errors: renderConnectionError(listOutcome) };
  const { isReadable, items, isTruncated, unreadableCount } = listOutcome.data;
  if (!isReadable) return { errors: { address: 'It answers, but I can’t read its projects.' } };
  // The token may see the wanted project also among those that couldn't be read.
  const visibleProjects = { items, isTruncated: isTruncated || unreadableCount > 0 };
  const { projects, isWholeName } = findProjectsByName(visibleProjects, input.project);
  const named = isWholeName && projects.length === 1 ? projects : [];
  // At another service, the id may be another project's.
  const { replaced } = input;
  const isSame = replaced?.address === input.address;
  const [project] = isSame ? items.filter(({ id }) => id === getServiceId(replaced.id)) : named;
  if (input.project !== '' && !project) return { errors: { project: renderProjectError(visibleProjects) } };
  const { context, actor, log, reference, now } = call;
  const saved = await context.services.save(actor.workspace, {
    url: input.address,
    token: input.token,
    connectedBy: actor.user,
    connectedAt: now(),
    ...(project && { project, replaced: replaced?.id }),
    hasMoved: input.hasMoved,
  });
  if (saved === 'unclear') return { errors: { moved: UNCLEAR_SERVICE } };
  const { projectId, isOther } = saved;
  log.info(
    { reference, workspace: actor.workspace, user: actor.user, project: projectId },
    'scheduling service connected',
  );
  const target = new URL(input.address).host;
  const action = input.hasMoved ? 'connect move' : 'connect add';
  await context.record.add(buildDoneEntry(call, { action, target, project: projectId }));
  await checkWaiting(call);
  const line = project
    ? `“${clipLine(project.name)}” is connected with its own token.`
    : `Connected. ${renderVisibleProjects(visibleProjects)}`;
  // Thousands of posts that were written for this service take a while.
  const finish = () => continueAtService(call);
  const other = project && !replaced ? ADDED_SERVICE : OTHER_SERVICE;
  return { view: renderResult('Connected', [line, ...(isOther ? [other] : []), NEXT_STEP]), finish };
}

const UNCLEAR_SERVICE =
  'I don’t know which of your services has moved. Press “Replace” at its connection, or connect it without this.';

const OTHER_SERVICE =
  'This is another service than before: roles for all projects count there too, and everything else starts anew. What belongs to the earlier service waits until you connect it again.';

const ADDED_SERVICE =
  'It’s at another service than the rest: roles for all projects count there too, and everything else starts anew.';

const NEXT_STEP = 'Next, type /upnext use in a channel to choose its project.';

function renderProjectError(visibleProjects: VisibleProjects): string {
  const { items, isTruncated } = visibleProjects;
  const choice = renderVisibleProjects(visibleProjects);
  if (items.length === 0) return choice;
  return isTruncated
    ? `It isn’t among the first ${items.length} projects, and I can’t read the others. ${choice}`
    : `This token can’t see that project, or sees several with that name. ${choice}`;
}

function renderResult(title: string, lines: readonly string[]): Modal {
  return buildModal(
    title,
    lines.map((line) => plainSection(line)),
  );
}
