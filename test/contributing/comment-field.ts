import type { PostField } from '../../src/api/post-fields.ts';
import type { Field } from '../../src/forms/field.ts';
import { textField } from '../../src/forms/inputs/text.ts';

/** A text field of a post. Its example isn't in the contract. */
export const fields = [
  { name: 'comment', api: 'Comment', label: 'First comment', isId: false, isIdentity: true },
] satisfies (Omit<PostField, 'api'> & { api: string })[];

/** The input of the field. */
export const parts = {
  comment: {
    ...textField({ label: 'First comment', apiFields: 'Comment', optional: true }),
    becomes: 'comment',
    isOption: true,
  },
} satisfies Record<string, Field<string> & { becomes: string; isOption?: true }>;
