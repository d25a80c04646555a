import {
  type AuditAction,
  type Deed,
  type FoundRow,
  isRole,
  NAMED_DEEDS,
  OPERATOR,
  type RecordRow,
  ROLE_TABLE,
  toPastTense,
} from '../../access/access.ts';
import { DAY_MS } from '../../durations.ts';
import type { Reader } from '../../forms/form-context.ts';
import type { Feature } from '../../handlers/feature.ts';
import { renderPlatformNames } from '../../posts/platforms.ts';
import { renderLead } from '../../posts/post-text.ts';
import type { SentState } from '../../posts/state-copy.ts';
import { type PolicySetting, parsePolicyChanges } from '../../preferences/project-policy.ts';
import { isPersonId } from '../../slack/actor.ts';
import { clipEscaped, escapeText, sanitizeLine } from '../../slack/blocks.ts';
import { formatMomentDay, toLocalClock } from '../../when/format-moment.ts';
import { isZone, wallClockAt, zoneName } from '../../when/zones.ts';
import { renderCount } from '../../words.ts';

/** Renders an entry (mrkdwn): "<@U1> invited ada@example.com to Harbour Coffee". Contains no internal ids. */
export function renderAuditSentence(row: RecordRow, names: AuditNames): string {
  const { target, repeats } = splitRepeats(row.target);
  const deed = renderDeed({ ...row, target }, names);
  const actor = renderActor(row);
  if (row.decision === 'allowed' || row.decision === 'done') {
    const ending = getEnding({ ...row, target }, names);
    return `${actor} ${ending.isAttempt ? `tried to ${deed}` : toPastTense(deed)}${ending.text}`;
  }
  if (row.decision === 'unchanged') return `${actor} tried to ${deed}, but nothing was done`;
  if (row.decision === 'unknown') return `${actor} ${toPastTense(deed)} (result unknown)`;
  const reason = row.decision === 'not-checked' ? ', and I couldn’t check their role' : '';
  return `:no_entry: *Denied:* ${actor} tried to ${deed}${repeats}${reason}`;
}

/**
 * Renders the other deeds of a person on a day with very many, which a search for the person lists (mrkdwn). `isLimited`: some
 * weren't searched.
 */
export function renderRest({ times = 1, ...row }: FoundRow, isLimited: boolean): string {
  const count = `${isLimited ? 'at least ' : ''}${renderCount(times, 'more entry', 'more entries')}`;
  return `${renderActor(row)} has ${count} on this day. To see them: \`/upnext audit\` and their name.`;
}

/** Renders the text in which searches find an action, in lower case: "open the audit log opened the audit log". */
export function renderSearchableText(action: string, deeds: AuditNames['deeds']): string {
  const names = { projects: new Map(), areProjectsComplete: false, submissions: new Map(), deeds };
  const deed = renderDeed({ action, target: '', project: '' }, names);
  return `${deed} ${toPastTense(deed)}`.toLowerCase();
}

/** Splits a target from the number of repeats that `foldRepeats` has appended to it, and renders the number. */
function splitRepeats(target: string): { target: string; repeats: string } {
  const match = /(?:^|, )(?:once more|(\d+) more times)$/.exec(target);
  return match
    ? {
        target: target.slice(0, match.index),
        repeats: match[1] === undefined ? ' again' : ` again (${match[1]} times)`,
      }
    : { target, repeats: '' };
}

function renderActor({ actor, action }: RecordRow): string {
  if (isPersonId(actor)) return `<@${actor}>`;
  if (actor === OPERATOR) return 'An operator';
  return actor === 'slack' && action === 'tokens revoked' ? 'Slack' : 'Someone';
}

