import type { Field } from '../../../forms/field.ts';
import { multiSelectField } from '../../../forms/inputs/choice.ts';
import { isBlank, textField } from '../../../forms/inputs/text.ts';
import { listPlatformChoices } from '../../../posts/platforms.ts';

/** Texts of their own for some platforms. A platform without one, or with an empty one, gets the main text. */

type OwnTextName = `own${string}`;

export function getOwnTextName(platform: string): OwnTextName {
  return `own${platform}`;
}

/** The field that opens a text for a platform. */
export const differsField = multiSelectField({
  label: 'Different text for',
  optional: true,
  isLive: true,
  placeholder: 'Choose platforms',
  hint: 'The others, and those with an empty text, get the main text.',
  choices: listPlatformChoices().map(({ platform, name }) => ({ value: platform, name })),
});

export const ownTextFields: Readonly<Record<OwnTextName, Field<string>>> = Object.fromEntries(
  listPlatformChoices().map(({ platform, name }) => [
    getOwnTextName(platform),
    textField({
      label: `Text for ${name}`,
      // Not a name of the service: `editHeldPostInForm` gives it to the problems of a part that had this text.
      apiFields: getOwnTextName(platform),
      optional: true,
      isLive: true,
      multiline: true,
    }),
  ]),
);

export interface OwnTextValues {
  platforms: readonly string[];
  differs: readonly string[];
  [name: OwnTextName]: string;
}

export const hideableOwnTexts: readonly ('differs' | OwnTextName)[] = [
  'differs',
  ...listPlatformChoices().map(({ platform }) => getOwnTextName(platform)),
];

/** Lists the fields about own texts that the form doesn't show. With one platform, there is one text. */
export function listHiddenOwnTexts({ platforms, differs }: OwnTextValues): ('differs' | OwnTextName)[] {
  const isOffered = platforms.length > 1 || differs.length > 0;
  const shown = differs.map(getOwnTextName);
  return hideableOwnTexts.filter((name) => (name === 'differs' ? !isOffered : !shown.includes(name)));
}

export function listTypedOwnTexts(values: OwnTextValues): (readonly [platform: string, text: string])[] {
  const texts = new Map(listShownOwnTexts(values));
  return values.platforms.flatMap((platform) => {
    const text = texts.get(platform) ?? '';
    return isBlank(text) ? [] : [[platform, text] as const];
  });
}

/** Lists the texts that the form shows for platforms, also for those that aren't chosen. */
export function listShownOwnTexts({
  differs,
  ...values
}: Omit<OwnTextValues, 'platforms'>): (readonly [platform: string, text: string])[] {
  return differs.map((platform) => [platform, values[getOwnTextName(platform)] ?? ''] as const);
}

/** Lists the platforms with a text that nobody gets, because they aren't chosen. */
export function listUnusedOwnTexts({ platforms, differs, ...values }: OwnTextValues): string[] {
  return listShownOwnTexts({ differs, ...values }).flatMap(([platform, text]) =>
    platforms.includes(platform) || isBlank(text) ? [] : [platform],
  );
}

export function toOwnTextValues(ownTexts: Readonly<Record<string, string>>) {
  return {
    differs: Object.keys(ownTexts),
    ...Object.fromEntries(
      Object.entries(ownTexts).map(([platform, text]) => [getOwnTextName(platform), text]),
    ),
  };
}
