import type { InputBlock, InputBlockElement, ModalView } from '@slack/types';

export const createPlainText = (text: string) => ({ type: 'plain_text' as const, text });

/** A row with one button. */
export const createButtonRow = (action_id: string, text: string, fields: { value?: string } = {}) => ({
  type: 'actions' as const,
  elements: [{ type: 'button' as const, action_id, text: createPlainText(text), ...fields }],
});

export const createHeader = (text: string) => ({ type: 'header' as const, text: createPlainText(text) });

/** A field of a form. Its block_id is the label in lower case. */
export const createInput = (
  label: string,
  element: InputBlockElement,
  fields: Partial<InputBlock> = {},
): InputBlock => ({
  type: 'input',
  block_id: label.toLowerCase(),
  label: createPlainText(label),
  element,
  ...fields,
});

/** A form with a submit button. */
export const createModal = (
  title: string,
  blocks: ModalView['blocks'],
  fields: Partial<ModalView> = {},
): ModalView => ({
  type: 'modal',
  title: createPlainText(title),
  submit: createPlainText('Go'),
  blocks,
  ...fields,
});
