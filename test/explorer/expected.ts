import { includesRole, type RequiredRole, type Role } from '../../src/access/access.ts';
import { features } from '../../src/app/features.ts';
import { getRequiredRole } from '../../src/app/narrowed-context.ts';
import type { RequestedAction } from '../../src/handlers/feature.ts';
import type { ViewValues } from '../../src/slack/interaction-values.ts';
import type { Surface } from './catalogue.ts';
import type { SurfaceRequest } from './surface-request.ts';

/** Whose project a request is about: the person's own, another in their workspace, or one of another workspace. */
export const PROJECT_OWNERSHIPS = ['ownProject', 'otherProject', 'otherWorkspace'] as const;
export type ProjectOwnership = (typeof PROJECT_OWNERSHIPS)[number];

/**
 * - 'refused': the person reads that they lack a role.
 * - 'reached': the project's data is shown or changed.
 * - 'allowed': the request succeeds. Whether the project's data is shown depends on earlier requests.
 * - 'done': the request succeeds, but is about no project.
 * - 'own data': the person's own data is shown, the service isn't called, and only rows of `listOwnRows` may change.
 * - 'nothing': the project's data is neither shown nor changed, but the person gets an answer.
 */
export type Outcome = 'refused' | 'allowed' | 'reached' | 'done' | 'own data' | 'nothing';

const createNameSet = (...ids: string[]): ReadonlySet<string> => new Set(ids);

/** Surfaces that show no project's data. A new surface needs a line here or a value in `project-requests.ts`. */
const WITHOUT_PROJECT = createNameSet(
  ...['options schedule-post.zone', 'options zone.zone', 'options digest.zone', 'options give-role.groups'],
  ...['options policy.groups1', 'options policy.groups2', 'options policy.groups3'],
  // A mention can't open a form, so it answers with a button. The forms that connect or delete a file start empty.
  ...['mention', 'direct message'].flatMap((surface) =>
    ['prompt', 'source', 'invite', 'user', 'webhook', 'file', 'notifications', 'stop'].map(
      (name) => `${surface} ${name}`,
    ),
  ),
  ...['command file', 'open files', 'action file.reload', 'open connect', 'view connect'],
  ...['action connect.reload', 'action connect.open'],
  // No project of theirs was gone.
  ...['action connect.same-project', 'action connect.same-projects', 'action connect.new-project'],
  ...['command notifications', 'open notifications', 'action notifications.reload'],
  // The request names no file, and the form for one starts empty.
  ...['open import-posts', 'action import.open', 'action import.check', 'shortcut import.file'],
  ...[
    'message shortcut import.file',
    'options import-settings.zone',
    'action import.template',
    'view import.source',
  ],
  // The form's text fits into its fields.
  'action schedule-post.rest',
  // The form only asks by how long the posts are moved.
  'action bulk.move',
  // The request names no post, and no series. The file goes to Slack in two steps.
  ...['open held-posts', 'open series', 'action series-list.export'],
  // A form that has to be confirmed changes nothing yet.
  ...['view use', 'view give-role'],
  // The form names the project only if the zone is for a project, and the channel has no zone to remove.
  ...['open zone', 'action zone.reload', 'action zone.remove-channel'],
  // The form reloads only if another source is chosen. Home is refreshed separately.
  ...['action source.source', 'action home.refresh'],
  ...['action roles.request', 'action roles.claim'],
  ...['command help', 'mention help', 'direct message help', 'action help.list', 'action help.topic'],
  ...['command admin', 'mention admin', 'direct message admin', 'open welcome'],
  'action audit.export',
  // Without a public address there are no pages.
  ...['command plan', 'mention plan', 'direct message plan', 'action plan.open', 'action plan.feed'],
  ...['action plan.end', 'action plan.end-person'],
);

/** Surfaces that require a higher role than their feature's definition, once their project is known. */
const HIGHER_ROLES: Readonly<Record<string, RequiredRole>> = {
  // The request schedules a post in a project without reviews.
  'view schedule-post': 'publisher',
  // The confirmed post is scheduled.
  'view schedule-post.confirm': 'publisher',
  // The post was scheduled.
  'action held-posts.discard': 'publisher',
  // The channel is shared with another organisation.
  'view use.confirm': 'owner',
  // The digest belongs to a channel.
  ...{
    'action digests.confirm-sent': 'manager',
    'action digests.send-again': 'manager',
    'action digests.resume': 'manager',
  },
  // These buttons run a command, which requires its own role.
  ...{
    'action home.run.0': 'manager',
    'action schedule-post.keep-editable': 'manager',
    'action schedule-post.at-once': 'manager',
    'action schedule-post.keep-later': 'manager',
    'action help.run.0': 'manager',
    'action help.run.1': 'manager',
    'action help.run.2': 'manager',
  },
};

