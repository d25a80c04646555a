import type { Deed } from './deeds.ts';
import { POST_REQUESTS, prefix, type RequestDeeds } from './post-request-deeds.ts';

/** Each form: its feature, its name, its noun, and the ids of its fields and buttons without the form's name. */
const FORMS: readonly (readonly [feature: string, form: string, noun: string, fields: string])[] = [
  [
    'schedule-post',
    'schedule-post',
    'post form',
    'project text fill platforms when zone status media template prompt choice more-text more-options continue discard reload',
  ],
  ['list-posts', 'list-posts-filter', 'filter of the list of posts', 'project reload'],
  ['prompts', 'prompt', 'prompt form', 'project reload'],
  ['sources', 'source', 'source form', 'project source reload'],
  ['projects', 'use', 'form for a channel’s projects', 'projects reload'],
  ['policy', 'policy', 'form for a project’s policy', 'holding review groups add-step remove-step reload'],
  ['zone', 'zone', 'time zone form', 'scope project zone reload'],
  ['notifications', 'notifications', 'notification settings', 'reload'],
  ['digests', 'digest', 'digest form', 'where channel kind projects personalProjects zone reload'],
  ['invite-user', 'invite', 'invitation form', 'member project role status reload'],
  ['update-user', 'user', 'form for a person’s role', 'project user role status reload'],
  ['webhook', 'webhook', 'form that deletes a webhook', 'project reload'],
  ['files', 'file', 'form that deletes a file', 'reload'],
  ['connect', 'connect', 'connection form', 'scope reload'],
  ['roles', 'give-role', 'form that gives a role', 'groups members projects reload'],
  ['stop', 'stop', 'form that stops a project', 'project reload'],
];

