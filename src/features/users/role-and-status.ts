import type { Field, NamedRecord } from '../../forms/field.ts';
import { searchableField } from '../../forms/inputs/searched.ts';
import { renderNameInWords } from '../../slack/name.ts';
import { listAssignedRolesAndStatuses } from './people.ts';

/** The values in the service's API description, which says that there are others. */
const DOCUMENTED_VALUES = { role: 'ADMIN', status: 'ACTIVE' } as const;

/** The service's default status for an invitation. There is no default role, so that people choose it deliberately. */
export const DEFAULT_STATUS: NamedRecord = {
  id: DOCUMENTED_VALUES.status,
  name: renderNameInWords(DOCUMENTED_VALUES.status),
};

export function createRoleField(): Field<NamedRecord | undefined> {
  return createOpenChoiceField('role', { label: 'Role in the scheduling service', apiFields: 'Role' });
}

export function createStatusField(): Field<NamedRecord | undefined> {
  return createOpenChoiceField('status', { label: 'Status', apiFields: 'Status' });
}

/** Whether a role is ADMIN in any spelling, or contains ADMIN, such as SUPERADMIN. */
export function isAdmin(role: string): boolean {
  return role
    .normalize('NFKC')
    .replace(/[^\p{L}]/gu, '')
    .toUpperCase()
    .includes(DOCUMENTED_VALUES.role);
}

/** Creates a menu of documented values and values that were set with Upnext before. People can also type a value. */
function createOpenChoiceField(
  property: 'role' | 'status',
  names: { label: string; apiFields: string },
): Field<NamedRecord | undefined> {
  const field = searchableField({
    ...names,
    placeholder: 'Choose or type',
    usesProject: true,
    emptyText: 'Type one',
    renderQueryLabel: (query) => `Use “${query}”`,
    async find({ call, project }) {
      const assignments = project === undefined ? [] : await listAssignedRolesAndStatuses(call, project);
      const values = new Set([
        DOCUMENTED_VALUES[property],
        ...assignments.map((assignment) => assignment[property]),
      ]);
      return [...values].map((value) => ({ id: value, name: renderNameInWords(value) }));
    },
  });
  return {
    ...field,
    validate: (value, formContext) =>
      field.validate?.(value, formContext) ?? findCharacterFault(value?.id ?? ''),
  };
}

/** Returns the error for a value with invisible characters (plain text), or undefined. */
function findCharacterFault(value: string): string | undefined {
  const hasInvisible = /[\p{Cc}\p{Cf}]/u.test(value) || !value.isWellFormed();
  return hasInvisible ? 'This contains an invisible character. Type it again.' : undefined;
}
