import { features } from '../../../../src/app/features.ts';
import { encodeNewPostPrefill } from '../../../../src/digests/action-ids.ts';
import { REVIEW_ACTIONS } from '../../../../src/held-posts/text/held-post-buttons.ts';
import type { Belongings } from './belongings.ts';
import type { SurfaceRequest } from './surface-request.ts';
import type { Surface } from './surfaces.ts';

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

/** The id of the stored posts of a list. */
const getSelection: ReadValue = ({ heldPosts }) => heldPosts.get('selection') ?? '';

/** The text that names the project, by command. Empty if the command takes no project. */
const COMMAND_TEXTS: Readonly<Record<string, ReadValue>> = {
  ...{
    next: getEmptyValue,
    posts: getProject,
    duplicate: getProject,
    prompt: getEmptyValue,
    templates: getProject,
    sources: getProject,
  },
  ...{
    source: getProject,
    logs: getProject,
    outbox: getEmptyValue,
    projects: getEmptyValue,
    use: getProject,
    policy: getProject,
    stop: getProject,
    resume: getProject,
    invite: getEmptyValue,
    user: getEmptyValue,
  },
  ...{
    webhook: getProject,
    file: getEmptyValue,
    connect: getEmptyValue,
    roles: getEmptyValue,
    audit: getEmptyValue,
    start: getEmptyValue,
    status: getEmptyValue,
    help: getEmptyValue,
    notifications: getEmptyValue,
  },
  schedule: (belongings) => `tomorrow 9:00 on x for ${belongings.project}: Open at nine`,
  zone: () => 'here Berlin',
  digest: (belongings) => `weekdays 8:30 in Europe/Berlin for ${belongings.project}`,
};

