import { features } from '../../src/app/features.ts';
import { REVIEW_ACTIONS } from '../../src/held-posts/text/held-post-buttons.ts';
import type { Belongings } from './belongings.ts';
import type { Surface } from './catalogue.ts';
import type { SurfaceRequest } from './surface-request.ts';

type ReadValue = (belongings: Belongings) => string;

/** Builds the button value for a page in a project's list. */
const getPageState: ReadValue = ({ project }) => JSON.stringify({ project, words: '', page: 0 });
const getTemplateState: ReadValue = ({ project }) =>
  JSON.stringify({ project, words: '', page: 0, template: `templates-${project.slice(1)}` });
const getProject: ReadValue = ({ project }) => project;
const getEmptyValue: ReadValue = () => '';
const createPostIdReader =
  (name: string): ReadValue =>
  ({ posts }) =>
    posts.get(name) ?? '';

/** Builds the button value of a held post. */
const createHeldIdReader =
  (name: string): ReadValue =>
  ({ heldPosts }) =>
    `${heldPosts.get(name) ?? ''}.1`;

/** Builds the button value of an import. */
const createImportIdReader =
  (state: string): ReadValue =>
  ({ imports }) =>
    imports.get(state) ?? '';

/** Builds the button value that answers what a column of an import says. */
const createColumnReader =
  (state: string): ReadValue =>
  (belongings) =>
    `${createImportIdReader(state)(belongings)} 0 project`;

/** What to type after commands that don't take a project, or not only a project. The others get the project's id. */
const COMMAND_TEXTS: Readonly<Record<string, ReadValue>> = {
  ...listValues([
    [
      getEmptyValue,
      'next prompt outbox import series projects invite user file connect roles audit admin status help notifications',
    ],
  ]),
  schedule: (belongings) => `tomorrow 9:00 on x for ${belongings.project}: Open at nine`,
  zone: () => 'here Berlin',
  digest: (belongings) => `weekdays 8:30 in Europe/Berlin for ${belongings.project}`,
};

/** The values of buttons outside forms, by action id. A request from a form has the form instead of a value. */
const BUTTON_VALUES: Readonly<Record<string, ReadValue>> = {
  ...listValues([
    [getProject, 'projects.choose'],
    [getEmptyValue, 'plan.open plan.feed plan.end'],
    [() => 'U0PERSON1', 'plan.end-person'],
    [getProject, 'policy.change'],
    [getProject, 'connect.same-project connect.new-project'],
    [
      getEmptyValue,
      'outbox.refresh up-next.refresh home.refresh digests.new digests.cancel connect.open status.check',
    ],
    [
      getEmptyValue,
      'connect.same-projects roles.claim roles.give roles.previous roles.next connect.previous connect.next help.list',
    ],
    [() => 'card', 'up-next.share up-next.share-outside'],
    [() => JSON.stringify({ page: 0 }), 'projects.previous projects.next'],
    [() => JSON.stringify({ from: 0 }), 'outbox.previous outbox.next'],
    [createPostIdReader('sent'), 'schedule-post.share schedule-post.share-outside schedule-post.keep-later'],
    [createPostIdReader('sent'), 'notifications.posts notifications.duplicate'],
    [createPostIdReader('uncertain'), 'outbox.check outbox.send-again'],
    [createPostIdReader('given up'), 'outbox.retry'],
    [(belongings) => `${createPostIdReader('given up')(belongings)}:1`, 'outbox.send-all'],
    [createPostIdReader('refused'), 'outbox.discard outbox.edit'],
    [createHeldIdReader('draft'), 'held-posts.edit held-posts.move held-posts.cancel held-posts.schedule'],
    [createHeldIdReader('draft'), 'held-posts.send-for-review held-posts.open'],
    [createHeldIdReader('held'), 'held-posts.hand-over held-posts.comment held-posts.history'],
    [createHeldIdReader('held'), 'held-posts.share held-posts.share-outside held-posts.duplicate'],
    [createHeldIdReader('held'), 'held-posts.series'],
    [createHeldIdReader('unsure'), 'held-posts.check held-posts.send-again held-posts.discard'],
    [
      createHeldIdReader('running series'),
      'series.open series.edit series.pause series.cancel series.undo-edit',
    ],
    [createHeldIdReader('paused series'), 'series.resume'],
    [createHeldIdReader('cancelled series'), 'series.undo'],
    [createHeldIdReader('cancelled'), 'held-posts.undo'],
    [createHeldIdReader('unowned'), 'held-posts.take-over'],
    [createHeldIdReader('gave-up'), 'held-posts.again'],
    [createImportIdReader('checked'), 'import.start import.settings import.discard'],
    [createImportIdReader('checked'), 'import.day-first import.month-first'],
    [createColumnReader('checked'), 'import.use-column import.leave-column'],
    [createImportIdReader('importing'), 'import.stop'],
    [createImportIdReader('stopped'), 'import.resume'],
    [createImportIdReader('done'), 'import.undo import.corrections'],
    [getEmptyValue, 'import.open import.template import.check'],
    [({ heldPosts }) => heldPosts.get('value in review') ?? '', Object.values(REVIEW_ACTIONS).join(' ')],
    [
      ({ heldPosts }) => heldPosts.get('selection') ?? '',
      'bulk.move bulk.move-back bulk.cancel bulk.restore bulk.approve',
    ],
    [({ digests }) => digests.active, 'digests.edit digests.send digests.preview digests.delete'],
    [
      ({ digests }) => digests.personal,
      'digests.my-edit digests.my-send digests.my-preview digests.my-delete',
    ],
    [({ digests }) => digests.paused, 'digests.resume digests.resume-shared'],
    [({ occurrence }) => occurrence, 'digests.confirm-sent digests.send-again'],
    [({ credential }) => credential, 'connect.replace connect.remove'],
    [getTemplateState, 'templates.view'],
    [(belongings) => `/upnext templates ${belongings.project}`, 'home.run home.manage'],
  ]),
  'held-posts.undo-move': (belongings) =>
    `${createHeldIdReader('draft')(belongings)} 2026-12-24T09:00:00.000Z UTC`,
  'sources.edit': ({ project }) => JSON.stringify({ project, source: `sources-${project.slice(1)}` }),
  'digests.more': ({ digests }) => `pause ${digests.active}`,
  'digests.my-more': ({ digests }) => `pause ${digests.personal}`,
  'schedule-post.begin': ({ project }) => `Tue 1 Dec 2026\n${project}`,
  'home.open': ({ project }) => `project=${project}&post=a&time=2026-12-01T08:00:00.000Z`,
  'roles.ask': ({ project }) => JSON.stringify({ role: 'publisher', project }),
  'roles.request': () => 'owner',
  'roles.answer.owner': ({ othersRequest }) => `${othersRequest} confirmed`,
  'roles.answer.other': ({ othersRequest }) => `${othersRequest} viewer`,
  'roles.take': ({ grant }) => grant,
  'resume.previous': ({ buttonValues }) =>
    JSON.stringify({ id: buttonValues.get('resume.confirm'), page: 0 }),
  'resume.next': ({ buttonValues }) => JSON.stringify({ id: buttonValues.get('resume.confirm'), page: 1 }),
  'resume.discard': ({ buttonValues }) => `${buttonValues.get('resume.confirm')} post 1`,
  'resume.discard-all': ({ buttonValues }) => buttonValues.get('resume.confirm') ?? '',
  'help.topic': () => 'posts',
};
/** The values of buttons whose ids match a pattern. */
const BUTTON_VALUES_BY_PATTERN: readonly (readonly [RegExp, ReadValue])[] = [
  [/^import\.show\.\d+$/, createImportIdReader('done')],
  [/^(?:list-posts|templates|sources|logs)\.[a-z-]+(?:\.\d+)?$/, getPageState],
  [/^policy\.(?:show|project)(?:\.\d+)?$/, getPageState],
  [/^series-list\./, () => JSON.stringify({ page: 0 })],
  [/^audit\./, () => JSON.stringify({ words: '', people: [], page: 0 })],
  [/^roles\.answer\./, ({ othersRequest }) => othersRequest],
  [/^home\.run\.\d+$/, (belongings) => `/upnext logs ${belongings.project}`],
  [/^help\.run\.\d+$/, () => '/upnext use'],
];