/**
 * Surfaces for a person's own submissions, digests and choices, which stay theirs when they lose their role. Home names
 * the pending submissions.
 */
const OWN_DATA =
  /^(?:command|mention|direct message) (?:outbox|import|series)$|^view import-settings$|^event app_home_opened$|^view notifications$|^action (?:outbox\.|import[.-]|digests\.my-|series-list\.)/;

/** Surfaces that list the newest entries of the audit log, whatever they are about. */
const AUDIT_LOG = /^(?:command|mention|direct message) audit$|^action audit\.(?!export)/;

/** The table in which a button may change the person's own row. The button's value ends with the row's id, and sometimes its fence. */
const CHANGED_TABLES: Readonly<Record<string, string>> = {
  ...{
    'outbox.retry': 'submission',
    'outbox.send-all': 'submission',
    'outbox.send-again': 'submission',
    'outbox.discard': 'submission',
  },
  ...{ 'digests.my-more': 'digest', 'digests.my-delete': 'digest' },
  ...{ 'import.discard': 'post_import', 'import.stop': 'post_import' },
};
/** The table to which a button or a form may add a row of the person. */
const EXTENDED_TABLES: Readonly<Record<string, string>> = {
  'digests.my-send': 'digest_occurrence',
  notifications: 'notification_choice',
};

/** Lists the rows that may change if the outcome is `own data`. */
export function listOwnRows({ id }: Surface, { value = '' }: SurfaceRequest, person: string): string[] {
  return [
    ...(CHANGED_TABLES[id] === undefined
      ? []
      : [`${CHANGED_TABLES[id]} ${value.split(' ').at(-1)?.split(':')[0]}`]),
    ...(EXTENDED_TABLES[id] === undefined ? [] : [`${EXTENDED_TABLES[id]} new of ${person}`]),
  ];
}

const getSurfaceName = ({ surface, id }: Surface) => `${surface} ${id}`;

const FEATURES = new Map(features.map((feature) => [feature.name, feature]));

/** Predicts the outcome for a person with this role in their own project. An owner has that role in every project. */
export function predictOutcome(
  surface: Surface,
  request: SurfaceRequest,
  role: Role | undefined,
  ownership: ProjectOwnership,
): Outcome {
  const name = getSurfaceName(surface);
  if (!includesRole(role, findCatalogueRole(surface, request))) return 'refused';
  const isPermitted = ownership === 'ownProject' || (ownership === 'otherProject' && role === 'owner');
  const higherRole = HIGHER_ROLES[name];
  if (isPermitted && higherRole !== undefined && !includesRole(role, higherRole)) return 'refused';
  if (isPermitted && AUDIT_LOG.test(name)) return 'allowed';
  // The request is for the role of a publisher.
  if (isPermitted && name === 'action roles.ask' && includesRole(role, 'publisher')) return 'done';
  if (isPermitted) return WITHOUT_PROJECT.has(name) || role === undefined ? 'done' : 'reached';
  return ownership === 'otherProject' && OWN_DATA.test(name) ? 'own data' : 'nothing';
}

/**
 * Whether the app may leave a request without an answer: a refresh of Home, a change of a form's field, or a second
 * welcome.
 */
export function mayBeUnanswered({ surface, id }: Surface, { view }: SurfaceRequest): boolean {
  return (
    id === 'home.refresh' ||
    // Slack opens the page of the button.
    id === 'plan.open' ||
    (surface === 'open' && id === 'welcome') ||
    (surface === 'action' && view !== undefined && !/\.(?:back|reload)$/.test(id))
  );
}

/** Finds the role that the feature's definition requires for the request. */
export function findCatalogueRole(
  { feature, surface, id, key }: Surface,
  { text = '', view }: SurfaceRequest,
): RequiredRole {
  const definition = FEATURES.get(feature);
  if (!definition) throw new Error(`unknown feature "${feature}"`);
  return getRequiredRole(definition, createRequestedAction());

  function createRequestedAction(): RequestedAction {
    if (key.startsWith('command '))
      return { surface: 'command', command: key.slice('command '.length), text };
    switch (surface) {
      case 'open':
        return { surface };
      case 'view':
        return { surface, id, values: getFormValues(view) };
      case 'action':
        return { surface, id, isButton: true };
      case 'options':
      case 'event':
        return { surface, id };
      default:
        return { surface: 'shortcut', id };
    }
  }
}

function getFormValues(view: SurfaceRequest['view']): ViewValues {
  return view && 'state' in view ? (view.state as { values: ViewValues }).values : {};
}
