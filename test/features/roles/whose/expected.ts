import { isEnough, type RequiredRole, type Role } from '../../../../src/access/access.ts';
import type { Attempt } from '../../../../src/app/feature.ts';
import { features } from '../../../../src/app/features.ts';
import type { ViewValues } from '../../../../src/slack/interaction-values.ts';
import type { Asked } from './asking.ts';
import type { Surface } from './surfaces.ts';

/** Whose project it is that something is asked about: one of the person's own, another of their workspace's, a tenant's. */
export const WHOSE = ['own', 'another', 'tenant'] as const;
export type Whose = (typeof WHOSE)[number];

/**
 * `refused`: they are told that they may not. `reached`: something of the project is shown or changed. `done`: it is
 * about no project. `own words`: what they wrote themselves is shown and theirs to discard, the service is asked
 * nothing about the project, and only `ownRows` may change. `nothing`: nothing of the project is shown or changed, and they are told something.
 */
export type Outcome = 'refused' | 'reached' | 'done' | 'own words' | 'nothing';

const named = (...ids: string[]): ReadonlySet<string> => new Set(ids);

/** About no project, or nothing of one is shown there. A surface that is new stands here, or is aimed at a project. */
const ABOUT_NONE = named(
  ...['options schedule-post.zone', 'options zone.zone', 'options digest.zone', 'options give-role.groups'],
  // A form has to be opened by a press, and connecting and deleting a file begin with nothing.
  ...['mention', 'direct message'].flatMap((how) =>
    ['prompt', 'source', 'invite', 'user', 'webhook', 'file'].map((name) => `${how} ${name}`),
  ),
  ...['command file', 'open files', 'action file.reload', 'open connect', 'view connect'],
  ...['action connect.reload', 'action connect.open', 'action connect.replace'],
  // What asks for a second look changes nothing yet.
  ...['view use', 'view give-role'],
  // The form draws itself anew only where another source is chosen; Home is made anew elsewhere.
  ...['action source.source', 'action home.refresh'],
  ...['action roles.wish', 'action roles.claim'],
  ...['command help', 'mention help', 'direct message help', 'action help.list', 'action help.topic'],
  ...['command audit', 'mention audit', 'direct message audit'],
  ...['list', 'previous', 'next', 'export'].map((name) => `action audit.${name}`),
);

/** What asks for more than the catalogue says, once it is known what it is about. */
const NEEDS_MORE: Readonly<Record<string, RequiredRole>> = {
  ...{ 'view schedule-post.confirm': 'publisher', 'action schedule-post.preview-save': 'publisher' },
  'action list-posts.row': 'contributor',
  // What was written is edited in its own form.
  ...{ 'action outbox.edit': 'contributor', 'action outbox.new-time': 'contributor' },
  // Of a channel that people of another organisation read.
  'view use.confirm': 'owner',
  // Of a channel's digest.
  ...{
    'action digests.confirm-sent': 'manager',
    'action digests.send-again': 'manager',
    'action digests.resume': 'manager',
  },
  // They type a command, which asks for its own.
  ...{
    'action home.run.0': 'manager',
    'action welcome.start.connect': 'owner',
    'action help.use': 'manager',
  },
};

/** What a person wrote, and their own digests, stay theirs. */
const OWN_WORDS = /^(?:command|mention|direct message) outbox$|^action (?:outbox\.|digests\.my-)/;

/** What a button for a person's own words or digest may change: in this table the row that it carries. */
const OWN_ROW: Readonly<Record<string, string>> = {
  ...{ 'outbox.again': 'submission', 'outbox.discard': 'submission', 'outbox.draft': 'submission' },
  ...{ 'digests.my-pause': 'digest', 'digests.my-unpause': 'digest', 'digests.my-delete': 'digest' },
};
/** And it may add one of the person's own there. */
const ADDS: Readonly<Record<string, string>> = {
  ...{ 'outbox.draft': 'submission', 'digests.my-send': 'digest_occurrence' },
};

/** The rows that may change where the answer is `own words`. */
export function ownRows({ id }: Surface, { value = '' }: Asked, person: string): string[] {
  return [
    ...(OWN_ROW[id] === undefined ? [] : [`${OWN_ROW[id]} ${value}`]),
    ...(ADDS[id] === undefined ? [] : [`${ADDS[id]} new of ${person}`]),
  ];
}

export const nameOf = ({ surface, id }: Surface) => `${surface} ${id}`;

const FEATURES = new Map(features.map((feature) => [feature.name, feature]));

/** What somebody with this role, in their own project alone unless they own the workspace, comes to. */
export function expected(surface: Surface, asked: Asked, given: Role | undefined, whose: Whose): Outcome {
  const name = nameOf(surface);
  if (!isEnough(given, neededFor(surface, asked))) return 'refused';
  const isTheirs = whose === 'own' || (whose === 'another' && given === 'owner');
  const more = NEEDS_MORE[name];
  if (isTheirs && more !== undefined && !isEnough(given, more)) return 'refused';
  if (isTheirs) return ABOUT_NONE.has(name) || given === undefined ? 'done' : 'reached';
  return whose === 'another' && OWN_WORDS.test(name) ? 'own words' : 'nothing';
}

/** Whether nothing is said: of a change in a form that isn't theirs until it is sent, and where Home is made anew. */
export function isQuiet({ surface, id }: Surface, { view }: Asked): boolean {
  return (
    id === 'home.refresh' || (surface === 'action' && view !== undefined && !/\.(?:back|reload)$/.test(id))
  );
}

/** What the catalogue says that it needs. */
function neededFor({ feature, surface, id, key }: Surface, { words = '', view }: Asked): RequiredRole {
  const found = FEATURES.get(feature);
  if (!found) throw new Error(`there is no feature "${feature}"`);
  return found.role(attempt());

  function attempt(): Attempt {
    if (key.startsWith('command '))
      return { surface: 'command', command: key.slice('command '.length), words };
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

function valuesIn(view: Asked['view']): ViewValues {
  return view && 'state' in view ? (view.state as { values: ViewValues }).values : {};
}