function renderDeed(row: DeedRow, names: AuditNames): Deed {
  const { action, target } = row;
  if (action.startsWith('send ')) return renderSubmissionDeed(row, names);
  if (action.startsWith('roles ')) return renderRoleDeed(row, names);
  if (action === 'policy set') return renderPolicyDeed(row, names, NAMED_DEEDS[action]);
  const channel = /^channel ([CG][A-Z0-9]+)(?: (.+))?$/.exec(target);
  if (channel) return renderChannelDeed(row, `<#${channel[1]}>`, channel[2], names);
  if (action === 'zone set project' && target !== '')
    return renderZoneDeed(renderProject(row, names), target.slice(`project ${row.project} `.length));
  if (action === 'connect add' || action === 'connect move' || action === 'connect remove') {
    const verb = action === 'connect remove' ? 'disconnect' : 'connect';
    const moved = action === 'connect move' ? ' as the service of before' : '';
    return `${verb} ${renderName(target)}${moved}${renderPlace(row, names, 'for')}`;
  }
  const deed =
    findNamedDeed(action) ??
    findRequestDeed(names.deeds, action) ??
    'use something that this version of Upnext doesn’t know';
  return `${deed}${renderPlace(row, names, 'in')}`;
}

function findNamedDeed(action: string): Deed | undefined {
  return Object.entries(NAMED_DEEDS).find(([name]) => name === action)?.[1];
}

function renderRoleDeed(row: DeedRow, names: AuditNames): Deed {
  const { action, target } = row;
  const place = renderPlace(row, names, 'in');
  const [kind = '', ...rest] = target.split(' ');
  const id = kind === 'members' ? '' : (rest[0] ?? '');
  const role = kind === 'members' ? rest[0] : rest[1];
  const subject = renderSubject(kind, id);
  const { name, holder } = isRole(role) ? ROLE_TABLE[role] : { name: '', holder: 'a member' };
  switch (action) {
    case 'roles give':
      if (role === 'none') return `remove the role of ${subject}${place}`;
      return `make ${subject} ${holder}${place}`;
    case 'roles take':
      return `remove the role of ${subject}${place}`;
    case 'roles ask':
      return `ask for the ${name} role${place}`;
    case 'roles decline':
      return `decline the request of ${subject} for the ${name} role${place}`;
    default:
      return `${findNamedDeed(action) ?? findRequestDeed(names.deeds, action) ?? 'use the list of roles'}${place}`;
  }
}

function renderSubject(kind: string, id: string): string {
  if (kind === 'members') return 'all full members';
  if (kind === 'group' && /^S[A-Z0-9]+$/.test(id)) return `<!subteam^${id}>`;
  return isPersonId(id) ? `<@${id}>` : 'someone';
}

/** `channel`: a mention. `zone`: see `renderZoneDeed`. */
function renderChannelDeed(row: DeedRow, channel: string, zone: string | undefined, names: AuditNames): Deed {
  const { action, project } = row;
  if (action === 'zone set channel') return renderZoneDeed(channel, zone);
  if (action === 'projects use')
    return project === ''
      ? `remove the projects of ${channel}`
      : `choose ${renderProject(row, names)} for ${channel}`;
  const deed = findNamedDeed(action) ?? 'use something';
  return `${deed} ${action.startsWith('digests ') ? 'for' : 'in'} ${channel}`;
}

/** `zone`: an IANA zone; undefined if it was cleared. */
function renderZoneDeed(subject: string, zone: string | undefined): Deed {
  return zone !== undefined && isZone(zone)
    ? `set the time zone of ${subject} to ${escapeText(zoneName(zone))}`
    : `remove the time zone of ${subject}`;
}

/** Maximum length of the changes in a sentence, so that a page of sentences fits. The CSV export has all of them. */
const MAX_CHANGES_LENGTH = 180;
/** Maximum number of approvers that a sentence names for a step. */
const MAX_APPROVERS = 2;

