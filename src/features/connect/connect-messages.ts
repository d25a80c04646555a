import type { KnownBlock } from '@slack/types';
import type { AddressFault } from '../../api/address-rules.ts';
import type { Outcome } from '../../api/outcome.ts';
import type { Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import { actions, button, context, section, withConfirmation } from '../../slack/blocks.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/escape.ts';
import type { Message } from '../../slack/message.ts';
import type { Credential } from '../../workspaces/workspaces.ts';

/** An error to show under a field of the form. Plain text. */
type Fault = { address: string } | { token: string };

export const ADDRESS_FAULTS: Readonly<Record<AddressFault, string>> = {
  'not-an-address': 'This is no address. It looks like https://api.example.com',
  'not-https': 'The address must begin with https://',
  credentials: 'Leave out what stands before the @: the token has a field of its own.',
  'query-or-fragment': 'Leave out what begins with ? or #.',
  'too-long': 'This is longer than an address of a service: 500 characters at most.',
  'host-not-allowed':
    'I may connect to certain hosts alone, and this is none of them. Whoever runs Upnext can add it to ALLOWED_SERVICE_HOSTS.',
  private: 'This address belongs to a private network, where I may not connect.',
};

/** Also shown for names in a private network, so that nobody can find out which names that network has. */
const HOST_NOT_FOUND = 'I found no host with this name that I may connect to. Check the name and try again.';

const NOT_APPLIED_FAULTS: Readonly<Record<string, string>> = {
  'name-not-resolved': HOST_NOT_FOUND,
  'address-not-allowed': HOST_NOT_FOUND,
  tls: 'It has no certificate for this name that I can trust.',
  busy: 'I am reading as much as I can at once. Try again in a moment.',
  'rate-limited': 'The service asks us to wait. Try again in a minute.',
};

/** Explains why the service couldn't be connected. */
export function renderConnectionFault(outcome: Exclude<Outcome<unknown>, { kind: 'done' }>): Fault {
  switch (outcome.kind) {
    case 'refused':
      return outcome.status === 401 || outcome.status === 403
        ? { token: 'The service does not take this token.' }
        : { address: NO_SERVICE };
    case 'not-applied':
      return { address: NOT_APPLIED_FAULTS[outcome.cause] ?? 'Nothing answers at this address.' };
    case 'unknown':
      return { address: renderUnknownFault(outcome.status) };
    case 'invalid':
      return { address: NO_SERVICE };
  }
}

const NO_SERVICE = 'What answers there is not the scheduling service.';

function renderUnknownFault(status: number | undefined): string {
  if (status === undefined) return 'The service did not answer in time. Try again.';
  if (status >= 300 && status < 400) return 'It sends me on to another address. Give that one.';
  return status >= 500 ? `The service is out of order (answer ${status}). Try again later.` : NO_SERVICE;
}

export type VisibleProjects = Pick<Records<Project>, 'items' | 'isTruncated'>;

const MAX_NAMED_PROJECTS = 5;
const MAX_NAME_LENGTH = 60;

export function renderProjectName({ name }: Project): string {
  return clip(sanitizeLine(name), MAX_NAME_LENGTH);
}

/** Renders the projects that a token can see. Plain text. */
export function renderVisibleProjects({ items, isTruncated }: VisibleProjects): string {
  if (items.length === 0)
    return isTruncated ? 'The token sees projects that I can’t read.' : 'The token sees no project yet.';
  const count = items.length === 1 ? 'one project' : `${items.length} projects`;
  const names = items.slice(0, MAX_NAMED_PROJECTS).map(renderProjectName).join(', ');
  if (isTruncated) return `The token sees more than ${count}: ${names} and others.`;
  const rest = items.length - MAX_NAMED_PROJECTS;
  return `The token sees ${count}: ${names}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

export const CONNECT = 'connect.open';
export const REPLACE = 'connect.replace';
export const REMOVE = 'connect.remove';

/**
 * Maximum projects in the list, because a message holds 50 blocks. The token of a project that isn't listed can be
 * replaced by connecting the project again.
 */
const MAX_SHOWN_PROJECTS = 20;

type ShownCredential = Omit<Credential, 'token'>;

/** Renders the connections of a workspace, without their tokens. */
export function renderConnections(credentials: readonly ShownCredential[], hasDefault: boolean): Message {
  const workspaceCredential = credentials.find(({ project }) => !project);
  const projectCredentials = credentials.filter(({ project }) => project);
  const workspaceBlocks = workspaceCredential
    ? renderCredential(
        `This workspace is connected to ${renderHost(workspaceCredential)}.`,
        workspaceCredential,
        'Disconnect',
      )
    : [section(hasDefault ? DEFAULT_TEXT : 'This workspace is not connected to a scheduling service yet.')];
  const projectBlocks = projectCredentials
    .slice(0, MAX_SHOWN_PROJECTS)
    .flatMap((credential) =>
      renderCredential(
        `${renderCredentialProject(credential)} has a token of its own, for ${renderHost(credential)}.`,
        credential,
        'Remove it',
      ),
    );
  const moreBlocks =
    projectCredentials.length > MAX_SHOWN_PROJECTS
      ? [context(`And ${projectCredentials.length - MAX_SHOWN_PROJECTS} more projects.`)]
      : [];
  const text = `${workspaceCredential ? `This workspace is connected to ${renderHost(workspaceCredential)}.` : workspaceBlocks.length > 0 && hasDefault ? DEFAULT_TEXT : 'Nothing is connected yet.'}${projectCredentials.length > 0 ? ` ${projectCredentials.length} with a token of their own.` : ''}`;
  return {
    text,
    blocks: [
      ...workspaceBlocks,
      ...projectBlocks,
      ...moreBlocks,
      actions(
        button(
          workspaceCredential || hasDefault ? 'Connect another' : 'Connect',
          CONNECT,
          undefined,
          'primary',
        ),
      ),
    ],
  };
}

const DEFAULT_TEXT = 'This workspace uses the scheduling service that Upnext was set up with.';

function renderCredential(text: string, credential: ShownCredential, removeLabel: string): KnownBlock[] {
  const warning = `${credential.project ? 'This project' : 'This workspace'} cannot be used with that token any more. What waits to be sent stays kept.`;
  return [
    section(text),
    context(`Connected by <@${credential.connectedBy}>.`),
    actions(
      button('Replace', REPLACE, credential.id),
      withConfirmation(button(removeLabel, REMOVE, credential.id, 'danger'), {
        title: 'Remove the token?',
        text: warning,
        confirm: 'Remove',
        deny: 'Keep it',
        style: 'danger',
      }),
    ),
  ];
}

function renderHost({ url }: ShownCredential): string {
  return `\`${escapeText(new URL(url).host)}\``;
}

function renderCredentialProject({ project }: ShownCredential): string {
  return escapeText(clip(sanitizeLine(project?.name ?? ''), MAX_NAME_LENGTH));
}
