import { features } from '../../../../src/app/features.ts';
import type { Belongings } from './belongings.ts';
import type { SurfaceRequest } from './surface-request.ts';
import type { Surface } from './surfaces.ts';

type ReadValue = (one: Belongings) => string;

/** The button state of a page in a project's list. */
const page: ReadValue = ({ project }) => JSON.stringify({ project, words: '', page: 0 });
const template: ReadValue = ({ project }) =>
  JSON.stringify({ project, words: '', page: 0, template: `templates-${project.slice(1)}` });
const project: ReadValue = (one) => one.project;
const none: ReadValue = () => '';
const post =
  (name: string): ReadValue =>
  ({ posts }) =>
    posts.get(name) ?? '';

/** The text after each command that names the project. Empty if the command takes no project. */
const COMMAND_TEXTS: Readonly<Record<string, ReadValue>> = {
  ...{ next: none, posts: project, edit: project, prompt: none, templates: project, sources: project },
  ...{ source: project, logs: project, outbox: none, projects: none, use: project, invite: none, user: none },
  ...{ webhook: project, file: none, connect: none, roles: none, audit: none, status: none, help: none },
  schedule: (one) => `tomorrow 9:00 on x for ${one.project}: Open at nine`,
  zone: () => 'here Berlin',
  digest: (one) => `weekdays 8:30 in Europe/Berlin for ${one.project}`,
};

/** The value of each button, except in forms, whose inputs and buttons need the form. */
const BUTTON_VALUES: Readonly<Record<string, ReadValue>> = {
  ...{ 'up-next.schedule': project, 'up-next.refresh': none, 'up-next.share': () => 'card' },
  'up-next.share-outside': () => 'card',
  ...{ 'schedule-post.share': post('sent'), 'schedule-post.share-outside': post('sent') },
  'schedule-post.another': post('sent'),
  ...{ 'list-posts.schedule': project, 'templates.use': template, 'templates.view': template },
  'sources.edit': (one) =>
    JSON.stringify({ project: one.project, source: `sources-${one.project.slice(1)}` }),
  ...{ 'sources.put-back': ({ update }) => update, 'sources.put-back-anyway': ({ update }) => update },
  ...{ 'outbox.check': post('unsure'), 'outbox.retry': post('unsure') },
  ...{ 'outbox.discard': post('refused'), 'outbox.edit': post('refused') },
  ...{ 'outbox.draft': post('past'), 'outbox.new-time': post('past') },
  ...{ 'projects.choose': project, 'projects.previous': () => '0', 'projects.next': () => '0' },
  ...{ 'digests.change': ({ digests }) => digests.on, 'digests.my-change': ({ digests }) => digests.mine },
  ...{ 'digests.pause': ({ digests }) => digests.on, 'digests.my-pause': ({ digests }) => digests.mine },
  'digests.unpause': ({ digests }) => digests.paused,
  'digests.my-unpause': ({ digests }) => digests.minePaused,
  ...{ 'digests.send': ({ digests }) => digests.on, 'digests.my-send': ({ digests }) => digests.mine },
  ...{ 'digests.preview': ({ digests }) => digests.on, 'digests.my-preview': ({ digests }) => digests.mine },
  ...{ 'digests.delete': ({ digests }) => digests.on, 'digests.my-delete': ({ digests }) => digests.mine },
  ...{
    'digests.confirm-sent': ({ occurrence }) => occurrence,
    'digests.send-again': ({ occurrence }) => occurrence,
  },
  'digests.resume-outside': ({ digests }) => digests.paused,
  ...{ 'digests.resume': ({ digests }) => digests.paused, 'digests.new': none },
  ...{ 'home.refresh': none, 'home.run': (one) => `/upnext templates ${one.project}` },
  ...{ 'connect.open': none, 'connect.replace': ({ credential }) => credential },
  'connect.remove': ({ credential }) => credential,
  ...{
    'roles.ask': ({ ownRequest }) => ownRequest,
    'roles.wish': () => 'owner',
    'roles.claim': none,
    'roles.give': none,
  },
  ...{ 'roles.take': ({ grant }) => grant, 'roles.previous': none, 'roles.next': none },
  ...{ 'welcome.start.connect': none, 'welcome.start.roles': none },
  ...{ 'help.list': none, 'help.use': none, 'help.example': () => 'projects 0', 'help.topic': () => 'posts' },
};
/** The values of buttons whose ids match a pattern. */
const BUTTON_VALUES_BY_PATTERN: readonly (readonly [RegExp, ReadValue])[] = [
  [/^(?:list-posts|templates|sources|logs)\.[a-z-]+(?:\.\d+)?$/, page],
  [/^schedule-post\.preview-/, ({ shown }) => `${shown.get('schedule-post.preview-schedule')}.0`],
  [/^audit\./, () => JSON.stringify({ words: '', people: [], page: 0 })],
  [/^roles\.answer\./, ({ othersRequest }) => othersRequest],
  [/^home\.run\.\d+$/, (one) => `/upnext logs ${one.project}`],
  [/^help\.example\.\d+$/, () => 'posts 0'],
];

const FORMS = features
  .flatMap(({ views = {} }) => Object.keys(views))
  .filter((id) => !id.endsWith('.confirm'));

/** Creates a request about the project. Returns undefined if the tables above don't cover the surface. */
export function createProjectRequest(
  { surface, id, key }: Surface,
  one: Belongings,
): SurfaceRequest | undefined {
  switch (surface) {
    case 'command':
    case 'own command':
    case 'mention':
    case 'direct message': {
      const text = COMMAND_TEXTS[key.replace('command ', '')]?.(one);
      return text === undefined ? undefined : { surface, id, text };
    }
    case 'open':
      return { surface, id, value: JSON.stringify({ project: one.project }) };
    case 'action': {
      const value = one.shown.get(id) ?? BUTTON_VALUES[id]?.(one);
      if (value !== undefined) return { surface, id, value };
      const valueByPattern = BUTTON_VALUES_BY_PATTERN.find(([pattern]) => pattern.test(id))?.[1](one);
      if (valueByPattern !== undefined) return { surface, id, value: valueByPattern };
      const view = findForm(id, one);
      return view && { surface, id, view, value: id.endsWith('.reload') ? getFormId(view) : '' };
    }
    case 'options': {
      const view = findForm(id, one);
      return id === 'projects.choose' ? { surface, id } : view && { surface, id, view };
    }
    case 'view': {
      const view = findForm(id, one);
      return view && { surface, id, view };
    }
    default:
      return { surface, id };
  }
}

/** Finds the form with this input, button or view. */
function findForm(id: string, { forms }: Belongings): object | undefined {
  const name = FORMS.find((form) => id === form || id.startsWith(`${form}.`));
  const form = name === undefined ? undefined : forms.get(name);
  const isConfirmation = id === `${name}.confirm` || id === `${name}.back`;
  return form && { ...form, ...(isConfirmation && { callback_id: `${name}.confirm` }) };
}

function getFormId(view: object): string {
  return 'private_metadata' in view ? (String(view.private_metadata).split('.')[1] ?? '') : '';
}
