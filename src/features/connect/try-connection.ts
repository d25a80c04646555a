import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { AuditAction } from '../../access/access.ts';
import type { Outcome } from '../../api/outcome.ts';
import { listProjects, type Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import type { Call, SubmissionCall } from '../../app/call.ts';
import { plain, plainSection } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { isViewGone } from '../../slack/slack-errors.ts';
import {
  ADDRESS_FAULTS,
  renderConnectionFault,
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

type Errors = Partial<Record<'address' | 'token' | 'project', string>>;
type ShowErrors = (errors: Errors) => Promise<void>;
type ListOutcome = Outcome<Records<Project>>;

/**
 * Tries the typed address and token by listing the projects. Stores the connection if the service accepts the token.
 */
export async function tryConnection(
  call: SubmissionCall,
  input: ConnectionInput,
  showErrors: ShowErrors,
): Promise<void> {
  const { services, pace } = call.context;
  const address = services.parseAddress(input.address);
  if ('fault' in address) return showErrors({ address: ADDRESS_FAULTS[address.fault] });
  const client = services.createClient({ url: address.url, token: input.token });
  const listing = listProjects(client).finally(() => {
    client
      .close()
      .catch((error: unknown) =>
        call.log.warn(
          { reference: call.reference, err: error },
          'could not close the client of a tried connection',
        ),
      );
  });
  const earlyOutcome = await Promise.race([listing, delay(pace.answerMs, undefined, { ref: false })]);
  if (!earlyOutcome)
    await call.answer({ view: renderResult('One moment…', ['I am trying it. The service takes its time.']) });
  const result = await saveConnection(
    call,
    { ...input, address: address.url },
    earlyOutcome ?? (await listing),
  );
  if ('errors' in result && earlyOutcome) return showErrors(result.errors);
  // The waiting view has replaced the form, so errors appear in that view.
  const lines = 'errors' in result ? [...Object.values(result.errors), RETRY_TEXT] : result.lines;
  try {
    await call.answer({ view: renderResult('errors' in result ? 'Not connected' : 'Connected', lines) });
  } catch (error) {
    if (!isViewGone(error)) throw error;
    await call.reply({ text: lines.join(' ') });
  }
}

const RETRY_TEXT = 'Type /upnext connect to try again. The token is not kept.';

async function saveConnection(
  call: SubmissionCall,
  input: ConnectionInput,
  listOutcome: ListOutcome,
): Promise<{ lines: string[] } | { errors: Errors }> {
  if (listOutcome.kind !== 'done') return { errors: renderConnectionFault(listOutcome) };
  const { shape } = listOutcome.data;
  if (shape === 'unreadable') return { errors: { address: 'It answers, but I cannot read its projects.' } };
  const project = input.scope === 'project' ? findProject(input.project, listOutcome.data) : undefined;
  if (input.scope === 'project' && !project)
    return { errors: { project: renderProjectFault(input.project, listOutcome.data) } };
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
  await recordConnection(call, { action: 'connect keep', target, project: project?.id });
  // Submissions are paused if the service refused the previous token.
  await context.submissions.resume(actor.workspace);
  const confirmation = project
    ? `“${renderProjectName(project)}” is connected with a token of its own.`
    : 'Connected.';
  return {
    lines: [`${confirmation} ${project ? '' : renderVisibleProjects(listOutcome.data)}`.trim(), NEXT_STEP],
  };
}

const NEXT_STEP = 'Next: type /upnext use in a channel to choose what it is about, then /upnext.';

/** Finds a project by id or name. If the input is empty, returns the only project that the token sees. */
function findProject(nameOrId: string, { items, isTruncated }: VisibleProjects): Project | undefined {
  const [only, ...others] = items;
  if (nameOrId === '') return others.length === 0 && !isTruncated ? only : undefined;
  const projectsWithName = items.filter(({ name }) => name.toLowerCase() === nameOrId.toLowerCase());
  return (
    items.find(({ id }) => id === nameOrId) ??
    (projectsWithName.length === 1 ? projectsWithName[0] : undefined)
  );
}

function renderProjectFault(nameOrId: string, visibleProjects: VisibleProjects): string {
  const { items, isTruncated } = visibleProjects;
  if (items.length === 0 && !isTruncated) return 'The token sees no project.';
  if (isTruncated && nameOrId !== '')
    return `It is not among the first ${items.length} projects, and I can't read the others. ${renderVisibleProjects(visibleProjects)}`;
  return nameOrId === ''
    ? `Say which one. ${renderVisibleProjects(visibleProjects)}`
    : `The token sees no such project, or several of that name. ${renderVisibleProjects(visibleProjects)}`;
}

function renderResult(title: string, lines: readonly string[]): ModalView {
  return {
    type: 'modal',
    title: plain(title, LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks: lines.map((line) => plainSection(line)),
  };
}

/** Adds a change of a connection to the audit record. `target`: the host. `project`: undefined for all projects. */
export async function recordConnection(
  { context, actor, reference }: Call,
  change: { action: AuditAction; target: string; project: string | undefined },
): Promise<void> {
  const { workspace, user } = actor;
  await context.record.add({ ...change, workspace, actor: user, decision: 'done', reference });
}
