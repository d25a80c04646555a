import type { Json } from '../slack/slack.ts';

/** The values of an open form: by block, then by action. */
export type ViewValues = Readonly<Record<string, Readonly<Record<string, Json>>>>;

/** The name of a form's field: "when" of "schedule-post.when". */
export const getFieldName = (actionId: string): string => actionId.split('.').at(-1) ?? '';

function findState(values: ViewValues, name: string): Json | undefined {
  return Object.values(values)
    .flatMap((block) => Object.entries(block))
    .find(([actionId]) => getFieldName(actionId) === name)?.[1];
}

/** What somebody has typed into a field. Empty if the form doesn't show it. */
export function readTyped(values: ViewValues, name: string): string {
  const typed = findState(values, name)?.value;
  return typeof typed === 'string' ? typed : '';
}

/** The values that somebody has chosen in a field. */
export function readSelected(values: ViewValues, name: string): string[] {
  const selected = findState(values, name)?.selected_options;
  return (Array.isArray(selected) ? selected : []).map((option: Json) => String(option.value));
}

/** The text of each platform, as somebody reads it in the form that they send. Undefined for other forms. */
export function readTexts(values: ViewValues): Record<string, string> | undefined {
  const main = readTyped(values, 'text').trim();
  const platforms = readSelected(values, 'platforms');
  if (main === '' || platforms.length === 0) return undefined;
  const differs = readSelected(values, 'differs');
  return Object.fromEntries(
    platforms.map((platform) => {
      const own = differs.includes(platform) ? readTyped(values, `own${platform}`).trim() : '';
      return [platform, own === '' ? main : own];
    }),
  );
}

/** The version of the main text in a form about a post. */
export function readMainText(values: ViewValues): { mainText?: string } {
  const [version] = /§[a-z]\d+(?:\.\d+)?/u.exec(readTyped(values, 'text')) ?? [];
  return version === undefined ? {} : { mainText: version };
}

/**
 * The width of the picture in a form: of a file that was just chosen, or of one that the form shows. `kept` is the one that
 * the post has: a form that can't offer a field for files has its address.
 */
export function readPicture(values: ViewValues, text: string): number | 'kept' | undefined {
  const files = findState(values, 'file')?.files;
  const [file] = Array.isArray(files) ? files : [];
  const [, width] = /^picture-(\d+)\.png$/u.exec(String(file?.name)) ?? /PNG, (\d+) × /u.exec(text) ?? [];
  if (width !== undefined) return Number(width);
  return /\/media\/\S+\.png$/u.test(readTyped(values, 'media')) ? 'kept' : undefined;
}

/** The time that somebody has typed into a form. Undefined if it doesn't ask for one. */
export function readWhen(values: ViewValues): string | undefined {
  const fields = Object.entries(values).flatMap(([block, states]) =>
    Object.entries(states).map(([actionId, { value }]) => ({ block, name: getFieldName(actionId), value })),
  );
  const typed = fields.find(({ block, name }) => block === 'when' || name === 'when')?.value;
  return typeof typed === 'string' ? typed : undefined;
}
