import type { RequiredRole } from '../../../src/access/access.ts';

/** The role that each surface of a feature requires. */
type SurfaceRoles = Readonly<Record<string, RequiredRole>>;

/**
 * The role that each surface requires. Every command, form and shortcut needs its own line, and so does 'open' (a
 * feature that another feature opens). Buttons and options without a line require the role of 'buttons' or 'options'.
 */
export const REQUIRED_ROLES: Readonly<Record<string, SurfaceRoles>> = {
  'up-next': {
    'command next': 'viewer',
    open: 'viewer',
    buttons: 'viewer',
    'action up-next.schedule': 'contributor',
    'action up-next.again': 'contributor',
    'action up-next.share-outside': 'owner',
  },
  'schedule-post': {
    'command schedule': 'contributor',
    open: 'contributor',
    // The matrix submits this form without a status, which schedules the post and so requires the role Publisher. A
    // test in `matrix.test.ts` covers drafts.
    'view schedule-post': 'publisher',
    'view schedule-post.confirm': 'contributor',
    'shortcut schedule-post.message': 'contributor',
    'shortcut schedule-post.new': 'contributor',
    buttons: 'contributor',
    'action schedule-post.preview-schedule': 'publisher',
    'action schedule-post.share-outside': 'owner',
    options: 'contributor',
  },
  'list-posts': {
    'command posts': 'viewer',
    'command duplicate': 'viewer',
    open: 'viewer',
    'view list-posts-filter': 'viewer',
    buttons: 'viewer',
    'action list-posts.again': 'contributor',
    'action list-posts.schedule': 'contributor',
    options: 'viewer',
  },
  prompts: {
    'command prompt': 'contributor',
    open: 'contributor',
    'view prompt': 'contributor',
    buttons: 'contributor',
    options: 'contributor',
  },
  templates: { 'command templates': 'viewer', buttons: 'viewer', 'action templates.use': 'contributor' },
  sources: {
    'command sources': 'manager',
    'command source': 'manager',
    open: 'manager',
    'view source': 'manager',
    'view source.confirm': 'manager',
    buttons: 'manager',
    options: 'manager',
  },
  logs: { 'command logs': 'manager', buttons: 'manager' },
  outbox: { 'command outbox': 'viewer', buttons: 'viewer' },
  projects: {
    'command projects': 'viewer',
    'command use': 'manager',
    open: 'manager',
    'view use': 'manager',
    'view use.confirm': 'manager',
    buttons: 'manager',
    'action projects.previous': 'viewer',
    'action projects.next': 'viewer',
    'action projects.confirm': 'owner',
    options: 'viewer',
  },
  zone: {
    'command zone': 'viewer',
    open: 'viewer',
    'view zone': 'manager',
    buttons: 'viewer',
    'action zone.remove-channel': 'manager',
    'action zone.remove-project': 'manager',
    options: 'viewer',
  },
  notifications: {
    'command notifications': 'viewer',
    open: 'viewer',
    'view notifications': 'viewer',
    buttons: 'viewer',
    'action notifications.duplicate': 'contributor',
  },
  digests: {
    'command digest': 'viewer',
    open: 'viewer',
    'view digest': 'manager',
    buttons: 'viewer',
    'action digests.fill': 'contributor',
    'action digests.edit': 'manager',
    'action digests.more': 'manager',
    'action digests.send': 'manager',
    'action digests.delete': 'manager',
    'action digests.resume-shared': 'owner',
    options: 'viewer',
  },
  'invite-user': {
    'command invite': 'owner',
    open: 'owner',
    'view invite': 'owner',
    'view invite.confirm': 'owner',
    buttons: 'owner',
    options: 'owner',
  },
  'update-user': {
    'command user': 'owner',
    open: 'owner',
    'view user': 'owner',
    'view user.confirm': 'owner',
    buttons: 'owner',
    options: 'owner',
  },
  webhook: {
    'command webhook': 'owner',
    open: 'owner',
    'view webhook': 'owner',
    buttons: 'owner',
    options: 'owner',
  },
  files: { 'command file': 'owner', open: 'owner', 'view file': 'owner', buttons: 'owner' },
  home: { 'event app_home_opened': 'viewer', buttons: 'viewer' },
  connect: { 'command connect': 'owner', open: 'owner', 'view connect': 'owner', buttons: 'owner' },
  roles: {
    'command roles': 'member',
    open: 'owner',
    'view give-role': 'owner',
    'view give-role.confirm': 'owner',
    buttons: 'owner',
    'action roles.ask': 'member',
    'action roles.request': 'member',
    'action roles.claim': 'member',
    options: 'owner',
  },
  audit: { 'command audit': 'owner', buttons: 'owner' },
  welcome: { 'command start': 'member', open: 'member', buttons: 'member' },
  status: { 'command status': 'viewer', buttons: 'viewer' },
  help: { 'command help': 'viewer', buttons: 'viewer' },
};

/** Events that a person causes. Other events need no permission. */
export const EVENTS_CAUSED_BY_PEOPLE = ['app_home_opened'];
