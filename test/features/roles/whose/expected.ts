import { includesRole, type RequiredRole, type Role } from '../../../../src/access/access.ts';
import type { Attempt } from '../../../../src/app/feature.ts';
import { features } from '../../../../src/app/features.ts';
import type { ViewValues } from '../../../../src/slack/interaction-values.ts';
import type { SurfaceRequest } from './asking.ts';
import type { Surface } from './surfaces.ts';

/** The project of a request: the person's own, another one of their workspace, or one of another workspace. */
export const WHOSE = ['own', 'another', 'tenant'] as const;
export type Whose = (typeof WHOSE)[number];

/**
 * - `refused`: the person is told that they lack a role.
 * - `reached`: something of the project is shown or changed.
 * - `done`: the request succeeds, but is about no project.
 * - `own words`: the person's own text is shown, the service isn't called, and only `ownRows` may change.
 * - `nothing`: nothing of the project is shown or changed, but the person gets an answer.
 */
export type Outcome = 'refused' | 'reached' | 'done' | 'own words' | 'nothing';

const named = (...ids: string[]): ReadonlySet<string> => new Set(ids);

/** Surfaces that show nothing of a project. A new surface needs a line here or a value in `aims.ts`. */
const WITHOUT_PROJECT = named(
  ...['options schedule-post.zone', 'options zone.zone', 'options digest.zone', 'options give-role.groups'],
  // A mention can't open a form, so it answers with a button. The forms that connect or delete a file start empty.
  ...['mention', 'direct message'].flatMap((how) =>
    ['prompt', 'source', 'invite', 'user', 'webhook', 'file'].map((name) => `${how} ${name}`),
  ),
  ...['command file', 'open files', 'action file.reload', 'open connect', 'view connect'],
  ...['action connect.reload', 'action connect.open', 'action connect.replace'],
  // A form that has to be confirmed changes nothing yet.
  ...['view use', 'view give-role'],
  // The form reloads only if another source is chosen. Home is refreshed elsewhere.
  ...['action source.source', 'action home.refresh'],
  ...['action roles.wish', 'action roles.claim'],
  ...['command help', 'mention help', 'direct message help', 'action help.list', 'action help.topic'],
  ...['command audit', 'mention audit', 'direct message audit'],
  ...['list', 'previous', 'next', 'export'].map((name) => `action audit.${name}`),
);

/** Surfaces that need a higher role than the catalogue says, once their project is known. */
const HIGHER_ROLES: Readonly<Record<string, RequiredRole>> = {
  ...{ 'view schedule-post.confirm': 'publisher', 'action schedule-post.preview-save': 'publisher' },
  'action list-posts.row': 'contributor',
  // A submission is edited in the form of its kind.
  ...{ 'action outbox.edit': 'contributor', 'action outbox.new-time': 'contributor' },
  // For a channel that people of another organisation read.
  'view use.confirm': 'owner',
  // For a channel's digest.
  ...{
    'action digests.confirm-sent': 'manager',
    'action digests.send-again': 'manager',
    'action digests.resume': 'manager',
  },
  // These run a command, which needs its own role.
  ...{
    'action home.run.0': 'manager',
    'action welcome.start.connect': 'owner',
    'action help.use': 'manager',
  },
};

/** Surfaces for a person's own submissions and digests, which they keep when they lose their role. */
const OWN_WORDS = /^(?:command|mention|direct message) outbox$|^action (?:outbox\.|digests\.my-)/;

/** Buttons that may change a row of the person's own, by table. The button's value is the row's id. */
const CHANGED_TABLES: Readonly<Record<string, string>> = {
  ...{ 'outbox.retry': 'submission', 'outbox.discard': 'submission', 'outbox.draft': 'submission' },
  ...{ 'digests.my-pause': 'digest', 'digests.my-unpause': 'digest', 'digests.my-delete': 'digest' },
};
/** Buttons that may add a row of the person's own, by table. */
const EXTENDED_TABLES: Readonly<Record<string, string>> = {
  ...{ 'outbox.draft': 'submission', 'digests.my-send': 'digest_occurrence' },
};

/** The rows that may change if the outcome is `own words`. */
export function ownRows({ id }: Surface, { value = '' }: SurfaceRequest, person: string): string[] {
  return [
    ...(CHANGED_TABLES[id] === undefined ? [] : [`${CHANGED_TABLES[id]} ${value}`]),
    ...(EXTENDED_TABLES[id] === undefined ? [] : [`${EXTENDED_TABLES[id]} new of ${person}`]),
  ];
}

export const nameOf = ({ surface, id }: Surface) => `${surface} ${id}`;

const FEATURES = new Map(features.map((feature) => [feature.name, feature]));

/** The outcome for a person with this role. They have it only in their own project, unless they are an owner. */
export function expectedOutcome(
  surface: Surface,
  request: SurfaceRequest,
  role: Role | undefined,
  whose: Whose,
): Outcome {
  const name = nameOf(surface);
  if (!includesRole(role, catalogueRole(surface, request))) return 'refused';
  const isTheirs = whose === 'own' || (whose === 'another' && role === 'owner');
  const higher = HIGHER_ROLES[name];
  if (isTheirs && higher !== undefined && !includesRole(role, higher)) return 'refused';
  if (isTheirs) return WITHOUT_PROJECT.has(name) || role === undefined ? 'done' : 'reached';
  return whose === 'another' && OWN_WORDS.test(name) ? 'own words' : 'nothing';
}

/** Whether the app sends no answer: for an unsubmitted change in somebody else's form, and for the refresh of Home. */
export function isSilent({ surface, id }: Surface, { view }: SurfaceRequest): boolean {
  return (
    id === 'home.refresh' || (surface === 'action' && view !== undefined && !/\.(?:back|reload)$/.test(id))
  );
}

/** The role that the catalogue requires. */
function catalogueRole(
  { feature, surface, id, key }: Surface,
  { words = '', view }: SurfaceRequest,
): RequiredRole {
  const found = FEATURES.get(feature);
  if (!found) throw new Error(`unknown feature "${feature}"`);
  return found.role(attempt());

  function attempt(): Attempt {
    if (key.startsWith('command '))
      return { surface: 'command', command: key.slice('command '.length), text: words };
    switch (surface) {
      case 'open':
        return { surface };
      case 'view':
        return { surface, id, values: valuesIn(view) };
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

function valuesIn(view: SurfaceRequest['view']): ViewValues {
  return view && 'state' in view ? (view.state as { values: ViewValues }).values : {};
}