/** What the audit log calls each setting, and how it renders a value that `describePolicyChanges` has described. */
const SETTING_TEXTS: Readonly<Record<PolicySetting, { label: string; render(value: string): string }>> = {
  leadMinutes: {
    label: 'hand-over',
    render: (lead) => (/^\d+$/.test(lead) ? `${renderLead(Number(lead))} before` : 'right away'),
  },
  review: { label: 'reviews', render: (mode) => (/^[a-z]+$/.test(mode) ? mode : 'something else') },
  seriesReview: {
    label: 'reviews of series',
    render: (mode) => (mode === 'once' ? 'once for each text' : 'each post'),
  },
  reviewSteps: { label: 'step', render: renderPeople },
  stepPeople: {
    label: 'people of several steps',
    render: (rule) => (rule === 'any' ? 'any' : 'different'),
  },
  standIns: { label: 'stand-ins', render: renderPeople },
  channel: {
    label: 'requests',
    render: (channel) => (/^[CG][A-Z0-9]+$/.test(channel) ? `<#${channel}>` : 'direct messages'),
  },
  xAccount: { label: 'account on X', render: (account) => (account === 'paid' ? 'paid' : 'free') },
  guests: { label: 'guests', render: (rule) => (rule === 'kept-out' ? 'kept out' : 'allowed') },
  postingTimes: { label: 'posting times', render: (times) => renderPlain(namePlatforms(times)) },
  blackouts: { label: 'blackout days', render: renderPlain },
  ownerOverride: { label: 'override', render: renderPeople },
};

/** Renders what changed (mrkdwn): "change the policy of posts in Harbour Coffee: reviews from off to required". */
function renderPolicyDeed(row: DeedRow, names: AuditNames, deed: Deed): Deed {
  const place = renderPlace(row, names, 'in');
  const changes = parsePolicyChanges(row.target).map(({ setting, part, before, after }) => {
    const { label, render } = SETTING_TEXTS[setting];
    // The steps of a review are parts of one setting: "step2".
    const name = [label, ...part.matchAll(/(?<!\d)\d+$/g)].join(' ');
    return `${name} from ${render(before)} to ${render(after)}`;
  });
  if (changes.length === 0) return `${deed}${place}`;
  const shown = changes.filter(
    (_change, index) => changes.slice(0, index + 1).join(', ').length <= MAX_CHANGES_LENGTH,
  );
  const hiddenCount = changes.length - shown.length;
  const more = hiddenCount === 0 ? [] : [`${hiddenCount} more`];
  return `${deed}${place}: ${[...shown, ...more].join(', ')}`;
}

/** Renders a step, or people: "all of Publishers, @Ana and 3 more". */
function renderPeople(value: string): string {
  const needsAll = value.startsWith('all ');
  const approvers = value.split(' ').flatMap(renderApprover);
  const hiddenCount = approvers.length - MAX_APPROVERS;
  const shown = approvers.slice(0, MAX_APPROVERS).join(', ');
  if (shown === '') return 'nobody';
  return `${needsAll ? 'all of ' : ''}${shown}${hiddenCount > 0 ? ` and ${hiddenCount} more` : ''}`;
}

/** "X, LINKEDIN: daily 9:00 | all: …" with the names of the platforms. */
function namePlatforms(postingTimes: string): string {
  return postingTimes.replaceAll(/(?<=^|\| )[A-Z, ]+(?=: )/g, (ids) => renderPlatformNames(ids.split(', ')));
}

function renderPlain(value: string): string {
  return value === '' ? 'none' : `“${escapeText(sanitizeLine(value))}”`;
}

function renderApprover(approver: string): string[] {
  const [kind, id = ''] = approver.split(':');
  if (kind === 'role' && isRole(id)) return [`${ROLE_TABLE[id].name}s`];
  if (kind === 'person' && isPersonId(id)) return [`<@${id}>`];
  return kind === 'group' && /^S[A-Z0-9]+$/.test(id) ? [`<!subteam^${id}>`] : [];
}

/**
 * The ending of a sentence about a submission. `isAttempt`: whether the sentence says "tried to", because the service
 * certainly doesn't have the submission. `note`: a remark in brackets.
 */
interface Ending {
  isAttempt: boolean;
  clause?: string;
  note?: string;
}

