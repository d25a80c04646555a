import type { Button, KnownBlock } from '@slack/types';
import type { AddressFault } from '../../api/address-rules.ts';
import type { Outcome } from '../../api/outcome.ts';
import type { Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import { actions, button, context, plain, section } from '../../slack/blocks.ts';
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

/** Also used for names in a private network, so that nobody can find out which names that network has. */
const NO_HOST = 'I found no host with this name that I may connect to. Check the name and try again.';

const NOT_APPLIED_FAULTS: Readonly<Record<string, string>> = {
  'name-not-resolved': NO_HOST,
  'address-not-allowed': NO_HOST,
  tls: 'It has no certificate for this name that I can trust.',
  busy: 'I am reading as much as I can at once. Try again in a moment.',
  'rate-limited': 'The service asks us to wait. Try again in a minute.',
};

/** Why the service couldn't be connected. */
export function connectionFault(outcome: Exclude<Outcome<unknown>, { kind: 'done' }>): Fault {
  switch (outcome.kind) {
    case 'refused':
      return outcome.status === 401 || outcome.status === 403
        ? { token: 'The service does not take this token.' }
        : { address: NO_SERVICE };
    case 'not-applied':
      return { address: NOT_APPLIED_FAULTS[outcome.cause] ?? 'Nothing answers at this address.' };
    case 'unknown':
      return { address: unknownFault(outcome.status) };
    case 'invalid':
      return { address: NO_SERVICE };
  }
}

const NO_SERVICE = 'What answers there is not the scheduling service.';

function unknownFault(status: number | undefined): string {
  if (status === undefined) return 'The service did not answer in time. Try again.';
  if (status >= 300 && status < 400) return 'It sends me on to another address. Give that one.';
  return status >= 500 ? `The service is out of order (answer ${status}). Try again later.` : NO_SERVICE;
}

export type VisibleProjects = Pick<Records<Project>, 'items' | 'isTruncated'>;

const MAX_NAMED = 5;
const MAX_NAME_LENGTH = 60;

export function projectName({ name }: Project): string {
  return clip(sanitizeLine(name), MAX_NAME_LENGTH);
}

/** Describes the projects that a token can see. Plain text. */
export function visibleProjectsText({ items, isTruncated }: VisibleProjects): string {
  if (items.length === 0)
    return isTruncated ? 'The token sees projects that I can’t read.' : 'The token sees no project yet.';
  const count = items.length === 1 ? 'one project' : `${items.length} projects`;
  const names = items.slice(0, MAX_NAMED).map(projectName).join(', ');
  if (isTruncated) return `The token sees more than ${count}: ${names} and others.`;
  const rest = items.length - MAX_NAMED;
  return `The token sees ${count}: ${names}${rest > 0 ? ` and ${rest} more` : ''}.`;
}

export const CONNECT = 'connect.open';
export const REPLACE = 'connect.replace';
export const REMOVE = 'connect.remove';

/** A message holds 50 blocks. Other projects' tokens can still be replaced, by connecting the project again. */
const MAX_SHOWN_PROJECTS = 20;

type ShownCredential = Omit<Credential, 'token'>;

/** Lists the connections of a workspace, without their tokens. */
export function connectionsMessage(all: readonly ShownCredential[], hasDefault: boolean): Message {
  const whole = all.find(({ project }) => !project);
  const own = all.filter(({ project }) => project);
  const first = whole
    ? credentialBlocks(`This workspace is connected to ${hostText(whole)}.`, whole, 'Disconnect')
    : [section(hasDefault ? DEFAULT_TEXT : 'This workspace is not connected to a scheduling service yet.')];
  const projects = own
    .slice(0, MAX_SHOWN_PROJECTS)
    .flatMap((one) =>
      credentialBlocks(
        `${projectNameText(one)} has a token of its own, for ${hostText(one)}.`,
        one,
        'Remove it',
      ),
    );
  const more =
    own.length > MAX_SHOWN_PROJECTS ? [context(`And ${own.length - MAX_SHOWN_PROJECTS} more projects.`)] : [];
  const text = `${whole ? `This workspace is connected to ${hostText(whole)}.` : first.length > 0 && hasDefault ? DEFAULT_TEXT : 'Nothing is connected yet.'}${own.length > 0 ? ` ${own.length} with a token of their own.` : ''}`;
  return {
    text,
    blocks: [
      ...first,
      ...projects,
      ...more,
      actions(button(whole || hasDefault ? 'Connect another' : 'Connect', CONNECT, undefined, 'primary')),
    ],
  };
}

const DEFAULT_TEXT = 'This workspace uses the scheduling service that Upnext was set up with.';

function credentialBlocks(text: string, one: ShownCredential, remove: string): KnownBlock[] {
  const warning = `${one.project ? 'This project' : 'This workspace'} cannot be used with that token any more. What waits to be sent stays kept.`;
  return [
    section(text),
    context(`Connected by <@${one.connectedBy}>.`),
    actions(
      button('Replace', REPLACE, one.id),
      withConfirmation(button(remove, REMOVE, one.id, 'danger'), warning),
    ),
  ];
}

function withConfirmation(pressed: Button, text: string): Button {
  return {
    ...pressed,
    confirm: {
      title: plain('Remove the token?'),
      text: plain(text),
      confirm: plain('Remove'),
      deny: plain('Keep it'),
    },
  };
}

function hostText({ url }: ShownCredential): string {
  return `\`${escapeText(new URL(url).host)}\``;
}

function projectNameText({ project }: ShownCredential): string {
  return escapeText(clip(sanitizeLine(project?.name ?? ''), MAX_NAME_LENGTH));
}