/** All other requests. The feature of an action or shortcut is omitted, because its id is unique. */
const REQUESTS: RequestDeeds = [
  ...POST_REQUESTS,
  ['open the prompt form', ['prompts command prompt']],
  [
    'open the list of templates',
    ['templates command templates', ...prefix('action templates.', 'project list previous next')],
  ],
  ['open a template', ['action templates.view']],
  ['use a template in a post', ['action templates.use']],
  [
    'open the list of sources',
    ['sources command sources', ...prefix('action sources.', 'project list previous next')],
  ],
  ['open the source form', ['sources command source', 'action sources.edit']],
  [
    'open the service’s log',
    ['logs command logs', ...prefix('action logs.', 'project range list previous next')],
  ],
  ['export the service’s log', ['action logs.export']],
  ['open their pending submissions', ['outbox command outbox', 'action list-posts.outbox']],
  ['check a pending submission', ['action outbox.check', 'action outbox.show']],
  ['send a pending submission again', ['action outbox.retry']],
  ['discard a pending submission', ['action outbox.discard']],
  ['save a pending submission as a draft', ['action outbox.draft']],
  ['edit a pending submission', ['action outbox.edit', 'action outbox.new-time']],
  [
    'open the list of projects',
    ['projects command projects', ...prefix('action projects.', 'previous next')],
  ],
  ['use `/upnext use`', ['projects command use']],
  ['choose a channel’s project', ['action projects.choose', 'options projects.choose']],
  ['confirm the projects of a channel that outsiders can read', ['action projects.confirm']],
  ['open the policy of a project', ['policy command policy', 'action policy.show', 'action policy.project']],
  ['open the form for a project’s policy', ['action policy.change', 'action policy.keep-editable']],
  ['choose what becomes of waiting posts', ['policy view policy-held-posts']],
  ['use `/upnext zone`', ['zone command zone']],
  ['remove a time zone', prefix('action zone.', 'remove-channel remove-project remove-person')],
  ['open the notification settings', ['notifications command notifications']],
  ['use `/upnext digest`', ['digests command digest']],
  ['open the list of digests', ['action digests.cancel']],
  ['open the digest form', prefix('action digests.', 'new my-edit edit')],
  ['use the menu of a digest', prefix('action digests.', 'my-more more')],
  ['resume a digest', ['action digests.resume']],
  ['resume a digest that outsiders can read', ['action digests.resume-shared']],
  ['send a digest at once', prefix('action digests.', 'my-send send')],
  ['preview a digest', prefix('action digests.', 'my-preview preview')],
  ['delete a digest', prefix('action digests.', 'my-delete delete')],
  ['open the post form from a digest', ['action digests.fill']],
  ['confirm that a digest arrived', ['action digests.confirm-sent']],
  ['send a digest again', ['action digests.send-again']],
  ['archive a channel', prefix('digests event ', 'channel_archive group_archive')],
  ['delete a channel', prefix('digests event ', 'channel_deleted group_deleted')],
  ['leave a channel', prefix('digests event ', 'channel_left group_left')],
  ['share a channel with another organization', ['digests event channel_shared']],
  ['join a channel', ['help event member_joined_channel']],
  ['change a user group', ['roles event subteam_members_changed']],
  ['open the invitation form', ['invite-user command invite']],
  ['open the form for a person’s role', ['update-user command user']],
  ['open the overview of webhooks', ['webhook command webhook']],
  ['open the form that deletes a webhook', ['action webhook.delete']],
  ['open the form that deletes a file', ['files command file']],
  ['open the Home tab', ['home event app_home_opened', 'action home.refresh']],
  ['use a button in the Home tab', ['action home.run', 'action home.manage']],
  ['open the connections to scheduling services', ['connect command connect']],
  ['open the connection form', prefix('action connect.', 'open replace')],
  ['disconnect a scheduling service', ['action connect.remove']],
  ['open the list of roles', ['roles command roles', ...prefix('action roles.', 'previous next')]],
  ['open the form that gives a role', ['action roles.give']],
  ['take a role back', ['action roles.take']],
  ['ask for a role', [...prefix('action roles.', 'ask request'), 'action schedule-post.preview-access']],
  ['claim ownership of Upnext', ['action roles.claim']],
  ['decline a request for a role', ['action roles.answer.no']],
  [
    'give a role that was asked for',
    prefix('action roles.answer.', 'viewer contributor publisher manager owner other'),
  ],
  ['open the audit log', ['audit command audit', ...prefix('action audit.', 'list previous next')]],
  ['export the audit log', ['action audit.export']],
  ['open the welcome message', ['welcome command start', 'welcome open']],
  [
    'use a button of the welcome message',
    prefix('action welcome.start.', 'connect roles access schedule next help'),
  ],
  ['open the form that stops a project', ['stop command stop']],
  ['open the list of stopped projects', ['stop command resume', 'action resume.show']],
  ['discard a post that missed its time', ['action resume.discard']],
  ['resume a project', prefix('action resume.', 'confirm discard-all')],
  ['check Upnext’s status', ['status command status', 'action status.check']],
  ['open the help', ['help command help', ...prefix('action help.', 'list offered use example topic')]],
];

const DEEDS: ReadonlyMap<string, Deed> = new Map([
  ...FORMS.flatMap(([feature, form, noun, fields]) => [
    [`${feature} open`, `open the ${noun}`] as const,
    [`${feature} view ${form}`, `submit the ${noun}`] as const,
    [`${feature} view ${form}.confirm`, `confirm the ${noun}`] as const,
    ...['action', 'options'].flatMap((surface) =>
      prefix(`${surface} ${form}.`, fields).map((request) => [request, `fill in the ${noun}`] as const),
    ),
  ]),
  ...REQUESTS.flatMap(([deed, requests]) => requests.map((request) => [request, deed] as const)),
]);

/** Finds the deed of a request to a feature. Undefined if this version doesn't have the request. */
export function findRequestDeed(action: string): Deed | undefined {
  return DEEDS.get(toRequestKey(action));
}

/** Removes the numbers of buttons that exist several times, and the feature of an action, options or shortcut. */
function toRequestKey(action: string): string {
  return action.replace(/[.-]?\d+$/, '').replace(/^\S+ (?=(?:action|options|shortcut) )/, '');
}
