import { normalizeUnicode } from '../normalize-text.ts';
import type { components } from './schema.d.ts';

/** A field of a post whose value is a text. The time, the platforms and the status have code of their own. */
export type PostField = {
  name: string;
  /** How people know the field. */
  label: string;
} & (
  | {
      /** The name in the service's contract. */
      api: keyof components['schemas']['Post'];
      /** Whether the value is the id of a record, from which the service takes the text of a post without its own. */
      isId: boolean;
      /** Whether posts with different values are different posts. */
      isIdentity: boolean;
    }
  // Only Upnext knows the field: it isn't sent, and posts of the service aren't compared by it.
  | { api: undefined; isId: false; isIdentity: false }
);

/**
 * The fields of a post whose values are texts. Posts are read, sent, compared, copied, shown and exported with this list.
 * A field also needs an input in the form for a post (features/schedule-post/form/fields.ts). The order is that of the
 * request, which approvals are bound to, so a new field comes last.
 */
export const POST_FIELDS = [
  { name: 'content', api: 'Content', label: 'Text', isId: false, isIdentity: true },
  { name: 'media', api: 'Media', label: 'Media', isId: false, isIdentity: true },
  { name: 'templateId', api: 'TemplateId', label: 'Template', isId: true, isIdentity: false },
  { name: 'promptId', api: 'PromptId', label: 'Prompt', isId: true, isIdentity: false },
  { name: 'altText', api: undefined, label: 'Alt text', isId: false, isIdentity: false },
] as const satisfies readonly PostField[];

type Entry = (typeof POST_FIELDS)[number];
export type PostFieldName = Entry['name'];
/** The fields whose values are ids of records. */
export type PostIdName = Extract<Entry, { isId: true }>['name'];

type ApiEntry = Exclude<Entry, { api: undefined }>;
/** The fields that the service has too. */
export const API_POST_FIELDS = POST_FIELDS.filter((field): field is ApiEntry => field.api !== undefined);

/** The fields besides the text and the media that people write. Imports have a column for each. */
export type ExtraField = Exclude<PostFieldName, PostIdName | 'content' | 'media'>;
export const EXTRA_FIELDS = POST_FIELDS.filter(
  (field): field is Extract<Entry, { name: ExtraField }> =>
    !field.isId && field.name !== 'content' && field.name !== 'media',
);

/** Creates an object with the extra fields that aren't empty. */
export function mapExtraFields(read: (name: ExtraField) => string): Partial<Record<ExtraField, string>> {
  const entries = EXTRA_FIELDS.map(({ name }) => [name, read(name)] as const);
  return Object.fromEntries(entries.filter(([, text]) => text !== ''));
}

export type PostTexts = { [Name in PostFieldName]?: string | undefined };

/** Creates an object with a value for each field, in the order of the list. */
export function mapPostFields<Value>(create: (field: Entry) => Value): Record<PostFieldName, Value> {
  return Object.assign({}, ...POST_FIELDS.map((field) => ({ [field.name]: create(field) })));
}

/**
 * Lists the texts that identify a post besides the content and the media. Stored fingerprints were computed before the
 * service had these fields, so a fingerprint contains only those that have a value.
 */
export function listFurtherIdentity(post: PostTexts): (readonly [name: string, text: string])[] {
  return API_POST_FIELDS.filter(
    ({ name, isIdentity }) => isIdentity && name !== 'content' && name !== 'media',
  )
    .map(({ name, api }) => [api, normalizeText(post[name])] as const)
    .filter(([, text]) => text !== '');
}

/** Services trim texts and write line breaks in their own way, which doesn't make another post. */
export function normalizeText(text = ''): string {
  return normalizeUnicode(text.replaceAll(/\r\n?/g, '\n').trim(), 'NFC');
}
