/** What a request does to the world. All but reading has an entry in the audit log, whatever role it needs. */
type Effect = 'reads' | 'changes' | 'publishes' | 'exports';

/**
 * The verbs with which a deed may begin, each with its past tense and its effect. So the verb of a new button decides
 * whether the audit log gets it. What follows from `use`, `start` and `check` has entries of its own.
 */
const VERBS = {
  approve: { past: 'approved', effect: 'changes' },
  archive: { past: 'archived', effect: 'changes' },
  ask: { past: 'asked', effect: 'changes' },
  cancel: { past: 'cancelled', effect: 'changes' },
  change: { past: 'changed', effect: 'changes' },
  check: { past: 'checked', effect: 'reads' },
  choose: { past: 'chose', effect: 'changes' },
  claim: { past: 'claimed', effect: 'changes' },
  comment: { past: 'commented', effect: 'changes' },
  confirm: { past: 'confirmed', effect: 'changes' },
  connect: { past: 'connected', effect: 'changes' },
  create: { past: 'created', effect: 'changes' },
  decline: { past: 'declined', effect: 'changes' },
  delete: { past: 'deleted', effect: 'changes' },
  discard: { past: 'discarded', effect: 'changes' },
  disconnect: { past: 'disconnected', effect: 'changes' },
  do: { past: 'did', effect: 'changes' },
  edit: { past: 'edited', effect: 'changes' },
  end: { past: 'ended', effect: 'changes' },
  encrypt: { past: 'encrypted', effect: 'changes' },
  export: { past: 'exported', effect: 'exports' },
  fill: { past: 'filled', effect: 'reads' },
  forget: { past: 'forgot', effect: 'changes' },
  give: { past: 'gave', effect: 'changes' },
  hand: { past: 'handed', effect: 'changes' },
  import: { past: 'imported', effect: 'changes' },
  install: { past: 'installed', effect: 'changes' },
  invite: { past: 'invited', effect: 'changes' },
  join: { past: 'joined', effect: 'changes' },
  leave: { past: 'left', effect: 'changes' },
  make: { past: 'made', effect: 'changes' },
  move: { past: 'moved', effect: 'changes' },
  open: { past: 'opened', effect: 'reads' },
  pause: { past: 'paused', effect: 'changes' },
  prepare: { past: 'prepared', effect: 'changes' },
  preview: { past: 'previewed', effect: 'reads' },
  reject: { past: 'rejected', effect: 'changes' },
  remove: { past: 'removed', effect: 'changes' },
  request: { past: 'requested', effect: 'changes' },
  require: { past: 'required', effect: 'changes' },
  restore: { past: 'restored', effect: 'changes' },
  resume: { past: 'resumed', effect: 'changes' },
  return: { past: 'returned', effect: 'changes' },
  revoke: { past: 'revoked', effect: 'changes' },
  save: { past: 'saved', effect: 'changes' },
  schedule: { past: 'scheduled', effect: 'publishes' },
  search: { past: 'searched', effect: 'reads' },
  send: { past: 'sent', effect: 'publishes' },
  set: { past: 'set', effect: 'changes' },
  share: { past: 'shared', effect: 'publishes' },
  start: { past: 'started', effect: 'reads' },
  stop: { past: 'stopped', effect: 'changes' },
  submit: { past: 'submitted', effect: 'changes' },
  take: { past: 'took', effect: 'changes' },
  uninstall: { past: 'uninstalled', effect: 'changes' },
  use: { past: 'used', effect: 'reads' },
} as const satisfies Record<string, { past: string; effect: Effect }>;
type Verb = keyof typeof VERBS;

/** A recorded action as an infinitive without "to" (mrkdwn): "open the audit log". */
export type Deed = `${Verb} ${string}`;

/** Turns "open the audit log" into "opened the audit log". */
export function toPastTense(deed: Deed): string {
  const [verb = '', ...rest] = deed.split(' ');
  return [isVerb(verb) ? VERBS[verb].past : verb, ...rest].join(' ');
}

/** Whether a request with this deed only shows something. Unknown deeds are those of another version. */
export function isReadingDeed(deed: Deed | undefined): boolean {
  const [verb = ''] = deed?.split(' ') ?? [];
  return isVerb(verb) && VERBS[verb].effect === 'reads';
}

function isVerb(word: string): word is Verb {
  return Object.hasOwn(VERBS, word);
}

/**
 * The actions with a name of their own, each with its deed. All others are named after the request. Entries that name a
 * person, a channel or a host get a more exact sentence.
 */
