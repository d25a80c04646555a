import type { Field, Named } from '../../forms/field.ts';
import { searched } from '../../forms/inputs/searched.ts';
import { seenIn } from './people.ts';

/** The values that the service's description names; it says that there are others. */
const DOCUMENTED = { role: 'ADMIN', status: 'ACTIVE' } as const;

/** What an invitation begins with: the service's own default. A role has none, so that it is a choice. */
export const FIRST_STATUS: Named = { id: DOCUMENTED.status, name: DOCUMENTED.status };

export function roleField(): Field<Named | undefined> {
  return openList('role', 'Role', 'The service names only ADMIN. If yours has other roles, type one.');
}

export function statusField(): Field<Named | undefined> {
  return openList('status', 'Status', 'The service names only ACTIVE. If yours has others, type one.');
}

/** True for ADMIN however it is written, and for what is more than that by its name. */
export function isAdmin(role: string): boolean {
  return role
    .normalize('NFKC')
    .replace(/[^\p{L}]/gu, '')
    .toUpperCase()
    .includes(DOCUMENTED.role);
}

/** What is documented, what was set from here before, and what somebody types. */
function openList(of: 'role' | 'status', label: string, hint: string): Field<Named | undefined> {
  const field = searched({
    label,
    hint,
    api: label,
    placeholder: 'Choose or type',
    usesProject: true,
    none: 'Type one',
    typing: (words) => `Use “${words}”`,
    async find({ call, project }) {
      const seen = project === undefined ? [] : await seenIn(call, project);
      const values = new Set([DOCUMENTED[of], ...seen.map((one) => one[of])]);
      return [...values].map((value) => ({ id: value, name: value }));
    },
  });
  return { ...field, validate: (value, at) => field.validate?.(value, at) ?? oddWord(value?.id ?? '') };
}

function oddWord(value: string): string | undefined {
  const isOdd = /[\p{Cc}\p{Cf}]/u.test(value) || !value.isWellFormed();
  return isOdd ? 'There is an invisible character in here. Type it anew.' : undefined;
}