/** The values of buttons outside forms. A request from a form has the form instead of a value. */
const BUTTON_VALUES: Readonly<Record<string, ReadValue>> = {
  ...{ 'up-next.schedule': getProject, 'up-next.refresh': getEmptyValue, 'up-next.share': () => 'card' },
  'up-next.share-outside': () => 'card',
  ...{
    'schedule-post.share': createPostIdReader('sent'),
    'schedule-post.share-outside': createPostIdReader('sent'),
  },
  'schedule-post.another': createPostIdReader('sent'),
  'schedule-post.duplicate': createPostIdReader('sent'),
  ...{
    'list-posts.schedule': getProject,
    'templates.use': getTemplateState,
    'templates.view': getTemplateState,
  },
  'sources.edit': (belongings) =>
    JSON.stringify({ project: belongings.project, source: `sources-${belongings.project.slice(1)}` }),
  ...{ 'held-posts.edit': createHeldIdReader('draft'), 'held-posts.move': createHeldIdReader('draft') },
  ...{ 'held-posts.cancel': createHeldIdReader('draft'), 'held-posts.schedule': createHeldIdReader('draft') },
  'held-posts.send-for-review': createHeldIdReader('draft'),
  ...Object.fromEntries(
    Object.values(REVIEW_ACTIONS).map((id) => [
      id,
      ({ heldPosts }: Belongings) => heldPosts.get('value in review') ?? '',
    ]),
  ),
  ...{
    'held-posts.undo': createHeldIdReader('cancelled'),
    'held-posts.hand-over': createHeldIdReader('held'),
  },
  ...{
    'held-posts.take-over': createHeldIdReader('unowned'),
    'held-posts.again': createHeldIdReader('gave-up'),
  },
  ...{ 'bulk.move': getSelection, 'bulk.cancel': getSelection, 'bulk.approve': getSelection },
  ...{ 'held-posts.comment': createHeldIdReader('held'), 'held-posts.history': createHeldIdReader('held') },
  ...{
    'held-posts.share': createHeldIdReader('held'),
    'held-posts.share-outside': createHeldIdReader('held'),
  },
  ...{ 'outbox.check': createPostIdReader('uncertain'), 'outbox.retry': createPostIdReader('given up') },
  'outbox.send-again': createPostIdReader('uncertain'),
  'outbox.show': createPostIdReader('refused'),
  ...{ 'outbox.discard': createPostIdReader('refused'), 'outbox.edit': createPostIdReader('refused') },
  ...{ 'outbox.draft': createPostIdReader('overdue'), 'outbox.new-time': createPostIdReader('overdue') },
  ...{ 'projects.choose': getProject, 'projects.previous': () => '0', 'projects.next': () => '0' },
  ...{
    'digests.edit': ({ digests }) => digests.active,
    'digests.my-edit': ({ digests }) => digests.personal,
  },
  ...{
    'digests.more': ({ digests }) => `pause ${digests.active}`,
    'digests.my-more': ({ digests }) => `pause ${digests.personal}`,
  },
  ...{
    'digests.send': ({ digests }) => digests.active,
    'digests.my-send': ({ digests }) => digests.personal,
  },
  ...{
    'digests.preview': ({ digests }) => digests.active,
    'digests.my-preview': ({ digests }) => digests.personal,
  },
  ...{
    'digests.delete': ({ digests }) => digests.active,
    'digests.my-delete': ({ digests }) => digests.personal,
  },
  ...{
    'digests.confirm-sent': ({ occurrence }) => occurrence,
    'digests.send-again': ({ occurrence }) => occurrence,
  },
  'digests.fill': ({ project: id }) => encodeNewPostPrefill({ date: '2026-12-01', project: id }),
  ...{
    'notifications.posts': createPostIdReader('sent'),
    'notifications.duplicate': createPostIdReader('sent'),
  },
  'digests.resume-shared': ({ digests }) => digests.paused,
  ...{
    'digests.resume': ({ digests }) => digests.paused,
    'digests.new': getEmptyValue,
    'digests.cancel': getEmptyValue,
  },
  ...{ 'home.refresh': getEmptyValue, 'home.run': (belongings) => `/upnext templates ${belongings.project}` },
  'home.manage': (belongings) => `/upnext templates ${belongings.project}`,
  'home.open': ({ project }) => `project=${project}&post=a&time=2026-12-01T08:00:00.000Z`,
  ...{ 'connect.open': getEmptyValue, 'connect.replace': ({ credential }) => credential },
  'connect.remove': ({ credential }) => credential,
  ...{
    'roles.ask': ({ ownRequest }) => ownRequest,
    'roles.request': () => 'owner',
    'roles.claim': getEmptyValue,
    'roles.give': getEmptyValue,
  },
  'resume.show': getProject,
  'resume.more': ({ buttonValues }) => `${buttonValues.get('resume.confirm')} 10`,
  'resume.first': ({ buttonValues }) => `${buttonValues.get('resume.confirm')} 0`,
  'stop.show-all': getProject,
  'resume.discard': ({ buttonValues }) => `${buttonValues.get('resume.confirm')} post 1`,
  'resume.discard-all': ({ buttonValues }) => buttonValues.get('resume.confirm') ?? '',
  'webhook.delete': getProject,
  ...{ 'policy.change': getProject, 'policy.keep-editable': getProject },
  'roles.answer.other': ({ othersRequest }) => `${othersRequest} viewer`,
  ...{ 'roles.take': ({ grant }) => grant, 'roles.previous': getEmptyValue, 'roles.next': getEmptyValue },
  ...{
    'help.list': getEmptyValue,
    'help.use': getEmptyValue,
    'help.example': () => 'projects 0',
    'help.topic': () => 'posts',
    'status.check': getEmptyValue,
  },
};
/** The values of buttons whose ids match a pattern. */
const BUTTON_VALUES_BY_PATTERN: readonly (readonly [RegExp, ReadValue])[] = [
  [/^welcome\.start\./, getEmptyValue],
  [/^(?:list-posts|templates|sources|logs)\.[a-z-]+(?:\.\d+)?$/, getPageState],
  [/^policy\.(?:show|project)(?:\.\d+)?$/, getPageState],
  [
    /^schedule-post\.preview-/,
    ({ buttonValues }) => `${buttonValues.get('schedule-post.preview-schedule')}.0`,
  ],
  [/^audit\./, () => JSON.stringify({ words: '', people: [], page: 0 })],
  [/^roles\.answer\./, ({ othersRequest }) => othersRequest],
  [/^home\.run\.\d+$/, (belongings) => `/upnext logs ${belongings.project}`],
  [/^help\.example\.\d+$/, () => 'posts 0'],
];

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
      const text = COMMAND_TEXTS[key.replace('command ', '')]?.(belongings);
      return text === undefined ? undefined : { surface, id, text };
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
