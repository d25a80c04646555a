import type { KnownBlock, SectionBlock } from '@slack/types';
import { z } from 'zod';
import {
  type AssignedRole,
  type DefaultRole,
  type Grant,
  type OutsiderReason,
  type PendingRequest,
  ROLE_TABLE,
  ROLES,
  type Role,
  type RoleReason,
  SUBJECT_KINDS,
  type SubjectKind,
} from '../../access/access.ts';
import { TWO_ROLES_NOTE } from '../../access/roles.ts';
import {
  actions,
  buildButtonRow,
  button,
  clipLine,
  context,
  escapeText,
  option,
  plain,
  section,
  withConfirmation,
} from '../../slack/blocks.ts';
import { encodeButtonState } from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildPageButtons, type Page, paginate } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { joinNames } from '../../slack/name.ts';
import {
  joinAbilities,
  renderNoRolePossible,
  renderPendingRequest,
  renderRole,
  renderRoleHolder,
} from './role-text.ts';

export const GIVE_ROLE_ACTION = 'roles.give';

export const CLAIM_ACTION = 'roles.claim';

export const CHOOSE_ROLE_ACTION = 'roles.request';

/** Maximum grants on a page. */
const PAGE_SIZE = 12;

/** Maximum of a person's own roles in a sentence, which has 3,000 characters. */
const MAX_OWN_ROLES = 20;

const MAY_HAVE_MORE = 'I couldn’t look up all your roles, so you may have more. Try again in a minute.';

interface RoleOverview {
  role: Role | undefined;
  assignedRoles: readonly AssignedRole[];
  /** Whether the actor may have further roles, because a lookup in Slack failed. */
  isIncomplete: boolean;
  /** Whether the actor is an admin of the Slack workspace. */
  isAdmin: boolean;
  /** The grants of all people. Undefined if the actor isn't an owner. */
  grants: readonly Grant[] | undefined;
  /** The people who have a role without a grant. Undefined if the lookup failed. */
  defaultRoles: readonly DefaultRole[] | undefined;
  /** The role that a setting gives to all full members. */
  membersRole: Role | undefined;
  /** The people on the page who can't use the role that they were given, by Slack id. */
  outsiders: ReadonlyMap<string, OutsiderReason>;
  pendingRequests: readonly PendingRequest[];
  projectNames: ReadonlyMap<string, string>;
  page: number;
  /** The text after the command, which isn't read. */
  words: string;
}

export function renderRoles(overview: RoleOverview): Message {
  const { role, assignedRoles, isIncomplete, isAdmin, grants, words } = overview;
  const noRoleText = isIncomplete ? 'I found no role of yours.' : 'You don’t have a role yet.';
  const ownRoles = assignedRoles.map(({ role: own, project, reason }) => {
    const scope = renderScope(project, overview.projectNames);
    return `${renderRoleHolder(own)}${scope} (${renderReason(reason)})`;
  });
  const knownRolesText = ownRoles.length === 0 ? noRoleText : `You’re ${joinNames(ownRoles, MAX_OWN_ROLES)}.`;
  const ownRolesText = isIncomplete ? `${knownRolesText} ${MAY_HAVE_MORE}` : knownRolesText;
  const pendingRequests = overview.pendingRequests.filter(({ project }) => project === '');
  const higherRoles = ROLES.slice(role === undefined ? 0 : ROLES.indexOf(role) + 1).filter(
    (higherRole) => !pendingRequests.some((request) => request.role === higherRole),
  );
  const roleMenu =
    higherRoles.length === 0
      ? []
      : [
          {
            type: 'static_select' as const,
            action_id: CHOOSE_ROLE_ACTION,
            placeholder: plain('Request a role', LIMITS.placeholder),
            options: higherRoles.map((higherRole) => option(renderRole(higherRole), higherRole)),
          },
        ];
  const roleLines = ROLES.map((each, index) => {
    const { name, abilities } = ROLE_TABLE[each];
    return `${name}: ${index === 0 ? '' : 'also '}${joinAbilities(abilities)}`;
  });
  const elements = [
    ...roleMenu,
    ...(isAdmin && role !== 'owner'
      ? [withConfirmation(button('Claim ownership', CLAIM_ACTION), CLAIM_DIALOG)]
      : []),
    button('Give a role', GIVE_ROLE_ACTION, undefined, 'primary'),
  ];
  return {
    text: ownRolesText,
    blocks: [
      ...(words === ''
        ? []
        : [
            section(
              renderUnreadWords(words, { mayGive: grants !== undefined, mayAsk: higherRoles.length > 0 }),
            ),
          ]),
      section(`*Roles*\n${ownRolesText}`),
      ...pendingRequests.slice(0, ROLES.length).map((request) => context(renderPendingRequest(request))),
      ...(grants ? renderGrants(overview) : []),
      context(escapeText(roleLines.join('\n'))),
      context(TWO_ROLES_NOTE),
      actions(...elements),
    ],
  };
}