/** Maps each of the names, which are separated by spaces, to its value. */
function listValues(lists: readonly (readonly [ReadValue, names: string])[]): Record<string, ReadValue> {
  return Object.fromEntries(lists.flatMap(([read, names]) => names.split(' ').map((name) => [name, read])));
}

const FORMS = features
  .flatMap(({ views = {} }) => Object.keys(views))
  .filter((id) => !id.endsWith('.confirm'));

/** Creates a request about the project. Returns undefined if the tables above don't cover the surface. */
export function createProjectRequest(
  { surface, id, key }: Surface,
  belongings: Belongings,
): SurfaceRequest | undefined {
  switch (surface) {
    case 'command':
    case 'own command':
    case 'mention':
    case 'direct message': {
      const readText = COMMAND_TEXTS[key.replace('command ', '')] ?? getProject;
      return { surface, id, text: readText(belongings) };
    }
    case 'open':
      return { surface, id, value: JSON.stringify({ project: belongings.project }) };
    case 'action': {
      const value = belongings.buttonValues.get(id) ?? BUTTON_VALUES[id]?.(belongings);
      if (value !== undefined) return { surface, id, value };
      const valueByPattern = BUTTON_VALUES_BY_PATTERN.find(([pattern]) => pattern.test(id))?.[1](belongings);
      if (valueByPattern !== undefined) return { surface, id, value: valueByPattern };
      const view = findForm(id, belongings);
      return view && { surface, id, view, value: id.endsWith('.reload') ? getFormId(view) : '' };
    }
    case 'options': {
      const view = findForm(id, belongings);
      return id === 'projects.choose' ? { surface, id } : view && { surface, id, view };
    }
    case 'view': {
      const view = findForm(id, belongings);
      return view && { surface, id, view };
    }
    default:
      return { surface, id };
  }
}

/** Forms by the ids of inputs that don't begin with the name of the form. */
const FORMS_BY_INPUT: Readonly<Record<string, string>> = { 'held-posts.move-typed': 'held-posts.move' };

/** Finds the form with this input, button or view. */
function findForm(id: string, { forms }: Belongings): object | undefined {
  const name = FORMS_BY_INPUT[id] ?? FORMS.find((form) => id === form || id.startsWith(`${form}.`));
  const form = name === undefined ? undefined : forms.get(name);
  const isConfirmation = id === `${name}.confirm` || id === `${name}.back`;
  return form && { ...form, ...(isConfirmation && { callback_id: `${name}.confirm` }) };
}

function getFormId(view: object): string {
  return 'private_metadata' in view ? (String(view.private_metadata).split('.')[1] ?? '') : '';
}
