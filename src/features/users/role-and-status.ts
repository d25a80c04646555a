import type { Field, NamedRecord } from '../../forms/field.ts';
import { searchableField } from '../../forms/inputs/searched.ts';
import { findUsedValues } from './people.ts';

/** The values in the service's description, which says that there are others. */
const DOCUMENTED = { role: 'ADMIN', status: 'ACTIVE' } as const;

/** The service's own default for an invitation. There is no default role, so that it is a deliberate choice. */
export const DEFAULT_STATUS: NamedRecord = { id: DOCUMENTED.status, name: DOCUMENTED.status };

export function roleField(): Field<NamedRecord | undefined> {
  return openChoice('role', 'Role', 'The service names only ADMIN. If yours has other roles, type one.');
}

export function statusField(): Field<NamedRecord | undefined> {
  return openChoice('status', 'Status', 'The service names only ACTIVE. If yours has others, type one.');
}

/** True for ADMIN in any spelling, and for roles that contain it, such as SUPERADMIN. */
export function isAdmin(role: string): boolean {
  return role
    .normalize('NFKC')
    .replace(/[^\p{L}]/gu, '')
    .toUpperCase()
    .includes(DOCUMENTED.role);
}

/** A choice of documented values, values that Upnext has set before, and typed ones. */
function openChoice(of: 'role' | 'status', label: string, hint: string): Field<NamedRecord | undefined> {
  const field = searchableField({
    label,
    hint,
    api: label,
    placeholder: 'Choose or type',
    usesProject: true,
    none: 'Type one',
    renderQueryLabel: (words) => `Use “${words}”`,
    async find({ call, project }) {
      const seen = project === undefined ? [] : await findUsedValues(call, project);
      const values = new Set([DOCUMENTED[of], ...seen.map((one) => one[of])]);
      return [...values].map((value) => ({ id: value, name: value }));
    },
  });
  return {
    ...field,
    validate: (value, at) => field.validate?.(value, at) ?? invisibleCharacterFault(value?.id ?? ''),
  };
}

function invisibleCharacterFault(value: string): string | undefined {
  const hasInvisible = /[\p{Cc}\p{Cf}]/u.test(value) || !value.isWellFormed();
  return hasInvisible ? 'There is an invisible character in here. Type it anew.' : undefined;
}
