import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { AuditAction } from '../../access/access.ts';
import type { Outcome } from '../../api/outcome.ts';
import { listProjects, type Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import type { Call, SubmissionCall } from '../../app/call.ts';
import type { FormAnswer } from '../../forms/form.ts';
import { plainSection } from '../../slack/blocks.ts';
import { buildModal } from '../../slack/message-view.ts';
import { isViewChangedOrClosed } from '../../slack/slack-errors.ts';
import { within } from '../../within.ts';
import {
  ADDRESS_ERRORS,
  renderConnectionError,
  renderProjectName,
  renderVisibleProjects,
  type VisibleProjects,
} from './connect-messages.ts';

/** The typed values of the form. */
export const connectionInput = z.object({
  scope: z.enum(['all', 'project']),
  project: z.string(),
  address: z.string(),
  token: z.string(),
});
export type ConnectionInput = z.infer<typeof connectionInput>;

type FieldErrors = Partial<Record<'address' | 'token' | 'project', string>>;
type ConnectionResult = { lines: string[] } | { errors: FieldErrors };
type ListOutcome = Outcome<Records<Project>>;

/**
 * Tries the typed address and token with a request for the projects. Stores the connection if the service accepts the
 * token.
 */
export async function tryConnection(call: SubmissionCall, input: ConnectionInput): Promise<FormAnswer> {
  const { services, pace } = call.context;
  const address = services.parseAddress(input.address);
  if ('fault' in address) return { errors: { address: ADDRESS_ERRORS[address.fault] } };
  const client = services.createClient({ url: address.url, token: input.token });
  const pendingProjects = listProjects(client).finally(() => {
    client
      .close()
      .catch((error: unknown) =>
        call.log.warn(
          { reference: call.reference, err: error },
          'could not close the client that tried a connection',
        ),
      );
  });
  const earlyOutcome = await within(pace.acknowledgementTimeoutMs, pendingProjects);
  const testedInput = { ...input, address: address.url };
  if (earlyOutcome) {
    const result = await saveIfUsable(call, testedInput, earlyOutcome);
    return 'errors' in result ? result : { view: renderResult('Connected', result.lines) };
  }
  return {
    view: renderResult('Loading…', ['Testing the connection. The service is slow.']),
    finish: async () => showLateResult(call, await saveIfUsable(call, testedInput, await pendingProjects)),
  };
}

/** Shows the result in the waiting view. It has replaced the form, so errors appear in that view. */
async function showLateResult(call: SubmissionCall, result: ConnectionResult): Promise<void> {
  const lines = 'errors' in result ? [...Object.values(result.errors), RETRY_TEXT] : result.lines;
  try {
    await call.answer({ view: renderResult('errors' in result ? 'Not connected' : 'Connected', lines) });
  } catch (error) {
    if (!isViewChangedOrClosed(error)) throw error;
    await call.reply({ text: lines.join(' ') });
  }
}

const RETRY_TEXT = 'The token wasn’t saved. Try again with /upnext connect.';

/** Stores the connection if the service returned its projects, and the token can see the chosen project. */
async function saveIfUsable(
  call: SubmissionCall,
  input: ConnectionInput,
  listOutcome: ListOutcome,
): Promise<ConnectionResult> {
  if (listOutcome.kind !== 'done') return { errors: renderConnectionError(listOutcome) };
  const { isReadable } = listOutcome.data;
  if (!isReadable) return { errors: { address: 'It answers, but I can’t read its projects.' } };
  const project = input.scope === 'project' ? findProject(input.project, listOutcome.data) : undefined;
  if (input.scope === 'project' && !project)
    return { errors: { project: renderProjectError(input.project, listOutcome.data) } };
  const { context, actor, log, reference, now } = call;
  await context.services.save(actor.workspace, {
    url: input.address,
    token: input.token,
    connectedBy: actor.user,
    connectedAt: now(),
    ...(project && { project }),
  });
  log.info(
    { reference, workspace: actor.workspace, user: actor.user, project: project?.id },
    'scheduling service connected',
  );
  const target = new URL(input.address).host;
  await recordConnection(call, { action: 'connect add', target, project: project?.id });
  // The service may have refused the previous token, which paused all submissions of the workspace.
  await context.submissions.resume(actor.workspace);
  // Held posts may have been written for another service.
  await context.heldPosts.recheckAuthority(actor.workspace);
  const confirmation = project
    ? `“${renderProjectName(project)}” is connected with its own token.`
    : 'Connected.';
  return {
    lines: [`${confirmation} ${project ? '' : renderVisibleProjects(listOutcome.data)}`.trim(), NEXT_STEP],
  };
}

const NEXT_STEP = 'Next, type /upnext use in a channel to choose its project.';

/** Finds a project by id or name. '' finds the only project that the token can see, if there is exactly one. */
function findProject(nameOrId: string, { items, isTruncated }: VisibleProjects): Project | undefined {
  const [firstProject, ...otherProjects] = items;
  if (nameOrId === '') return otherProjects.length === 0 && !isTruncated ? firstProject : undefined;
  const projectsWithName = items.filter(({ name }) => name.toLowerCase() === nameOrId.toLowerCase());
  return (
    items.find(({ id }) => id === nameOrId) ??
    (projectsWithName.length === 1 ? projectsWithName[0] : undefined)
  );
}

function renderProjectError(nameOrId: string, visibleProjects: VisibleProjects): string {
  const { items, isTruncated } = visibleProjects;
  if (items.length === 0 && !isTruncated) return 'This token can’t see a project.';
  if (isTruncated && nameOrId !== '')
    return `It isn’t among the first ${items.length} projects, and I can’t read the others. ${renderVisibleProjects(visibleProjects)}`;
  return nameOrId === ''
    ? `Choose one. ${renderVisibleProjects(visibleProjects)}`
    : `This token can’t see that project, or sees several with that name. ${renderVisibleProjects(visibleProjects)}`;
}

function renderResult(title: string, lines: readonly string[]): ModalView {
  return buildModal(
    title,
    lines.map((line) => plainSection(line)),
  );
}

/** Adds a change to the audit log. `target` is the service's host. `project` is undefined for all projects. */
export async function recordConnection(
  { context, actor, reference }: Call,
  change: { action: AuditAction; target: string; project: string | undefined },
): Promise<void> {
  const { workspace, user } = actor;
  await context.record.add({ ...change, workspace, actor: user, decision: 'done', reference });
}
