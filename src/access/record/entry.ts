/** The verbs with which a deed may begin, each with its past tense. */
const PAST_TENSES = {
  approve: 'approved',
  archive: 'archived',
  ask: 'asked',
  cancel: 'cancelled',
  change: 'changed',
  check: 'checked',
  choose: 'chose',
  claim: 'claimed',
  confirm: 'confirmed',
  connect: 'connected',
  create: 'created',
  decline: 'declined',
  delete: 'deleted',
  disconnect: 'disconnected',
  discard: 'discarded',
  do: 'did',
  edit: 'edited',
  export: 'exported',
  fill: 'filled',
  give: 'gave',
  import: 'imported',
  install: 'installed',
  invite: 'invited',
  join: 'joined',
  leave: 'left',
  make: 'made',
  open: 'opened',
  pause: 'paused',
  preview: 'previewed',
  remove: 'removed',
  require: 'required',
  restore: 'restored',
  return: 'returned',
  resume: 'resumed',
  revoke: 'revoked',
  save: 'saved',
  schedule: 'scheduled',
  search: 'searched',
  send: 'sent',
  set: 'set',
  share: 'shared',
  start: 'started',
  stop: 'stopped',
  submit: 'submitted',
  take: 'took',
  uninstall: 'uninstalled',
  use: 'used',
} as const;
type Verb = keyof typeof PAST_TENSES;

/** A recorded action as an infinitive without "to" (mrkdwn): "open the audit log". */
export type Deed = `${Verb} ${string}`;

/** Turns "open the audit log" into "opened the audit log". */
export function toPastTense(deed: Deed): string {
  const [verb = '', ...rest] = deed.split(' ');
  return [isVerb(verb) ? PAST_TENSES[verb] : verb, ...rest].join(' ');
}

function isVerb(word: string): word is Verb {
  return Object.hasOwn(PAST_TENSES, word);
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
  'connect remove': 'disconnect a scheduling service',
  'projects use': 'choose a channel’s projects',
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
  'digests preview': 'preview a digest',
  'digests notice': 'use a button about a digest',
  'schedule-post share': 'share a post',
  'up-next share': 'share the next post',
  'post copy': 'open a post from a list',
  'held-posts save': 'save a post',
  'held-posts edit': 'edit a post',
  'series save': 'save a series',
  'series change': 'edit a series',
  'series undo-edit': 'restore an earlier version of a series',
  'series pause': 'pause a series',
  'series resume': 'resume a series',
  'series cancel': 'cancel a series',
  'series undo': 'restore a series',
  'stop project': 'stop sending',
  'resume project': 'resume sending',
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
  /** Slack's id of the person. `slack` if Slack did not report who it was. */
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
