import { useMemo } from 'preact/hooks';
import { Blocks } from './blocks/blocks.js';
import { useConfirm } from './confirm.js';
import { containerKey, valuesIn } from './form-actions.js';
import { html } from './html.js';
import { SurfaceContext } from './surface.js';
import { usePageState, useWorkspace } from './use-workspace.js';

/**
 * @import { Container } from '../protocol.ts'
 * @import { Surface } from './surface.js'
 */

/** @type {Record<string, string>} */
const NO_ERRORS = {};

/**
 * The working blocks of a message, a modal or the Home tab.
 * @param {{ container: Container, blocks: readonly unknown[], inert?: boolean }} props
 */
export function BlocksIn({ container, blocks, inert = false }) {
  const workspace = useWorkspace();
  const key = containerKey(container);
  const form = usePageState((state) => (container.type === 'view' ? state.forms[key] : undefined));
  const chosen = usePageState((state) => state.inMessages[key]);
  const { confirm, dialog } = useConfirm();
  const values = useMemo(
    () => valuesIn(workspace.store.get(), container, blocks),
    [form, chosen, blocks, key],
  );
  const errors = form?.errors ?? NO_ERRORS;
  /** @type {Surface} */
  const surface = useMemo(
    () => ({
      container,
      values,
      errors,
      inert,
      change: (blockId, actionId, state) => workspace.change(container, blockId, actionId, state),
      press: (blockId, actionId, state) => workspace.press(container, blockId, actionId, state, blocks),
      options: (blockId, actionId, value) =>
        workspace.ask({ act: 'options', container, blockId, actionId, value }),
      confirm,
    }),
    [key, values, errors, inert, blocks],
  );
  return html`<${SurfaceContext.Provider} value=${surface}><${Blocks} blocks=${blocks} />${dialog}<//>`;
}