const PENDING: Ending = { isAttempt: false, note: 'pending' };
const UNKNOWN: Ending = { isAttempt: false, note: 'result unknown' };
const UNSENT: Ending = { isAttempt: true, clause: ', but it wasn’t sent' };
const ENDINGS: Readonly<Record<SentState, Ending>> = {
  saved: PENDING,
  sending: PENDING,
  retryable: PENDING,
  unknown: UNKNOWN,
  reconciling: UNKNOWN,
  unsure: UNKNOWN,
  blocked: UNSENT,
  confirmed: { isAttempt: false },
  refused: { isAttempt: true, clause: ', but the service refused it' },
  'gave-up': { isAttempt: true, clause: ', but I couldn’t send it' },
  discarded: { isAttempt: true, clause: ', but it was discarded' },
};

/** The action after which a held post is a submission. Its target is the post's id, like that of other entries about it. */
export const HAND_OVER: AuditAction = 'held-posts hand-over';

/** Returns the ending of a sentence about a submission. A deleted submission's state is unknown. */
function getEnding(
  { action, target }: DeedRow,
  { submissions }: AuditNames,
): { isAttempt: boolean; text: string } {
  const isSubmission = action.startsWith('send ');
  const submission = isSubmission || action === HAND_OVER ? submissions.get(target) : undefined;
  if (!isSubmission && !submission) return { isAttempt: false, text: '' };
  const ending = submission ? ENDINGS[submission.state] : UNKNOWN;
  const { isAttempt, clause = '', note } = submission?.isUnsent ? UNSENT : ending;
  const retryCount = submission?.retryCount ?? 0;
  const retriesText = retryCount === 0 ? '' : ` after ${renderCount(retryCount, 'retry', 'retries')}`;
  return { isAttempt, text: `${clause}${retriesText}${note === undefined ? '' : ` (${note})`}` };
}

/** Renders the author's deed (mrkdwn). */
function renderSubmissionDeed(row: DeedRow, names: AuditNames): Deed {
  const submission = names.submissions.get(row.target);
  const kind = row.action.slice('send '.length);
  const place = (preposition: string) => renderPlace(row, names, preposition, submission?.projectName);
  const subject = submission?.subject === undefined ? undefined : renderName(submission.subject);
  switch (kind) {
    case 'post': {
      const excerpt = submission?.excerpt ? ` “${renderName(submission.excerpt)}”` : '';
      if (submission?.isDraft) return `save a draft${excerpt}${place('in')}`;
      const time = submission?.time === undefined ? '' : ` for ${escapeText(submission.time)}`;
      return `${submission ? 'schedule' : 'submit'} a post${excerpt}${place('in')}${time}`;
    }
    case 'prompt':
      return `create ${subject === undefined ? 'a prompt' : `the prompt “${subject}”`}${place('in')}`;
    case 'source-update':
      return `change ${subject === undefined ? 'a source' : `the source “${subject}”`}${place('in')}`;
    case 'invitation':
      return `invite ${subject ?? 'someone'}${place('to')}`;
    case 'user-update':
      return `change the role of ${subject ?? 'a user'}${place('in')}`;
    case 'webhook-deletion':
      // The service doesn't say whether there was one.
      return `${getEnding(row, names).isAttempt ? 'delete' : 'ask the service to delete'} the webhook${place('of')}`;
    case 'file-deletion':
      return `delete a file of the scheduling service`;
    default:
      return `send something that this version of Upnext doesn’t know${place('in')}`;
  }
}

/** A recorded submission, as a sentence describes it. Plain text. */
export interface RecordedSubmission {
  state: SentState;
  /** Whether it has returned to its post, so that it wasn't sent. */
  isUnsent?: boolean;
  projectName?: string | undefined;
  /** The invited address, the changed user, or the title of the prompt. */
  subject?: string | undefined;
  /** The time of a post: "Tue 1 Dec, 09:00". */
  time?: string | undefined;
  isDraft: boolean;
  /** The beginning of a post’s text. '' if it was purged, and for other submissions. */
  excerpt: string;
  retryCount: number;
}

