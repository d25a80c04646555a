import { type Deed, isRole, ROLE_TABLE } from '../../access/access.ts';
import { renderLead } from '../../posts/post-text.ts';
import { type PolicyField, parsePolicyChanges } from '../../preferences/policy-changes.ts';
import { type AuditNames, type DeedRow, renderPlace } from './deed-parts.ts';

/** Maximum length of the changes in a sentence, so that a page of sentences fits. The CSV export has all of them. */
const MAX_CHANGES_LENGTH = 180;
/** Maximum number of approvers that a sentence names for a step. */
const MAX_APPROVERS = 2;

const LABELS: Readonly<Record<PolicyField, string>> = {
  lead: 'hand-over',
  review: 'reviews',
  step1: 'step 1',
  step2: 'step 2',
  step3: 'step 3',
  'stand-ins': 'stand-ins',
  channel: 'requests',
  override: 'override',
};

/** Renders what changed (mrkdwn): "change the policy of posts in Harbour Coffee: reviews from off to required". */
export function renderPolicyDeed(row: DeedRow, names: AuditNames, deed: Deed): Deed {
  const place = renderPlace(row, names, 'in');
  const changes = parsePolicyChanges(row.target).map(
    ({ field, before, after }) =>
      `${LABELS[field]} from ${renderValue(field, before)} to ${renderValue(field, after)}`,
  );
  if (changes.length === 0) return `${deed}${place}`;
  const shown = changes.filter(
    (_change, index) => changes.slice(0, index + 1).join(', ').length <= MAX_CHANGES_LENGTH,
  );
  const hiddenCount = changes.length - shown.length;
  const more = hiddenCount === 0 ? [] : [`${hiddenCount} more`];
  return `${deed}${place}: ${[...shown, ...more].join(', ')}`;
}

function renderValue(field: PolicyField, value: string): string {
  switch (field) {
    case 'lead':
      return /^\d+$/.test(value) ? `${renderLead(Number(value))} before` : 'right away';
    case 'review':
      return /^[a-z]+$/.test(value) ? value : 'something else';
    case 'channel':
      return /^[CG][A-Z0-9]+$/.test(value) ? `<#${value}>` : 'direct messages';
    default:
      return renderPeople(value);
  }
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