/** Says what to do instead of typing whose role should change (mrkdwn). */
function renderUnreadWords(
  words: string,
  { mayGive, mayAsk }: { mayGive: boolean; mayAsk: boolean },
): string {
  const askAdvice = mayAsk ? ' To ask for a role, choose it below.' : '';
  const advice = mayGive ? ' To give a role, press *Give a role*.' : askAdvice;
  return `I didn’t read “${escapeText(clipLine(words))}”.${advice}`;
}

function renderGrants(overview: RoleOverview): KnownBlock[] {
  const { defaultRoles } = overview;
  const page = listRows(overview);
  return [
    section(`*People with a role*${page.titleSuffix}`),
    ...page.items.map((row) => renderRow(row, overview)),
    ...(defaultRoles ? [] : [context('I couldn’t look up everybody who has a role by default.')]),
    ...buildButtonRow(buildPageButtons('roles', page, (number) => ({ page: number }))),
  ];
}

/** Renders why the actor has a role (mrkdwn). */
function renderReason(reason: RoleReason): string {
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
    case 'emulator':
      return 'practice default';
  }
}

export const TAKE_BACK_ACTION = 'roles.take';

/** The state of [Take back]: the grant to remove. The actor's permission is checked again at the press. */
export const takeBackStateSchema = z.object({
  kind: z.enum(SUBJECT_KINDS),
  id: z.string(),
  project: z.string(),
  /** The role that the list showed. Buttons of earlier versions have none. */
  role: z.string().optional(),
});

type RoleRows = Pick<RoleOverview, 'grants' | 'defaultRoles' | 'membersRole' | 'page'>;
type RoleRow = { grant: Grant } | { subject: string; holder: AssignedRole };

/** Lists a page with a row for each role of each holder: first the roles by default, then the roles that were given. */
function listRows({ grants = [], defaultRoles = [], membersRole, page }: RoleRows): Page<RoleRow> {
  const rows: RoleRow[] = [
    ...defaultRoles.map((holder) => ({ subject: `<@${holder.user}>`, holder })),
    ...(membersRole === undefined
      ? []
      : [{ subject: 'All full members', holder: { ...MEMBERS_BY_SETTING, role: membersRole } }]),
    ...grants.map((grant) => ({ grant })),
  ];
  return paginate(rows, page, PAGE_SIZE);
}

function renderRow(row: RoleRow, { outsiders, projectNames }: RoleOverview): SectionBlock {
  if ('holder' in row) {
    // Nobody gave this role, so it can't be taken back here and has no button.
    const { role, project, reason } = row.holder;
    const place = renderScope(project, projectNames);
    return section(`${row.subject}: *${renderRole(role)}*${place}\n${DEFAULT_REASONS[reason.kind] ?? ''}`);
  }
  return addOutsiderNote(renderGrantRow(row.grant, projectNames), outsiders.get(row.grant.subject));
}

