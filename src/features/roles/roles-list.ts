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
import { getServiceId } from '../../api/project-ids.ts';
import {
  actions,
  buildButtonRow,
  button,
  clipLine,
  context,
  escapeText,
  option,
  plain,
  renderDateForReaders,
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
  /** The page of all people's roles. Undefined if the actor isn't an owner. */
  page: Page<RoleRow> | undefined;
  /** Whether the roles by default are unknown, because a lookup failed. */
  areDefaultsMissing: boolean;
  /** The people on the page who can't use the role that they were given, by Slack id. */
  outsiders: ReadonlyMap<string, OutsiderReason>;
  pendingRequests: readonly PendingRequest[];
  projectNames: ReadonlyMap<string, string>;
  /** The text after the command, which isn't read. */
  words: string;
}

export function renderRoles(overview: RoleOverview): Message {
  const { role, assignedRoles, isIncomplete, isAdmin, page, words } = overview;
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
              renderUnreadWords(words, { mayGive: page !== undefined, mayAsk: higherRoles.length > 0 }),
            ),
          ]),
      section(`*Roles*\n${ownRolesText}`),
      ...pendingRequests.slice(0, ROLES.length).map((request) => context(renderPendingRequest(request))),
      ...(page ? renderPage(page, overview) : []),
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

function renderPage(page: Page<RoleRow>, overview: RoleOverview): KnownBlock[] {
  return [
    section(`*People with a role*${page.titleSuffix}`),
    ...page.items.map((row) => renderRow(row, overview)),
    ...(overview.areDefaultsMissing
      ? [context('I couldn’t look up everybody who has a role by default.')]
      : []),
    ...buildButtonRow(buildPageButtons('roles', page, (number) => ({ page: number }))),
  ];
}

/** Renders why somebody has a role (mrkdwn). */
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
      return 'by installing Upnext';
    case 'claimed':
      return 'by claiming it';
    case 'slack-owner':
      return 'as an owner of this Slack workspace';
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

/** A role of a holder, who is a mention, or all full members. Only a grant can be taken back. */
interface RoleRow extends Pick<AssignedRole, 'project' | 'reason'> {
  holder: string;
  role: string;
  grant?: Grant;
}

/** Lists a page with a row for each role of each holder: first the roles by default, then the roles that were given. */
export function listRows(
  roles: {
    grants: readonly Grant[];
    /** The people who have a role without a grant. */
    defaultRoles: readonly DefaultRole[];
    /** The role that a setting gives to all full members. */
    membersRole: Role | undefined;
  },
  page: number,
): Page<RoleRow> {
  const { grants, defaultRoles, membersRole } = roles;
  const rows: RoleRow[] = [
    ...defaultRoles.map((assigned) => ({ ...assigned, holder: `<@${assigned.user}>` })),
    ...(membersRole === undefined
      ? []
      : [{ holder: ALL_MEMBERS, role: membersRole, project: '', reason: { kind: 'members' } as const }]),
    ...grants.map((grant) => ({ ...grant, ...describeGrant(grant), grant })),
  ];
  return paginate(rows, page, PAGE_SIZE);
}

const ALL_MEMBERS = 'All full members';

function describeGrant({
  subjectKind,
  subject,
  reason,
  grantedBy,
}: Grant): Pick<RoleRow, 'holder' | 'reason'> {
  const mention = subjectKind === 'group' ? `<!subteam^${subject}>` : `<@${subject}>`;
  return {
    holder: subjectKind === 'members' ? ALL_MEMBERS : mention,
    reason: reason === 'given' ? { kind: reason, by: grantedBy } : { kind: reason },
  };
}

/** The mentions notify nobody, because the message is visible only to its recipient. */
function renderRow(row: RoleRow, { outsiders, projectNames }: RoleOverview): SectionBlock {
  const { holder, role, project, reason, grant } = row;
  const name = role === 'none' ? 'No role' : escapeText(renderRole(role));
  const day = grant ? `, ${renderDateForReaders(grant.grantedAt, '{date_short_pretty}')}` : '';
  // Says why a person can't use the role any more.
  const outsiderReason = grant && outsiders.get(grant.subject);
  const note = outsiderReason
    ? `\n:warning: ${renderNoRolePossible(outsiderReason, 'This person')} The role has no effect.`
    : '';
  const line = section(
    `${holder}: *${name}*${renderScope(project, projectNames)}\n${renderReason(reason)}${day}${note}`,
  );
  const value = grant && encodeButtonState({ kind: grant.subjectKind, id: grant.subject, project, role });
  if (!grant || value === undefined) return line;
  const dialog = buildTakeDialog(grant, projectNames);
  return { ...line, accessory: withConfirmation(button('Take back', TAKE_BACK_ACTION, value), dialog) };
}

/** Lists the people on a page of roles to whom one was given. The defaults leave out who has left. */
export function listShownPeople({ items }: Page<RoleRow>): string[] {
  return items.flatMap(({ grant }) => (grant?.subjectKind === 'person' ? [grant.subject] : []));
}

/** Renders " in Harbour Coffee" or " in the whole workspace" (mrkdwn). */
function renderScope(project: string, projectNames: ReadonlyMap<string, string>): string {
  if (project === '') return ' in the whole workspace';
  return ` in ${escapeText(clipLine(projectNames.get(project) ?? `the project ${getServiceId(project)}`))}`;
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
