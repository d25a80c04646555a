import {
  type Deed,
  isRole,
  NAMED_DEEDS,
  type RecordRow,
  ROLE_TABLE,
  toPastTense,
} from '../../access/access.ts';
import { escapeText } from '../../slack/blocks.ts';
import { isZone, zoneName } from '../../when/when.ts';
import { type AuditNames, type DeedRow, renderName, renderPlace, renderProject } from './deed-parts.ts';
import { renderPolicyDeed } from './policy-deed.ts';
import { findRequestDeed } from './request-deeds.ts';
import { getEnding, renderSubmissionDeed } from './submission-deed.ts';

/** Renders an entry (mrkdwn): "<@U1> invited ada@example.com to Harbour Coffee". Contains no internal ids. */
export function renderAuditSentence(row: RecordRow, names: AuditNames): string {
  const { target, repeats } = splitRepeats(row.target);
  const deed = renderDeed({ ...row, target }, names);
  const actor = renderActor(row);
  if (row.decision === 'allowed' || row.decision === 'done') {
    const ending = getEnding({ ...row, target }, names);
    return `${actor} ${ending.isAttempt ? `tried to ${deed}` : toPastTense(deed)}${ending.text}`;
  }
  const reason = row.decision === 'not-checked' ? ', and I couldn’t check their role' : '';
  return `:no_entry: *Denied:* ${actor} tried to ${deed}${repeats}${reason}`;
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
  return actor === 'slack' && action === 'tokens revoked' ? 'Slack' : 'Someone';
}

function isPersonId(id: string): boolean {
  return /^[UW][A-Z0-9]+$/.test(id);
}

function renderDeed(row: DeedRow, names: AuditNames): Deed {
  const { action, target } = row;
  if (action.startsWith('send ')) return renderSubmissionDeed(row, names);
  if (action.startsWith('roles ')) return renderRoleDeed(row, names);
  if (action === 'policy set') return renderPolicyDeed(row, names, NAMED_DEEDS[action]);
  const channel = /^channel ([CG][A-Z0-9]+)(?: (.+))?$/.exec(target);
  if (channel) return renderChannelDeed(row, `<#${channel[1]}>`, channel[2], names);
  if (action === 'connect add' || action === 'connect remove') {
    const verb = action === 'connect add' ? 'connect' : 'disconnect';
    return `${verb} ${renderName(target)}${renderPlace(row, names, 'for')}`;
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

/** `channel`: a mention. `zone`: an IANA zone; undefined if the channel's zone was cleared. */
function renderChannelDeed(row: DeedRow, channel: string, zone: string | undefined, names: AuditNames): Deed {
  switch (row.action) {
    case 'projects use':
      return row.project === ''
        ? `remove the projects of ${channel}`
        : `choose ${renderProject(row, names)} for ${channel}`;
    case 'zone set channel':
      return zone !== undefined && isZone(zone)
        ? `set the time zone of ${channel} to ${escapeText(zoneName(zone))}`
        : `remove the time zone of ${channel}`;
    case 'digests save':
      return `save the digest for ${channel}`;
    case 'digests pause':
      return `pause the digest for ${channel}`;
    case 'digests unpause':
      return `resume the digest for ${channel}`;
    case 'digests send':
      return `send the digest for ${channel} at once`;
    case 'digests delete':
      return `delete the digest for ${channel}`;
    default:
      return `${findNamedDeed(row.action) ?? 'use something'} in ${channel}`;
  }
}
