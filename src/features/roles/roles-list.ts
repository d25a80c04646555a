import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import {
  type Grant,
  type HeldRole,
  ROLES,
  type Role,
  type RoleReason,
  SUBJECT_KINDS,
} from '../../access/access.ts';
import { actions, button, context, option, plain, section } from '../../slack/blocks.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/escape.ts';
import { encodeButtonState } from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildPageButtons, paginate } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { roleLines } from './role-words.ts';

export const GIVE = 'roles.give';
export const TAKE = 'roles.take';
export const CLAIM = 'roles.claim';
export const WISH = 'roles.wish';
export const PREVIOUS = 'roles.previous';
export const NEXT = 'roles.next';

/** What [Take back] tells of itself; checked again when it is pressed. */
export const taking = z.object({ kind: z.enum(SUBJECT_KINDS), id: z.string(), project: z.string() });
export const paging = z.object({ page: z.number().int() });

const LISTED = 12;
const NAME = 60;

/** Everything that `/upnext roles` shows. */
interface RolesShown {
  role: Role | undefined;
  held: readonly HeldRole[];
  isAdmin: boolean;
  /** Of owners alone. */
  grants: readonly Grant[] | undefined;
  /** Who owns the workspace without having been given it. Plain text. */
  beside: readonly string[];
  names: ReadonlyMap<string, string>;
  page: number;
}

export function rolesMessage(shown: RolesShown): Message {
  const { role, held, isAdmin, grants } = shown;
  const own =
    held.length === 0
      ? 'You have no role in Upnext yet.'
      : `You have: ${held.map((one) => heldWords(one, shown.names)).join('; ')}.`;
  const wishes = ROLES.slice(role === undefined ? 0 : ROLES.indexOf(role) + 1);
  const menu =
    wishes.length === 0
      ? []
      : [
          {
            type: 'static_select' as const,
            action_id: WISH,
            placeholder: plain('Ask for a role', LIMITS.placeholder),
            options: wishes.map((each) => option(each, each)),
          },
        ];
  const elements = [
    ...menu,
    ...(isAdmin && role !== 'owner' ? [button('Claim ownership', CLAIM)] : []),
    button('Give a role', GIVE, undefined, 'primary'),
  ];
  return {
    text: own,
    blocks: [
      section(`*Roles*\n${own}`),
      ...(grants ? listBlocks(grants, shown) : []),
      context(roleLines().map(escapeText).join('\n')),
      actions(...elements),
    ],
  };
}

function listBlocks(grants: readonly Grant[], { page: wanted, names, beside }: RolesShown): KnownBlock[] {
  const page = paginate(grants, wanted, LISTED);
  const rows = page.items.map((grant) => {
    const { subjectKind: kind, subject: id, project } = grant;
    const value = encodeButtonState({ kind, id, project });
    const text = section(grantWords(grant, names));
    return value === undefined ? text : { ...text, accessory: button('Take back', TAKE, value) };
  });
  const turned = buildPageButtons(page, { previous: PREVIOUS, next: NEXT }, (number) => ({ page: number }));
  const count = grants.length === 1 ? 'one role' : `${grants.length} roles${page.titleSuffix}`;
  return [
    section(grants.length === 0 ? '*Nobody was given a role yet.*' : `*Who may do what*: ${count} given`),
    ...rows,
    ...(beside.length > 0 ? [context(...beside.map((line) => plain(line)))] : []),
    ...(turned.length > 0 ? [actions(...turned)] : []),
  ];
}

/** mrkdwn. Mentions in an answer to one person alone tell nobody. */
function grantWords(grant: Grant, names: ReadonlyMap<string, string>): string {
  const { subjectKind: kind, subject, role, project, reason, grantedBy } = grant;
  const actor =
    kind === 'members' ? 'All full members' : kind === 'group' ? `<!subteam^${subject}>` : `<@${subject}>`;
  const seconds = Math.floor(grant.grantedAt.getTime() / 1000);
  const day = `<!date^${seconds}^{date_short_pretty}|${grant.grantedAt.toISOString().slice(0, 10)}>`;
  const how = { given: `given by <@${grantedBy}>`, installed: 'installed Upnext', claimed: 'claimed it' }[
    reason
  ];
  return `${actor}: *${escapeText(role)}*${where(project, names)}\n${how}, ${day}`;
}

/** mrkdwn. */
function heldWords({ role, project, reason }: HeldRole, names: ReadonlyMap<string, string>): string {
  return `*${role}*${where(project, names)}, ${whyWords(reason)}`;
}

function where(project: string, names: ReadonlyMap<string, string>): string {
  if (project === '') return ' in the whole workspace';
  return ` in ${escapeText(clip(sanitizeLine(names.get(project) ?? `the project ${project}`), NAME))}`;
}

function whyWords(reason: RoleReason): string {
  switch (reason.kind) {
    case 'given':
      return `given by <@${reason.by}>`;
    case 'group':
      return `as a member of <!subteam^${reason.group}>, given by <@${reason.by}>`;
    case 'members':
      return reason.by === undefined
        ? 'as every full member, by a setting'
        : `as every full member, given by <@${reason.by}>`;
    case 'installed':
      return 'because you installed Upnext';
    case 'claimed':
      return 'because you claimed it';
    case 'slack-owner':
      return 'because you own this Slack workspace';
    case 'practice':
      return 'because the practice workspace begins so';
  }
}
