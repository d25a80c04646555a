import type { Field, NamedRecord } from '../../forms/field.ts';
import { searchableField } from '../../forms/inputs/searched.ts';
import { listAssignedRolesAndStatuses } from './people.ts';

/** The values in the service's API description. The description says that there are other values. */
const DOCUMENTED_VALUES = { role: 'ADMIN', status: 'ACTIVE' } as const;

/**
 * The service's default status of an invitation. The form has no default role, so that people choose it deliberately.
 */
export const DEFAULT_STATUS: NamedRecord = { id: DOCUMENTED_VALUES.status, name: DOCUMENTED_VALUES.status };

export function createRoleField(): Field<NamedRecord | undefined> {
  return createOpenField('role', 'Role', 'The service names only ADMIN. If yours has other roles, type one.');
}

export function createStatusField(): Field<NamedRecord | undefined> {
  return createOpenField('status', 'Status', 'The service names only ACTIVE. If yours has others, type one.');
}

/** Whether a role is ADMIN in any spelling, or contains ADMIN, such as SUPERADMIN. */
export function isAdmin(role: string): boolean {
  return role
    .normalize('NFKC')
    .replace(/[^\p{L}]/gu, '')
    .toUpperCase()
    .includes(DOCUMENTED_VALUES.role);
}

/** Creates a field for documented values, values that were set with Upnext before, and typed values. */
function createOpenField(
  property: 'role' | 'status',
  label: string,
  hint: string,
): Field<NamedRecord | undefined> {
  const field = searchableField({
    label,
    hint,
    apiFields: label,
    placeholder: 'Choose or type',
    usesProject: true,
    none: 'Type one',
    renderQueryLabel: (query) => `Use “${query}”`,
    async find({ call, project }) {
      const usedValues = project === undefined ? [] : await listAssignedRolesAndStatuses(call, project);
      const values = new Set([DOCUMENTED_VALUES[property], ...usedValues.map((used) => used[property])]);
      return [...values].map((value) => ({ id: value, name: value }));
    },
  });
  return {
    ...field,
    validate: (value, formContext) =>
      field.validate?.(value, formContext) ?? findInvisibleCharacter(value?.id ?? ''),
  };
}

function findInvisibleCharacter(value: string): string | undefined {
  const hasInvisible = /[\p{Cc}\p{Cf}]/u.test(value) || !value.isWellFormed();
  return hasInvisible ? 'There is an invisible character in here. Type it anew.' : undefined;
}
