import { type RequiredRole, ROLES } from '../../src/access/access.ts';
import type { Surface } from './catalogue.ts';

/** Surfaces by the role that they require. */
type SurfacesByRole = Readonly<Partial<Record<RequiredRole, readonly string[]>>>;

/**
 * The role that each surface of a feature requires. Every command, form and shortcut needs its own entry, and so does
 * 'open' (a feature that another feature opens). Buttons and options without an entry require the role of 'buttons' or
 * 'options'.
 */
const REQUIRED_ROLES: Readonly<Record<string, SurfacesByRole>> = {
  'up-next': {
    viewer: ['command next', 'open', 'buttons'],
    contributor: ['action up-next.share'],
    owner: ['action up-next.share-outside'],
  },
  'schedule-post': {
    contributor: [
      'command schedule',
      'open',
      'shortcut schedule-post.message',
      'shortcut schedule-post.new',
      'view schedule-post',
      'view schedule-post.confirm',
      'buttons',
      'options',
    ],
    owner: ['action schedule-post.share-outside'],
  },
  'import-posts': {
    contributor: [
      'command import',
      'open',
      'view import-settings',
      'view import.source',
      'shortcut import.file',
      'buttons',
      'options',
    ],
  },
  'held-posts': {
    viewer: [
      'open',
      'action held-posts.open',
      'action held-posts.comment',
      'action held-posts.check',
      'action held-posts.history',
      'action held-posts.series',
      'view held-posts.comment',
      'action bulk.approve',
      'view bulk.approve',
      'action review.approve',
      'action review.approve-later',
      'action review.request-changes',
      'action review.reject',
      'action review.open',
      'view review.reason',
      'view review.approve-later',
    ],
    contributor: [
      'action held-posts.edit',
      'action held-posts.move',
      'action held-posts.cancel',
      'action held-posts.discard',
      'action held-posts.undo',
      'action held-posts.share',
      'action held-posts.duplicate',
      'view held-posts.move',
      'action held-posts.move-typed',
      'action held-posts.undo-move',
      'action held-posts.send-for-review',
    ],
    publisher: ['buttons', 'view bulk.move', 'view held-posts.hand-over'],
    owner: ['action held-posts.share-outside'],
  },
  series: {
    viewer: [
      'command series',
      'open',
      'action series.open',
      'action series-list.previous',
      'action series-list.next',
      'action series-list.export',
    ],
    publisher: ['buttons'],
  },
  'list-posts': {
    viewer: [
      'command posts',
      'command week',
      'command duplicate',
      'open',
      'view list-posts-filter',
      'buttons',
      'options',
    ],
    contributor: ['action list-posts.again'],
  },
  plan: {
    viewer: ['command plan', 'buttons'],
    member: ['action plan.end'],
    owner: ['action plan.end-person'],
  },
  prompts: { contributor: ['command prompt', 'open', 'view prompt', 'buttons', 'options'] },
  templates: { viewer: ['command templates', 'buttons'] },
  sources: {
    manager: [
      'command sources',
      'command source',
      'open',
      'view source',
      'view source.confirm',
      'buttons',
      'options',
    ],
  },
  logs: { manager: ['command logs', 'buttons'] },
  outbox: { viewer: ['command outbox', 'open', 'buttons'] },
  stop: {
    publisher: ['command stop', 'open', 'view stop', 'buttons', 'options'],
    manager: [
      'command resume',
      'action resume.confirm',
      'action resume.previous',
      'action resume.next',
      'action resume.discard',
      'action resume.discard-all',
    ],
  },
  projects: {
    viewer: ['command projects', 'action projects.previous', 'action projects.next', 'options'],
    manager: ['command use', 'open', 'view use', 'view use.confirm', 'buttons'],
  },
  policy: {
    viewer: ['command policy', 'action policy.show', 'action policy.project'],
    manager: ['open', 'view policy', 'view policy-held-posts', 'buttons', 'options'],
  },
  zone: {
    viewer: ['command zone', 'open', 'buttons', 'options'],
    manager: ['view zone', 'action zone.remove-channel', 'action zone.remove-project'],
  },
  notifications: {
    viewer: ['command notifications', 'open', 'view notifications', 'buttons'],
    contributor: ['action notifications.duplicate'],
  },
  digests: {
    viewer: ['command digest', 'open', 'buttons', 'options'],
    manager: [
      'view digest',
      'action digests.edit',
      'action digests.more',
      'action digests.send',
      'action digests.delete',
    ],
    owner: ['action digests.resume-shared'],
  },
  'invite-user': {
    owner: ['command invite', 'open', 'view invite', 'view invite.confirm', 'buttons', 'options'],
  },
  'update-user': { owner: ['command user', 'open', 'view user', 'view user.confirm', 'buttons', 'options'] },
  webhook: { owner: ['command webhook', 'open', 'view webhook', 'buttons', 'options'] },
  files: { owner: ['command file', 'open', 'view file', 'buttons'] },
  home: { viewer: ['event app_home_opened', 'buttons'] },
  connect: { owner: ['command connect', 'open', 'view connect', 'buttons'] },
  roles: {
    member: ['command roles', 'action roles.ask', 'action roles.request', 'action roles.claim'],
    owner: ['open', 'view give-role', 'view give-role.confirm', 'buttons', 'options'],
  },
  audit: { owner: ['command audit', 'buttons'] },
  admin: { contributor: ['command admin'] },
  welcome: { member: ['open'] },
  status: { viewer: ['command status', 'buttons'] },
  help: {
    viewer: ['command help', 'buttons'],
    member: ['action help.run.0', 'action help.run.1', 'action help.run.2'],
  },
};

/** The entries of a feature. */
function listEntries(feature: string): { key: string; role: RequiredRole }[] {
  return (['member', ...ROLES] as const).flatMap((role) =>
    (REQUIRED_ROLES[feature]?.[role] ?? []).map((key) => ({ key, role })),
  );
}

const NUMBER = /(?<=policy\.project)\.\d+$/;

/** Finds the role that a surface requires. Undefined if it has no entry. */
export function findRequiredRole({ feature, surface, key }: Surface): RequiredRole | undefined {
  const find = (wanted?: string) => listEntries(feature).find((entry) => entry.key === wanted)?.role;
  return find(key.replace(NUMBER, '')) ?? find({ action: 'buttons', options: 'options' }[surface]);
}

/** Lists the entries without a surface. */
export function listObsoleteEntries(surfaces: readonly Surface[]): string[] {
  const keys = new Set(surfaces.map(({ feature, key }) => `${feature} ${key.replace(NUMBER, '')}`));
  return Object.keys(REQUIRED_ROLES).flatMap((feature) =>
    listEntries(feature)
      .filter(({ key }) => !['buttons', 'options'].includes(key) && !keys.has(`${feature} ${key}`))
      .map(({ key }) => `${feature}: ${key}`),
  );
}
