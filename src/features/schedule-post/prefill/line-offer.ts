import type { KnownBlock } from '@slack/types';
import { buildActionId } from '../../../forms/field.ts';
import type { FormChange } from '../../../forms/form.ts';
import { renderPlatformNames } from '../../../posts/platforms.ts';
import { actions, button, clipLine } from '../../../slack/blocks.ts';
import { LIMITS } from '../../../slack/limits.ts';
import { FORM_NAME, type fields, type PostState } from '../form/fields.ts';
import type { LineOffer, PostFormContext } from '../form/post-form-context.ts';

/** The name of the button that takes the words of a line which may be a time, platforms or "draft", or a text. */
export const LINE_OFFER_BUTTON = 'line-offer';

/** Shown above the form if the words after the command became the text of the post. */
export const LINE_AS_TEXT_NOTE =
  'I took the whole line as the text. To add a time and a platform: /schedule-post tomorrow 9am on x: Hello!';

/** A longer time would leave no room for the platforms. */
const MAX_WHEN_LENGTH = 40;

/** Renders the button for what a line may mean instead. */
export function renderLineOffer(offer: LineOffer | undefined): KnownBlock[] {
  if (!offer) return [];
  const { when, platforms, isDraft, adds } = offer;
  const uses = [
    ...(when === '' ? [] : [`“${clipLine(when, MAX_WHEN_LENGTH)}” as the time`]),
    ...(platforms.length > 0 ? [renderPlatformNames(platforms)] : []),
    ...(isDraft ? ['draft'] : []),
  ].join(', ');
  const label = clipLine(
    adds === undefined ? `Use ${uses}` : `Add “${clipLine(adds, MAX_WHEN_LENGTH)}” to the text`,
    LIMITS.buttonText,
  );
  return [actions(button(label, buildActionId(FORM_NAME, LINE_OFFER_BUTTON)))];
}

/** Takes the offer. A text that somebody has changed since stays. */
export function takeLineOffer({
  values,
  formContext: { lineOffer, ...formContext },
}: PostState): FormChange<typeof fields, PostFormContext> {
  if (!lineOffer) return {};
  const { line, text, when, platforms, isDraft, adds } = lineOffer;
  const isOutdated = (note: string) =>
    adds === undefined ? note === LINE_AS_TEXT_NOTE : note.includes(`“${clipLine(adds)}”`);
  const changed = {
    formContext: {
      ...formContext,
      lineOffer: undefined,
      notes: formContext.notes?.filter((note) => !isOutdated(note)),
    },
  };
  if (adds !== undefined) return { ...changed, values: values.text === line ? { text } : {} };
  return {
    ...changed,
    values: {
      ...(when !== '' && { when }),
      ...(values.text === line && { text }),
      ...(platforms.length > 0 && { platforms }),
      ...(isDraft && { status: 'DRAFT' }),
    },
  };
}
