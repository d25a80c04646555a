import type { ActionsBlockElement, KnownBlock } from '@slack/types';
import { actions, button, withConfirmation } from '../../slack/blocks.ts';
import type { Button } from '../state-copy.ts';
import type { RenderedSubmission } from './render-submission.ts';

/** Action ids of the buttons, which `features/outbox` handles. */
export const ACTIONS: Readonly<Record<Button, string>> = {
  check: 'outbox.check',
  retry: 'outbox.retry',
  edit: 'outbox.edit',
  discard: 'outbox.discard',
  'new-time': 'outbox.new-time',
  draft: 'outbox.draft',
};

const LABELS: Readonly<Record<Button, string>> = {
  check: 'Check again',
  retry: 'Send again',
  edit: 'Edit',
  discard: 'Discard',
  'new-time': 'New time',
  draft: 'Save as draft',
};

/**
 * Renders the buttons of a state. `valuePrefix` identifies the list that contains the buttons. The press handler
 * updates that list. A button's value is the prefix and the submission's id.
 */
export function renderStateButtons(
  { id, stateCopy }: Pick<RenderedSubmission, 'id' | 'stateCopy'>,
  valuePrefix = '',
): KnownBlock[] {
  const elements: ActionsBlockElement[] = stateCopy.buttons.map((name) => {
    const stateButton = button(
      getLabel(name, stateCopy.state),
      ACTIONS[name],
      `${valuePrefix}${id}`,
      getStyle(name, stateCopy.state),
    );
    return name === 'discard' ? withConfirmation(stateButton, DISCARD_DIALOG) : stateButton;
  });
  return elements.length > 0 ? [actions(...elements)] : [];
}

const DISCARD_DIALOG = {
  title: 'Discard this?',
  text: 'I’ll stop trying to send it.',
  confirm: 'Discard',
  deny: 'Keep',
  style: 'danger',
} as const;

function getLabel(name: Button, state: string): string {
  if (name === 'retry' && state === 'retryable') return 'Retry now';
  return name === 'edit' && state === 'refused' ? 'Fix and send again' : LABELS[name];
}

function getStyle(name: Button, state: string): 'primary' | undefined {
  if (state === 'retryable') return name === 'retry' ? 'primary' : undefined;
  return name === 'edit' || name === 'check' || name === 'new-time' ? 'primary' : undefined;
}