/** The names behind the ids in the record. */
export interface AuditNames {
  /** Project names by id. */
  projects: ReadonlyMap<string, string>;
  /** Whether `projects` has all projects that the service lists. */
  areProjectsComplete: boolean;
  submissions: ReadonlyMap<string, RecordedSubmission>;
  /** See `AppContext`. */
  deeds: ReadonlyMap<string, Deed>;
}

/** Maximum length of an escaped name or excerpt in a sentence. */
const MAX_NAME_LENGTH = 60;

type DeedRow = Pick<RecordRow, 'action' | 'target' | 'project'>;

/** Renders " in Harbour Coffee" (mrkdwn), or an empty text if the entry is about no project. */
function renderPlace(row: DeedRow, names: AuditNames, preposition: string, knownName?: string): string {
  return row.project === '' ? '' : ` ${preposition} ${renderProject(row, names, knownName)}`;
}

function renderProject({ project }: DeedRow, names: AuditNames, knownName?: string): string {
  const name = names.projects.get(project) ?? knownName;
  if (name !== undefined) return renderName(name);
  return names.areProjectsComplete
    ? 'a project that the service no longer lists'
    : 'a project whose name I couldn’t look up';
}

function renderName(name: string): string {
  return clipEscaped(escapeText(sanitizeLine(name)), MAX_NAME_LENGTH);
}

/** Renders a day in the reader's zone: "Fri 20 Nov", with the year unless it is the current one. */
export function renderDate(instant: Date, { zone, now }: Reader): string {
  return formatMomentDay({ instant, zone }, { now });
}

/** Renders a day in the reader's zone as a heading: "Today", "Yesterday" or "Fri 20 Nov". */
export function renderDayHeading(instant: Date, reader: Reader): string {
  const toDay = (time: Date) => Math.floor(wallClockAt(time.getTime(), reader.zone) / DAY_MS);
  const daysAgo = toDay(reader.now) - toDay(instant);
  if (daysAgo === 0) return 'Today';
  return daysAgo === 1 ? 'Yesterday' : renderDate(instant, reader);
}

/** Renders a time in the reader's zone, by the clock of the reader's locale: "9:05 AM" or "09:05". */
export function renderClockTime(instant: Date, { zone, locale }: Reader): string {
  const wall = new Date(wallClockAt(instant.getTime(), zone));
  return toLocalClock(wall.toISOString().slice(11, 16), locale);
}

/** Lists the deeds of all requests to the features, for `findRequestDeed`. */
export function listDeeds(features: readonly Feature[]): ReadonlyMap<string, Deed> {
  return new Map(features.flatMap(listFeatureDeeds).map(([action, deed]) => [toRequestKey(action), deed]));
}

function listFeatureDeeds({ name, commands, open, ...feature }: Feature): [action: string, deed: Deed][] {
  const { views = {}, actions = {}, options = {}, shortcuts = {}, events = {} } = feature;
  const handlers = { view: views, action: actions, options, shortcut: shortcuts, event: events };
  return [
    ...commands.map(({ name: command, deed }): [string, Deed] => [`${name} command ${command}`, deed]),
    ...(open ? [[`${name} open`, open.deed] as [string, Deed]] : []),
    ...Object.entries(handlers).flatMap(([surface, byId]) =>
      Object.entries(byId).map(([id, { deed }]): [string, Deed] => [`${name} ${surface} ${id}`, deed]),
    ),
  ];
}

/** Finds the deed of a request to a feature. Undefined if this version doesn't have the request. */
export function findRequestDeed(deeds: ReadonlyMap<string, Deed>, action: string): Deed | undefined {
  return deeds.get(toRequestKey(action));
}

/** Removes the numbers of buttons that exist several times, and the feature of an action, options or shortcut. */
function toRequestKey(action: string): string {
  return action.replace(/(?:[.-]|(?<!\d))\d+$/, '').replace(/^\S+ (?=(?:action|options|shortcut) )/, '');
}