/** Says why a person can't use the role any more. */
function addOutsiderNote(row: SectionBlock, reason: OutsiderReason | undefined): SectionBlock {
  if (!reason || !row.text) return row;
  const note = renderNoRolePossible(reason, 'This person');
  return {
    ...row,
    text: { ...row.text, text: `${row.text.text}\n:warning: ${note} The role has no effect.` },
  };
}

/** Lists the people on a page of roles to whom one was given. The defaults leave out who has left. */
export function listShownPeople(rows: RoleRows): string[] {
  return listRows(rows).items.flatMap((row) =>
    'grant' in row && row.grant.subjectKind === 'person' ? [row.grant.subject] : [],
  );
}

const MEMBERS_BY_SETTING = { project: '', reason: { kind: 'members' } } as const;

const DEFAULT_REASONS: Readonly<Partial<Record<RoleReason['kind'], string>>> = {
  'slack-owner': 'by default, because they own this Slack workspace',
  emulator: 'by default in the practice workspace',
  members: 'by a setting',
};

function renderGrantRow(grant: Grant, projectNames: ReadonlyMap<string, string>): SectionBlock {
  const { subjectKind: kind, subject: id, project, role } = grant;
  const value = encodeButtonState({ kind, id, project, role });
  const grantSection = section(renderGrant(grant, projectNames));
  if (value === undefined) return grantSection;
  const takeButton = withConfirmation(
    button('Take back', TAKE_BACK_ACTION, value),
    buildTakeDialog(grant, projectNames),
  );
  return { ...grantSection, accessory: takeButton };
}

/** Renders a grant as mrkdwn. Its mentions notify nobody, because the message is visible only to its recipient. */
function renderGrant(grant: Grant, projectNames: ReadonlyMap<string, string>): string {
  const { subjectKind: kind, subject, role, project, reason, grantedBy } = grant;
  const subjectText =
    kind === 'members' ? 'All full members' : kind === 'group' ? `<!subteam^${subject}>` : `<@${subject}>`;
  const seconds = Math.floor(grant.grantedAt.getTime() / 1000);
  const day = `<!date^${seconds}^{date_short_pretty}|${grant.grantedAt.toISOString().slice(0, 10)}>`;
  const origin = { given: `given by <@${grantedBy}>`, installed: 'installed Upnext', claimed: 'claimed it' }[
    reason
  ];
  return `${subjectText}: *${role === 'none' ? 'No role' : escapeText(renderRole(role))}*${renderScope(project, projectNames)}\n${origin}, ${day}`;
}

/** Renders " in Harbour Coffee" or " in the whole workspace" (mrkdwn). */
function renderScope(project: string, projectNames: ReadonlyMap<string, string>): string {
  if (project === '') return ' in the whole workspace';
  return ` in ${escapeText(clipLine(projectNames.get(project) ?? `the project ${project}`))}`;
}

/** The dialog that asks before an admin claims ownership. */
const CLAIM_DIALOG = {
  title: 'Claim ownership?',
  text: 'You’ll be able to do everything in Upnext here. I’ll tell the other Owners.',
  confirm: 'Claim ownership',
};

const LOSS_PHRASES: Readonly<Record<SubjectKind, string>> = {
  person: 'This person loses',
  group: 'This user group loses',
  members: 'All full members lose',
};

/** Builds the dialog that asks before a role is taken back. */
function buildTakeDialog({ subjectKind, role, project }: Grant, projectNames: ReadonlyMap<string, string>) {
  const projectName = clipLine(projectNames.get(project) ?? 'this project');
  const scopeText = project === '' ? '' : ` in ${projectName}`;
  const text =
    role === 'none'
      ? 'The default role applies to all full members again.'
      : `${LOSS_PHRASES[subjectKind]} the ${renderRole(role)} role${scopeText}.`;
  return {
    title: 'Take back this role?',
    text,
    confirm: 'Take back',
    deny: 'Keep',
    style: 'danger',
  } as const;
}