export const NAMED_DEEDS = {
  installed: 'install Upnext',
  uninstalled: 'uninstall Upnext',
  'tokens revoked': 'revoke Upnext’s access to this workspace',
  'further refusals': 'do other things',
  'roles give': 'give a role',
  'roles take': 'take a role back',
  'roles ask': 'ask for a role',
  'roles decline': 'decline a request for a role',
  'roles claim': 'claim ownership of Upnext',
  'connect add': 'connect a scheduling service',
  'connect move': 'connect a scheduling service that has moved',
  'connect remove': 'disconnect a scheduling service',
  'projects use': 'choose a channel’s projects',
  'projects same': 'confirm that a project is the same as before',
  'projects new': 'make a project a new one',
  'policy set': 'change the policy of posts',
  'policy override': 'require a review that fewer than two people can approve',
  'zone set channel': 'set a channel’s time zone',
  'zone set project': 'set the time zone',
  'digests save': 'save a digest',
  'digests change': 'edit a digest',
  'digests pause': 'pause a digest',
  'digests unpause': 'resume a digest',
  'digests send': 'send a digest',
  'digests delete': 'delete a digest',
  'digests confirm': 'confirm that a digest arrived',
  'digests preview': 'preview a digest',
  'digests notice': 'use a button about a digest',
  'schedule-post share': 'share a post',
  'up-next share': 'share the next post',
  'post copy': 'open a post from a list',
  'held-posts save': 'save a post',
  'held-posts edit': 'edit a post',
  'held-posts move': 'move a post',
  'held-posts comment': 'comment on a post',
  'held-posts send-for-review': 'send a post for review',
  'held-posts approve': 'approve a post',
  'held-posts request-changes': 'request changes to a post',
  'held-posts reject': 'reject a post',
  'held-posts schedule': 'schedule a post',
  'held-posts cancel': 'cancel a post',
  'held-posts restore': 'restore a post',
  'held-posts take-over': 'take a post over',
  'held-posts hand-over': 'hand a post over at once',
  'outbox retry': 'send a pending submission again',
  'outbox discard': 'discard a pending submission',
  'posts export': 'export posts as CSV',
  'series export': 'export the series',
  'logs export': 'export the service’s log',
  'audit export': 'export the audit log',
  'series save': 'save a series',
  'series change': 'edit a series',
  'series undo-edit': 'restore an earlier version of a series',
  'series pause': 'pause a series',
  'series resume': 'resume a series',
  'series cancel': 'cancel a series',
  'series undo': 'restore a series',
  'stop project': 'stop sending',
  'resume project': 'resume sending',
  'operator stop-sending': 'stop all sending',
  'operator resume-sending': 'resume all sending',
  'operator hand-over': 'hand over held posts before their time',
  'operator restored': 'prepare a restored backup',
  'operator rotate-keys': 'encrypt the stored data with the newest key',
  'operator forget-workspace': 'delete the tokens, roles and content of this workspace',
} as const satisfies Record<string, Deed>;

/**
 * `allowed`: recorded before the action, and read as done if nothing follows. After it: `done`, `unchanged` if nothing was
 * done, and `unknown` if it failed, perhaps late. `not-checked`: refused, as the lookup in Slack failed.
 */
export const DECISIONS = ['allowed', 'done', 'unchanged', 'unknown', 'refused', 'not-checked'] as const;
export type Decision = (typeof DECISIONS)[number];

/** A named action, a submission by its kind, or a request by its feature, its surface and Slack's id. */
export type AuditAction =
  | keyof typeof NAMED_DEEDS
  | `send ${string}`
  | `${string} ${'command' | 'view' | 'shortcut' | 'action' | 'options' | 'event'} ${string}`
  | `${string} open`;

/** An audit entry. It never contains text that a person wrote. */
export interface AuditEntry {
  workspace: string;
  /** Slack's id of the person. `slack` if Slack did not report who it was. `operator` for a command in a terminal. */
  actor: string;
  /** The project's id in the service, if the action is about a project. */
  project?: string | undefined;
  /** For example `schedule-post view schedule-post` or `roles give`. */
  action: AuditAction;
  /**
   * The object that the action changes or reads. `<id>` of a submission, `person|group <id> [role]`, `members [role]`,
   * `channel <id> [zone]`, the changes of a policy, or a host.
   */
  target?: string | undefined;
  decision: Decision;
  /** The reference of the request, as in the log. */
  reference?: string | undefined;
  /** When it happened. Defaults to the time at which the entry is added. */
  at?: Date | undefined;
}

/** Builds the entry of what the actor of a request has done. */
export function buildDoneEntry(
  { actor, reference }: { actor: { workspace: string; user: string }; reference: string },
  deed: Pick<AuditEntry, 'action' | 'project' | 'target'>,
): AuditEntry {
  return { ...deed, workspace: actor.workspace, actor: actor.user, decision: 'done', reference };
}
