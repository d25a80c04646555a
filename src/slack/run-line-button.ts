import type { Button } from '@slack/types';
import { button } from './blocks.ts';

/** The action ids of buttons that run their value as a typed line. A row has at most three, which need unique ids. */
export const RUN_LINE_ACTIONS = ['help.run.0', 'help.run.1', 'help.run.2'] as const;

/** Builds a button that runs a line as if the person had typed it. `index`: its position among those of its row. */
export function runLineButton(label: string, line: string, index = 0, style?: Button['style']): Button {
  return button(label, RUN_LINE_ACTIONS[index] ?? RUN_LINE_ACTIONS[0], line, style);
}
