import type { KnownBlock } from '@slack/types';
import type { AddressFault } from '../../api/address-rules.ts';
import { isAccessRefusal, type Outcome } from '../../api/outcome.ts';
import { buildProjectId } from '../../api/project-ids.ts';
import type { Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import {
  actions,
  button,
  clipLine,
  context,
  escapeText,
  sanitizeLine,
  section,
  withConfirmation,
} from '../../slack/blocks.ts';
import { buildPageButtons, paginate } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { joinNames } from '../../slack/name.ts';
import { renderServiceFailure } from '../../slack/service-failure.ts';
import { clip, joinWithAnd } from '../../words.ts';
import type { Credential, DefaultService } from '../../workspaces/workspaces.ts';

export const ADDRESS_ERRORS: Readonly<Record<AddressFault, string>> = {
  'not-an-address': 'Enter an address such as https://api.example.com',
  'not-https': 'The address must begin with https://',
  credentials: 'Remove everything before the @. The token has its own field.',
  'query-or-fragment': 'Remove everything from the ? or # on.',
  'too-long': 'Use at most 500 characters.',
  'host-not-allowed': 'I may not connect to this host. Ask whoever runs Upnext to allow it.',
  private: 'I may not connect to addresses in a private network.',
};

/** Also shown for hosts in a private network, so that nobody can find out which hosts the network has. */
const HOST_NOT_FOUND = 'I couldn’t find this host. Check the name and try again.';

const NOT_APPLIED_ERRORS: Readonly<Record<string, string>> = {
  'name-not-resolved': HOST_NOT_FOUND,
  'address-not-allowed': HOST_NOT_FOUND,
  tls: 'I can’t trust its certificate for this name.',
  busy: 'I’m busy reading other lists. Try again in a minute.',
  'rate-limited': 'The service asks me to wait. Try again in a minute.',
};

/** Renders the error to show under a field of the form. Plain text. */
export function renderConnectionError(
  outcome: Exclude<Outcome<unknown>, { kind: 'done' }>,
): { address: string } | { token: string } {
  switch (outcome.kind) {
    case 'refused':
      if (isAccessRefusal(outcome.status)) return { token: 'The service doesn’t accept this token.' };
      if (outcome.status === 402) return { address: 'This service asks for a payment first.' };
      return { address: renderRefusal(outcome) };
    case 'not-applied':
      return { address: NOT_APPLIED_ERRORS[outcome.cause] ?? 'Nothing answers at this address.' };
    case 'unknown':
      return {
        address:
          outcome.problems || outcome.cause === 'success-false'
            ? renderRefusal(outcome)
            : renderUnknownOutcome(outcome.status),
      };
    case 'invalid':
      return { address: renderRefusal(outcome) };
  }
}

const MAX_REASON_LENGTH = 300;

/** Renders what a scheduling service answered instead of its projects. Plain text. */
function renderRefusal(outcome: Extract<Outcome<unknown>, { kind: 'refused' | 'invalid' | 'unknown' }>) {
  const reason = outcome.problems?.map(({ message }) => sanitizeLine(message)).join(' ') ?? '';
  return `${renderServiceFailure(outcome)} ${clip(reason, MAX_REASON_LENGTH)}`.trim();
}

const NOT_THE_SERVICE = 'This isn’t a scheduling service.';

function renderUnknownOutcome(status: number | undefined): string {
  if (status === undefined) return 'The service didn’t answer in time. Try again.';
  if (status >= 300 && status < 400) return 'It redirects to another address. Use that one.';
  return status >= 500 ? `The service has a problem (status ${status}). Try again later.` : NOT_THE_SERVICE;
}

export type VisibleProjects = Pick<Records<Project>, 'items' | 'isTruncated'>;

const MAX_NAMED_PROJECTS = 5;

/** Renders the projects that a token can see. Plain text. */
export function renderVisibleProjects({ items, isTruncated }: VisibleProjects): string {
  if (items.length === 0)
    return isTruncated ? 'The token sees projects that I can’t read.' : 'This token can’t see a project yet.';
  const count = items.length === 1 ? 'one project' : `${items.length} projects`;
  const names = items.map(({ name }) => clipLine(name));
  return isTruncated
    ? `The token sees more than ${count}: ${joinWithAnd([...names.slice(0, MAX_NAMED_PROJECTS), 'others'])}.`
    : `The token sees ${count}: ${joinNames(names, MAX_NAMED_PROJECTS)}.`;
}

// Action ids of the buttons that answer whether projects are the same as before. The value of the first two is the key of a
// question: of the service and the project. That of the last one is when the owners were asked last.
export const SAME_PROJECT_ACTION = 'connect.same-project';
export const NEW_PROJECT_ACTION = 'connect.new-project';
export const SAME_PROJECTS_ACTION = 'connect.same-projects';

/** Projects that a message asks about: it has at most 50 blocks, and a question takes two. */
const MAX_QUESTIONS = 20;

/** A project that was gone, or was made again. The id is the service's. */
interface Question extends Project {
  /** The mark of its service. */
  service: string;
  askedAt: Date;
}

/** Renders the question whether projects of a service are the same as before. They have the service's ids. */
export function renderReturnedProjects({
  service,
  projects,
  at: askedAt,
}: {
  service: string;
  projects: readonly Project[];
  at: Date;
}): Message {
  const names = projects.map(({ name }) => escapeText(clipLine(name)));
  const text =
    projects.length === 1
      ? `Is ${names[0]} the same project as before?`
      : `Are ${joinNames(names, 5)} the same projects as before?`;
  return { text, blocks: renderQuestions(projects.map((project) => ({ ...project, service, askedAt }))) };
}

/** Asks about projects, at most `max` of them one by one. [All are the same] answers no question that is asked later. */
function renderQuestions(questions: readonly Question[], max = MAX_QUESTIONS): KnownBlock[] {
  const hidden = questions.length - max;
  const lastAskedAt = new Date(Math.max(...questions.map(({ askedAt }) => askedAt.getTime())));
  return [
    ...questions.slice(0, max).flatMap(renderQuestion),
    ...(hidden > 0
      ? [context(`And ${hidden} more, which \`/upnext connect\` shows after your answers.`)]
      : []),
    ...(questions.length > 1
      ? [actions(button('All are the same', SAME_PROJECTS_ACTION, lastAskedAt.toISOString()))]
      : []),
  ];
}

function renderQuestion({ service, id, name }: Question): KnownBlock[] {
  const key = buildProjectId(service, id);
  return [
    section(
      `*${escapeText(clipLine(name))}* was gone from the scheduling service, or was made again there. Nobody can use it until you say whether it’s the same project.`,
    ),
    actions(
      button('Same project', SAME_PROJECT_ACTION, key),
      withConfirmation(button('New project', NEW_PROJECT_ACTION, key), {
        title: 'A new project?',
        text: 'It starts without roles, channels and digests. You can’t bring those of the earlier project back.',
        confirm: 'New project',
        deny: 'Go back',
      }),
    ),
  ];
}

/** Renders the result of [Same project], [New project] and [All are the same]. */
export function renderSettled(result: 'same' | 'all-same' | 'new'): Message {
  return {
    text: {
      same: 'It’s the same project: its roles, channels, digests and posts are there again.',
      'all-same': 'They’re the same projects: their roles, channels, digests and posts are there again.',
      new: 'It’s a new project. Choose who may use it with `/upnext roles`.',
    }[result],
  };
}

// Action ids. The value of the last two is the id of a connection.
export const CONNECT_ACTION = 'connect.open';
export const REPLACE_ACTION = 'connect.replace';
export const REMOVE_ACTION = 'connect.remove';

/** Maximum projects on a page, because a message holds 50 blocks. */
export const PAGE_SIZE = 20;

/** Open questions about projects that were gone, above a page of connections. */
const MAX_LISTED_QUESTIONS = 3;

type Connection = Omit<Credential, 'token'>;

const DEFAULT_TEXTS: Readonly<Record<DefaultService, string>> = {
  practice: 'This workspace uses the practice service, so nothing is published.',
  default: 'This workspace uses Upnext’s default scheduling service.',
  none: 'This workspace isn’t connected to a scheduling service.',
};

export function renderConnections(
  connections: readonly Connection[],
  defaultService: DefaultService,
  { page: pageNumber = 0, questions = [] }: { page?: number; questions?: readonly Question[] } = {},
): Message {
  const workspaceConnection = connections.find(({ project }) => !project);
  const projectConnections = connections.filter(({ project }) => project);
  const connectedText =
    workspaceConnection && `This workspace is connected to ${renderHost(workspaceConnection)}.`;
  const workspaceBlocks =
    workspaceConnection && connectedText !== undefined
      ? renderConnection(connectedText, workspaceConnection, 'Disconnect')
      : [section(DEFAULT_TEXTS[defaultService])];
  const page = paginate(projectConnections, pageNumber, PAGE_SIZE);
  const projectBlocks = page.items.flatMap((connection) =>
    renderConnection(
      `${escapeText(clipLine(connection.project?.name ?? ''))} has its own token, for ${renderHost(connection)}.`,
      connection,
      'Remove it',
    ),
  );
  const statusText = connectedText ?? DEFAULT_TEXTS[defaultService];
  const projectText =
    projectConnections.length > 0 ? ` ${projectConnections.length} with their own token.` : '';
  return {
    text: `${statusText}${projectText}`,
    blocks: [
      ...renderQuestions(questions, MAX_LISTED_QUESTIONS),
      ...workspaceBlocks,
      ...(page.count > 1 ? [section(`*Projects with their own token*${page.titleSuffix}`)] : []),
      ...projectBlocks,
      actions(
        ...buildPageButtons('connect', page, (number) => ({ page: number })),
        button(
          'Connect a service',
          CONNECT_ACTION,
          undefined,
          workspaceConnection || defaultService !== 'none' ? undefined : 'primary',
        ),
      ),
    ],
  };
}

function renderConnection(text: string, connection: Connection, removeLabel: string): KnownBlock[] {
  const warning = `${connection.project ? 'This project' : 'This workspace'} can no longer use that token. Pending posts stay saved.`;
  return [
    section(`${text}\nConnected by <@${connection.connectedBy}>.`),
    actions(
      button('Replace', REPLACE_ACTION, connection.id),
      withConfirmation(button(removeLabel, REMOVE_ACTION, connection.id, 'danger'), {
        title: 'Remove the token?',
        text: warning,
        confirm: 'Remove',
        deny: 'Keep it',
        style: 'danger',
      }),
    ),
  ];
}

function renderHost({ url }: Connection): string {
  return `\`${escapeText(new URL(url).host)}\``;
}
