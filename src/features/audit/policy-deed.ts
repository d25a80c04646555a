import { type Deed, isRole, ROLE_TABLE } from '../../access/access.ts';
import { renderLead } from '../../posts/post-text.ts';
import { type PolicySetting, parsePolicyChanges } from '../../preferences/project-policy.ts';
import { type AuditNames, type DeedRow, renderPlace } from './deed-parts.ts';

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
  reviewSteps: { label: 'step', render: renderPeople },
  standIns: { label: 'stand-ins', render: renderPeople },
  channel: {
    label: 'requests',
    render: (channel) => (/^[CG][A-Z0-9]+$/.test(channel) ? `<#${channel}>` : 'direct messages'),
  },
  ownerOverride: { label: 'override', render: renderPeople },
};

/** Renders what changed (mrkdwn): "change the policy of posts in Harbour Coffee: reviews from off to required". */
export function renderPolicyDeed(row: DeedRow, names: AuditNames, deed: Deed): Deed {
  const place = renderPlace(row, names, 'in');
  const changes = parsePolicyChanges(row.target).map(({ setting, part, before, after }) => {
    const { label, render } = SETTING_TEXTS[setting];
    // The steps of a review are parts of one setting: "step2".
    const name = [label, ...part.matchAll(/\d+$/g)].join(' ');
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

function renderApprover(approver: string): string[] {
  const [kind, id = ''] = approver.split(':');
  if (kind === 'role' && isRole(id)) return [`${ROLE_TABLE[id].name}s`];
  if (kind === 'person' && /^[UW][A-Z0-9]+$/.test(id)) return [`<@${id}>`];
  return kind === 'group' && /^S[A-Z0-9]+$/.test(id) ? [`<!subteam^${id}>`] : [];
}
